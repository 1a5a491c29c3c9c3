// Who may see which submissions, and what is hidden from students until it is posted (reference 03 §4.1, §4.8).

import type { CourseContext } from '../../../contexts/course';
import type { Call } from '../../../http/call';

/** Callers who may edit or view all grades. */
export const seesAllGrades = (course: CourseContext | undefined): boolean =>
  course !== undefined && (course.can('manage_grades') || course.can('view_all_grades'));

/** Whether the caller sees the submission as a grader. */
export const looksAsGrader = (call: Pick<Call, 'course' | 'me'>, user_id: number): boolean =>
  user_id !== call.me.id && seesAllGrades(call.course);

/** The student, their observers in the course, and graders. */
const maySee = (call: Pick<Call, 'course' | 'me'>, user_id: number): boolean =>
  user_id === call.me.id || (call.course?.observedIds.includes(user_id) ?? false) || seesAllGrades(call.course);

/** Whether the caller can only see the submission as its peer reviewer: without grade, dates of grading, and comments of others. */
export const looksAsReviewer = (call: Pick<Call, 'course' | 'me'>, user_id: number): boolean =>
  call.course !== undefined && !maySee(call, user_id);

/** The path's student, their observers, and graders. */
export const thatStudents = (call: Call) => Boolean(call.me.isKnown && call.course?.canRead && call.user && maySee(call, call.user.id));

/** The same, and students who may have been asked to review the submission: the handler checks that. */
export const thatStudentsOrReviewers = (call: Call) =>
  thatStudents(call) || Boolean(call.me.isKnown && call.user && call.course?.canRead && call.course.participates);
