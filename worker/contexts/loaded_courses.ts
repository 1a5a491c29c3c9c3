// The caller's context in each course of a page: the same as for a path's course, read for many in one statement.

import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { bundle, rowsAsJson, rowsOfJson, unbundle } from '../database/bundle';
import type { ResultOf } from '../database/open';
import { shared } from '../database/shared';
import { accounts } from '../domains/accounts/table';
import { course_nicknames } from '../domains/courses/table';
import { enrollments } from '../domains/enrollments/table';
import { grading_standards } from '../domains/grading_standards/table';
import { role_overrides, roles } from '../domains/roles/table';
import { sections } from '../domains/sections/table';
import { terms } from '../domains/terms/table';
import type { Call } from '../http/call';
import type { RowOf } from '../http/listing';
import { type CourseContext, type CourseRow, courseContext, type EnrollmentRow, type TermRow } from './course';
import type { AccountRow, Institution } from './institution';
import type { RoleRow } from './viewer';

const tables = {
  accounts,
  overrides: role_overrides,
  enrollments,
  roles,
  sections,
  terms,
  nicknames: course_nicknames,
  standards: grading_standards,
};

const none = sql`select 0 where 0`;

/**
 * The statement for `loadedCourses`.
 * @param ids the courses
 * @param people users whose enrollments are read besides the caller's
 */
export const loadedCourseRows = (ids: SQL, call: Call, people: SQL = none) => {
  const { db, me } = call;
  return bundle(
    db,
    sql`with recursive page(id) as materialized (select * from (${ids})),
      places(account_id, term_id, standard_id) as materialized (select distinct account_id, enrollment_term_id, grading_standard_id from courses where id in (select id from page)),
      up(id) as (select account_id from places union select accounts.parent_account_id from accounts join up on accounts.id = up.id where accounts.parent_account_id is not null),
      here(id, role_id, section_id) as materialized (select id, role_id, course_section_id from enrollments where user_id in (select ${shared('user', me.id)} union ${people}) and course_id in (select id from page))`,
    {
      accounts: { table: accounts, where: sql`id in (select id from up)` },
      overrides: { table: role_overrides, where: sql`account_id in (select id from up)` },
      enrollments: { table: enrollments, where: sql`id in (select id from here)` },
      roles: { table: roles, where: sql`id in (select role_id from here)` },
      sections: {
        table: sections,
        where: sql`id in (select section_id from here) and (workflow_state = 'active' or exists (select 1 from (select 1 from courses c where c.id = sections.course_id and c.workflow_state = 'deleted')))`,
      },
      terms: { table: terms, where: sql`id in (select term_id from places)` },
      standards: {
        table: grading_standards,
        where: sql`id in (select standard_id from places where standard_id > 0)`,
      },
      nicknames: { table: course_nicknames, where: sql`user_id = ${shared('user', me.id)} and course_id in (select id from page)` },
    },
  );
};

export interface Enrolled {
  readonly enrollment: EnrollmentRow;
  readonly role: RoleRow;
  readonly section: RowOf<typeof sections>;
}

export interface LoadedCourse {
  readonly context: CourseContext;
  readonly term: TermRow;
  /** Root first. */
  readonly accounts: readonly AccountRow[];
  readonly nickname: string | undefined;
  /** Enrollments of the caller and of the requested users, including deleted ones. */
  readonly enrolled: readonly Enrolled[];
}

const byKey = <T>(all: readonly T[], key: (one: T) => number): Map<number, T[]> => {
  const groups = new Map<number, T[]>();
  for (const one of all) {
    const group = groups.get(key(one));
    if (group) group.push(one);
    else groups.set(key(one), [one]);
  }
  return groups;
};

const read = new WeakMap<object, (course: CourseRow) => LoadedCourse>();

