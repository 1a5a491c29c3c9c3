// The sections that a user is restricted to in a course. An enrollment may be limited to its section; users with no other enrollment there
// see people of those sections only. One enrollment without the limit opens them all: a teacher loses nothing by being an assistant, too.

import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext, EnrollmentRow } from './course';

type Limited = Pick<EnrollmentRow, 'course_section_id' | 'limit_privileges_to_course_section'>;

/** @returns ids of sections; null where all are open, as to users who are not enrolled */
export const sectionLimitOf = (live: readonly Limited[]): readonly number[] | null =>
  live.length > 0 && live.every((one) => one.limit_privileges_to_course_section)
    ? [...new Set(live.map((one) => one.course_section_id))]
    : null;

/** What holds enrollments, under an alias, to the sections that the caller is held to in the course; nothing where all are open. */
export const inSectionLimit = (course: Pick<CourseContext, 'sectionLimit'> | undefined, alias = 'enrollments'): SQL =>
  sql.raw(course?.sectionLimit ? ` and ${alias}.course_section_id in (${course.sectionLimit.join(', ') || 'null'})` : '');

/** Whether a section-restricted caller meets a person of the course in one of their sections; nothing where all are open. */
export const isReached = (course: Pick<CourseContext, 'sectionLimit'> | undefined, user: SQL): SQL | undefined =>
  course?.sectionLimit
    ? sql`exists (select 1 from enrollments r where r.user_id = ${user} and r.enrollment_state not in ('deleted', 'rejected')${inSectionLimit(course, 'r')})`
    : undefined;

/** The same in SQL, of two enrollments in one course: whether by the first somebody meets the second. */
export const meets = (mine: string, theirs: string): SQL =>
  sql.raw(`(${mine}.limit_privileges_to_course_section = 0 or ${mine}.course_section_id = ${theirs}.course_section_id)`);

/** The same over all courses of a person: a select of courses and sections, without the courses in which all sections are open. */
export const heldSections = (person: SQL): SQL =>
  sql`select e.course_id, e.course_section_id from enrollments e where e.user_id = ${person} and e.enrollment_state = 'active' and e.limit_privileges_to_course_section
    and not exists (select 1 from enrollments f where f.user_id = ${person} and f.course_id = e.course_id and f.enrollment_state = 'active' and not f.limit_privileges_to_course_section)`;
