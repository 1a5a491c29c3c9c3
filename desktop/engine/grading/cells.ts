// A submission as the gradebook needs it: a short list of values instead of the whole JSON, so that a large gradebook opens fast. Pure.

import type { GradedSubmissionJson } from '../model/graded_resources';

/** Increases when the list has other values: then the stored ones are made again. */
export const cellFormat = '1';

export type ResultCell = readonly [
  user_id: number,
  assignment_id: number,
  score: number | null,
  grade: string | null,
  /** The sum of the flags below. */
  flags: number,
  seconds_late: number,
  attempt: number,
  submitted_at: string | null,
  comments: number,
  points_deducted: number | null,
  grading_period_id: number | null,
];

export const cellFlags = { excused: 1, late: 2, missing: 4, to_grade: 8, graded: 16, posted: 32, in_review: 64 } as const;
export type CellFlag = keyof typeof cellFlags;

export const hasFlag = ([, , , , flags]: ResultCell, flag: CellFlag): boolean => (flags & cellFlags[flag]) !== 0;

export function cellOf(submission: GradedSubmissionJson): ResultCell {
  const { user_id, assignment_id, score = null, grade = null, attempt, submitted_at, seconds_late, points_deducted } = submission;
  const is: Readonly<Record<CellFlag, boolean>> = {
    excused: submission.excused === true,
    late: submission.late === true,
    missing: submission.missing === true,
    to_grade: isToGrade(submission),
    graded: score !== null || grade !== null,
    posted: submission.posted_at != null,
    in_review: submission.workflow_state === 'pending_review',
  };
  const flags = Object.entries(cellFlags).reduce((sum, [flag, value]) => sum + (is[flag as CellFlag] ? value : 0), 0);
  return [
    user_id,
    assignment_id,
    score,
    grade,
    flags,
    seconds_late ?? 0,
    attempt ?? 0,
    submitted_at ?? null,
    submission.submission_comments?.length ?? 0,
    points_deducted ?? null,
    submission.grading_period_id ?? null,
  ];
}

/** As the server counts it: handed in, and not graded since. */
function isToGrade(submission: GradedSubmissionJson): boolean {
  const { submission_type, excused, workflow_state, score, grade_matches_current_submission } = submission;
  if (submission_type == null || excused) return false;
  if (workflow_state === 'pending_review') return true;
  return (workflow_state === 'submitted' || workflow_state === 'graded') && (score == null || grade_matches_current_submission === false);
}
