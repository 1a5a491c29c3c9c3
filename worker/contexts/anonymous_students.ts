// Which assignments of the path's course have students who are anonymous to the caller (rules/anonymous_grading.ts), and requests that would name one.

import type { Call } from '../http/call';
import type { AnonymousAssignment, CourseContext } from './course';
import { readId, refersTo } from './references';

/** The assignment that a reference in a path names, if its students are anonymous to graders. */
export const anonymousAssignment = (
  { anonymous }: Pick<CourseContext, 'anonymous'>,
  reference: string | undefined,
): AnonymousAssignment | undefined => (reference === undefined ? undefined : anonymous.find((one) => refersTo(reference, one)));

/** Whether students can be anonymous to the caller: to staff, but not to account admins, and not the caller or students whom the caller observes. */
export const isAnonymousToCaller = ({ course, me }: Pick<Call, 'course' | 'me'>, user_id: number): boolean =>
  course !== undefined &&
  !course.isAdmin &&
  user_id !== me.id &&
  !course.observedIds.includes(user_id) &&
  (course.readsAsAdmin || course.can('manage_grades') || course.can('view_all_grades'));

/** Whether a student of an assignment of the path's course is anonymous to the caller. */
export const isAnonymousTo = (call: Pick<Call, 'course' | 'me'>, assignment_id: number, user_id: number): boolean =>
  call.course !== undefined && anonymousAssignment(call.course, String(assignment_id)) !== undefined && isAnonymousToCaller(call, user_id);

/** Whether the path names a student of an assignment whose students are anonymous to the caller: any answer would link the two. */
export function namesAnonymousStudent(
  call: Pick<Call, 'course' | 'me' | 'user'> & { readonly path: Readonly<Record<string, string>> },
): boolean {
  const { course, path, user } = call;
  const student = path.user_id === undefined ? readId(path.student_id ?? '') : user?.id;
  return (
    course !== undefined &&
    student !== undefined &&
    anonymousAssignment(course, path.assignment_id) !== undefined &&
    isAnonymousToCaller(call, student)
  );
}
