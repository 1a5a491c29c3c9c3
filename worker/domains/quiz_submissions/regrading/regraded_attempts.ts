// The attempts of one student after the key of a question has changed. Pure.

import type { PresentedContent } from '../../quiz_questions/table';
import { scoreOfAttempt, stateOfAttempt } from '../scoring/attempt_score';
import { keptScore, type ScoringPolicy } from '../scoring/kept_score';
import type { PresentedQuestion, QuestionResult } from '../table';
import { type PendingRegrade, scoredQuestion } from './pending';
import type { RegradedAttemptRow } from './read';
import { regradedResult } from './regraded_result';

export interface ChangedAttempt {
  readonly quiz_submission_id: number;
  readonly attempt: number;
  /** The place of the question in the attempt. */
  readonly place: number;
  /** As they were read. */
  readonly before: string;
  readonly results: string;
  readonly score: number;
  readonly score_before_regrade: number | null;
  readonly workflow_state: 'complete' | 'pending_review';
}

export interface RegradedQuiz {
  readonly quiz_type: 'practice_quiz' | 'assignment' | 'graded_survey' | 'survey';
  readonly scoring_policy: ScoringPolicy;
}

interface Change extends PendingRegrade {
  /** The version with the new key. */
  readonly version: number;
  /** Earlier contents of the question, by version. */
  readonly versions: ReadonlyMap<number, PresentedContent>;
}

const isCounted = ({ workflow_state }: RegradedAttemptRow): boolean => workflow_state === 'complete' || workflow_state === 'pending_review';

function changedAttempt(row: RegradedAttemptRow, quiz: RegradedQuiz, change: Change): ChangedAttempt | undefined {
  if (!isCounted(row) || row.results === null || row.presented === null || row.place === null) return undefined;
  const presented = JSON.parse(row.presented) as PresentedQuestion;
  const old = change.versions.get(presented.version);
  if (presented.version >= change.version || !old) return undefined;
  const changed = { option: change.option, was: scoredQuestion(presented, old), is: scoredQuestion(presented, change.content) };
  const given: unknown = row.answer === null ? null : JSON.parse(row.answer);
  const results = (JSON.parse(row.results) as QuestionResult[]).map((one) =>
    one.question_id === presented.id ? regradedResult(changed, one, given) : one,
  );
  const score = scoreOfAttempt(
    { quiz_type: quiz.quiz_type, quiz_points_possible: row.quiz_points_possible },
    results,
    row.fudge_points ?? 0,
  );
  return {
    quiz_submission_id: row.quiz_submission_id,
    attempt: row.attempt,
    place: row.place,
    before: row.results,
    results: JSON.stringify(results),
    score,
    score_before_regrade: row.score_before_regrade ?? (score === row.score ? null : row.score),
    workflow_state: stateOfAttempt(quiz, results),
  };
}

/**
 * @param all attempts of one student, oldest first
 * @returns those that change, and the score that counts then
 */
export function regradedAttempts(all: readonly RegradedAttemptRow[], quiz: RegradedQuiz, change: Change) {
  const changed = all.flatMap((row) => changedAttempt(row, quiz, change) ?? []);
  const scores = all.filter(isCounted).flatMap((row) => changed.find((one) => one.attempt === row.attempt)?.score ?? row.score ?? []);
  return { changed, kept_score: keptScore(quiz.scoring_policy, scores) };
}
