// What a bulk enrollment asks for: written down by the request, carried out by the job.

import type { EnrollmentType } from '../table';

export interface BulkEnrollment {
  /** As the request names them. */
  readonly user_ids: readonly string[];
  readonly course_ids: readonly string[];
  readonly enrollment_type: string | null;
  readonly enrollment_role_id: number | null;
  /** Kinds that whoever asked may add. */
  readonly addable: readonly EnrollmentType[];
  /** The rights that they hold in the account. */
  readonly held: readonly string[];
}
