// Which overrides a viewer sees: teachers those of their sections, students those that apply to them.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import { sharedIds } from '../../../database/shared';
import type { Call } from '../../../http/call';
import { reaching } from '../../../rules/assigned';
import { visibleAssignments } from '../policy';
import { assignment_overrides } from '../table';
import { seesAsStaff, viewingUser } from '../viewpoint';

type Looking = Pick<Call, 'me' | 'user' | 'path'>;

const inSections = (limit: readonly number[]): SQL => {
  const sections = sql`(${sharedIds('sections', limit)})`;
  return sql`(assignment_overrides.set_type = 'Course' or (assignment_overrides.set_type = 'CourseSection' and assignment_overrides.set_id in ${sections})
    or (assignment_overrides.set_type = 'Group' and exists (select 1 from group_memberships m join enrollments e on e.user_id = m.user_id and e.course_section_id in ${sections}
      where m.group_id = assignment_overrides.set_id and m.workflow_state = 'accepted')) or exists (
    select 1 from assignment_override_students s join enrollments e on e.user_id = s.user_id and e.course_section_id in ${sections}
    where s.assignment_override_id = assignment_overrides.id))`;
};

/** Live overrides of visible assignments that apply to the caller. */
export const seen = (course: CourseContext, call: Looking): SQL | undefined =>
  and(
    sql`assignment_overrides.assignment_id in (select id from assignments where ${visibleAssignments(course, call)})`,
    concerning(course, call),
  );

/** Live overrides that apply to the caller, for assignments already known to be visible: D1 limits expression depth to 100. */
export function concerning(course: CourseContext, call: Looking): SQL | undefined {
  const within = { ...call, course };
  const limit = course.sectionLimit;
  return and(
    eq(assignment_overrides.course_id, course.id),
    sql`assignment_overrides.workflow_state = 'active'`,
    seesAsStaff(course, within)
      ? limit === null
        ? undefined
        : inSections(limit)
      : sql`assignment_overrides.id in (select id from (${reaching(sql.raw('= assignment_overrides.assignment_id'), viewingUser(within))}))`,
  );
}
