// Results of outcomes as clients see them.

import { OutcomeResult } from '@carrel/shared/resources/outcome';
import type { RowOf } from '../../../http/listing';
import { serializer } from '../../../http/serializer';
import { outcome_results } from '../table';
import { alignmentOf, assignmentOf } from './linked';
import { assignmentOfQuiz } from './policy';

export type OutcomeResultRow = RowOf<typeof outcome_results> & { readonly quiz_assignment_id: number | null };

export const outcomeResultJson = (row: OutcomeResultRow) => ({
  id: row.id,
  score: row.score,
  mastery: row.mastery,
  possible: row.possible,
  percent: row.percent === null ? null : Math.round(row.percent * 10_000) / 10_000,
  hide_points: row.hide_points,
  hidden: row.hidden,
  submitted_or_assessed_at: row.submitted_or_assessed_at,
  links: {
    user: String(row.user_id),
    learning_outcome: String(row.learning_outcome_id),
    alignment: alignmentOf(row),
    assignment: assignmentOf(row),
  },
});

/** In the feed. */
export const outcomeResult = serializer({
  resource: OutcomeResult,
  table: outcome_results,
  columns: () => ({ quiz_assignment_id: assignmentOfQuiz }),
  json: (row: OutcomeResultRow) => outcomeResultJson(row),
});
