// Trip 1 of every request: who calls, where, and with what rights, in one batch.

import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import { idempotency_keys } from '../database/housekeeping';
import type { Database } from '../database/open';
import { accounts } from '../domains/accounts/table';
import { admins } from '../domains/admins/table';
import { courses } from '../domains/courses/table';
import { enrollments } from '../domains/enrollments/table';
import { role_overrides, roles } from '../domains/roles/table';
import { sections } from '../domains/sections/table';
import { terms } from '../domains/terms/table';
import { tokens } from '../domains/tokens/table';
import { logins, users } from '../domains/users/table';
import type { RowOf } from '../http/listing';
import { badToken, notFound, Problem, unauthenticated } from '../http/problem';
import { type AccountContext, accountContext } from './account';
import { type CourseContext, courseContext } from './course';
import { chainOf, type Institution } from './institution';
import { permissions, roleHolds } from './permissions';
import { idOf } from './references';
import type { SectionContext } from './section';
import { type UserContext, userContext } from './user';
import { type AdminLink, nobody, type Viewer } from './viewer';

export interface Sought {
  /** Lower-case hex SHA-256 of the token, where one came. */
  readonly tokenHash: string | undefined;
  readonly asUser: string | undefined;
  readonly path: Readonly<Record<string, string>>;
  readonly bySisId: boolean;
  readonly within: { readonly course?: SQL; readonly account?: SQL; readonly user?: SQL };
  readonly idempotencyKey: string | undefined;
  readonly now: string;
}

export interface Contexts {
  readonly me: Viewer;
  readonly institution: Institution;
  readonly course: CourseContext | undefined;
  readonly account: AccountContext | undefined;
  readonly section: SectionContext | undefined;
  readonly user: UserContext | undefined;
  readonly replay: RowOf<typeof idempotency_keys> | undefined;
}

const none = sql`select 0 where 0`;

/**
 * @throws Problem 401 for a token that does not open the door, 404 for a context of the path that is not there
 */
