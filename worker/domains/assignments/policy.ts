// Which assignments exist for a viewer.

import { and, eq, ne, type SQL } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { assignments } from './table';

/** Staff see all that is not deleted; others what is published and theirs. */
export const visible = (course: CourseContext): SQL | undefined =>
  and(
    eq(assignments.course_id, course.id),
    course.readsAsAdmin ? ne(assignments.workflow_state, 'deleted') : eq(assignments.workflow_state, 'published'),
  );
