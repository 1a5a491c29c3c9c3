// The enrollments visible to a caller, and who may create and end them.

import { wordOf } from '@carrel/shared/wire/form';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext, EnrollmentRow } from '../../contexts/course';
import { among } from '../../database/ids';
import type { Call } from '../../http/call';
import { permissionToAdd, permissionToRemove } from './roster/lifecycle';
import { type EnrollmentType, enrollments, enrollmentTypes, studentTypes } from './table';

/** Sees the roster, within any section restriction. */
export const readsRoster = (course: CourseContext): boolean =>
  course.canRead && (course.can('read_roster') || course.can('view_all_grades') || course.can('manage_grades'));

/**
 * Visible enrollments of a course: the roster, else the caller's own and those of observed students.
 * @param here the course, or a section of it
 */
export function visibleEnrollments(
  course: CourseContext,
  me: { id: number },
  here: SQL = eq(enrollments.course_id, course.id),
): SQL | undefined {
  if (!readsRoster(course)) return and(here, among(enrollments.user_id, [me.id, ...course.observedIds]));
  if (course.sectionLimit)
    return and(here, sql`(${among(enrollments.course_section_id, course.sectionLimit)} or ${eq(enrollments.user_id, me.id)})`);
  return here;
}

/** Whether the caller may list enrollments of the course. */
export const mayList = (call: Call): boolean => {
  const { course, me } = call;
  if (!course || !me.isKnown) return false;
  const asksForSelf = [call.tree.user_id].flat().every((given) => ['self', String(me.id)].includes(wordOf(given)));
  return readsRoster(course) || (course.canRead && course.observedIds.length > 0) || asksForSelf;
};

/** The enrollment types that the caller may add to the course. */
export const addable = (course: CourseContext): EnrollmentType[] =>
  enrollmentTypes.filter((type) => type !== 'StudentViewEnrollment' && course.canRead && course.can(permissionToAdd(type)));

export interface EndingRights {
  /** Types that the caller may conclude. */
  readonly concludes: readonly EnrollmentType[];
  /** Types that the caller may delete, deactivate and reactivate. */
  readonly removes: readonly EnrollmentType[];
  /** Including their own enrollment. */
  readonly endsOwn: boolean;
  /** The sections that the caller is restricted to. */
  readonly sections?: readonly number[] | null;
}

/** Reference 02 §4.5. */
export function endingRights(course: CourseContext): EndingRights {
  const can = (permission: string) => course.canRead && course.can(permission);
  const removes = enrollmentTypes.filter((type) =>
    type === 'StudentViewEnrollment' ? course.readsAsAdmin : can(permissionToRemove(type)),
  );
  const concludes = enrollmentTypes.filter((type) => removes.includes(type) || (studentTypes.has(type) && can('manage_students')));
  return { concludes, removes, endsOwn: course.isAdmin, sections: course.sectionLimit };
}

export const mayRemove = (course: CourseContext, row: Pick<EnrollmentRow, 'type' | 'user_id'>, me: number): boolean => {
  const rights = endingRights(course);
  return rights.removes.includes(row.type) && (row.user_id !== me || rights.endsOwn);
};
