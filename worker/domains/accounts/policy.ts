// Accounts that a caller may see without being their administrator.

import { type SQL, sql } from 'drizzle-orm';
import { isActiveStaff } from '../../contexts/predicates';
import type { Call } from '../../http/call';

/** Accounts of the courses in which the caller is teacher, TA or designer. */
export const taughtIn = (call: Pick<Call, 'me'>): SQL =>
  sql`select c.account_id from enrollments e join courses c on c.id = e.course_id where e.user_id = ${call.me.id} and ${isActiveStaff('e')} and c.workflow_state <> 'deleted'`;
