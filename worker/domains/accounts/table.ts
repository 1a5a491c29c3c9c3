// Accounts: the tree of an institution. The root account has no parent.

import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, folded, id, int, json, state, string } from '../../database/columns';

export const accounts = sqliteTable(
  'accounts',
  {
    id: id(),
    name: string().notNull(),
    parent_account_id: int(),
    /** Null for the root itself. */
    root_account_id: int(),
    /** Shown as a root account, although every rule treats it as a child of account 1. */
    is_root: bool().notNull().default(false),
    uuid: string().notNull(),
    sis_account_id: string(),
    integration_id: string(),
    sis_import_id: int(),
    /** Fields changed by hand (`,name,short_name,`); an SIS import leaves them alone. Kept by triggers. */
    stuck_sis_fields: string(),
    default_time_zone: string().notNull().default('Etc/UTC'),
    default_storage_quota_mb: int(),
    default_user_storage_quota_mb: int(),
    default_group_storage_quota_mb: int(),
    /** Null inherits the template of the parent account; 0 means no template. */
    course_template_id: int(),
    /** The grading scheme of courses and assignments that name none; null inherits it, and the root falls back to the built-in one. */
    grading_standard_id: int(),
    calendar_visible: bool().notNull().default(false),
    calendar_auto_subscribe: bool().notNull().default(false),
    /** Number of direct sub-accounts that are not deleted. Kept by triggers. */
    sub_account_count: int().notNull().default(0),
    /** Number of visible calendars in the account and its descendants. Kept by triggers. */
    visible_calendar_count: int().notNull().default(0),
    settings: json<Record<string, unknown>>().notNull().default({}),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    ...created(),
  },
  (account) => [
    index('accounts_in_account').on(account.parent_account_id, account.id),
    index('accounts_by_name').on(account.parent_account_id, sql`${account.name} collate nocase`, account.id),
    index('accounts_by_calendar').on(account.parent_account_id, account.calendar_visible, account.id),
    uniqueIndex('accounts_by_sis_id').on(account.sis_account_id),
    // Partial: only accounts with a default scheme.
    index('accounts_of_standard').on(account.grading_standard_id).where(sql`grading_standard_id is not null`),
  ],
);

/** Every account paired with each of its ancestors, including itself. Kept by triggers, so that a page of a tree is one index walk. */
export const account_ancestors = sqliteTable('account_ancestors', { ancestor_id: int().notNull(), account_id: int().notNull() }, (link) => [
  primaryKey({ columns: [link.ancestor_id, link.account_id] }),
  index('account_ancestors_of_account').on(link.account_id, link.ancestor_id),
]);

/** Every course paired with each account above it, with its sort keys. Kept by triggers, so that each sort order is one index walk. */
export const account_courses = sqliteTable(
  'account_courses',
  {
    account_id: int().notNull(),
    course_id: int().notNull(),
    name: folded().notNull(),
    sis_course_id: string().notNull(),
    /** The first teacher by name. */
    teacher: folded().notNull(),
    account_name: folded().notNull(),
    term: folded().notNull(),
  },
  (place) => [
    primaryKey({ columns: [place.account_id, place.course_id] }),
    index('account_courses_of_course').on(place.course_id),
    index('account_courses_by_name').on(place.account_id, place.name, place.course_id),
    index('account_courses_by_sis_id').on(place.account_id, place.sis_course_id, place.course_id),
    index('account_courses_by_teacher').on(place.account_id, place.teacher, place.course_id),
    index('account_courses_by_account').on(place.account_id, place.account_name, place.course_id),
    index('account_courses_by_term').on(place.account_id, place.term, place.course_id),
  ],
);
