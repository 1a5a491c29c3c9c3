// The accounts that a person belongs to.

import { type SQL, sql } from 'drizzle-orm';
import { above } from './tree';

/** Ids of the root account, of those that a person administers or has a course in, and of all above these. */
export const associatedAccounts = (user_id: number): SQL =>
  above(sql`select 1
    union select account_id from admins where user_id = ${user_id} and workflow_state = 'active'
    union select c.account_id from enrollments e join courses c on c.id = e.course_id
      where e.user_id = ${user_id} and e.enrollment_state in ('active', 'invited', 'completed') and c.workflow_state <> 'deleted'`);
