// Which grading scheme applies: the assignment's, else the course's, else the default of the nearest account, else the built-in one (reference 03 §5).

import { defaultScheme, type GradingType, type Scheme, usesScheme } from '@carrel/shared/grading/score_to_grade';
import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext, StandardRow } from '../contexts/course';
import { isInSelect } from '../database/ids';
import type { Database, Statement } from '../database/open';
import { shared } from '../database/shared';
import { assignments } from '../domains/assignments/table';
import { courses } from '../domains/courses/table';
import { grading_standards } from '../domains/grading_standards/table';
import { copyOf, type Route } from './copied_kind';

/** The scheme of course totals; null where the course shows no letter grades. Id 0 is the built-in scheme. */
export const schemeOfCourse = (course: Pick<CourseContext, 'grading_standard_id' | 'standard'>): Scheme | null =>
  course.grading_standard_id === null ? null : (course.standard ?? defaultScheme);

/** The standards of several courses. @param ids a select of the courses */
export const standardsOfCourses = ({ build }: Database, ids: SQL) =>
  build
    .select()
    .from(grading_standards)
    .where(isInSelect(grading_standards.id, sql`select grading_standard_id from courses where id in (${ids})`));

/** The standard that the nearest account sets as default. @param account the id of the lowest account */
export const accountDefault = (account: SQL): SQL<number | null> =>
  sql<number | null>`(select up.grading_standard_id from account_ancestors tree join accounts up on up.id = tree.ancestor_id
    where tree.account_id = ${account} and up.grading_standard_id is not null
    order by (select count(*) from account_ancestors higher where higher.account_id = up.id) desc limit 1)`;

/** The given id if the standard exists in the account, in an account above it, or in the course; null for every other id. */
export const knownStandard = (id: number, account: SQL, course: SQL = sql`0`): SQL<number | null> =>
  sql<number | null>`(select g.id from grading_standards g where g.id = ${id} and g.workflow_state = 'active'
    and (g.context_type = 'Course' and g.context_id = ${course}
      or g.context_type = 'Account' and g.context_id in (select tree.ancestor_id from account_ancestors tree where tree.account_id = ${account})))`;

/** The standard in the target of a copy: the copy of a course's standard, or the same standard of an account above both courses. */
export const copiedStandard = (id: SQL, route: Route): SQL => {
  const account = sql`(select c.account_id from courses c where c.id = ${shared('course', route.to)})`;
  return sql`coalesce(${copyOf('grading_standard', id, route)}, (select g.id from grading_standards g join account_ancestors tree on tree.ancestor_id = g.context_id
    where g.id = ${id} and g.context_type = 'Account' and tree.account_id = ${account}))`;
};

/** The entries of the scheme of the row of `assignments`, as JSON; null where its grades need none. */
export const schemeEntries: SQL<string | null> = sql<
  string | null
>`case when assignments.grading_type in ('letter_grade', 'gpa_scale') then coalesce((
  select standard.entries from courses taught join grading_standards standard
    on standard.id = coalesce(assignments.grading_standard_id, taught.grading_standard_id, ${accountDefault(sql.raw('taught.account_id'))})
  where taught.id = assignments.course_id), ${JSON.stringify(defaultScheme.entries)}) end`;

export type AssignmentScheme = Pick<StandardRow, 'id' | 'entries' | 'points_based' | 'scaling_factor' | 'used_at'>;

/** The stored scheme of each assignment; assignments with the built-in scheme have no row. @param ids a select of assignment ids */
export const schemesOfAssignments = ({ build }: Database, ids: SQL) =>
  build
    .select({
      assignment_id: sql<number>`assignments.id`.as('assignment_id'),
      id: grading_standards.id,
      entries: grading_standards.entries,
      points_based: grading_standards.points_based,
      scaling_factor: grading_standards.scaling_factor,
      used_at: grading_standards.used_at,
    })
    .from(assignments)
    .innerJoin(courses, sql`${courses.id} = ${assignments.course_id}`)
    .innerJoin(
      grading_standards,
      sql`${grading_standards.id} = coalesce(${assignments.grading_standard_id}, ${courses.grading_standard_id}, ${accountDefault(sql`${courses.account_id}`)})`,
    )
    .where(isInSelect(assignments.id, ids));

interface GradeInScheme {
  readonly assignment: { readonly grading_type: GradingType; readonly scheme?: AssignmentScheme };
  readonly grade?: { readonly posted_grade?: string | null };
}

/** Records which schemes these grades use, so that the entries of the schemes no longer change. */
export function recordSchemeUse({ build }: Database, grades: readonly GradeInScheme[], now: string): Statement[] {
  const used = grades.flatMap(({ assignment, grade }) => {
    const { grading_type, scheme } = assignment;
    return grade?.posted_grade && usesScheme(grading_type) && scheme?.used_at === null ? scheme.id : [];
  });
  if (used.length === 0) return [];
  const ids = sql`select value from json_each(${JSON.stringify([...new Set(used)])})`;
  return [
    build
      .update(grading_standards)
      .set({ used_at: now })
      .where(sql`${isInSelect(grading_standards.id, ids)} and ${grading_standards.used_at} is null`),
  ];
}
