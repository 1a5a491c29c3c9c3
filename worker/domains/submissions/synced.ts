// The submissions of the caller and of the students whom they observe, in the feed; and in courses that they have chosen for grading, those of the
// students whom they grade.

import { and, eq, ne, or, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { among } from '../../database/ids';
import { rows } from '../../http/listing';
import { isAnonymisedSql } from '../../rules/anonymous_grading';
import { assignedTo } from '../../rules/assigned';
import { homeByCourse, listedInCourse, type SyncedKind } from '../../rules/synced_kind';
import { enrolledAs, studentsHere } from '../assignments/submissions/slots';
import { submissionAlone } from './json';
import { submissions } from './table';

const include = ['submission_comments', 'rubric_assessment'];

/** As in the list of all students' submissions (students.ts). */
const isGradedIn = (course: CourseContext): SQL =>
  sql`(not exists (select 1 from assignments where assignments.id = ${submissions.assignment_id} and ${isAnonymisedSql('assignments', course)})
    and exists (select 1 from enrollments e where e.course_id = ${course.id} and e.user_id = ${submissions.user_id} and ${enrolledAs(studentsHere(course, undefined))}))`;

export const submissionSynced: SyncedKind = {
  kind: 'submission',
  serializer: submissionAlone,
  home: homeByCourse('submissions'),
  include,
  graded: { include: [...include, 'submission_history'] },
  listing: listedInCourse((course, { me, isGraded }) =>
    rows(submissions, {
      where: and(
        or(among(submissions.user_id, [me.id, ...course.observedIds]), isGraded ? isGradedIn(course) : undefined),
        eq(submissions.course_id, course.id),
        ne(submissions.workflow_state, 'deleted'),
        sql`exists (select 1 from assignments where assignments.id = ${submissions.assignment_id} and assignments.workflow_state = 'published' and ${assignedTo(sql`${submissions.user_id}`)})`,
      ),
    }),
  ),
};
