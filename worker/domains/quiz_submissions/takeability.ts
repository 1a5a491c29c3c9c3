// In which order a request to start, answer or complete an attempt is refused, and why (reference 04 §4.4, §5.1).

import { isAttemptOverdue } from './attempt_time';
import { mayStartAgain } from './attempts_left';
import type { QuizSubmissionRow } from './json';

export interface TakingRefusal {
  readonly status: 400 | 403 | 409;
  readonly message: string;
}

const refusal = (status: TakingRefusal['status'], message: string): TakingRefusal => ({ status, message });

interface Taking {
  /** By a date or a module. */
  readonly isLocked: boolean;
  readonly maySubmit: boolean;
  /** Null without one. */
  readonly access_code: string | null;
  readonly givenCode: string | undefined;
  readonly isAddressAllowed: boolean;
}

/** Code and address are checked with every request, because neither is remembered. */
function closedTo({ access_code, givenCode, isAddressAllowed }: Taking): TakingRefusal | undefined {
  if (access_code !== null && givenCode !== access_code) return refusal(403, 'invalid access code');
  return isAddressAllowed ? undefined : refusal(403, 'IP address denied');
}

type Attempted = Pick<
  QuizSubmissionRow,
  'attempt' | 'extra_attempts' | 'workflow_state' | 'end_at' | 'finished_at' | 'started_at' | 'validation_token'
>;

export const isRunningAttempt = ({
  started_at,
  finished_at,
  workflow_state,
}: Pick<Attempted, 'started_at' | 'finished_at' | 'workflow_state'>): boolean =>
  started_at !== null && finished_at === null && (workflow_state === 'untaken' || workflow_state === 'preview');

/** @param isEligible false where the course has ended, or the student is inactive */
export function refusedStart(
  taking: Taking,
  quiz: { readonly allowed_attempts: number },
  before: Attempted | undefined,
  isEligible: boolean,
): TakingRefusal | undefined {
  if (taking.isLocked) return refusal(400, 'you are not allowed to participate in this quiz');
  if (!taking.maySubmit) return refusal(403, 'you are not allowed to participate in this quiz');
  const closed = closedTo(taking);
  if (closed) return closed;
  if (!isEligible) return refusal(400, 'quiz is locked');
  return mayStartAgain(quiz.allowed_attempts, before) ? undefined : refusal(409, 'a quiz submission already exists');
}

interface Given {
  /** Undefined unless an integer was sent. */
  readonly attempt: number | undefined;
  readonly validation_token: string | undefined;
}

/** The checks that answering and completing share. */
function refusedWork(taking: Taking, attempted: Attempted, given: Given): TakingRefusal | undefined {
  const closed = closedTo(taking);
  if (closed) return closed;
  return given.validation_token === attempted.validation_token ? undefined : refusal(403, 'invalid token');
}

export function refusedComplete(taking: Taking, attempted: Attempted, given: Given): TakingRefusal | undefined {
  const refused = refusedWork(taking, attempted, given);
  if (refused) return refused;
  if (!isRunningAttempt(attempted)) return refusal(400, 'quiz submission is already complete');
  if (given.attempt === undefined) return refusal(400, 'invalid attempt');
  return given.attempt === attempted.attempt ? undefined : refusal(400, `attempt ${given.attempt} can not be modified`);
}

export function refusedAnswer(taking: Taking, attempted: Attempted, given: Given, now: string): TakingRefusal | undefined {
  const refused = refusedComplete(taking, attempted, given);
  if (refused) return refused;
  return isAttemptOverdue(attempted.end_at, now) ? refusal(400, 'quiz submission is overdue') : undefined;
}
