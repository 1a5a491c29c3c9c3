// Who sees which submissions, and what is kept from students until it is posted (reference 03 §4.1, §4.8).

import type { CourseContext } from '../../contexts/course';
import type { Call } from '../../http/call';

/** Those who give or see everybody's grades here. */
export const seesAllGrades = (course: CourseContext | undefined): boolean =>
  course !== undefined && (course.can('manage_grades') || course.can('view_all_grades'));

export interface Posting {
  readonly graded_at: string | null;
  readonly posted_at: string | null;
}

/** Whether a grade is kept from its student: nothing is shown before it is posted, where posting is done by hand or was undone. */
export const isHidden = ({ graded_at, posted_at }: Posting, post_manually: boolean): boolean =>
  posted_at === null && (post_manually || graded_at !== null);

/** Whether the caller looks at the submission as its grader. */
export const looksAsGrader = (call: Pick<Call, 'course' | 'me'>, user_id: number): boolean =>
  user_id !== call.me.id && seesAllGrades(call.course);

/** The student, whoever observes them here, and graders. */
const maySee = (call: Pick<Call, 'course' | 'me'>, user_id: number): boolean =>
  user_id === call.me.id || (call.course?.observedIds.includes(user_id) ?? false) || seesAllGrades(call.course);

/** The student of the path, whoever observes them, and graders. */
export const thatStudents = (call: Call) => Boolean(call.me.isKnown && call.course?.canRead && call.user && maySee(call, call.user.id));
