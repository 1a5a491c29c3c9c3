// The caller's enrollment in the feed; and in courses that they have chosen for grading, those of their students.

import { and, eq, inArray, ne, or } from 'drizzle-orm';
import { rows } from '../../http/listing';
import { homeByCourse, listedInCourse, type SyncedKind } from '../../rules/synced_kind';
import { gradedEnrollment, syncedEnrollment } from './json';
import { visibleEnrollments } from './policy';
import { enrollments } from './table';

export const enrollmentSynced: SyncedKind = {
  kind: 'enrollment',
  serializer: syncedEnrollment,
  graded: { serializer: gradedEnrollment, include: ['avatar_url'] },
  home: homeByCourse('enrollments'),
  listing: listedInCourse((course, { me, isGraded }) => {
    const ofStudents = and(
      visibleEnrollments(course, me),
      eq(enrollments.type, 'StudentEnrollment'),
      inArray(enrollments.enrollment_state, ['active', 'invited', 'inactive', 'completed']),
    );
    return rows(enrollments, {
      where: and(
        or(eq(enrollments.user_id, me.id), isGraded ? ofStudents : undefined),
        eq(enrollments.course_id, course.id),
        ne(enrollments.enrollment_state, 'deleted'),
      ),
    });
  }),
};
