// The result of a question whose key has changed since the attempt was presented (reference 04 §6).

import type { QuestionRegrade } from '../../quiz_questions/table';
import { type ScoredQuestion, scoreQuestion } from '../scoring/score_question';
import type { QuestionResult } from '../table';

/** A question with its key before and after the change. */
export interface ChangedQuestion {
  readonly option: QuestionRegrade['option'];
  readonly was: ScoredQuestion;
  readonly is: ScoredQuestion;
}

/**
 * A score that a grader entered stays; so do comments.
 * @param before as the attempt has it
 * @param given null without an answer
 */
export function regradedResult({ option, was, is }: ChangedQuestion, before: QuestionResult, given: unknown): QuestionResult {
  const isByKey = before.is_regraded || before.points === scoreQuestion(was, given).points;
  if (!isByKey || before.correct === 'defined' || before.correct === 'undefined') return before;
  const fresh: QuestionResult =
    option === 'full_credit' ? { question_id: is.id, correct: true, points: is.points } : scoreQuestion(is, given);
  const better = option === 'current_and_previous_correct' && before.points >= fresh.points ? before : fresh;
  return { ...better, ...(before.comment !== undefined && { comment: before.comment }), is_regraded: true };
}
