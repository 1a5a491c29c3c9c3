// Final grades that graders set in place of the computed ones, for a course or a grading period of it.

import { primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core';
import { int, number, string } from '../../database/columns';

export const final_grade_overrides = sqliteTable(
  'final_grade_overrides',
  {
    course_id: int().notNull(),
    user_id: int().notNull(),
    /** 0 for the whole course. */
    grading_period_id: int().notNull(),
    /** A percentage; null once it was cleared. */
    score: number(),
    /** For the grade-change log: the grade in the scheme of the course at that time, else the percentage. */
    grade: string(),
    /** A status of the institution; it stays when the score is cleared, and readers leave it out once the status is deleted. */
    custom_grade_status_id: int(),
    /** The user who made the last change of the score. */
    grader_id: int().notNull(),
    /** Counts the changes of the score. */
    version: int().notNull().default(1),
  },
  (override) => [primaryKey({ columns: [override.course_id, override.user_id, override.grading_period_id] })],
);
