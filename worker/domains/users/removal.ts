// Removes users from the institution, and restores them.

import { inArray, ne, type SQL, sql } from 'drizzle-orm';
import { among } from '../../database/ids';
import type { Database, Statement } from '../../database/open';
import type { Call } from '../../http/call';
import { unauthorized } from '../../http/problem';
import { admins } from '../admins/table';
import { enrollments } from '../enrollments/table';
import { logins, users } from './table';

/** Ends their logins, enrollments and roles, and those of their observers; deletes users without logins. */
export function deleteUsers(db: Database, people: readonly number[], now: string): Statement[] {
  const deleted = { workflow_state: 'deleted' as const, updated_at: now };
  const theirs = sql`select value from json_each(${JSON.stringify(people)})`;
  return [
    // Selected by course, because enrollments have no index by observed user.
    db.build.run(sql`update enrollments set enrollment_state = 'deleted', updated_at = ${now}
      where course_id in (select course_id from enrollments where user_id in (${theirs})) and type = 'ObserverEnrollment'
        and observed_user_id in (${theirs}) and enrollment_state <> 'deleted'`),
    db.build.update(enrollments).set({ enrollment_state: 'deleted', updated_at: now }).where(among(enrollments.user_id, people)),
    db.build.update(logins).set(deleted).where(among(logins.user_id, people)),
    db.build.update(admins).set(deleted).where(among(admins.user_id, people)),
    db.build.update(users).set(deleted).where(among(users.id, people)),
  ];
}

/** Whether users came from SIS: removing them needs the permission to manage SIS. */
export const isFromSis = sql`exists (select 1 from logins l where l.user_id = users.id and l.workflow_state <> 'deleted' and l.sis_user_id is not null)`;

/** Reads the existing users, their permissions, and how many are SIS users, before they are removed. */
const aboutThem = (db: Database, people: SQL) =>
  [
    db.build
      .select({ id: users.id })
      .from(users)
      .where(sql`${users.id} in (${people}) and ${ne(users.workflow_state, 'deleted')}`),
    db.build
      .select({ user_id: logins.user_id })
      .from(logins)
      .where(
        sql`${logins.user_id} in (${people}) and ${logins.sis_user_id} is not null and ${inArray(logins.workflow_state, ['active', 'suspended'])}`,
      ),
  ] as const;

/**
 * The ids of the existing users, if the caller may remove all of them.
 * @throws Problem 401 without the permission for SIS users
 */
export async function removable({ db }: Pick<Call, 'db'>, people: readonly number[], mayManageSis: boolean): Promise<number[]> {
  const [there, bySis] = await db.perform(aboutThem(db, sql`select value from json_each(${JSON.stringify(people)})`));
  if (bySis.length > 0 && !mayManageSis) throw unauthorized();
  return there.map(({ id }) => id);
}
