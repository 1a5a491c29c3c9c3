// Where the user stands with a quiz, and whether an attempt can be started here. Pure.

import type { QuizHold, QuizKind, RunningAttempt } from '../../contract/quizzes';
import type { QuizJson, QuizSubmissionJson } from '../model/quiz_resources';

const kinds: Readonly<Record<string, QuizKind>> = {
  practice_quiz: 'practice',
  survey: 'survey',
  graded_survey: 'graded survey',
};

export const kindOfQuiz = ({ quiz_type = '' }: QuizJson): QuizKind => (Object.hasOwn(kinds, quiz_type) && kinds[quiz_type]) || 'graded';

export const isRunning = (own: QuizSubmissionJson | undefined): boolean =>
  own?.workflow_state === 'untaken' && own.finished_at == null && own.started_at != null;

/** Without settings only, which a teacher can store before the first attempt. */
export const attemptsMade = (own: QuizSubmissionJson | undefined): number =>
  own === undefined || own.workflow_state === 'settings_only' ? 0 : (own.attempt ?? 0);

/** Null: unlimited. */
export function attemptsOfQuiz({ allowed_attempts = 1 }: QuizJson, own: QuizSubmissionJson | undefined): number | null {
  return allowed_attempts < 0 ? null : allowed_attempts + (own?.extra_attempts ?? 0);
}

/** The teacher sets no limit that only the server can keep: its answers can wait. */
export const worksOffline = (quiz: QuizJson): boolean =>
  kindOfQuiz(quiz) === 'practice' && !quiz.time_limit && !quiz.has_access_code && !quiz.one_question_at_a_time;

/**
 * @param showsSteps whether the server shows questions one at a time to programs: Carrel does, Canvas does not
 * @returns why no attempt can be started or continued; null: nothing is known against it
 */
export function holdOnQuiz(quiz: QuizJson, own: QuizSubmissionJson | undefined, showsSteps: boolean): QuizHold | null {
  if (quiz.require_lockdown_browser) return 'lockdown browser';
  if (quiz.one_question_at_a_time && !showsSteps) return 'one at a time';
  if (isRunning(own)) return null;
  const { locked_for_user, lock_info } = quiz;
  if (locked_for_user)
    return lock_info?.context_module ? 'locked' : lock_info?.unlock_at ? 'not yet' : lock_info?.lock_at ? 'closed' : 'locked';
  const allowed = attemptsOfQuiz(quiz, own);
  return allowed !== null && attemptsMade(own) >= allowed ? 'attempts used' : null;
}

/** @param here the attempt that was started on this computer */
export function stateOfQuiz(
  own: QuizSubmissionJson | undefined,
  here: Pick<RunningAttempt, 'turned_in_at' | 'is_over'> | null,
): 'not started' | 'running' | 'elsewhere' | 'waiting' | 'review' | 'done' {
  if (here && !here.is_over) return here.turned_in_at === null ? 'running' : 'waiting';
  if (isRunning(own)) return 'elsewhere';
  if (own?.workflow_state === 'pending_review') return 'review';
  return own?.workflow_state === 'complete' ? 'done' : 'not started';
}
