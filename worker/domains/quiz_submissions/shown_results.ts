// What a student may see of the results of an attempt (reference 04 §4.7).

import { attemptsLeft } from './attempts_left';

interface ResultSettings {
  readonly hide_results: 'always' | 'until_after_last_attempt' | null;
  readonly one_time_results: boolean;
  readonly show_correct_answers: boolean;
  readonly show_correct_answers_last_attempt: boolean;
  readonly show_correct_answers_at: string | null;
  readonly hide_correct_answers_at: string | null;
  readonly allowed_attempts: number;
}

interface Attempted {
  readonly attempt: number;
  readonly extra_attempts: number | null;
  readonly has_seen_results: boolean | null;
  readonly workflow_state: 'settings_only' | 'untaken' | 'pending_review' | 'complete' | 'preview';
}

/** Whether the newest attempt is complete and no other is left; a student with unlimited attempts has no last one. */
function isAfterLastAttempt({ allowed_attempts }: ResultSettings, submission: Attempted): boolean {
  if (submission.workflow_state === 'untaken' || submission.workflow_state === 'settings_only') return false;
  return attemptsLeft(allowed_attempts, submission) === 0;
}

/** Whether the student sees which answers were right. */
export function showsResults(quiz: ResultSettings, submission: Attempted): boolean {
  if (quiz.one_time_results && submission.has_seen_results) return false;
  if (quiz.hide_results === 'always') return false;
  if (quiz.hide_results !== 'until_after_last_attempt') return true;
  return quiz.allowed_attempts < 0 || submission.attempt > quiz.allowed_attempts || isAfterLastAttempt(quiz, submission);
}

/** Whether the student also sees the right answers. */
export function showsCorrectAnswers(quiz: ResultSettings, submission: Attempted, now: string): boolean {
  if (!showsResults(quiz, submission) || !quiz.show_correct_answers) return false;
  if (quiz.show_correct_answers_last_attempt && !isAfterLastAttempt(quiz, submission)) return false;
  if (quiz.one_time_results) return true;
  const { show_correct_answers_at: from, hide_correct_answers_at: until } = quiz;
  const at = Date.parse(now);
  return (from === null || at >= Date.parse(from)) && (until === null || at <= Date.parse(until));
}
