// How the grading standards of a course are copied to another course. Standards of accounts are not copied, because they apply to both.

import { sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import type { CopiedKindFacts } from '../../rules/copied_kind';
import { grading_standards } from './table';

export const gradingStandardCopied: CopiedKindFacts = {
  kind: 'grading_standard',
  table: grading_standards,
  asset: 'grading_standard',
  title: 'title',
  there: (a, course) =>
    sql`${sql.raw(a)}.context_code = 'course_' || cast(${course} as integer) and ${sql.raw(a)}.workflow_state = 'active'`,
  // The copy may have been used for grading, and then only its title changes.
  kept: ['entries', 'points_based', 'scaling_factor', 'used_at'],
  differing: ({ to }) => ({ context_id: shared('course', to), used_at: sql`null` }),
};
