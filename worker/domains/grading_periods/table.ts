// Grading periods, in sets: an institution's set for its terms, or a course's own. Course copies and blueprints leave them out, because the export
// format of Canvas, which both use there, has no file for them.

import { sql } from 'drizzle-orm';
import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, number, state, string, time } from '../../database/columns';

export const grading_period_sets = sqliteTable(
  'grading_period_sets',
  {
    id: id(),
    account_id: int().notNull(),
    /** The course that has the set for itself; null for a set of terms. */
    course_id: int(),
    title: string().notNull(),
    weighted: bool().notNull().default(false),
    display_totals_for_all_grading_periods: bool().notNull().default(false),
    /** Changes with the set and its periods, and is part of the mark of stored scores. Kept by triggers. */
    version: int().notNull().default(1),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    ...created(),
  },
  (set) => [
    index('grading_period_sets_in_account').on(set.account_id, set.workflow_state, set.course_id, set.id),
    uniqueIndex('grading_period_sets_of_course').on(set.course_id).where(sql`workflow_state = 'active'`),
  ],
);

export const grading_periods = sqliteTable(
  'grading_periods',
  {
    id: id(),
    grading_period_group_id: int().notNull(),
    /** As its set's, so that one index has the order of the account's list. */
    account_id: int().notNull(),
    course_id: int(),
    title: string().notNull(),
    weight: number(),
    start_date: time().notNull(),
    end_date: time().notNull(),
    close_date: time().notNull(),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    ...created(),
  },
  (period) => [
    index('grading_periods_of_set').on(period.grading_period_group_id, period.workflow_state, period.start_date, period.id),
    index('grading_periods_in_account').on(period.account_id, period.workflow_state, period.course_id, period.start_date, period.id),
  ],
);
