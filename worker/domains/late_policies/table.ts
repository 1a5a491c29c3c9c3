// The late policy of a course, and the courses and assignments whose submissions it still has to be applied to.

import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, number, state, time } from '../../database/columns';

export const late_policies = sqliteTable(
  'late_policies',
  {
    id: id(),
    course_id: int().notNull(),
    missing_submission_deduction_enabled: bool().notNull().default(false),
    /** Percent, as all numbers here. */
    missing_submission_deduction: number().notNull().default(0),
    late_submission_deduction_enabled: bool().notNull().default(false),
    late_submission_deduction: number().notNull().default(0),
    late_submission_interval: state('day', 'hour').notNull().default('day'),
    late_submission_minimum_percent_enabled: bool().notNull().default(false),
    late_submission_minimum_percent: number().notNull().default(0),
    ...created(),
  },
  (policy) => [uniqueIndex('late_policies_once').on(policy.course_id)],
);

/** Triggers insert these (triggers/late_policies.ts); a chore carries them out in steps and deletes them. */
export const late_policy_runs = sqliteTable(
  'late_policy_runs',
  {
    id: id(),
    course_id: int().notNull(),
    /** 0 for all assignments of the course. */
    assignment_id: int().notNull(),
    /** 0 for all students; else all assignments of the course for one student, who has just joined. */
    user_id: int().notNull().default(0),
    /** A due date that is still ahead, when missing scores become due; otherwise the time of the change. */
    not_before: time().notNull(),
    /** The assignment and the user up to whom a started run has come. */
    at_assignment_id: int().notNull().default(0),
    at_user_id: int().notNull().default(0),
  },
  (run) => [
    uniqueIndex('late_policy_runs_once').on(run.course_id, run.assignment_id, run.user_id, run.not_before),
    index('late_policy_runs_due').on(run.not_before, run.id),
  ],
);
