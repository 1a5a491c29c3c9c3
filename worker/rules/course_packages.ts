// Who may have packages of a course. Pure.

import type { CourseContext } from '../contexts/course';

/** Packages contain unpublished content, questions with their keys, and what is for some sections only. */
export const readsPackages = (course: CourseContext | undefined): boolean =>
  course?.readsAsAdmin === true && course.sectionLimit === null && course.can('manage_assignments_edit');
