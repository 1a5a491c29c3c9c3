// The statement of trip 1: reads the caller, the contexts and the permissions.

import { type SQL, sql } from 'drizzle-orm';
import { bundle, type Parts, unbundle } from '../database/bundle';
import { idempotency_keys } from '../database/housekeeping';
import type { Database } from '../database/open';
import { accounts } from '../domains/accounts/table';
import { admins } from '../domains/admins/table';
import { courses } from '../domains/courses/table';
import { developer_key_account_bindings, developer_keys } from '../domains/developer_keys/table';
import { enrollments } from '../domains/enrollments/table';
import { grading_period_sets, grading_periods } from '../domains/grading_periods/table';
import { grading_standards } from '../domains/grading_standards/table';
import { group_categories } from '../domains/group_categories/table';
import { group_memberships, groups } from '../domains/groups/table';
import { sessions } from '../domains/login/table';
import { role_overrides, roles } from '../domains/roles/table';
import { sections } from '../domains/sections/table';
import { terms } from '../domains/terms/table';
import { tokens } from '../domains/tokens/table';
import { logins, users } from '../domains/users/table';
import type { AnonymousAssignment } from './course';
import { isActiveOrPastStaff, isActiveStaff } from './predicates';
import { idOf } from './references';
import { meets } from './section_limit';

export interface ContextQuery {
  /** Lower-case hex SHA-256 of the token, if one was sent. */
  readonly tokenHash: string | undefined;
  /** Likewise of the session's secret, when no token was sent. */
  readonly sessionHash: string | undefined;
  /** The user whose identity the URL itself carries: a select of one id. */
  readonly speaksFor?: SQL;
  readonly asUser: string | undefined;
  readonly path: Readonly<Record<string, string>>;
  readonly bySisId: boolean;
  /** Selects of one id each, for contexts that are not in the path. */
  readonly within: { readonly course?: SQL; readonly account?: SQL; readonly user?: SQL; readonly group?: SQL; readonly id?: SQL };
  readonly idempotencyKey: string | undefined;
  /** Whether to read what compares the path's user with the caller: for writes. */
  readonly ranks?: boolean;
  /** Also finds a deleted course. */
  readonly deletedToo?: boolean;
  readonly now: string;
  /** Receives the user of the token or session before the request can be refused. */
  readonly recognise?: (person: number | undefined) => Promise<void>;
}

const tables = {
  tokens,
  developerKeys: developer_keys,
  bindings: developer_key_account_bindings,
  sessions,
  viewers: users,
  logins,
  admins,
  accounts,
  overrides: role_overrides,
  roles,
  courses,
  terms,
  standards: grading_standards,
  periodSets: grading_period_sets,
  periods: grading_periods,
  enrollments,
  sections,
  pathSections: sections,
  pathAccounts: accounts,
  pathUsers: users,
  pathGroups: groups,
  pathCategories: group_categories,
  memberships: group_memberships,
  keys: idempotency_keys,
} as const;

const theAccounts = sql`select id from up`;

/** Courses shared by the caller and the path's user, by a condition on their enrollments. Section-restricted callers share only their sections. */
const share = (mine: SQL, theirs: SQL) =>
  sql`exists (select 1 from enrollments a join enrollments b on b.course_id = a.course_id where a.user_id = (select id from who) and b.user_id = (select id from the_user) and ${mine} and ${theirs} and ${meets('a', 'b')})`;

const none = sql`select 0 where 0`;

/** Which contexts a request is about: selects of one id each, absent where it names none. */
function contextsOf({ path, bySisId, within }: ContextQuery) {
  const named = (kind: 'course' | 'section' | 'user' | 'account' | 'group') => {
    const given = path[`${kind}_id`];
    if (given === undefined) return undefined;
    return kind === 'user' && given === 'self' ? sql`select id from who` : idOf(kind, given, bySisId);
  };
  const section = named('section');
  const group = named('group') ?? within.group;
  // Also loads the group's course or account.
  const around = (type: 'Course' | 'Account', given: SQL | undefined) => {
    const behind = group && sql`select context_id from groups where id = (select id from the_group) and context_type = ${type}`;
    return given && behind ? sql`${given} union ${behind}` : (given ?? behind);
  };
  const ofSection = section && sql`select course_id from sections where id = (select id from the_section)`;
  return {
    section,
    group,
    course: around('Course', named('course') ?? within.course ?? ofSection),
    account: around('Account', named('account') ?? within.account),
    user: named('user') ?? within.user,
  };
}

