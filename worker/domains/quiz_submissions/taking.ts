// What decides whether the caller may take a quiz now.

import type { Call } from '../../http/call';
import { moduleLockOf } from '../modules/locks';
import type { FactsRow } from '../modules/progress/facts';
import { allowsIp } from '../quizzes/ip_filter';
import type { QuizSubmissionRow } from './json';
import { datesForTaker, type QuizCall, type QuizForTaker } from './reading';

/** Whether dates and modules hold the caller: those who grade or manage are never locked out. */
export const isBoundBySchedule = ({ course }: Pick<QuizCall, 'course'>): boolean => !course.readsAsAdmin && !course.can('manage_grades');

function isLockedNow(
  call: QuizCall,
  quiz: QuizForTaker,
  own: Pick<QuizSubmissionRow, 'manually_unlocked'> | undefined,
  locks: readonly (readonly FactsRow[])[],
) {
  if (!isBoundBySchedule(call) || own?.manually_unlocked) return false;
  const { unlock_at, lock_at } = datesForTaker(quiz);
  const { now } = call;
  if ((unlock_at ?? '') > now || (lock_at ?? '9999') <= now) return true;
  const [ofQuiz = [], ofAssignment = []] = locks;
  return (
    moduleLockOf(ofQuiz, 'Quiz', quiz.id, now) !== undefined ||
    (quiz.assignment_id !== null && moduleLockOf(ofAssignment, 'Assignment', quiz.assignment_id, now) !== undefined)
  );
}

/** @param locks what `locksOfQuiz` has read; none where only a start would be locked */
export function takingOf(
  call: QuizCall & Pick<Call, 'request'>,
  quiz: QuizForTaker,
  own: Pick<QuizSubmissionRow, 'manually_unlocked'> | undefined,
  locks: readonly (readonly FactsRow[])[],
  givenCode: string | undefined,
) {
  const { course, request } = call;
  const asStudent = course.participates && quiz.workflow_state === 'available' && quiz.is_visible === 1 && quiz.is_excused === 0;
  return {
    isLocked: isLockedNow(call, quiz, own, locks),
    maySubmit: asStudent || !isBoundBySchedule(call) || course.can('manage_assignments_edit'),
    access_code: quiz.access_code,
    givenCode,
    isAddressAllowed: allowsIp(quiz.ip_filter, request.headers.get('cf-connecting-ip')?.trim() ?? ''),
  };
}
