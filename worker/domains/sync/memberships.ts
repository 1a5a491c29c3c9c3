// Every course that the caller is in, as the feed needs them: read in one batch, told apart in memory.

import { and, eq, inArray, sql } from 'drizzle-orm';
import { type CourseContext, courseContext } from '../../contexts/course';
import type { Institution } from '../../contexts/institution';
import type { Database, ResultsOf } from '../../database/open';
import type { Call } from '../../http/call';
import { accounts } from '../accounts/table';
import { courses } from '../courses/table';
import { enrollments } from '../enrollments/table';
import { role_overrides, roles } from '../roles/table';
import { sections } from '../sections/table';
import { terms } from '../terms/table';
import type { Lens } from './cursor';

const states = ['active', 'invited', 'completed', 'inactive'] as const;

/** The statements that read the caller's memberships, in the order that `coursesOf` takes their results. */
export function membershipStatements({ build }: Database, userId: number) {
  const mine = and(eq(enrollments.user_id, userId), inArray(enrollments.enrollment_state, [...states]));
  const courseIds = sql`(select course_id from enrollments where ${mine})`;
  const upwards = sql`(with recursive up(id) as (select account_id from courses where id in ${courseIds} union select parent_account_id from accounts join up on accounts.id = up.id where parent_account_id is not null) select id from up)`;
  return [
    build.select().from(enrollments).where(mine),
    build.select().from(courses).where(sql`${courses.id} in ${courseIds}`),
    build.select().from(terms).where(sql`${terms.id} in (select enrollment_term_id from courses where id in ${courseIds})`),
    build.select().from(sections).where(sql`${sections.id} in (select course_section_id from enrollments where ${mine})`),
    build.select().from(roles).where(sql`${roles.id} in (select role_id from enrollments where ${mine})`),
    build.select().from(accounts).where(sql`${accounts.id} in ${upwards}`),
    build.select().from(role_overrides).where(sql`${role_overrides.account_id} in ${upwards}`),
  ] as const;
}

type Results = ResultsOf<ReturnType<typeof membershipStatements>>;

/** The courses that the caller can read, by id. */
export function coursesOf(results: Results, call: Call): ReadonlyMap<number, CourseContext> {
  const [mine, courseRows, termRows, sectionRows, roleRows, accountRows, overrides] = results;
  const institution: Institution = {
    root: call.institution.root,
    accounts: new Map([...call.institution.accounts.values(), ...accountRows].map((account) => [account.id, account])),
    overrides,
  };
  const readable = courseRows.flatMap((row) => {
    const term = termRows.find((one) => one.id === row.enrollment_term_id);
    if (!term) return [];
    const enrolled = mine
      .filter((one) => one.course_id === row.id)
      .flatMap((enrollment) => {
        const role = roleRows.find((one) => one.id === enrollment.role_id);
        const section = sectionRows.find((one) => one.id === enrollment.course_section_id && one.workflow_state !== 'deleted');
        return role && section ? [{ enrollment, role, section }] : [];
      });
    const course = courseContext(row, term, enrolled, call.me, institution, call.now);
    return course.canRead && enrolled.length > 0 ? [course] : [];
  });
  return new Map(readable.map((course) => [course.id, course]));
}

/** Two equal lenses see the same of a course; what roles may do is part of it. */
export const lensOf = (course: CourseContext): Lens =>
  [
    course.readsAsAdmin ? 'a' : course.participates ? 'p' : 'r',
    course.workflow_state[0],
    ...course.mine
      .map(
        (one) => `${one.type[0]}${one.type[1]}${one.role_id}.${one.course_section_id}.${one.observed_user_id}.${one.effective.slice(0, 9)}`,
      )
      .sort(),
  ].join('~');
