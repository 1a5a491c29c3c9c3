// Assessments of submissions by rubrics.

import { sql } from 'drizzle-orm';
import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { created, id, int, json, number, state } from '../../database/columns';

export interface AssessmentRow {
  readonly criterion_id: string;
  /** The rating; null for points that no rating has. */
  readonly id: string | null;
  readonly points: number | null;
  readonly description: string | null;
  readonly comments: string | null;
  readonly comments_enabled: boolean;
  readonly learning_outcome_id?: number | null;
  readonly above_threshold?: boolean;
}

export const rubric_assessments = sqliteTable(
  'rubric_assessments',
  {
    id: id(),
    rubric_id: int().notNull(),
    rubric_association_id: int().notNull(),
    course_id: int().notNull(),
    assignment_id: int().notNull(),
    /** The student whose work is assessed. */
    user_id: int().notNull(),
    submission_id: int().notNull(),
    artifact_attempt: int(),
    assessment_type: state('grading', 'peer_review', 'provisional_grade').notNull(),
    /** Of a provisional assessment, which belongs to one grade of one grader. */
    provisional_grade_id: int(),
    assessor_id: int().notNull(),
    score: number(),
    data: json<readonly AssessmentRow[]>().notNull().default([]),
    ...created(),
  },
  (assessment) => [
    index('rubric_assessments_of_rubric').on(assessment.rubric_id, assessment.course_id, assessment.id),
    uniqueIndex('rubric_assessments_for_grading')
      .on(assessment.rubric_association_id, assessment.submission_id)
      .where(sql`assessment_type = 'grading'`),
    uniqueIndex('rubric_assessments_by_peers')
      .on(assessment.rubric_association_id, assessment.submission_id, assessment.assessor_id)
      .where(sql`assessment_type = 'peer_review'`),
    uniqueIndex('rubric_assessments_of_provisional_grade').on(assessment.provisional_grade_id).where(sql`provisional_grade_id is not null`),
    index('rubric_assessments_of_submission').on(assessment.submission_id, assessment.id),
    index('rubric_assessments_by_assessor').on(assessment.assessor_id, assessment.id),
  ],
);
