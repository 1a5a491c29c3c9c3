// A user's own courses, and the enrollments that make them so (reference 02 §1.3): once in SQL, once for loaded rows.

import { type SQL, sql } from 'drizzle-orm';
import type { CourseRow, TermRow } from '../../contexts/course';
import { datedEnrollments, enrollmentsInCourses, enrollmentsWithState, isActiveAt, isShutOut } from '../../contexts/effective_enrollments';
import { type EffectiveState, effectiveState } from '../../contexts/enrollment_dates';
import type { Enrolled } from '../../contexts/loaded_courses';
import { atMost } from '../../database/at_most';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { type EnrollmentType, studentsOf } from '../enrollments/table';

export const enrollmentWords = ['teacher', 'student', 'ta', 'observer', 'designer'] as const;
export type EnrollmentWord = (typeof enrollmentWords)[number];

const types: Record<EnrollmentWord, readonly EnrollmentType[]> = {
  teacher: ['TeacherEnrollment'],
  student: studentsOf,
  ta: ['TaEnrollment'],
  observer: ['ObserverEnrollment'],
  designer: ['DesignerEnrollment'],
};
export const enrollmentTypesOf = (word: EnrollmentWord) => types[word];
export const enrollmentWordOf = (type: EnrollmentType): EnrollmentWord =>
  enrollmentWords.find((word) => types[word].includes(type)) ?? 'student';

const statesSought = {
  active: ['active'],
  invited_or_pending: ['invited', 'pending_invited', 'pending_active'],
  completed: ['completed'],
} satisfies Record<string, readonly EffectiveState[]>;

export interface OwnFilter {
  readonly enrollment_type?: EnrollmentWord;
  readonly enrollment_role?: string;
  readonly enrollment_role_id?: number;
  readonly enrollment_state?: keyof typeof statesSought;
  readonly state?: readonly ('unpublished' | 'available' | 'completed' | 'deleted')[];
  readonly observed_user_id?: number;
}

const text = (values: readonly string[]) =>
  sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  );

/**
 * A select of the ids of a user's courses, by the enrollments that match the filter.
 * @param which a condition on the enrollments `e`; all by default
 */
export function ownCourseIds(user: SQL | number, filter: OwnFilter, now: string, which?: SQL): SQL {
  const { enrollment_type, enrollment_role, enrollment_role_id, enrollment_state, state, observed_user_id } = filter;
  const hasRole = enrollment_role !== undefined || enrollment_role_id !== undefined;
  const about = sql.join(
    [
      sql`e.user_id = ${user}`,
      ...(which ? [which] : []),
      ...(enrollment_role_id === undefined ? [] : [sql`e.role_id = ${enrollment_role_id}`]),
      ...(enrollment_role === undefined ? [] : [sql`e.role_id in (select id from roles where name = ${enrollment_role})`]),
      ...(enrollment_type === undefined || hasRole ? [] : [sql`e.type in (${text(types[enrollment_type])})`]),
      ...(observed_user_id === undefined ? [] : [sql`e.observed_user_id = ${observed_user_id}`]),
    ],
    sql` and `,
  );
  const stored = state?.includes('deleted')
    ? // Enrollments end with their course; those that had already ended stay ended.
      sql`(e.enrollment_state in ('active', 'invited') or (e.course_state = 'deleted' and e.updated_at >= e.course_changed))`
    : sql`e.enrollment_state in ('active', 'invited')`;
  const courseStates = state?.flatMap((one) => (one === 'unpublished' ? ['created', 'claimed'] : [one]));
  const open = enrollment_state === 'completed' ? ['available', 'completed'] : ['available'];
  const byCourse = courseStates?.length
    ? sql`e.course_state in (${text(courseStates)})`
    : sql`(e.course_state in (${text(open)}) or (e.course_state in ('created', 'claimed') and e.is_staff))`;
  const those = (rows: SQL, isSought: SQL) => sql`select e.course_id from (${rows}) e where ${byCourse} and ${isSought}`;
  if (!enrollment_state) return those(enrollmentsInCourses(about), stored);
  // Active enrollments are never shut out.
  if (enrollment_state === 'active') return those(datedEnrollments(about), isActiveAt(now));
  return those(enrollmentsWithState(about, now), sql`e.effective in (${text(statesSought[enrollment_state])}) and not ${isShutOut}`);
}

/**
 * A select of a user's first courses in the order of the viewer's names for them. Courses with a nickname are walked by nickname, the others by name,
 * each at most one page deep, and filtered on the way.
 */
export function firstOwnCourses(
  user: number,
  filter: OwnFilter,
  { me, now, page }: Pick<Call, 'me' | 'now' | 'page'>,
  chosen: SQL | undefined,
): SQL {
  const [who, viewer] = [shared('user', user), shared('user', me.id)];
  const { per_page, number, after } = page;
  const orEnded = filter.state?.includes('deleted') ? sql` or courses.workflow_state = 'deleted'` : sql``;
  const walk = (name: SQL, id: SQL, from: SQL, where: SQL) => {
    const beyond = after === undefined ? sql`` : sql` and ${name} >= ${after[0]} and (${name}, ${id}) > (${after[0]}, ${after[1]})`;
    return sql`select course_id from (select distinct ${name} as name, ${id} as course_id from ${from} where ${where} and ${chosen ?? sql`1`}${beyond} order by ${name}, ${id} limit ${atMost(per_page * (number ?? 1) + 1)})`;
  };
  const named = walk(
    sql.raw('n.nickname collate nocase'),
    sql.raw('n.course_id'),
    sql`course_nicknames n indexed by course_nicknames_by_name cross join courses`,
    sql`n.user_id = ${viewer} and courses.id = n.course_id and exists (${ownCourseIds(who, filter, now, sql`e.course_id = n.course_id`)})`,
  );
  const others = walk(
    sql.raw('mine.sort_course'),
    sql.raw('mine.course_id'),
    sql`enrollments mine indexed by enrollments_of_user_by_course cross join courses`,
    sql`mine.user_id = ${who} and courses.id = mine.course_id and (mine.enrollment_state not in ('deleted', 'rejected')${orEnded})
      and not exists (select 1 from course_nicknames n where n.user_id = ${viewer} and n.course_id = mine.course_id) and exists (${ownCourseIds(who, filter, now, sql`e.id = mine.id`)})`,
  );
  return sql`${named} union all ${others}`;
}

/** Whether a loaded enrollment matches the filter. */
export function keeps(filter: OwnFilter, { enrollment, role, section }: Enrolled, course: CourseRow, term: TermRow, now: string): boolean {
  const hasRole = filter.enrollment_role !== undefined || filter.enrollment_role_id !== undefined;
  if (filter.enrollment_role_id !== undefined && enrollment.role_id !== filter.enrollment_role_id) return false;
  if (filter.enrollment_role !== undefined && role.name !== filter.enrollment_role) return false;
  if (filter.enrollment_type && !hasRole && !types[filter.enrollment_type].includes(enrollment.type)) return false;
  if (filter.enrollment_state)
    return (statesSought[filter.enrollment_state] as readonly string[]).includes(effectiveState(enrollment, section, course, term, now));
  if (course.workflow_state === 'deleted') return true;
  return enrollment.enrollment_state === 'active' || enrollment.enrollment_state === 'invited';
}
