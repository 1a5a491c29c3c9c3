// The accounts that a user is associated with.

import { type SQL, sql } from 'drizzle-orm';
import { above } from '../../contexts/account_tree';

/** Ids of the root account, the accounts that the user administers or has a course in, and all their ancestors. */
export const associatedAccounts = (user_id: number): SQL =>
  above(sql`select 1
    union select account_id from admins where user_id = ${user_id} and workflow_state = 'active'
    union select c.account_id from enrollments e join courses c on c.id = e.course_id
      where e.user_id = ${user_id} and e.enrollment_state in ('active', 'invited', 'completed') and c.workflow_state <> 'deleted'`);
