// The caller's enrollment in the feed.

import { and, eq, ne } from 'drizzle-orm';
import { rows } from '../../http/listing';
import { homeByCourse, listedInCourse, type SyncedKind } from '../../rules/synced_kind';
import { syncedEnrollment } from './json';
import { enrollments } from './table';

export const enrollmentSynced: SyncedKind = {
  kind: 'enrollment',
  serializer: syncedEnrollment,
  include: ['observed_users'],
  home: homeByCourse('enrollments'),
  listing: listedInCourse((course, { me }) =>
    rows(enrollments, {
      where: and(eq(enrollments.user_id, me.id), eq(enrollments.course_id, course.id), ne(enrollments.enrollment_state, 'deleted')),
    }),
  ),
};
