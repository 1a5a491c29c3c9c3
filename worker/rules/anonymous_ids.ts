// The ids by which students of an assignment are known to callers to whom they are anonymous (reference 03 §7, §8.2).

import { isAnonymousTo } from '../contexts/anonymous_students';
import { anonymousId, anonymousNumber, userOfNumber } from '../crypto/anonymous_id';
import type { Call } from '../http/call';
import { notFound } from '../http/problem';
import { assignmentIn, studentIn, submissionId } from './submission_ids';

export type Secret = Pick<Call, 'env'>;

export const placeOf = ({ env }: Secret, assignment_id: number) => ({ secret: env.SIGNING_SECRET, assignment_id });

/** The half of the safe integers that no real submission id is in (rules/submission_ids.ts). */
const anonymousIds = 2 ** 52;

/** In place of the submission's id, which contains the user's. */
export const anonymousSubmissionId = (call: Secret, assignment_id: number, user_id: number): number =>
  anonymousIds + submissionId(assignment_id, anonymousNumber(placeOf(call, assignment_id), user_id));

export const anonymousIdOf = (call: Secret, assignment_id: number, user_id: number): string =>
  anonymousId(placeOf(call, assignment_id), user_id);

/**
 * The id of a submission in a path: in an assignment whose students are anonymous to the caller only the anonymous id is valid.
 * @throws Problem 404 for an id of the other kind
 */
export function submissionIdIn(call: Pick<Call, 'env' | 'course' | 'me'>, given: number): number {
  const isAnonymous = given >= anonymousIds;
  const id = isAnonymous ? given - anonymousIds : given;
  const assignment_id = assignmentIn(id);
  const user_id = isAnonymous ? userOfNumber(placeOf(call, assignment_id), studentIn(id)) : studentIn(id);
  const hides = isAnonymousTo(call, assignment_id, user_id);
  if (hides !== isAnonymous) throw notFound();
  return submissionId(assignment_id, user_id);
}
