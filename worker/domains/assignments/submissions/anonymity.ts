// What graders and reviewers see of a student who is anonymous to them (reference 03 §7, §8.2).

import { anonymousAssignment, isAnonymousToCaller } from '../../../contexts/anonymous_students';
import { userOfAnonymousId } from '../../../crypto/anonymous_id';
import type { Call } from '../../../http/call';
import { found, notFound } from '../../../http/problem';
import { withoutUserIds } from '../../../rules/anonymous_grading';
import { anonymousIdOf, anonymousSubmissionId, placeOf, type Secret } from '../../../rules/anonymous_ids';
import { anonymousName } from '../../files/names';

/**
 * The student of an anonymous id in an assignment, which is named by its number.
 * @throws Problem 404 for an id without a student
 */
export function studentNamed(call: Secret, assignment_id: string, anonymous_id: string): number {
  if (!/^\d{1,9}$/.test(assignment_id)) throw notFound();
  return found(userOfAnonymousId(placeOf(call, Number(assignment_id)), anonymous_id));
}

/** The anonymous id of a student, if the student is anonymous to the caller in the path's assignment. */
export function anonymousIdHere(call: Pick<Call, 'env' | 'course' | 'me' | 'path'>, user_id: number): string | undefined {
  const hidden = call.course && anonymousAssignment(call.course, call.path.assignment_id);
  return hidden && isAnonymousToCaller(call, user_id) ? anonymousIdOf(call, hidden.id, user_id) : undefined;
}

interface Named {
  readonly id: number;
  readonly assignment_id: number;
  readonly user_id: number;
}

/** The identity of a submission as a caller sees it to whom its student is anonymous; the keys that name the student are absent. */
export const anonymousIdentity = (call: Secret, { assignment_id, user_id }: Named) => ({
  id: anonymousSubmissionId(call, assignment_id, user_id),
  anonymous_id: anonymousIdOf(call, assignment_id, user_id),
  user_id: undefined,
  user: undefined,
  group: undefined,
  preview_url: undefined,
  html_url: undefined,
  proxy_submitter: undefined,
  proxy_submitter_id: undefined,
});

/** What was given to the student by name would identify the submission: extra attempts, and dates of overrides. */
export const withoutAccommodations = <A extends { readonly body: string | null }>(attempt: A) => ({
  ...attempt,
  body: withoutUserIds(attempt.body),
  extra_attempts: null,
  cached_due_date: null,
  grading_period_id: null,
  seconds_late: 0,
});

export function anonymousFile<F extends { readonly id: number; readonly filename: string; readonly display_name: string }>(file: F): F {
  const name = anonymousName(file);
  return { ...file, filename: name, display_name: name, folder_id: 0, user: undefined };
}
