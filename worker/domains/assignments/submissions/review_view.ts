// A submission without what grading has added to it: what a peer reviewer sees.

import type { SubmissionRow } from './columns';

export const withoutGrading = ({ submission_type }: Pick<SubmissionRow, 'submission_type'>) => ({
  points_deducted: null,
  grade_matches_current_submission: true,
  graded_at: null,
  grader_id: null,
  posted_at: null,
  excused: false,
  late_policy_status: null,
  custom_grade_status_id: null,
  late: false,
  missing: false,
  seconds_late: 0,
  extra_attempts: null,
  cached_due_date: null,
  redo_request: false,
  workflow_state: submission_type === null ? ('unsubmitted' as const) : ('submitted' as const),
});
