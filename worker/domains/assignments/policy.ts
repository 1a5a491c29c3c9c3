// Which assignments exist for a viewer.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import type { Call } from '../../http/call';
import { assignedTo, assignedUnmoved } from '../../rules/assigned';
import { assignments } from './table';
import { seesAsStaff, viewingUser } from './viewpoint';

type Looking = Pick<Call, 'me' | 'user' | 'path'>;

/** Kept literal, so that SQLite matches the partial index of live assignments. */
export const presentAssignments: SQL = sql`assignments.workflow_state <> 'deleted'`;
const published: SQL = sql`assignments.workflow_state = 'published'`;

/** Published and assigned to one of the users; for lists across courses. */
export const isVisibleTo = (users: SQL, isAssigned = assignedTo): SQL =>
  sql`${published} and exists (select 1 from (select id as user_id from users where id in (${users})) viewer where ${isAssigned(sql.raw('viewer.user_id'))})`;

/** Staff see all that is not deleted; others see published assignments assigned to them. */
export const visibleAssignments = (course: CourseContext, call: Looking): SQL | undefined =>
  and(eq(assignments.course_id, course.id), visibleThere(course, call));

/** The same where `movedForAny` has none for the viewer. */
export const visibleUnmoved = (course: CourseContext, call: Looking): SQL | undefined =>
  and(eq(assignments.course_id, course.id), visibleThere(course, call, assignedUnmoved));

/** The same among some ids. The unary plus lets SQLite find them by id, where it would otherwise read an index of the whole course. */
export const visibleAmong = (course: CourseContext, call: Looking, ids: SQL): SQL | undefined =>
  and(sql`assignments.id in (${ids})`, sql`+assignments.course_id = ${course.id}`, visibleThere(course, call));

const visibleThere = (course: CourseContext, call: Looking, isAssigned = assignedTo): SQL | undefined =>
  and(presentAssignments, seesAsStaff(course, { ...call, course }) ? undefined : isVisibleToStudents(course, call, isAssigned));

function isVisibleToStudents(course: CourseContext, call: Looking, isAssigned: typeof assignedTo): SQL {
  const isStudent = course.observedIds.length === 0;
  // An observer who names themselves in the path sees the same as without a name.
  const isOneOfMany = call.path.user_id !== undefined && call.user?.id !== call.me.id;
  return isStudent || isOneOfMany
    ? sql`${published} and ${isAssigned(viewingUser({ ...call, course }))}`
    : isVisibleTo(viewingUser({ ...call, course }), isAssigned);
}
