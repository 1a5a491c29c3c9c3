// Course progress of one student, or of all.

import { CourseProgress } from '@carrel/shared/resources/course';
import { StudentProgress } from '@carrel/shared/resources/student_progress';
import { and, eq, sql } from 'drizzle-orm';
import { isEnrolledStudent } from '../../../contexts/predicates';
import { inSectionLimit } from '../../../contexts/section_limit';
import { atMost } from '../../../database/at_most';
import { isInSelect } from '../../../database/ids';
import { get } from '../../../http/endpoint';
import { rows } from '../../../http/listing';
import { Problem } from '../../../http/problem';
import { answer, judged, list } from '../../../http/reply';
import { serializer } from '../../../http/serializer';
import { visibleEnrollments } from '../../enrollments/policy';
import { enrollments } from '../../enrollments/table';
import { type DisplayRow, userDisplay } from '../../users/display';
import { users } from '../../users/table';
import { module_progressions } from '../table';
import { courseProgress, notAStudent, notModuleBased, rememberedProgress, selectAsking, selectCourseProgress } from './course';

/** Students with their stored progress; it is recomputed when the students open the course themselves. */
const studentProgress = serializer({
  resource: StudentProgress,
  table: users,
  also: (ids, { db, course }) => ({
    asking: selectAsking(db, course?.id ?? 0),
    remembered: db.build
      .select()
      .from(module_progressions)
      .where(and(eq(module_progressions.course_id, course?.id ?? 0), isInSelect(module_progressions.user_id, ids))),
  }),
  json: (person: DisplayRow, { course, origin }, { asking, remembered }) => ({
    ...userDisplay(person, origin),
    progress: rememberedProgress(
      asking,
      remembered.filter(({ user_id }) => user_id === person.id),
      course?.id ?? 0,
      origin,
    ),
  }),
});

export const courseProgressRoutes = [
  get(
    '/courses/:course_id/users/:user_id/progress',
    { can: ['self', 'view_all_grades'], returns: { json: CourseProgress }, summary: "Get a student's course progress" },
    async ({ db, course, user, now, origin, me }) => {
      const [enrolled, facts] = await db.perform([
        db.build
          .select({ id: enrollments.id })
          .from(enrollments)
          .where(and(visibleEnrollments(course, me), eq(enrollments.user_id, user.id), isEnrolledStudent()))
          .limit(1),
        selectCourseProgress(db, user.id, sql`select ${course.id}`),
      ]);
      const result = enrolled.length === 0 ? notAStudent : courseProgress(facts, course.id, now, origin);
      if ('error' in result) throw new Problem(400, result);
      return answer(result);
    },
  ),

  get(
    '/courses/:course_id/bulk_user_progress',
    { can: 'view_all_grades', returns: [studentProgress], summary: 'List the course progress of all students' },
    ({ db, course, page }) => {
      // For each state, students are walked in the order of the list, only as far as the page needs.
      const first = (state: 'active' | 'completed') =>
        sql`select user_id from (select distinct user_id from enrollments where course_id = ${course.id} and type = 'StudentEnrollment' and enrollment_state = ${state}${inSectionLimit(course)} and user_id > ${page.after?.[0] ?? 0} order by user_id limit ${atMost(page.per_page * (page.number ?? 1) + 1)})`;
      return judged(
        selectAsking(db, course.id),
        (asking) => {
          if (asking.length === 0) throw new Problem(400, notModuleBased);
        },
        list(rows(users, { where: isInSelect(users.id, sql`${first('active')} union ${first('completed')}`) })),
      );
    },
  ),
];
