// Which sections of a course a caller may see.

import { and, eq, type SQL } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { among } from '../../database/ids';
import { sections } from './table';

const present = (course: { id: number }): SQL | undefined => and(eq(sections.course_id, course.id), eq(sections.workflow_state, 'active'));

/** Section-restricted callers see only their sections. */
export const visibleSections = (course: CourseContext): SQL | undefined =>
  and(present(course), course.sectionLimit ? among(sections.id, course.sectionLimit) : undefined);

export const onlySection = (section: { id: number }): SQL | undefined =>
  and(eq(sections.id, section.id), eq(sections.workflow_state, 'active'));

/** Sees the users of the sections, so that counts and names may be included. */
export const seesPeople = (course: CourseContext): boolean =>
  course.can('read_roster') || course.can('view_all_grades') || course.can('manage_grades');
