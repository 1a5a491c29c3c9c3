// Statements that create or update a page, with a revision.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import { atMost } from '../../database/at_most';
import type { Database, Statement } from '../../database/open';
import { shared } from '../../database/shared';
import { former_page_urls, page_revisions, pages } from '../../domains/pages/table';
import type { RowOf } from '../../http/listing';
import { invalid } from '../../http/problem';
import { changeUnlocked } from '../blueprint_locks';
import { notifyOfInsert, notifyOfUpdate } from '../notify';
import { presentPages, type WikiContext } from './which';

export type PageRow = RowOf<typeof pages>;

export interface PageColumns {
  readonly title?: string;
  readonly url?: string;
  readonly body?: string | null;
  readonly editing_roles?: string;
  readonly front_page?: boolean;
  readonly publish_at?: string | null;
  readonly todo_date?: string | null;
  readonly workflow_state?: 'active' | 'unpublished';
}

/**
 * Reads the pages with conflicting names.
 * @param slug the requested slug, or a select of it
 */
export const selectTaken = (db: Database, wiki: WikiContext, slug: SQL | string, but?: SQL) =>
  db.build
    .select({ id: pages.id, title: pages.title, url: pages.url })
    .from(pages)
    .where(and(presentPages(wiki), sql`pages.url >= (${slug}) and pages.url < (${slug}) || '.'`, but && sql`pages.id is not (${but})`));

/** A new revision with the page's current values. */
const rememberRevision = (db: Database, page: SQL, user_id: number, now: string): Statement =>
  db.build
    .insert(page_revisions)
    .select(
      sql`select null, p.id, coalesce((select max(r.revision_id) from page_revisions r where r.page_id = p.id), 0) + 1, p.url, p.title, p.body, ${user_id}, ${shared('time', now)} from pages p where p.id = (${page})`,
    );

/** Clears the wiki's previous front page. */
const stepDown = (db: Database, wiki: WikiContext): Statement =>
  db.build
    .update(pages)
    .set({ front_page: false })
    .where(and(presentPages(wiki), eq(pages.front_page, true)));

/** A select of the id of the wiki's page with a slug. */
export const idByUrl = ({ context_type, context_id }: WikiContext, url: string): SQL =>
  sql`select id from pages where context_type = ${context_type} and context_id = ${context_id} and url = ${url} and workflow_state <> 'deleted'`;

type NewPage = PageColumns & Required<Pick<PageColumns, 'title' | 'url'>>;

/** Creates a page. Read it back by its slug. */
export const makePage = (db: Database, wiki: WikiContext, columns: NewPage, user_id: number, now: string): Statement[] => [
  ...(columns.front_page ? [stepDown(db, wiki)] : []),
  db.build.insert(pages).values({
    context_type: wiki.context_type,
    context_id: wiki.context_id,
    editing_roles: 'teachers',
    last_edited_by_id: user_id,
    ...columns,
    created_at: now,
    updated_at: now,
  }),
  ...notifyOfInsert(db, pages, now),
  rememberRevision(db, idByUrl(wiki, columns.url), user_id, now),
];

/** Updates a page; its former slug keeps redirecting to it. */
export function revisePage(db: Database, page: PageRow, columns: PageColumns, user_id: number, now: string): Statement[] {
  const moves = columns.url !== undefined && columns.url !== page.url;
  const isRevised = moves || (columns.title ?? page.title) !== page.title || (columns.body !== undefined && columns.body !== page.body);
  return [
    ...(columns.front_page && !page.front_page ? [stepDown(db, page)] : []),
    ...(Object.values(columns).some((value) => value !== undefined)
      ? changeUnlocked(db, pages, { ...columns, ...(isRevised && { last_edited_by_id: user_id, updated_at: now }) }, eq(pages.id, page.id))
      : []),
    ...(moves
      ? [
          db.build
            .insert(former_page_urls)
            .values({ context_type: page.context_type, context_id: page.context_id, url: page.url, page_id: page.id })
            .onConflictDoUpdate({
              target: [former_page_urls.context_type, former_page_urls.context_id, former_page_urls.url],
              set: { page_id: page.id },
            }),
        ]
      : []),
    ...(isRevised ? [rememberRevision(db, sql`${page.id}`, user_id, now)] : []),
  ];
}

export const isDueToPublish = (now: string): SQL => sql`publish_at is not null and publish_at <= ${now} and workflow_state = 'unpublished'`;

/** Publishes pages that are due: all of them for an update that happens before the scheduled run, and `most` in a scheduled run. */
export const publishDuePages = (db: Database, now: string, most?: number): Statement[] => {
  const set = { workflow_state: 'active' as const, publish_at: null };
  const isDue = isDueToPublish(now);
  const where = most === undefined ? isDue : sql`id in (select id from pages where ${isDue} limit ${atMost(most)})`;
  return [...notifyOfUpdate(db, pages, { set, where }, now), db.build.update(pages).set(set).where(where)];
};

/** The error when a concurrent request has used the slug. */
export const pageRefusals = { 'pages.url': () => invalid('title', 'taken') };
