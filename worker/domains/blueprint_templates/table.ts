// Blueprints: associated courses, locks, changes and syncs.

import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, state, string, time } from '../../database/columns';
import { type CopiedKind, copiedKinds } from '../course_copy/table';

/** The kinds of change that a lock prevents in associated courses. */
export const lockables = ['content', 'points', 'due_dates', 'availability_dates', 'state'] as const;
export type Lockable = (typeof lockables)[number];

/** Reported changes that are not items. */
const changeKinds = [...copiedKinds, 'syllabus', 'settings'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** A course that is or was a blueprint. Kept by triggers. */
export const blueprint_templates = sqliteTable(
  'blueprint_templates',
  { id: id(), course_id: int().notNull(), workflow_state: state('active', 'deleted').notNull().default('active'), ...created() },
  (template) => [uniqueIndex('blueprint_templates_of_course').on(template.course_id)],
);

/** A course associated with a blueprint. */
export const blueprint_subscriptions = sqliteTable(
  'blueprint_subscriptions',
  {
    id: id(),
    template_id: int().notNull(),
    course_id: int().notNull(),
    /** The last blueprint change synced to this course; null before the first sync. */
    synced_seq: int(),
    /** Whether the syllabus was edited in this course. */
    syllabus_changed: bool().notNull().default(false),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    ...created(),
  },
  (subscription) => [
    uniqueIndex('blueprint_subscriptions_once').on(subscription.course_id).where(sql`workflow_state = 'active'`),
    index('blueprint_subscriptions_of_template').on(subscription.template_id, subscription.workflow_state, subscription.course_id),
  ],
);

/** The locks on a blueprint item. */
export const blueprint_items = sqliteTable(
  'blueprint_items',
  {
    kind: state(...copiedKinds).notNull(),
    item_id: int().notNull(),
    course_id: int().notNull(),
    /** Uses the course's default locks for its kind. */
    use_default: bool().notNull().default(false),
    content: bool().notNull().default(false),
    points: bool().notNull().default(false),
    due_dates: bool().notNull().default(false),
    availability_dates: bool().notNull().default(false),
    state: bool().notNull().default(false),
  },
  (item) => [primaryKey({ columns: [item.kind, item.item_id] }), index('blueprint_items_of_course').on(item.course_id)],
);

/** The last change of each blueprint item, in order; written by triggers. */
export const blueprint_changes = sqliteTable(
  'blueprint_changes',
  { seq: id(), course_id: int().notNull(), kind: state(...changeKinds).notNull(), item_id: int().notNull() },
  (change) => [
    uniqueIndex('blueprint_changes_once').on(change.kind, change.item_id),
    index('blueprint_changes_of_course').on(change.course_id, change.seq),
  ],
);

/** A reported change; URL and exceptions are added when it is serialised. */
export interface BlueprintChange {
  readonly kind: ChangeKind;
  readonly id: number;
  readonly name: string;
  readonly type: 'created' | 'updated' | 'deleted';
  readonly locked: boolean;
  /** The slug, for a page. */
  readonly url?: string;
  readonly is_announcement?: boolean;
}

export interface SyncOptions {
  readonly copy_settings?: boolean;
  readonly send_notification?: boolean;
  readonly send_item_notifications?: boolean;
  readonly publish_after_initial_sync?: boolean;
}

export const blueprint_migrations = sqliteTable(
  'blueprint_migrations',
  {
    id: id(),
    template_id: int().notNull(),
    user_id: int().notNull(),
    comment: string(),
    options: json<SyncOptions>().notNull().default({}),
    changes: json<BlueprintChange[]>().notNull().default([]),
    /** The last change included in the sync. */
    upto_seq: int(),
    crashes: int().notNull().default(0),
    exports_started_at: time(),
    imports_queued_at: time(),
    imports_completed_at: time(),
    workflow_state: state('queued', 'exporting', 'imports_queued', 'completed', 'exports_failed', 'imports_failed')
      .notNull()
      .default('queued'),
    ...created(),
  },
  (migration) => [
    index('blueprint_migrations_of_template').on(migration.template_id, migration.id),
    index('blueprint_migrations_unfinished').on(migration.updated_at).where(sql`workflow_state in ('queued', 'exporting')`),
    uniqueIndex('blueprint_migrations_one_at_a_time')
      .on(migration.template_id)
      .where(sql`workflow_state in ('queued', 'exporting', 'imports_queued')`),
  ],
);

/** An item that a sync skips because it was edited in the associated course. */
export interface Conflict {
  readonly kind: CopiedKind | 'syllabus';
  readonly id: number;
  readonly changes: readonly string[];
}

/** A sync into one associated course. */
export const blueprint_imports = sqliteTable(
  'blueprint_imports',
  {
    id: id(),
    migration_id: int().notNull(),
    subscription_id: int().notNull(),
    course_id: int().notNull(),
    /** The copy job that does the work. */
    copy_id: int().notNull(),
    upto_seq: int().notNull(),
    conflicts: json<Conflict[]>().notNull().default([]),
    workflow_state: state('imports_queued', 'completed', 'imports_failed').notNull().default('imports_queued'),
    ...created(),
  },
  (one) => [
    index('blueprint_imports_of_subscription').on(one.subscription_id, one.id),
    uniqueIndex('blueprint_imports_once').on(one.migration_id, one.subscription_id),
    index('blueprint_imports_of_copy').on(one.copy_id),
  ],
);
