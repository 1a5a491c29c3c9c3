// Courses named in parameters, with the caller's permissions in each: like `:course_id`, for several at once.

import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import { isInSelect } from '../database/ids';
import type { Database, ResultsOf } from '../database/open';
import { accounts } from '../domains/accounts/table';
import { courses } from '../domains/courses/table';
import { enrollments } from '../domains/enrollments/table';
import { role_overrides, roles } from '../domains/roles/table';
import { sections } from '../domains/sections/table';
import { terms } from '../domains/terms/table';
import { type CourseContext, courseContext } from './course';
import type { Institution } from './institution';
import type { Viewer } from './viewer';

/**
 * @param ids a select of course ids; deleted courses are left out
 * @param accountIds a select of further accounts to read
 */
export const courseStatements = ({ build }: Database, ids: SQL, me: Viewer, accountIds: SQL = sql`select 0 where 0`) => {
  const upwards = sql`with recursive up(id) as (select account_id from courses where id in (${ids}) union ${accountIds} union select accounts.parent_account_id from accounts join up on accounts.id = up.id where accounts.parent_account_id is not null) select id from up`;
  const mine = and(eq(enrollments.user_id, me.id), isInSelect(enrollments.course_id, ids), ne(enrollments.enrollment_state, 'deleted'));
  return [
    build
      .select()
      .from(courses)
      .where(and(isInSelect(courses.id, ids), ne(courses.workflow_state, 'deleted'))),
    build
      .select()
      .from(terms)
      .where(isInSelect(terms.id, sql`select enrollment_term_id from courses where id in (${ids})`)),
    build.select().from(enrollments).where(mine),
    build
      .select()
      .from(roles)
      .where(isInSelect(roles.id, sql`select role_id from enrollments where ${mine}`)),
    build
      .select()
      .from(sections)
      .where(isInSelect(sections.id, sql`select course_section_id from enrollments where ${mine}`)),
    build.select().from(accounts).where(isInSelect(accounts.id, upwards)),
    build.select().from(role_overrides).where(isInSelect(role_overrides.account_id, upwards)),
  ] as const;
};

export type CourseRows = ResultsOf<ReturnType<typeof courseStatements>>;

export function courseContextsOf(
  [courseRows, termRows, enrollmentRows, roleRows, sectionRows, accountRows, overrideRows]: CourseRows,
  me: Viewer,
  institution: Institution,
  now: string,
): CourseContext[] {
  const wider: Institution = {
    root: institution.root,
    accounts: new Map([...institution.accounts, ...accountRows.map((account) => [account.id, account] as const)]),
    overrides: overrideRows,
  };
  return courseRows.flatMap((course) => {
    const term = termRows.find((one) => one.id === course.enrollment_term_id);
    const mine = enrollmentRows.flatMap((enrollment) => {
      const role = roleRows.find((one) => one.id === enrollment.role_id);
      const section = sectionRows.find((one) => one.id === enrollment.course_section_id);
      return enrollment.course_id === course.id && role && section && section.workflow_state !== 'deleted'
        ? [{ enrollment, role, section }]
        : [];
    });
    return term ? [courseContext(course, term, mine, me, wider, now)] : [];
  });
}
