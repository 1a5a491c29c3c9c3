// The viewer of assignments: the caller, or the user named in a course path.

import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { isActiveOrPastStaff } from '../../contexts/predicates';
import { shared, sharedIds } from '../../database/shared';
import type { Call } from '../../http/call';
import { everyOverride, reaching, reachingAny } from '../../rules/assigned';

type Looking = Pick<Call, 'me' | 'course' | 'user' | 'path'>;

/** The user whom a path like `/users/:user_id/courses/:course_id/…` views the course as. */
const subject = ({ course, user, path }: Looking): number | undefined => (course && path.user_id !== undefined ? user?.id : undefined);

/** For `in (…)`: the viewer and the students they observe. */
export function viewingUser(call: Looking): SQL {
  const id = subject(call);
  if (id !== undefined && id !== call.me.id) return shared('user', id);
  const me = shared('user', call.me.id);
  if (call.course) return call.course.observedIds.length === 0 ? me : sharedIds('users', [call.me.id, ...call.course.observedIds]);
  return sql`select ${me} union all select observed_user_id from enrollments where user_id = ${me} and course_id = assignments.course_id and type = 'ObserverEnrollment' and observed_user_id <> 0 and enrollment_state in ('active', 'completed')`;
}

/** Whether the viewer sees a row of `assignments` as staff, in SQL: constant within a course, per row elsewhere. */
export function asStaff(call: Looking): SQL<number> {
  const id = subject(call);
  if (call.course) return sql.raw(call.course.readsAsAdmin && (id === undefined || id === call.me.id) ? '1' : '0') as SQL<number>;
  // Evaluated once: the viewer's courses are few, the rows of a list are many.
  return sql<number>`(assignments.course_id in (select course_id from enrollments where user_id = ${shared('user', call.me.id)} and ${isActiveOrPastStaff()}))`;
}

export const seesAsStaff = (course: CourseContext, call: Looking): boolean => {
  const id = subject(call);
  return course.readsAsAdmin && (id === undefined || id === call.me.id);
};

/** The overrides of the current row of `assignments` that apply to the viewer. */
export function overridesSeen(call: Looking): SQL {
  const which = sql.raw('= assignments.id');
  if (call.course) return seesAsStaff(call.course, call) ? everyOverride(which) : reaching(which, viewingUser(call));
  return sql`select * from (${everyOverride(which)}) where ${asStaff(call)} union all ${reachingAny(which, viewingUser(call))}`;
}
