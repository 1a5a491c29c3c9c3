// Which users a caller may see.

import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { AccountContext } from '../../contexts/account';
import { isBelow } from '../../contexts/account_tree';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { admins } from '../admins/table';
import { courses } from '../courses/table';
import { users } from './table';

const [a, c] = [alias(admins, 'a'), alias(courses, 'c')];

/** Users of an account: everyone at the root, elsewhere those with a course or role there. */
export function inAccount(account: AccountContext): SQL | undefined {
  const real = eq(users.is_test_student, false);
  if (account.parent_account_id === null) return real;
  const here = shared('account', account.id);
  return and(
    real,
    sql`(exists (select 1 from enrollments e join courses c on c.id = e.course_id where e.user_id = ${users.id} and e.enrollment_state <> 'deleted' and c.workflow_state <> 'deleted' and ${isBelow(c.account_id, here)})
      or exists (select 1 from admins a where a.user_id = ${users.id} and a.workflow_state = 'active' and ${isBelow(a.account_id, here)}))`,
  );
}

/** Whether the caller may know that the user exists: otherwise 404, not 401 (reference 01 A6). */
export function known(call: Pick<Call, 'me' | 'user'>): SQL | undefined {
  const person = call.user;
  if (!person) return sql`0`;
  const self = and(eq(users.id, person.id), ne(users.workflow_state, 'deleted'));
  const mayKnow = ['read_roster', 'manage_user_logins', 'view_statistics'].some((permission) => person.can(permission));
  if (person.isMe || mayKnow || person.sharesRosterAsStaff) return self;
  if (call.me.adminLinks.length === 0) return sql`0`;
  // Administrators of a sub-account know the users of its courses.
  const theirs = sql`select value from json_each(${JSON.stringify(call.me.adminLinks.map((link) => link.account_id))})`;
  return and(
    self,
    sql`exists (select 1 from enrollments e join courses c on c.id = e.course_id where e.user_id = ${users.id} and e.enrollment_state <> 'deleted' and ${isBelow(c.account_id, theirs)})`,
  );
}