/** Who calls: conditions on the token or session, and a select of the id of its user. */
function callerOf({ tokenHash, sessionHash, speaksFor, now }: ContextQuery) {
  const token = tokenHash !== undefined ? sql`token_hash = ${tokenHash}` : undefined;
  const session =
    token || sessionHash === undefined
      ? undefined
      : sql`session_hash = ${sessionHash} and workflow_state = 'active' and expires_at > ${now}`;
  const ofCredential = token
    ? sql`select user_id from tokens where ${token}`
    : session && sql`select user_id from sessions where ${session}`;
  return { token, session, actor: speaksFor ?? ofCredential };
}

type Named = ReturnType<typeof contextsOf>;
type Caller = ReturnType<typeof callerOf>;

const theUser = sql` union select id from the_user`;

/** The caller, and the user of the path where the two are compared. */
const peopleOf = ({ asUser, ranks, path }: ContextQuery, { user }: Named): { readonly ranked: boolean; readonly people: SQL } => {
  const ranked = asUser !== undefined || (ranks === true && user !== undefined && path.user_id !== 'self');
  return { ranked, people: sql`(select id from actor union select id from who${ranked && user ? theUser : sql``})` };
};

function commonTables(
  { asUser }: ContextQuery,
  { section, group, course, account, user }: Named,
  { token, actor }: Caller,
  people: SQL,
  ranked: boolean,
): SQL {
  const seeds = [
    sql`select 1`,
    ...(account ? [sql`select id from the_account`] : []),
    ...(course ? [sql`select account_id from courses where id = (select id from the_course)`] : []),
    ...(ranked
      ? [
          sql`select account_id from admins where user_id in ${people}`,
          sql`select account_id from role_overrides where role_id in (select role_id from admins where user_id in ${people})`,
        ]
      : []),
  ];
  return sql`with recursive
    actor(id) as (${actor ?? none}),
    the_key(id) as (${token ? sql`select developer_key_id from tokens where ${token} and developer_key_id is not null` : none}),
    who(id) as (${asUser === undefined || asUser === 'self' ? sql`select id from actor` : idOf('user', asUser)}),
    the_section(id) as (${section ?? none}), the_group(id) as (${group ?? none}), the_course(id) as (${course ?? none}), the_account(id) as (${account ?? none}), the_user(id) as (${user ?? none}),
    up(id) as (select * from (${sql.join(seeds, sql` union `)}) union select accounts.parent_account_id from accounts join up on accounts.id = up.id where accounts.parent_account_id is not null)`;
}

const mine = sql`user_id = (select id from who) and course_id = (select id from the_course)`;

const partsOfCaller = ({ token, session, actor }: Caller, people: SQL): Parts => ({
  accounts: { table: accounts, where: sql`id in (${theAccounts})` },
  overrides: { table: role_overrides, where: sql`account_id in (${theAccounts})` },
  ...(token && {
    tokens: { table: tokens, where: token },
    developerKeys: { table: developer_keys, where: sql`id = (select id from the_key)` },
    bindings: { table: developer_key_account_bindings, where: sql`developer_key_id = (select id from the_key)` },
  }),
  ...(session && { sessions: { table: sessions, where: session } }),
  ...(actor && {
    viewers: { table: users, where: sql`id = (select id from who)` },
    logins: { table: logins, where: sql`user_id = (select id from actor) and workflow_state <> 'deleted'` },
    admins: { table: admins, where: sql`user_id in ${people} and workflow_state = 'active'` },
    roles: {
      table: roles,
      where: sql`id in (select role_id from admins where user_id in ${people} union select role_id from enrollments where ${mine})`,
    },
  }),
});

/** The course's own set of grading periods, else its term's. */
const thePeriodSet = sql`(select coalesce((select id from grading_period_sets where course_id = (select id from the_course) and workflow_state = 'active'),
  (select t.grading_period_group_id from courses c join terms t on t.id = c.enrollment_term_id where c.id = (select id from the_course))))`;

/** The assignments of the course whose students are anonymous to graders now. Literal, to match the partial index. */
const anonymousAssignments = sql`(select json_group_array(json_object('id', id, 'sis_assignment_id', sis_assignment_id, 'lti_context_id', lti_context_id))
  from assignments where course_id = (select id from the_course) and anonymize_students = 1)`;

