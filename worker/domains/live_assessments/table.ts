// Live assessments: what a teacher checks during a lesson, and which students have passed it, each as often as it was checked.

import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, string, time } from '../../database/columns';

export const live_assessments = sqliteTable(
  'live_assessments',
  {
    id: id(),
    course_id: int().notNull(),
    /** Chosen by the client, to find the assessment again. */
    key: string().notNull(),
    title: string().notNull(),
    ...created(),
  },
  (assessment) => [
    uniqueIndex('live_assessments_once').on(assessment.course_id, assessment.key),
    index('live_assessments_in_course').on(assessment.course_id, assessment.id),
  ],
);

export const live_assessment_results = sqliteTable(
  'live_assessment_results',
  {
    id: id(),
    assessment_id: int().notNull(),
    course_id: int().notNull(),
    /** The student. */
    user_id: int().notNull(),
    assessor_id: int().notNull(),
    passed: bool().notNull(),
    assessed_at: time().notNull(),
    ...created(),
  },
  (result) => [
    index('live_assessment_results_of_assessment').on(result.assessment_id, result.id),
    index('live_assessment_results_of_user').on(result.user_id, result.assessment_id, result.id),
  ],
);
