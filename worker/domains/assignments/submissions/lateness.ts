// Whether a submission is late or missing, from its dates and its graders' decisions (reference 03 §6.2).

import { expectsSubmission } from '../../../rules/submission_types';

export interface Timed {
  readonly submission_type: string | null;
  readonly submitted_at: string | null;
  readonly excused: boolean | null;
  readonly late_policy_status: string | null;
  readonly seconds_late_override: number | null;
  readonly grader_id: number | null;
}

interface Expected {
  readonly due_at: string | null;
  readonly submission_types: readonly string[];
  /** Handed in through a tool, but expected like other quizzes. */
  readonly is_new_quiz?: boolean;
}

export interface Lateness {
  readonly late: boolean;
  readonly missing: boolean;
  readonly seconds_late: number;
}

/** A timed quiz may be submitted up to a minute late. */
const grace = (submission: Timed, is_new_quiz: boolean) => (submission.submission_type === 'online_quiz' || is_new_quiz ? 60_000 : 0);

function secondsLate(submission: Timed, { due_at, is_new_quiz = false }: Expected, now: string): number {
  if (submission.late_policy_status === 'late') return submission.seconds_late_override ?? 0;
  if (due_at === null) return 0;
  const at = Date.parse(submission.submitted_at ?? now) - grace(submission, is_new_quiz);
  return Math.max(0, Math.floor((at - Date.parse(due_at)) / 1000));
}

export function lateness(submission: Timed, expected: Expected, now: string): Lateness {
  const seconds_late = secondsLate(submission, expected, now);
  const status = submission.late_policy_status;
  if (submission.excused) return { late: false, missing: false, seconds_late };
  if (status !== null) return { late: status === 'late', missing: status === 'missing', seconds_late };
  const isHandedIn = submission.submitted_at !== null;
  const isExpected = expected.is_new_quiz || expectsSubmission(expected.submission_types);
  return {
    late: isHandedIn && seconds_late > 0,
    missing: !isHandedIn && submission.grader_id === null && seconds_late > 0 && isExpected,
    seconds_late,
  };
}
