// Changed keys that hold for an attempt which presents an earlier version of their question.

import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../database/open';
import type { PresentedContent, QuestionRegrade } from '../../quiz_questions/table';
import type { ScoredQuestion } from '../scoring/score_question';
import type { PresentedQuestion } from '../table';

export interface PendingRegrade {
  readonly question_id: number;
  readonly option: QuestionRegrade['option'];
  readonly content: PresentedContent;
}

/** A question as the attempt is scored by it. */
export const scoredQuestion = (presented: PresentedQuestion, { question_type, data }: PresentedContent): ScoredQuestion => ({
  id: presented.id,
  question_type,
  points: presented.points,
  answers: data.answers,
  variant: presented.variant,
  answer_tolerance: data.answer_tolerance,
  item: data.item,
});

/** @param submission, attempt SQL for the ids */
export const pendingRegrades = ({ build }: Pick<Database, 'build'>, submission: SQL, attempt: SQL) =>
  build.all<{ question_id: number; option: QuestionRegrade['option']; content: string }>(
    sql`select q.id as question_id, q.regrade ->> '$.option' as option, v.content as content
      from quiz_attempts tried cross join json_each(tried.presented) shown cross join quiz_questions q on q.id = shown.value ->> 'id'
        cross join quiz_question_versions v on v.question_id = q.id and v.version = q.regrade ->> '$.version'
      where tried.quiz_submission_id = ${submission} and tried.attempt = ${attempt} and q.regrade ->> '$.version' > shown.value ->> 'version'`,
  );

export const pendingRegradesIn = (
  rows: readonly { readonly question_id: number; readonly option: QuestionRegrade['option']; readonly content: string }[],
): PendingRegrade[] => rows.map((one) => ({ ...one, content: JSON.parse(one.content) as PresentedContent }));
