// The rubric of an assignment, as assignments show it.

import { type SQL, sql } from 'drizzle-orm';
import { forGrading } from '../rubric_associations/table';
import type { Criterion } from './table';

/** A column of `assignments` as JSON; null without a rubric. */
export const rubricUsed: SQL<string | null> = sql`(select json_object('id', r.id, 'title', r.title, 'points_possible', r.points_possible,
  'free_form_criterion_comments', r.free_form_criterion_comments, 'criteria', json(r.criteria),
  'use_for_grading', used.use_for_grading, 'hide_score_total', used.hide_score_total, 'hide_points', used.hide_points)
  from rubric_associations used join rubrics r on r.id = used.rubric_id where used.association_id = assignments.id and ${forGrading('used')})`;

interface Used {
  readonly id: number;
  readonly title: string;
  readonly points_possible: number;
  readonly free_form_criterion_comments: number;
  readonly criteria: readonly Criterion[];
  readonly use_for_grading: number;
  readonly hide_score_total: number;
  readonly hide_points: number;
}

const criterionJson = ({ learning_outcome_id, mastery_points: _, ...criterion }: Criterion) => ({
  ...criterion,
  ...(learning_outcome_id != null && { outcome_id: learning_outcome_id }),
});

/** No fields for an assignment without a rubric. */
export function usedRubricFields(column: string | null) {
  if (column === null) return {};
  const used = JSON.parse(column) as Used;
  const free_form_criterion_comments = used.free_form_criterion_comments === 1;
  return {
    use_rubric_for_grading: used.use_for_grading === 1,
    free_form_criterion_comments,
    rubric: used.criteria.map(criterionJson),
    rubric_settings: {
      id: used.id,
      title: used.title,
      points_possible: used.points_possible,
      free_form_criterion_comments,
      hide_score_total: used.hide_score_total === 1,
      hide_points: used.hide_points === 1,
    },
  };
}
