// What people who grade receive of their students, besides what everyone receives.

import type { AttachmentJson, EnrollmentJson, SubmissionJson } from './resources';

/** The enrollment of a student, for people who grade. */
export interface StudentEnrollmentJson extends EnrollmentJson {
  readonly user_id: number;
  readonly course_section_id?: number;
  readonly enrollment_state: string;
  readonly last_activity_at?: string | null;
  readonly user?: {
    readonly id: number;
    readonly name?: string;
    readonly sortable_name?: string;
    readonly avatar_url?: string | null;
  };
}

/** A student's submission, for people who grade. */
export interface GradedSubmissionJson extends SubmissionJson {
  readonly user_id: number;
  /** Of what a grader changes: it differs after each change. Only from a server that checks it. */
  readonly version?: string;
  readonly submission_type?: string | null;
  readonly seconds_late?: number;
  readonly points_deducted?: number | null;
  readonly grade_matches_current_submission?: boolean;
  readonly graded_at?: string | null;
  readonly grader_id?: number | null;
  readonly grading_period_id?: number | null;
  /** Before points were deducted for lateness. */
  readonly entered_grade?: string | null;
  readonly attachments?: readonly AttachmentJson[];
  readonly submission_history?: readonly AttemptJson[];
}

/** A submission as of one attempt. */
export type AttemptJson = Pick<
  GradedSubmissionJson,
  'attempt' | 'submitted_at' | 'late' | 'submission_type' | 'body' | 'url' | 'attachments'
>;
