// Whether a student can be asked to submit again. Pure.

import { hasAttempts, mayTryAgain } from './attempts';

interface Submitted {
  readonly attempt: number | null;
  readonly extra_attempts: number | null;
  readonly excused: boolean;
}

interface Asked {
  readonly submission_types: readonly string[];
  readonly allowed_attempts: number;
}

/** @returns why not; undefined where the student can submit again */
export function redoRefusal(assignment: Asked, submitted: Submitted | undefined, isClosed: boolean): string | undefined {
  if (isClosed) return 'This assignment is in a closed grading period for this student';
  if (!submitted || submitted.attempt === null) return 'The student has not submitted anything.';
  if (submitted.excused) return 'The student is excused.';
  const counted = assignment.submission_types.find(hasAttempts);
  if (counted !== undefined && !mayTryAgain(assignment, submitted, counted)) return 'The student has no attempts left.';
  return undefined;
}
