// Changed keys that hold for an attempt which presents an earlier version of their question.

import { type SQL, sql } from 'drizzle-orm';
import type { PresentedContent, QuestionRegrade } from '../../quiz_questions/table';
import type { ScoredQuestion } from '../scoring/score_question';
import type { PresentedQuestion } from '../table';

export interface PendingRegrade {
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
  incorrect_dock: data.incorrect_dock,
  item: data.item,
});

/** The changed key of a presented question, as JSON; null without one. Most questions have no newer version, and read no row. @param v the alias of its version */
export const pendingRegrade = (v: string): SQL<string | null> =>
  sql.raw(`(select json_object('option', q.regrade ->> '$.option', 'content', json(newer.content))
      from quiz_question_versions newer cross join quiz_questions q on q.id = newer.question_id and q.regrade ->> '$.version' = newer.version
      where newer.question_id = ${v}.question_id and newer.version > ${v}.version)`) as SQL<string | null>;