export async function loadContexts(db: Database, sought: Sought): Promise<Contexts> {
  const { build } = db;
  const actor = sought.tokenHash ? sql`(select user_id from tokens where token_hash = ${sought.tokenHash})` : sql`(0)`;
  const who = sought.asUser === undefined ? actor : sql`(${sought.asUser === 'self' ? sql`select ${actor}` : idOf('user', sought.asUser)})`;
  const named = (kind: 'course' | 'section' | 'user' | 'account') => {
    const given = sought.path[`${kind}_id`];
    if (given === undefined) return undefined;
    return kind === 'user' && given === 'self' ? sql`select ${who}` : idOf(kind, given, sought.bySisId);
  };
  const sectionId = named('section');
  const courseId = named('course') ?? sought.within.course ?? (sectionId && sql`select course_id from sections where id = (${sectionId})`);
  const accountId = named('account') ?? sought.within.account;
  const userId = named('user') ?? sought.within.user;
  const seeds = [
    sql`select 1`,
    ...(accountId ? [accountId] : []),
    ...(courseId ? [sql`select account_id from courses where id = (${courseId})`] : []),
    ...(sought.asUser === undefined ? [] : [sql`select account_id from admins where user_id in (${actor}, ${who})`]),
  ];
  const upwards = sql`with recursive up(id) as (select * from (${sql.join(seeds, sql` union `)}) union select parent_account_id from accounts join up on accounts.id = up.id where parent_account_id is not null) select id from up`;
  const mineHere =
    courseId &&
    and(eq(enrollments.user_id, sql`${who}`), eq(enrollments.course_id, sql`(${courseId})`), ne(enrollments.enrollment_state, 'deleted'));
  const course_id = courseId ?? none;
  const user_id = userId ?? none;

  const [
    tokenRows,
    userRows,
    loginRows,
    adminRows,
    accountRows,
    overrideRows,
    roleRows,
    courseRows,
    termRows,
    enrollmentRows,
    sectionRows,
    pathSections,
    pathAccounts,
    pathUsers,
    acquaintance,
    keys,
  ] = await db.perform([
    build
      .select()
      .from(tokens)
      .where(eq(tokens.token_hash, sought.tokenHash ?? '')),
    build
      .select()
      .from(users)
      .where(eq(users.id, sql`${who}`)),
    build
      .select({ state: logins.workflow_state })
      .from(logins)
      .where(and(eq(logins.user_id, sql`${actor}`), ne(logins.workflow_state, 'deleted'))),
    build
      .select()
      .from(admins)
      .where(and(sql`${admins.user_id} in (${actor}, ${who})`, eq(admins.workflow_state, 'active'))),
    build.select().from(accounts).where(sql`${accounts.id} in (${upwards})`),
    build.select().from(role_overrides).where(sql`${role_overrides.account_id} in (${upwards})`),
    build
      .select()
      .from(roles)
      .where(
        sql`${roles.id} in (select role_id from admins where user_id in (${actor}, ${who}) union select role_id from enrollments where user_id = ${who} and course_id = (${course_id}))`,
      ),
    build
      .select()
      .from(courses)
      .where(eq(courses.id, sql`(${course_id})`)),
    build
      .select()
      .from(terms)
      .where(eq(terms.id, sql`(select enrollment_term_id from courses where id = (${course_id}))`)),
    build
      .select()
      .from(enrollments)
      .where(mineHere ?? sql`0`),
    build
      .select()
      .from(sections)
      .where(sql`${sections.id} in (select course_section_id from enrollments where user_id = ${who} and course_id = (${course_id}))`),
    build
      .select()
      .from(sections)
      .where(and(eq(sections.id, sql`(${sectionId ?? none})`), ne(sections.workflow_state, 'deleted'))),
    build
      .select({ id: accounts.id })
      .from(accounts)
      .where(eq(accounts.id, sql`(${accountId ?? none})`)),
    build
      .select()
      .from(users)
      .where(eq(users.id, sql`(${user_id})`)),
    build
      .select({
        observed: sql<number>`exists (select 1 from observers where observer_id = ${who} and student_id = (${user_id}))`.as('observed'),
        as_staff: userId
          ? sql<number>`exists (select 1 from enrollments a join enrollments b on b.course_id = a.course_id where a.user_id = ${who} and b.user_id = (${user_id}) and a.type in ('TeacherEnrollment', 'TaEnrollment', 'DesignerEnrollment') and a.enrollment_state in ('active', 'completed') and b.enrollment_state not in ('deleted', 'rejected'))`.as(
              'as_staff',
            )
          : sql<number>`0`.as('as_staff'),
        as_peer: userId
          ? sql<number>`exists (select 1 from enrollments a join enrollments b on b.course_id = a.course_id where a.user_id = ${who} and b.user_id = (${user_id}) and a.enrollment_state in ('active', 'completed') and b.enrollment_state in ('active', 'completed', 'invited'))`.as(
              'as_peer',
            )
          : sql<number>`0`.as('as_peer'),
      })
      .from(sql`(select 1)`),
    build
      .select()
      .from(idempotency_keys)
      .where(and(eq(idempotency_keys.user_id, sql`${who}`), eq(idempotency_keys.key, sought.idempotencyKey ?? ''))),
  ]);

  const root = accountRows.find((account) => account.parent_account_id === null);
  if (!root) throw new Problem(503, { errors: [{ message: 'This institution has not been set up.' }] });
  const institution: Institution = {
    root,
    accounts: new Map(accountRows.map((account) => [account.id, account])),
    overrides: overrideRows,
  };

  const token = tokenRows[0];
  const linksOf = (id: number): AdminLink[] =>
    adminRows
      .filter((link) => link.user_id === id)
      .flatMap((link) => {
        const role = roleRows.find((one) => one.id === link.role_id && one.workflow_state !== 'inactive');
        return role ? [{ account_id: link.account_id, role }] : [];
      });
  const me = viewer();
  if (sought.tokenHash && token) refuseClosedDoor(token, loginRows, sought.now);

  function viewer(): Viewer {
    if (!sought.tokenHash) {
      if (sought.asUser !== undefined) throw unauthenticated();
      return nobody;
    }
    if (!token) throw badToken();
    const user = userRows[0];
    if (!user || user.workflow_state === 'deleted') {
      if (sought.asUser === undefined) throw badToken();
      throw new Problem(401, {
        errors: 'Invalid as_user_id',
        ...(user?.merged_into_user_id && { merged_into_user_id: user.merged_into_user_id }),
      });
    }
    return { id: user.id, isKnown: true, user, token, real_user_id: token.real_user_id ?? token.user_id, adminLinks: linksOf(user.id) };
  }

  if (sought.asUser !== undefined && token && me.id !== token.user_id && !mayActAs(linksOf(token.user_id), me.adminLinks, institution))
    throw new Problem(401, { errors: 'Invalid as_user_id' });

  const missing = () => (me.isKnown ? notFound() : unauthenticated());
  const courseRow = courseRows[0];
  const term = termRows[0];
  const course =
    courseRow && term
      ? courseContext(
          courseRow,
          term,
          enrollmentRows.flatMap((enrollment) => {
            const role = roleRows.find((one) => one.id === enrollment.role_id);
            const section = sectionRows.find((one) => one.id === enrollment.course_section_id);
            return role && section && section.workflow_state !== 'deleted' ? [{ enrollment, role, section }] : [];
          }),
          me,
          institution,
          sought.now,
        )
      : undefined;
  const section = pathSections[0];
  if ((sought.path.section_id !== undefined && (!section || !course)) || (sought.path.course_id !== undefined && !course)) throw missing();
  if (course && course.workflow_state === 'deleted') throw missing();

  const accountRow = accountRows.find((account) => account.id === pathAccounts[0]?.id);
  if (sought.path.account_id !== undefined && (!accountRow || accountRow.workflow_state === 'deleted')) throw missing();
  const pathUser = pathUsers[0];
  if (sought.path.user_id !== undefined && (!pathUser || pathUser.workflow_state === 'deleted')) throw missing();
  const known = acquaintance[0];

  return {
    me,
    institution,
    course,
    section,
    account: accountRow ? accountContext(accountRow, me, institution) : undefined,
    user: pathUser
      ? userContext(pathUser, me, institution, {
          observed: known?.observed === 1,
          as_staff: known?.as_staff === 1,
          as_peer: known?.as_peer === 1,
        })
      : undefined,
    replay: keys[0],
  };
}

/** Reference 01 A7: what makes a token open nothing. */
function refuseClosedDoor(token: RowOf<typeof tokens>, logins: readonly { state: string }[], now: string): void {
  if (token.workflow_state !== 'active') throw badToken();
  if (token.expires_at !== null && token.expires_at <= now) throw badToken('Expired access token.');
  if (!logins.some((login) => login.state === 'active')) throw badToken();
}

/** Reference 01 A10: whoever may become users may act as those who hold no account permission that they lack themselves. */
function mayActAs(actor: readonly AdminLink[], target: readonly AdminLink[], institution: Institution): boolean {
  const holds = (links: readonly AdminLink[], permission: string, chain: readonly number[]) =>
    links.some((link) => chain.includes(link.account_id) && roleHolds(permission, link.role, chain, institution.overrides));
  if (!holds(actor, 'become_user', [institution.root.id])) return false;
  return target.every((link) => {
    const chain = chainOf(link.account_id, institution);
    return [...permissions.keys()].every((permission) => !holds([link], permission, chain) || holds(actor, permission, chain));
  });
}
