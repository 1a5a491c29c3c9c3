// How many attempts a student has, and whether another may start (reference 04 §4.2, §4.4).

interface Attempted {
  readonly attempt: number;
  readonly extra_attempts: number | null;
  readonly workflow_state: 'settings_only' | 'untaken' | 'pending_review' | 'complete' | 'preview';
}

/** -1 means unlimited. */
export function attemptsLeft(allowed_attempts: number, submission: Pick<Attempted, 'attempt' | 'extra_attempts'> | undefined): number {
  if (allowed_attempts < 0) return -1;
  return Math.max(0, allowed_attempts - (submission?.attempt ?? 0) + (submission?.extra_attempts ?? 0));
}

/** Whether the student may start: without a running attempt, and with attempts left. */
export function mayStartAgain(allowed_attempts: number, submission: Attempted | undefined): boolean {
  if (!submission || submission.workflow_state === 'settings_only' || submission.workflow_state === 'preview') return true;
  return submission.workflow_state !== 'untaken' && attemptsLeft(allowed_attempts, submission) !== 0;
}
