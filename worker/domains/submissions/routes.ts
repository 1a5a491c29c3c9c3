// Submissions: every endpoint, in the order of the API reference, each below a course and below a section.

import { StudentsSubmission, SubmissionSummary } from '@carrel/shared/resources/submission_lists';
import { bool, idField, listOf, mapOf, maybe, object, optional, text } from '@carrel/shared/wire/fields';
import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { isStudent } from '../../contexts/predicates';
import { among } from '../../database/ids';
import type { Call } from '../../http/call';
import { get, post, put } from '../../http/endpoint';
import { descending, type Listing, rows } from '../../http/listing';
import { found, notFound, unauthorized } from '../../http/problem';
import { answer, judged, list, oneOr, write } from '../../http/reply';
import { mediaFields } from '../../rules/media_comments';
import { presentAssignments } from '../assignments/policy';
import type { SubmissionWithColumns } from '../assignments/submissions/columns';
import { looksAsReviewer, thatStudentsOrReviewers } from '../assignments/submissions/policy';
import { assignments } from '../assignments/table';
import { uploadTicket } from '../files/upload/start';
import { progressJson } from '../progress/json';
import { ratedField } from '../rubrics/assessments/input';
import { submissionCommentRoutes } from './comment_routes';
import { assignmentAt, assignmentSeen, slotOf, slotsOf, submissionContexts } from './context';
import { countGrading, gradeableIn, gradeableInCourse, gradeableStudent } from './grading/gradeable_students';
import { gradeCourse, gradeOne, gradeStudents } from './grading/handlers';
import { gradeParams } from './grading/input';
import { gradedSubmission, newSubmission, submission, submissionIncludes } from './json';
import { readStateRoutes } from './read_routes';
import { markMany, markSubmissionRead, submissionAt } from './read_state';
import { submissionToReview } from './review_access';
import { ofStudents, studentsParams } from './students';
import { submitParams } from './submit/attempt';
import { submissionUploadParams, submitAssignment, uploadForSubmission } from './submit/handlers';
import { submissions } from './table';

export const about = { title: 'Submissions', description: 'Submissions of students: submit, grade, comment and read.' };

const graders = ['manage_grades', 'view_all_grades'] as const;
const include = submissionIncludes;
/** Applied by http/run.ts to the response. */
const chosen = { response_fields: optional(listOf(text)), exclude_response_fields: optional(listOf(text)) };
/** One submission per group, for group assignments. */
const grouping = { grouped: optional(bool) };
const entries = mapOf(
  object({
    posted_grade: optional(maybe(text)),
    excuse: optional(bool),
    text_comment: optional(maybe(text)),
    group_comment: optional(bool),
    file_ids: optional(listOf(idField('file'))),
    ...mediaFields,
    rubric_assessment: optional(ratedField),
  }),
  'user',
);

/** The path's assignment, if it exists. */
const assignmentOf = ({ db, course, path }: Pick<Call, 'db'> & { course: { id: number }; path: { assignment_id: string } }) =>
  db.build
    .select({ id: assignments.id })
    .from(assignments)
    .where(and(eq(assignments.course_id, course.id), presentAssignments, sql`${assignments.id} = (${assignmentAt({ course, path })})`));

