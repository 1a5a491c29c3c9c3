// The version of a submission for conditional grading: what graders decide on, and what the student has submitted. It is computed from the stored
// columns, so that no write maintains it.

import { type SQL, sql } from 'drizzle-orm';

const columns = ['attempt', 'score', 'grade', 'coalesce(%.excused, 0)', 'late_policy_status', 'seconds_late_override', 'posted_at'];

/** Opaque to clients. The same for a blank row and for no row. @param alias of `submissions` in the statement */
export const gradingVersion = (alias = 'submissions'): SQL<string> =>
  sql.raw(
    `lower(hex(json_array(${columns.map((one) => (one.includes('%') ? one.replace('%', alias) : `${alias}.${one}`)).join(', ')})))`,
  ) as SQL<string>;
