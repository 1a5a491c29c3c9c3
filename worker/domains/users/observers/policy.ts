// Who may create a pairing code for a student.

import { eq, sql } from 'drizzle-orm';
import { above } from '../../../contexts/account_tree';
import { type RoleOverride, roleHolds } from '../../../contexts/permissions';
import type { UserContext } from '../../../contexts/user';
import type { Database, ResultsOf } from '../../../database/open';
import type { Call } from '../../../http/call';
import { role_overrides, roles } from '../../roles/table';
import { registersThemselves } from '../registration/setting';

const permission = 'generate_observer_pairing_code';

interface Shared {
  readonly role_id: number;
  readonly account_id: number;
}

/** The ancestors of an account, root first. */
function chainTo(account_id: number, parents: ReadonlyMap<number, number | null>): number[] {
  const chain: number[] = [];
  for (let at: number | null | undefined = account_id; at !== null && at !== undefined; at = parents.get(at)) chain.unshift(at);
  return chain;
}

/** The user's roles in the student's courses, with the accounts' overrides. */
function asStaff(db: Database, me: number, student: number) {
  const shared = sql`select distinct a.role_id, c.account_id from enrollments a
    join enrollments b on b.course_id = a.course_id and b.user_id = ${student} and b.type = 'StudentEnrollment' and b.enrollment_state in ('active', 'invited')
    join courses c on c.id = a.course_id and c.workflow_state in ('available', 'claimed', 'created')
    where a.user_id = ${me} and a.type <> 'StudentEnrollment' and a.enrollment_state = 'active'`;
  const accounts = above(sql`select account_id from (${shared})`);
  return [
    db.build.all<Shared>(shared),
    db.build.all<{ id: number; parent_account_id: number | null }>(
      sql`select id, parent_account_id from accounts where id in (${accounts})`,
    ),
    db.build.select().from(roles).where(sql`${roles.id} in (select role_id from (${shared}))`),
    db.build.select().from(role_overrides).where(eq(role_overrides.permission, permission)),
  ] as const;
}

/** Whether one of these roles has the permission in its course. */
function holdsAsStaff([places, tree, roleRows, overrides]: ResultsOf<ReturnType<typeof asStaff>>): boolean {
  const parents = new Map(tree.map((one) => [one.id, one.parent_account_id]));
  return places.some(({ role_id, account_id }) => {
    const role = roleRows.find((one) => one.id === role_id);
    return role !== undefined && roleHolds(permission, role, chainTo(account_id, parents), overrides as readonly RoleOverride[]);
  });
}

/** Checked before the shared courses are read. */
export const mayEverMakeCodes = ({ user }: Pick<Call, 'user'>): boolean =>
  Boolean(user && (user.isMe || user.can(permission) || user.sharesRosterAsStaff));

/** The student, or a user with the permission, if the institution allows observers to register themselves (reference 01 B8). */
export async function mayMakeCodes({
  db,
  me,
  user,
  institution,
}: Pick<Call, 'db' | 'me' | 'institution'> & { user: UserContext }): Promise<boolean> {
  if (!registersThemselves('observer', institution) || user.is_test_student) return false;
  if (user.isMe || user.can(permission)) return true;
  return user.sharesRosterAsStaff && holdsAsStaff(await db.perform(asStaff(db, me.id, user.id)));
}