const ofPlaces = submissionContexts.flatMap((place) => {
  const all = `${place}/assignments/:assignment_id/submissions` as const;
  const single = `${all}/:user_id` as const;
  return [
    get(
      all,
      {
        can: graders,
        include,
        params: { ...chosen, ...grouping },
        choosable: true,
        returns: [submission],
        summary: 'List submissions of an assignment',
      },
      (call) => judged(assignmentOf(call), (there) => found(there[0]), list(slotsOf(call, assignmentAt(call), call.params.grouped))),
    ),

    get(
      single,
      { can: thatStudentsOrReviewers, include, params: chosen, choosable: true, returns: submission, summary: 'Get a submission' },
      (call) => {
        if (looksAsReviewer(call, call.user.id)) return submissionToReview(call, call.user.id, false);
        const slot = slotOf(call, assignmentAt(call), call.user.id);
        if (call.include.has('read_status')) {
          const at = submissionAt(assignmentAt(call), call.user.id);
          call.afterwards(() => call.db.perform(markSubmissionRead(call, at)));
        }
        let isVisible = false;
        const look = assignmentSeen(call);
        return judged(
          look,
          ([it]) => {
            isVisible = found(it).is_visible === 1;
          },
          oneOr(slot, () => (isVisible ? notFound() : unauthorized())),
        );
      },
    ),

    post(all, { can: 'read', params: submitParams, returns: newSubmission, status: 201, summary: 'Submit an assignment' }, (call) =>
      submitAssignment(call),
    ),

    put(
      single,
      {
        can: thatStudentsOrReviewers,
        params: gradeParams,
        include,
        returns: gradedSubmission,
        conditional: 'item',
        summary: 'Grade a submission or comment on it',
      },
      (call) => gradeOne(call),
    ),

    post(
      `${single}/files`,
      { can: 'read', params: submissionUploadParams, returns: uploadTicket, summary: 'Upload a file for a submission' },
      (call) => uploadForSubmission(call),
    ),

    put(
      `${place}/submissions/bulk_mark_read`,
      {
        can: 'read',
        params: { submissionIds: optional(listOf(idField('submission'))) },
        returns: { json: null },
        status: 204,
        summary: 'Mark several submissions as read',
      },
      ({ db, me, now, params }) => {
        const own = sql`submission_id in (select id from submissions where user_id = ${me.id} and ${among(sql`id`, params.submissionIds ?? [])})`;
        return write([markMany({ db, now }, me.id, own)], answer(null));
      },
    ),

    put(
      `${place}/submissions/:user_id/clear_unread`,
      {
        can: (call) => call.user?.can('become_user') ?? false,
        returns: { json: null },
        status: 204,
        summary: 'Mark all submissions of a student as read',
      },
      ({ db, course, user, now }) => {
        const here = sql`submission_id in (select id from submissions where user_id = ${user.id} and course_id = ${course.id})`;
        return write([markMany({ db, now }, user.id, here)], answer(null));
      },
    ),

    get(
      `${place}/students/submissions`,
      {
        can: 'read',
        params: { ...studentsParams, ...chosen },
        choosable: 'submissions',
        include: [...include, 'total_scores'],
        returns: { json: StudentsSubmission },
        summary: 'List submissions of multiple assignments',
      },
      (call) => ofStudents(call),
    ),

    post(
      `${all}/update_grades`,
      {
        can: 'manage_grades',
        params: { grade_data: optional(entries) },
        returns: progressJson,
        summary: 'Grade several students in an assignment',
      },
      (call) => gradeStudents(call),
    ),

    post(
      `${place}/submissions/update_grades`,
      {
        can: 'manage_grades',
        params: { grade_data: optional(mapOf(entries, 'assignment')) },
        returns: progressJson,
        summary: 'Grade several students in several assignments',
      },
      (call) => gradeCourse(call),
    ),

    get(
      `${place}/assignments/:assignment_id/gradeable_students`,
      { can: graders, include: ['provisional_grades'], returns: [gradeableStudent], summary: 'List gradeable students' },
      (call) => judged(assignmentOf(call), (there) => found(there[0]), list(gradeableIn(call, assignmentAt(call)))),
    ),

    get(
      `${place}/assignments/gradeable_students`,
      {
        can: graders,
        params: { assignment_ids: optional(listOf(idField('assignment'))) },
        returns: [gradeableStudent],
        summary: 'List gradeable students of multiple assignments',
      },
      (call) => list(gradeableInCourse(call, call.params.assignment_ids ?? [])),
    ),

    get(
      `${place}/assignments/:assignment_id/submission_summary`,
      { can: graders, params: grouping, returns: { json: SubmissionSummary }, summary: 'Get a submission summary' },
      async (call) => {
        const [there, [count]] = await call.db.perform([
          assignmentOf(call),
          countGrading(call, call, assignmentAt(call), call.params.grouped),
        ]);
        found(there[0]);
        const { total = 0, graded = 0, ungraded = 0 } = count ?? {};
        return answer({ graded, ungraded, not_submitted: total - graded - ungraded });
      },
    ),
  ];
});

export const submissionRoutes = [
  ...ofPlaces,
  ...submissionCommentRoutes,
  ...readStateRoutes,

  get(
    '/users/:user_id/graded_submissions',
    {
      can: (call) => Boolean(call.user && (call.user.isMe || call.user.isObservedByMe || call.user.can('view_all_grades'))),
      include,
      params: { ...chosen, only_current_enrollments: optional(bool), only_published_assignments: optional(bool) },
      choosable: true,
      returns: [submission],
      summary: "List a user's graded submissions, newest first",
    },
    ({ user, params }) =>
      list(
        rows(submissions, {
          where: and(
            eq(submissions.user_id, user.id),
            isNotNull(submissions.graded_at),
            sql`exists (select 1 from assignments where assignments.id = submissions.assignment_id and assignments.workflow_state = 'published')`,
            params.only_current_enrollments
              ? sql`exists (select 1 from enrollments e where e.user_id = submissions.user_id and e.course_id = submissions.course_id and ${isStudent('e')} and e.enrollment_state = 'active')`
              : undefined,
          ),
          order: descending(submissions.graded_at, submissions.assignment_id),
        }) as Listing<SubmissionWithColumns>,
      ),
  ),
];