const partsOfPath = ({ section, group, course, account, user }: Named, { idempotencyKey }: ContextQuery): Parts => ({
  ...(course && {
    courses: { table: courses, where: sql`id = (select id from the_course)` },
    terms: { table: terms, where: sql`id = (select enrollment_term_id from courses where id = (select id from the_course))` },
    standards: {
      table: grading_standards,
      where: sql`id = (select grading_standard_id from courses where id = (select id from the_course))`,
    },
    periodSets: { table: grading_period_sets, where: sql`id = ${thePeriodSet}` },
    periods: { table: grading_periods, where: sql`grading_period_group_id = ${thePeriodSet} and workflow_state = 'active'` },
    enrollments: { table: enrollments, where: sql`${mine} and enrollment_state <> 'deleted'` },
    sections: { table: sections, where: sql`id in (select course_section_id from enrollments where ${mine})` },
  }),
  ...(section && { pathSections: { table: sections, where: sql`id = (select id from the_section) and workflow_state <> 'deleted'` } }),
  ...(account && { pathAccounts: { table: accounts, where: sql`id = (select id from the_account)` } }),
  ...(group && {
    pathGroups: { table: groups, where: sql`id = (select id from the_group) and workflow_state <> 'deleted'` },
    pathCategories: {
      table: group_categories,
      where: sql`id = (select group_category_id from groups where id = (select id from the_group))`,
    },
    memberships: {
      table: group_memberships,
      where: sql`user_id = (select id from who) and group_id = (select id from the_group) and workflow_state not in ('deleted', 'rejected')`,
    },
  }),
  ...(user && { pathUsers: { table: users, where: sql`id = (select id from the_user)` } }),
  ...(idempotencyKey !== undefined && {
    keys: { table: idempotency_keys, where: sql`user_id = (select id from who) and key = ${idempotencyKey}` },
  }),
});

/** Whether the caller may act as a test student: staff of its course, or an administrator of its account. */
const isOwnTestStudent = sql`exists (select 1 from users u join enrollments t on t.user_id = u.id join enrollments e on e.course_id = t.course_id
          where u.id = (select id from who) and u.is_test_student = 1 and t.type = 'StudentViewEnrollment' and t.enrollment_state = 'active'
          and ((e.user_id = (select id from actor) and ${isActiveStaff('e')})
            or exists (select 1 from admins d join account_ancestors o on o.ancestor_id = d.account_id join courses c on c.account_id = o.account_id
              where d.user_id = (select id from actor) and d.workflow_state = 'active' and c.id = t.course_id)))`;

/** How the caller knows the user of the path. */
const acquaintance = {
  observed: sql`exists (select 1 from observers where observers.observer_id = (select id from who) and observers.student_id = (select id from the_user))`,
  observed_somewhere: sql`exists (select 1 from enrollments where enrollments.user_id = (select id from who) and enrollments.type = 'ObserverEnrollment' and enrollments.observed_user_id = (select id from the_user) and enrollments.enrollment_state in ('active', 'completed'))`,
  as_staff: share(isActiveOrPastStaff('a'), sql`b.enrollment_state not in ('deleted', 'rejected')`),
  as_peer: share(sql`a.enrollment_state in ('active', 'completed')`, sql`b.enrollment_state in ('active', 'completed', 'invited')`),
};

export function selectContexts(db: Database, query: ContextQuery) {
  const caller = callerOf(query);
  const named = contextsOf(query);
  const { ranked, people } = peopleOf(query, named);
  return bundle(
    db,
    commonTables(query, named, caller, people, ranked),
    { ...partsOfCaller(caller, people), ...partsOfPath(named, query) },
    {
      ...(query.within.id && { named_id: sql`(${query.within.id})` }),
      ...(query.asUser !== undefined && { is_own_test_student: isOwnTestStudent }),
      ...(named.user && acquaintance),
      ...(named.course && { anonymous: anonymousAssignments }),
    },
  );
}

/** The rows found, by kind in the form of their tables; kinds that were not requested are empty. */
export const readContexts = (row: Record<string, unknown> | undefined) => ({
  ...unbundle(tables, row as Record<string, string> | undefined),
  named_id: typeof row?.named_id === 'number' ? row.named_id : undefined,
  anonymous: JSON.parse(typeof row?.anonymous === 'string' ? row.anonymous : '[]') as AnonymousAssignment[],
  is_own_test_student: row?.is_own_test_student === 1,
  acquaintance: {
    observed: row?.observed === 1,
    observed_somewhere: row?.observed_somewhere === 1,
    as_staff: row?.as_staff === 1,
    as_peer: row?.as_peer === 1,
  },
});
