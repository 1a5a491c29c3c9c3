// Through whose eyes modules are seen, and whose progress is told.

import type { CourseContext } from '../../contexts/course';
import type { Call } from '../../http/call';
import { unauthorized } from '../../http/problem';

type Looking = Pick<Call, 'me' | 'params'>;

/** Staff see everything; whoever else looks sees what a student does: their own part, or that of the student they observe. */
export const eyes = (course: CourseContext, { me }: Pick<Call, 'me'>): number | undefined =>
  course.readsAsAdmin ? undefined : isOnlyObserver(course) ? (course.observedIds[0] ?? me.id) : me.id;

const isOnlyObserver = (course: CourseContext) => course.mine.length > 0 && course.mine.every((one) => one.type === 'ObserverEnrollment');
const isStudent = (course: CourseContext) =>
  !course.readsAsAdmin && course.mine.some((one) => one.type === 'StudentEnrollment' || one.type === 'StudentViewEnrollment');

const asked = ({ params }: Pick<Call, 'params'>) => (params as { student_id?: number }).student_id;

/** Whose progress is told: the student whom `student_id` names, else the caller who is one. */
export const studentInPlay = (course: CourseContext, call: Looking): number | undefined =>
  asked(call) ?? (isStudent(course) ? call.me.id : undefined);

/** @throws Problem 401 for a student whose grades the caller may not read */
export function checkStudent(course: CourseContext, call: Looking): void {
  const id = asked(call);
  if (id === undefined || id === call.me.id || course.observedIds.includes(id)) return;
  if (!course.can('view_all_grades') && !course.can('manage_grades')) throw unauthorized();
}
