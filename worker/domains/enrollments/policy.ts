// Which enrollments there are for a caller, and who may begin and end them.

import { wordOf } from '@carrel/shared/wire/form';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext, EnrollmentRow } from '../../contexts/course';
import { among } from '../../database/ids';
import type { Call } from '../../http/call';
import { permissionToAdd, permissionToRemove } from './roster/moves';
import { type EnrollmentType, enrollments, enrollmentTypes } from './table';

/** Sees the roster, as far as sections allow. */
export const readsRoster = (course: CourseContext): boolean =>
  course.canRead && (course.can('read_roster') || course.can('view_all_grades') || course.can('manage_grades'));

/**
 * Enrollments of a course that the caller may see: the roster, else one's own and those of whom one observes.
 * @param here where they are sought: the course, or a section of it
 */
export function visible(course: CourseContext, me: { id: number }, here: SQL = eq(enrollments.course_id, course.id)): SQL | undefined {
  if (!readsRoster(course)) return and(here, among(enrollments.user_id, [me.id, ...course.observedIds]));
  if (course.sectionLimit)
    return and(here, sql`(${among(enrollments.course_section_id, course.sectionLimit)} or ${eq(enrollments.user_id, me.id)})`);
  return here;
}

/** Whether the caller may ask for enrollments of the course at all. */
export const mayList = (call: Call): boolean => {
  const { course, me } = call;
  if (!course || !me.isKnown) return false;
  const asksForSelf = [call.tree.user_id].flat().every((given) => ['self', String(me.id)].includes(wordOf(given)));
  return readsRoster(course) || (course.canRead && course.observedIds.length > 0) || asksForSelf;
};

/** The kinds of enrollment that the caller may add to the course. */
export const addable = (course: CourseContext): EnrollmentType[] =>
  enrollmentTypes.filter((type) => type !== 'StudentViewEnrollment' && course.canRead && course.can(permissionToAdd(type)));

export interface EndingRights {
  /** Kinds that may be concluded. */
  readonly concludes: readonly EnrollmentType[];
  /** Kinds that may be taken out, put aside and brought back. */
  readonly removes: readonly EnrollmentType[];
  /** One's own enrollment too. */
  readonly endsOwn: boolean;
  /** The sections that the caller is held to. */
  readonly sections?: readonly number[] | null;
}

/** Reference 02 §4.5. */
export function endingRights(course: CourseContext): EndingRights {
  const can = (permission: string) => course.canRead && course.can(permission);
  const removes = enrollmentTypes.filter((type) =>
    type === 'StudentViewEnrollment' ? course.readsAsAdmin : can(permissionToRemove(type)),
  );
  const concludes = enrollmentTypes.filter(
    (type) => removes.includes(type) || ((type === 'StudentEnrollment' || type === 'StudentViewEnrollment') && can('manage_students')),
  );
  return { concludes, removes, endsOwn: course.isAdmin, sections: course.sectionLimit };
}

export const mayRemove = (course: CourseContext, row: Pick<EnrollmentRow, 'type' | 'user_id'>, me: number): boolean => {
  const rights = endingRights(course);
  return rights.removes.includes(row.type) && (row.user_id !== me || rights.endsOwn);
};
