// Content on its way from one course to another, and what came of each thing.

import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core';
import { created, id, int, json, state, string } from '../../database/columns';

/** What is copied, in the order in which it is copied: what others refer to comes first. */
export const kinds = [
  'folder',
  'file',
  'assignment_group',
  'assignment',
  'page',
  'discussion_topic',
  'calendar_event',
  'module',
  'module_item',
] as const;
export type Kind = (typeof kinds)[number];

/** What is asked for: nothing said, everything. */
export interface Choice {
  /** Kinds that are copied whole. Announcements are discussion topics that are chosen by themselves. */
  readonly whole?: readonly (Kind | 'announcement')[];
  /** Single things, by their ids in the source. */
  readonly items?: { readonly [K in Kind]?: readonly number[] };
  /** These alone: nothing that they need goes along. */
  readonly alone?: boolean;
  /** People are told of what is new. */
  readonly heard?: boolean;
  /** The course is published in the end. */
  readonly publish?: boolean;
  readonly settings?: boolean;
  readonly syllabus?: boolean;
  /** Things that have gone from the source and go from here, too. */
  readonly deleted?: { readonly [K in Kind]?: readonly number[] };
}

/** One batch of work; the plan is a list of them. */
export type Step =
  | { readonly does: 'copy' | 'texts' | 'refer' | 'delete'; readonly kind: Kind; readonly ids: readonly number[] }
  | { readonly does: 'settings' | 'syllabus' };

export const course_copies = sqliteTable(
  'course_copies',
  {
    id: id(),
    /** Where it goes. */
    course_id: int().notNull(),
    source_course_id: int().notNull(),
    user_id: int().notNull(),
    progress_id: int(),
    /** What it is a part of, where it was not asked for as itself. */
    purpose: state('copy', 'blueprint').notNull().default('copy'),
    choice: json<Choice>().notNull().default({}),
    plan: json<Step[]>(),
    /** Steps that have been made. */
    step: int().notNull().default(0),
    /** So often the step at hand has broken off. */
    crashes: int().notNull().default(0),
    message: string(),
    workflow_state: state('created', 'started', 'completed', 'failed').notNull().default('created'),
    ...created(),
  },
  (copy) => [
    index('course_copies_of_course').on(copy.course_id, copy.id),
    index('course_copies_unfinished').on(copy.updated_at).where(sql`workflow_state in ('created', 'started')`),
  ],
);

/** What became of a thing of another course here. A copy that is made again changes what it made before. */
export const copied_items = sqliteTable(
  'copied_items',
  {
    course_id: int().notNull(),
    kind: state(...kinds).notNull(),
    source_id: int().notNull(),
    item_id: int().notNull(),
    source_course_id: int().notNull(),
    /** The copy that wrote it last; 0 for what was there already and has been taken for the same. */
    copy_id: int().notNull(),
    /** What imports know the original by. */
    migration_id: string(),
    /** What has been edited here since, in a course that follows a blueprint: `,content,points`. Kept by triggers. */
    changed: string().notNull().default(''),
  },
  (item) => [
    primaryKey({ columns: [item.course_id, item.kind, item.source_id] }),
    index('copied_items_of_item').on(item.kind, item.item_id),
    index('copied_items_by_migration_id').on(item.course_id, item.migration_id).where(sql`migration_id is not null`),
    index('copied_items_between').on(item.course_id, item.source_course_id),
  ],
);

/** Holds a row while a batch of a copy is being written, and never outside of it: 1 where nobody is told of news. Triggers look here. */
export const course_copying = sqliteTable('course_copying', { id: id() });
