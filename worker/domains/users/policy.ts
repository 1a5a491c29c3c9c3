// Which people there are for a caller.

import { and, eq, ne, or, type SQL, sql } from 'drizzle-orm';
import type { AccountContext } from '../../contexts/account';
import { contains } from '../../database/ids';
import type { Call } from '../../http/call';
import { isBelow } from '../accounts/tree';
import { users } from './table';

/** People whom an account holds: all of the institution at its root, below it those with a course or a role there. */
export function inAccount(account: AccountContext): SQL | undefined {
  const real = eq(users.is_test_student, false);
  if (account.parent_account_id === null) return real;
  const here = sql`${account.id}`;
  return and(
    real,
    sql`(exists (select 1 from enrollments e join courses c on c.id = e.course_id where e.user_id = ${users.id} and e.enrollment_state <> 'deleted' and c.workflow_state <> 'deleted' and ${isBelow(sql`c.account_id`, here)})
      or exists (select 1 from admins a where a.user_id = ${users.id} and a.workflow_state = 'active' and ${isBelow(sql`a.account_id`, here)}))`,
  );
}

/** A number names a person by id where there is one; else any name, login, SIS id or address that holds the term. */
export function matching(term: string): SQL | undefined {
  const holds = or(
    contains(users.name, term),
    contains(users.sortable_name, term),
    sql`exists (select 1 from logins l where l.user_id = ${users.id} and l.workflow_state <> 'deleted' and (${contains(sql`l.unique_id`, term)} or ${contains(sql`coalesce(l.sis_user_id, '')`, term)} or ${contains(sql`coalesce(l.integration_id, '')`, term)}))`,
    sql`exists (select 1 from communication_channels h where h.user_id = ${users.id} and h.workflow_state <> 'deleted' and ${contains(sql`h.address`, term)})`,
  );
  if (!/^\d{1,15}$/.test(term)) return holds;
  return or(eq(users.id, Number(term)), and(sql`not exists (select 1 from users u where u.id = ${Number(term)})`, holds));
}

/** Whether the caller may know the person: else 404, not 401 (reference 01 A6). */
export function known(call: Pick<Call, 'me' | 'user'>): SQL | undefined {
  const person = call.user;
  if (!person) return sql`0`;
  const self = and(eq(users.id, person.id), ne(users.workflow_state, 'deleted'));
  const mayKnow = ['read_roster', 'manage_user_logins', 'view_statistics'].some((permission) => person.can(permission));
  if (person.isMe || mayKnow || person.sharesRosterAsStaff) return self;
  if (call.me.adminLinks.length === 0) return sql`0`;
  // An administrator of a sub-account knows whoever is in a course there.
  const theirs = sql`select value from json_each(${JSON.stringify(call.me.adminLinks.map((link) => link.account_id))})`;
  return and(
    self,
    sql`exists (select 1 from enrollments e join courses c on c.id = e.course_id where e.user_id = ${users.id} and e.enrollment_state <> 'deleted' and ${isBelow(sql`c.account_id`, theirs)})`,
  );
}
