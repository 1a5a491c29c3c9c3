// The grade-change log: one row for each change of a submission's score, grade, excused or posted state. Written by triggers
// (triggers/grade_changes.ts), so that no write path can omit it.

import { sql } from 'drizzle-orm';
import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, id, int, number, sameId, string, time } from '../../database/columns';

/** A change that only posts or hides a grade is no grade change for the audit log. Literal, to match the partial indexes. */
export const changesGrade = sql`is_posting = 0`;

export const grade_changes = sqliteTable(
  'grade_changes',
  {
    id: id(),
    course_id: int().notNull(),
    /** Null for an override of the course grade. */
    assignment_id: int(),
    student_id: int().notNull(),
    /** As in rules/submission_ids.ts. */
    submission_id: int().generatedAlwaysAs(sql`assignment_id * 67108864 + student_id`),
    /** The user who made the change; null when the service made it, for example by the late policy. */
    grader_id: int(),
    /** Counts the changes of one submission. */
    version_number: int().notNull(),
    /** The submission's attempt at that time. */
    attempt: int(),
    score_before: number(),
    score_after: number(),
    grade_before: string(),
    grade_after: string(),
    points_deducted: number(),
    excused_before: bool().notNull(),
    excused_after: bool().notNull(),
    posted_before: bool().notNull(),
    posted_after: bool().notNull(),
    points_possible_before: number(),
    points_possible_after: number(),
    /** Whether the assignment was graded anonymously at that time. */
    graded_anonymously: bool(),
    /** Only the posted state changed. */
    is_posting: bool().notNull().default(false),
    created_at: time().notNull(),
    same_id: sameId(),
  },
  (change) => [
    index('grade_changes_in_course').on(change.course_id, change.created_at, change.same_id).where(changesGrade),
    index('grade_changes_of_assignment').on(change.assignment_id, change.created_at, change.same_id).where(changesGrade),
    index('grade_changes_of_student').on(change.student_id, change.created_at, change.same_id).where(changesGrade),
    index('grade_changes_by_grader')
      .on(change.grader_id, change.created_at, change.same_id)
      .where(sql`is_posting = 0 and grader_id is not null`),
    uniqueIndex('grade_changes_of_submission').on(change.submission_id, change.version_number),
    index('grade_changes_by_time').on(change.created_at, change.id),
  ],
);