/** Returns a function that gives the context in each course of the page. */
export function loadedCourses(rows: ResultOf<ReturnType<typeof loadedCourseRows>>, call: Call): (course: CourseRow) => LoadedCourse {
  const known = read.get(rows);
  if (known) return known;
  const found = unbundle(tables, rows[0]);
  const institution: Institution = {
    root: call.institution.root,
    accounts: new Map([...call.institution.accounts, ...found.accounts.map((account) => [account.id, account] as const)]),
    overrides: found.overrides,
  };
  const roleOf = new Map(found.roles.map((role) => [role.id, role]));
  const sectionOf = new Map(found.sections.map((section) => [section.id, section]));
  const termOf = new Map(found.terms.map((term) => [term.id, term]));
  const enrolledIn = byKey(
    found.enrollments.flatMap((enrollment) => {
      const role = roleOf.get(enrollment.role_id);
      const section = sectionOf.get(enrollment.course_section_id);
      return role && section ? [{ enrollment, role, section }] : [];
    }),
    ({ enrollment }) => enrollment.course_id,
  );
  const nicknameOf = new Map(found.nicknames.map(({ course_id, nickname }) => [course_id, nickname]));
  const tell = (course: CourseRow): LoadedCourse => {
    const term = termOf.get(course.enrollment_term_id);
    if (!term) throw new Error(`course ${course.id} has no term`);
    const enrolled = enrolledIn.get(course.id) ?? [];
    const mine = enrolled.filter(({ enrollment }) => enrollment.user_id === call.me.id && enrollment.enrollment_state !== 'deleted');
    const context = courseContext(course, term, mine, call.me, institution, call.now, found.standards);
    return {
      context,
      term,
      accounts: context.chain.map((id) => institution.accounts.get(id)).filter((one) => one !== undefined),
      nickname: nicknameOf.get(course.id),
      enrolled,
    };
  };
  read.set(rows, tell);
  return tell;
}

const untold = { overrides: {}, start_at: null, end_at: null } as TermRow;

const loaded = ({ institution }: Call) =>
  sql`courses.account_id in (select value from json_each(${JSON.stringify([...institution.accounts.keys()])}))`;

/**
 * The same for lists without enrollments: as columns of the row, so that the page is not read again. The account and inherited quota are read only
 * when the request has not loaded the account.
 */
export const loadedCourseColumns = (call: Call): Record<string, SQLWrapper> => ({
  nickname: sql<
    string | null
  >`(select course_nicknames.nickname from course_nicknames where course_nicknames.user_id = ${shared('user', call.me.id)} and course_nicknames.course_id = courses.id)`.as(
    'nickname',
  ),
  accounts: sql<string>`case when ${loaded(call)} then '[]' else ${rowsAsJson(accounts, sql`${accounts.id} = courses.account_id`)} end`.as(
    'accounts',
  ),
  quota: sql<
    number | null
  >`case when ${loaded(call)} then null else (with recursive up(id, quota, depth) as (select courses.account_id, null, 0 union all select a.parent_account_id, a.default_storage_quota_mb, depth + 1 from accounts a join up on a.id = up.id where up.quota is null) select quota from up order by depth desc limit 1) end`.as(
    'quota',
  ),
  ...((call.include.has('term') || call.include.has('concluded')) && {
    terms: rowsAsJson(terms, sql`${terms.id} = courses.enrollment_term_id`).as('terms'),
  }),
});

/** The context of a course read with those columns. */
export function loadedCourseOfRow(row: CourseRow, call: Call): LoadedCourse {
  const result = row as CourseRow & { nickname: string | null; accounts: string; quota: number | null; terms?: string };
  const [term = untold] = rowsOfJson(terms, result.terms);
  const known = call.institution.accounts;
  const above = (call.account ?? call.institution.root).id;
  // Accounts between this one and the request's are not read, because permissions are inherited through them unchanged.
  const read = rowsOfJson(accounts, result.accounts).map((account) => ({
    ...account,
    parent_account_id: known.has(account.parent_account_id ?? 0) ? account.parent_account_id : above,
    default_storage_quota_mb: result.quota,
  }));
  const institution: Institution = {
    ...call.institution,
    accounts: new Map([...known, ...read.map((account) => [account.id, account] as const)]),
  };
  const context = courseContext(row, term, [], call.me, institution, call.now);
  return {
    context,
    term,
    accounts: context.chain.map((id) => institution.accounts.get(id)).filter((one) => one !== undefined),
    nickname: result.nickname ?? undefined,
    enrolled: [],
  };
}
