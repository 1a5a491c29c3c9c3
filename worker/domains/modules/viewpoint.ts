// Through whose eyes modules are seen, and whose progress is told.

import { and, eq, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import type { Call } from '../../http/call';
import { found, unauthorized } from '../../http/problem';
import { judged, type Reply } from '../../http/reply';
import { enrollments } from '../enrollments/table';

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

const isTheirs = (course: CourseContext, { me }: Pick<Call, 'me'>, id: number) => id === me.id || course.observedIds.includes(id);

/**
 * What is told of a student is told only of a student of the course, to those who may read their grades.
 * @throws Problem 401 for whose grades the caller may not read
 */
export function ofStudent(course: CourseContext, call: Looking & Pick<Call, 'db'>, then: Reply): Reply {
  const id = asked(call);
  if (id === undefined) return then;
  const isFree = isTheirs(course, call, id);
  if (!isFree && !course.can('view_all_grades') && !course.can('manage_grades')) throw unauthorized();
  const enrolled = call.db.build
    .select({ section_id: enrollments.course_section_id })
    .from(enrollments)
    .where(
      and(
        eq(enrollments.user_id, id),
        eq(enrollments.course_id, course.id),
        sql`${enrollments.type} in ('StudentEnrollment', 'StudentViewEnrollment') and ${enrollments.enrollment_state} not in ('deleted', 'rejected')`,
      ),
    );
  return judged(
    enrolled,
    (seats) => {
      found(seats[0]);
      const isReached = isFree || course.sectionLimit === null || seats.some((seat) => course.sectionLimit?.includes(seat.section_id));
      if (!isReached) throw unauthorized();
    },
    then,
  );
}
