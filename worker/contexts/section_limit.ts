// Section restrictions of a user in a course. An enrollment may be limited to its section; users with only limited enrollments see only users of
// those sections. One unlimited enrollment lifts the restriction, so a teacher loses nothing by also being a TA.

import { type SQL, sql } from 'drizzle-orm';
import { sharedIds } from '../database/shared';
import type { enrollments } from '../domains/enrollments/table';

type Limited = Pick<typeof enrollments.$inferSelect, 'course_section_id' | 'limit_privileges_to_course_section'>;

/** A course as far as its sections are open to the caller. */
interface Sectioned {
  readonly sectionLimit: readonly number[] | null;
}

/** @returns section ids; null without a restriction, as for users who are not enrolled */
export const sectionLimitOf = (live: readonly Limited[]): readonly number[] | null =>
  live.length > 0 && live.every((one) => one.limit_privileges_to_course_section)
    ? [...new Set(live.map((one) => one.course_section_id))]
    : null;

/** Limits enrollments, under an alias, to the caller's sections; empty without a restriction. */
export const inSectionLimit = (course: Sectioned | undefined, alias = 'enrollments'): SQL =>
  course?.sectionLimit ? sql` and ${sql.raw(alias)}.course_section_id in (${sharedIds('sections', course.sectionLimit)})` : sql``;

/** Whether a user of the course is in one of a section-restricted caller's sections; undefined without a restriction. */
export const isInSectionLimit = (course: Sectioned | undefined, user: SQL): SQL | undefined =>
  course?.sectionLimit
    ? sql`exists (select 1 from enrollments r where r.user_id = ${user} and r.enrollment_state not in ('deleted', 'rejected')${inSectionLimit(course, 'r')})`
    : undefined;

/** The same in SQL for two enrollments in one course: whether the first user may see the second. */
export const meets = (mine: string, theirs: string): SQL =>
  sql.raw(`(${mine}.limit_privileges_to_course_section = 0 or ${mine}.course_section_id = ${theirs}.course_section_id)`);

/** The same for all courses of a user: a select of courses and sections, without courses that are unrestricted. */
export const heldSections = (person: SQL): SQL =>
  sql`select e.course_id, e.course_section_id from enrollments e where e.user_id = ${person} and e.enrollment_state = 'active' and e.limit_privileges_to_course_section
    and not exists (select 1 from enrollments f where f.user_id = ${person} and f.course_id = e.course_id and f.enrollment_state = 'active' and not f.limit_privileges_to_course_section)`;
