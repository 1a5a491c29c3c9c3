// Which assignment groups are visible.

import { and, eq } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { assignment_groups } from './table';

export const presentAssignmentGroups = (course: CourseContext) =>
  and(eq(assignment_groups.course_id, course.id), eq(assignment_groups.workflow_state, 'available'));
export const onlyAssignmentGroup = (course: CourseContext, id: number) =>
  and(presentAssignmentGroups(course), eq(assignment_groups.id, id));
