// The submissions of the caller and of the students whom they observe, in the feed.

import { and, eq, ne, sql } from 'drizzle-orm';
import { among } from '../../database/ids';
import { rows } from '../../http/listing';
import { assignedTo } from '../../rules/assigned';
import { homeByCourse, listedInCourse, type SyncedKind } from '../../rules/synced_kind';
import { submissionAlone } from './json';
import { submissions } from './table';

export const submissionSynced: SyncedKind = {
  kind: 'submission',
  serializer: submissionAlone,
  home: homeByCourse('submissions'),
  include: ['submission_comments', 'rubric_assessment'],
  listing: listedInCourse((course, { me }) =>
    rows(submissions, {
      where: and(
        among(submissions.user_id, [me.id, ...course.observedIds]),
        eq(submissions.course_id, course.id),
        ne(submissions.workflow_state, 'deleted'),
        sql`exists (select 1 from assignments where assignments.id = ${submissions.assignment_id} and assignments.workflow_state = 'published' and ${assignedTo(sql`${submissions.user_id}`)})`,
      ),
    }),
  ),
};
