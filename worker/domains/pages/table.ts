// Wiki pages, their former slugs, and revisions.

import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, state, string, time } from '../../database/columns';

export const pages = sqliteTable(
  'pages',
  {
    id: id(),
    context_type: state('Course', 'Group').notNull(),
    context_id: int().notNull(),
    url: string().notNull(),
    title: string().notNull(),
    body: string(),
    editing_roles: string().notNull(),
    front_page: bool().notNull().default(false),
    publish_at: time(),
    todo_date: time(),
    last_edited_by_id: int(),
    workflow_state: state('active', 'unpublished', 'deleted').notNull().default('unpublished'),
    ...created(),
  },
  (page) => [
    uniqueIndex('pages_by_url').on(page.context_type, page.context_id, page.url).where(sql`workflow_state <> 'deleted'`),
    index('pages_in_context').on(page.context_type, page.context_id, page.id),
    index('pages_by_title').on(page.context_type, page.context_id, sql`${page.title} collate nocase`, page.id),
    index('pages_by_creation').on(page.context_type, page.context_id, page.created_at, page.id),
    index('pages_by_change').on(page.context_type, page.context_id, page.updated_at, page.id),
    index('pages_due').on(page.publish_at).where(sql`publish_at is not null`),
    index('pages_by_todo_date').on(page.context_type, page.context_id, page.todo_date).where(sql`todo_date is not null`),
    index('pages_of_editor').on(page.last_edited_by_id),
    uniqueIndex('pages_front').on(page.context_type, page.context_id).where(sql`front_page = 1 and workflow_state <> 'deleted'`),
  ],
);

/** What the version of a page is made from. */
export const authoredPageColumns = ['title', 'body', 'workflow_state', 'publish_at'] as const;

/** Former slugs; they redirect to the page until another page uses them. */
export const former_page_urls = sqliteTable(
  'former_page_urls',
  { context_type: string().notNull(), context_id: int().notNull(), url: string().notNull(), page_id: int().notNull() },
  (former) => [primaryKey({ columns: [former.context_type, former.context_id, former.url] })],
);

export const page_revisions = sqliteTable(
  'page_revisions',
  {
    id: id(),
    page_id: int().notNull(),
    revision_id: int().notNull(),
    url: string().notNull(),
    title: string().notNull(),
    body: string(),
    edited_by_id: int(),
    updated_at: time().notNull(),
  },
  (revision) => [uniqueIndex('page_revisions_once').on(revision.page_id, revision.revision_id)],
);
