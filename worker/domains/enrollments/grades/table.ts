// Stored scores: a cache of what `facts.ts` computes. A row is current while it is not pending and has the mark of its course.

import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core';
import { id, int, json, string } from '../../../database/columns';

/** In the order of the numbers in `scores`. */
export const storedScoreNames = [
  'current_score',
  'final_score',
  'unposted_current_score',
  'unposted_final_score',
  'current_points',
  'unposted_current_points',
  'override_score',
] as const;

/** By grading period, 0 for the whole course. */
export type StoredScores = Record<string, (number | null)[]>;

/** The scores of a student in a course; there is a row once the student has work. */
export const course_scores = sqliteTable(
  'course_scores',
  {
    course_id: int().notNull(),
    user_id: int().notNull(),
    /** Null when nothing has changed since the scores were computed; else `stale`, or the name of the run that computes them. Kept by triggers. */
    pending: string(),
    /** The mark of the course (`course_score_marks`) when the scores were computed. */
    mark: string(),
    scores: json<StoredScores>(),
  },
  (score) => [
    primaryKey({ columns: [score.course_id, score.user_id] }),
    index('course_scores_pending').on(score.pending, score.course_id, score.user_id).where(sql`pending is not null`),
  ],
);

/** How often the scores of all students of a course have changed at once: by weights, points, dates. Kept by triggers. */
export const course_score_marks = sqliteTable(
  'course_score_marks',
  {
    /** The course. */
    id: id(),
    generation: int().notNull().default(0),
    /** The generation to which all rows have been computed again. */
    done: int().notNull().default(0),
  },
  (mark) => [index('course_score_marks_behind').on(mark.id).where(sql`done <> generation`)],
);

/** Terms whose grading periods have changed: triggers insert them, and a chore marks their courses in steps. */
export const term_score_runs = sqliteTable('term_score_runs', {
  /** The term. */
  id: id(),
  /** The course up to which the run has come. */
  at_course_id: int().notNull().default(0),
});
