// Course copies, and the copied items.

import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core';
import { created, id, int, json, state, string } from '../../database/columns';

/** The kinds that packages name, in copy order: a kind comes after those it refers to. */
export const packagedKinds = [
  'external_tool',
  'folder',
  'file',
  'assignment_group',
  'grading_standard',
  'learning_outcome',
  'outcome_group',
  'rubric',
  'assignment',
  'question_bank',
  'quiz',
  'quiz_group',
  'quiz_question',
  'page',
  'discussion_topic',
  'calendar_event',
  'module',
  'module_item',
] as const;
/** With the kinds that packages have only as parts of others. */
export const copiedKinds = [...packagedKinds, 'new_quiz_item', 'rubric_association'] as const;
export type CopiedKind = (typeof copiedKinds)[number];

/** The requested content; empty means everything. */
export interface Choice {
  /** Kinds that are copied completely. Announcements are selected separately from discussion topics. */
  readonly whole?: readonly (CopiedKind | 'announcement')[];
  /** Single items, by their ids in the source. */
  readonly items?: { readonly [K in CopiedKind]?: readonly number[] };
  /** Kinds that are not copied, because the user may not create them in the target. */
  readonly without?: readonly CopiedKind[];
  /** Only these items, without their dependencies. */
  readonly alone?: boolean;
  /** Notify users about new content. */
  readonly heard?: boolean;
  /** Publish the course at the end. */
  readonly publish?: boolean;
  readonly settings?: boolean;
  /** Settings are copied without those that open the course to others. */
  readonly keepsVisibility?: boolean;
  /** Settings are copied without those that change grades: the late policy, and when grades are posted. */
  readonly keepsGrading?: boolean;
  readonly syllabus?: boolean;
  /** Items deleted in the source, to delete in the target. */
  readonly deleted?: { readonly [K in CopiedKind]?: readonly number[] };
}

/** What a choice leaves of the settings. */
export type KeptSettings = Pick<Choice, 'settings' | 'keepsVisibility' | 'keepsGrading'>;

/** One batch of work; the plan is a list of them. */
export type CopyStep =
  | { readonly does: 'copy' | 'texts' | 'refer' | 'delete'; readonly kind: CopiedKind; readonly ids: readonly number[] }
  | { readonly does: 'settings' | 'syllabus' };

export const course_copies = sqliteTable(
  'course_copies',
  {
    id: id(),
    /** The target course. */
    course_id: int().notNull(),
    source_course_id: int().notNull(),
    user_id: int().notNull(),
    progress_id: int(),
    /** Whether it was requested directly, or is part of a blueprint sync or of a content migration. */
    purpose: state('copy', 'blueprint', 'migration').notNull().default('copy'),
    choice: json<Choice>().notNull().default({}),
    plan: json<CopyStep[]>(),
    /** Number of completed steps. */
    step: int().notNull().default(0),
    /** How often the current step has failed. */
    crashes: int().notNull().default(0),
    message: string(),
    workflow_state: state('created', 'started', 'completed', 'failed').notNull().default('created'),
    ...created(),
  },
  (copy) => [index('course_copies_unfinished').on(copy.updated_at).where(sql`workflow_state in ('created', 'started')`)],
);

/** The copy of an item in the target course. A repeated copy updates it. */
export const copied_items = sqliteTable(
  'copied_items',
  {
    course_id: int().notNull(),
    kind: state(...copiedKinds).notNull(),
    source_id: int().notNull(),
    item_id: int().notNull(),
    source_course_id: int().notNull(),
    /** The last copy that wrote it; 0 for an existing item that was treated as the copy. */
    copy_id: int().notNull(),
    /** The migration id of the original. */
    migration_id: string(),
    /** Parts edited since the sync, in a course with a blueprint: `,content,points`. Kept by triggers. */
    changed: string().notNull().default(''),
  },
  (item) => [
    primaryKey({ columns: [item.course_id, item.kind, item.source_id] }),
    index('copied_items_of_item').on(item.kind, item.item_id),
    index('copied_items_by_migration_id').on(item.course_id, item.migration_id).where(sql`migration_id is not null`),
  ],
);

/** Holds a row while a copy's batch is being written, and is empty otherwise. Read by triggers. */
export const course_copying = sqliteTable('course_copying', { id: id() });
