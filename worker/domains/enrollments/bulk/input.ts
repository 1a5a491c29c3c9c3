// The input of a bulk enrollment: stored by the request, carried out by the job.

import type { EnrollmentType } from '../table';

export interface BulkEnrollment {
  /** References as sent. */
  readonly user_ids: readonly string[];
  readonly course_ids: readonly string[];
  readonly enrollment_type: string | null;
  readonly enrollment_role_id: number | null;
  /** Enrollment types that the requester may add. */
  readonly addable: readonly EnrollmentType[];
  /** The requester's permissions in the account. */
  readonly held: readonly string[];
}
