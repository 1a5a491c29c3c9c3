// The viewer of modules, and the student whose progress is shown.

import { and, eq, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { isEnrolledStudent } from '../../contexts/predicates';
import type { Call } from '../../http/call';
import { found, unauthorized } from '../../http/problem';
import { judged, type Reply } from '../../http/reply';
import { enrollments, studentTypes } from '../enrollments/table';

type Looking = Pick<Call, 'me' | 'params'>;

/** Staff see everything; other viewers see what a student sees: themselves, or the student they observe. */
export const viewingStudent = (course: CourseContext, { me }: Pick<Call, 'me'>): number | undefined =>
  course.readsAsAdmin ? undefined : isOnlyObserver(course) ? (course.observedIds[0] ?? me.id) : me.id;

const isOnlyObserver = (course: CourseContext) => course.mine.length > 0 && course.mine.every((one) => one.type === 'ObserverEnrollment');
const isStudent = (course: CourseContext) => !course.readsAsAdmin && course.mine.some((one) => studentTypes.has(one.type));

const asked = ({ params }: Pick<Call, 'params'>) => (params as { student_id?: number }).student_id;

/** The student whose progress is shown: the one named by `student_id`, or the caller if a student. */
export const studentInPlay = (course: CourseContext, call: Looking): number | undefined =>
  asked(call) ?? (isStudent(course) ? call.me.id : undefined);

const isTheirs = (course: CourseContext, { me }: Pick<Call, 'me'>, id: number) => id === me.id || course.observedIds.includes(id);

/**
 * A student's progress is visible only to callers who may read the student's grades in the course.
 * @throws Problem 401 for callers who may not read those grades
 */
export function ofStudent(course: CourseContext, call: Looking & Pick<Call, 'db'>, then: Reply): Reply {
  const id = asked(call);
  if (id === undefined) return then;
  const isFree = isTheirs(course, call, id);
  if (!isFree && !course.can('view_all_grades') && !course.can('manage_grades')) throw unauthorized();
  const enrolled = call.db.build
    .select({ section_id: enrollments.course_section_id })
    .from(enrollments)
    .where(and(eq(enrollments.user_id, id), eq(enrollments.course_id, course.id), sql`${isEnrolledStudent()}`));
  return judged(
    enrolled,
    (seats) => {
      found(seats[0]);
      const isReached =
        isFree || course.sectionLimit === null || seats.some((accountSession) => course.sectionLimit?.includes(accountSession.section_id));
      if (!isReached) throw unauthorized();
    },
    then,
  );
}
