// Serialises submissions for every endpoint; grades are hidden from students until posted.

import type { Assignment } from '@carrel/shared/resources/assignment';
import { cut, type Json } from '@carrel/shared/resources/resource';
import { Submission, SubmissionAttempt } from '@carrel/shared/resources/submission';
import type { User } from '@carrel/shared/resources/user';
import { type SQL, sql } from 'drizzle-orm';
import { isAnonymousToCaller } from '../../../contexts/anonymous_students';
import { rowsOfJson } from '../../../database/bundle';
import { isInSelect } from '../../../database/ids';
import { withHost } from '../../../html/addresses';
import type { Call } from '../../../http/call';
import { rows } from '../../../http/listing';
import { embed, embedApart, type Serializer, serializer } from '../../../http/serializer';
import { when } from '../../../http/when';
import { anonymousIdOf } from '../../../rules/anonymous_ids';
import { mediaCommentJson } from '../../../rules/media_comments';
import { isHidden } from '../../../rules/posted';
import { courseOfAccount } from '../../courses/json';
import { courses } from '../../courses/table';
import { files } from '../../files/table';
import { submissions } from '../../submissions/table';
import { user } from '../../users/json';
import { users } from '../../users/table';
import type { ComputedRow } from '../computed_columns';
import { assignments } from '../table';
import { anonymousIdentity, withoutAccommodations } from './anonymity';
import { assessmentShown, assessmentsOn, ratingsShown } from './assessments';
import { type AttachmentsOf, submissionAttachments } from './attachments';
import {
  type AssignmentFacts,
  assignmentFactsOf,
  type SubmissionRow,
  type SubmissionWithColumns,
  submissionColumns,
  wantsComments,
} from './columns';
import { type CommentRow, commentHtml, commentJson, commentsOn, readsComment } from './comments';
import { entriesJson } from './discussion_entries';
import { lateness } from './lateness';
import { looksAsGrader, looksAsReviewer } from './policy';
import { provisionalGradesJson, provisionalGradesOf } from './provisional';
import { withoutGrading } from './review_view';
import { ofTheSameTeam } from './teams';

/** The text of an attempt at a quiz says its score. */
const withoutScore = (body: string | null): string | null =>
  body?.replace(/^(user: \d+, quiz: \d+), score: [^,]*(, time: [^,]*)$/, '$1$2') ?? null;

/** The fields of one attempt: the current one from its row, earlier ones from versions. */
export function attemptJson(row: SubmissionRow, of: AssignmentFacts, call: Call, showsGrade: boolean, attachments: AttachmentsOf) {
  const address = `${call.origin}/courses/${row.course_id}/assignments/${row.assignment_id}/submissions/${row.user_id}`;
  return {
    ...row,
    body: withHost(showsGrade ? row.body : withoutScore(row.body), call.origin),
    score: when(showsGrade, row.score),
    grade: when(showsGrade, row.grade),
    entered_score: when(showsGrade, row.entered_score ?? row.score),
    entered_grade: when(showsGrade, row.entered_grade ?? row.grade),
    // The deduction depends on the score.
    points_deducted: showsGrade ? row.points_deducted : null,
    grade_matches_current_submission: row.graded_attempt === null || row.graded_attempt === (row.attempt ?? 0),
    ...lateness(row, of, call.now),
    // A custom status is in place of another one.
    late_policy_status: row.custom_grade_status_id === null ? row.late_policy_status : null,
    grading_period_id: of.grading_period_id,
    cached_due_date: of.due_at,
    redo_request: row.redo_requested_at !== null,
    media_comment: mediaCommentJson(row),
    proxy_submitter_id: row.proxy_submitter_id ?? undefined,
    preview_url: `${address}?preview=1&version=${row.attempt ?? 0}`,
    html_url: when(call.include.has('html_url'), address),
    attachments: attachments(row.attachment_ids),
  };
}

/** How the caller sees a submission, and whether its student is anonymous to them. */
function viewOf(row: SubmissionRow, of: AssignmentFacts, call: Call) {
  const isReviewer = looksAsReviewer(call, row.user_id);
  const isGrader = looksAsGrader(call, row.user_id);
  const hidesStudent = of.anonymize_students && isAnonymousToCaller(call, row.user_id);
  return {
    isGrader,
    isReviewer,
    isAnonymous: call.path.anonymous_id !== undefined || (isReviewer && of.reviews_anonymously) || (isGrader && hidesStudent),
    /** To a grader. */
    hidesStudent: isGrader && hidesStudent,
    showsGrade: !isReviewer && (isGrader || !isHidden(row, of.post_manually)),
  };
}
type View = ReturnType<typeof viewOf>;

/** Only graders who know the student have it: it contains what is masked for others. */
const versionFor = ({ grading_version }: SubmissionWithColumns, { isGrader, isAnonymous }: View): string | undefined =>
  isGrader && !isAnonymous ? (grading_version ?? undefined) : undefined;

/** @param student the anonymous student of the submission */
const hidesAuthor = (comment: CommentRow, student: number | undefined, { isGrader, hidesStudent }: View, { me }: Call): boolean =>
  comment.author_id !== me.id &&
  // Students do not review their own work, so that named reviewers would exclude students.
  (comment.author_id === student || (comment.is_anonymous === 1 && !isGrader) || (hidesStudent && comment.is_peer === 1));

/** The comments that the caller reads. */
const commentsShown = (comments: readonly CommentRow[], row: SubmissionRow, view: View, call: Call, attachments: AttachmentsOf) =>
  comments
    .filter((one) => one.submission_id === row.id && readsComment(one, call, !view.showsGrade))
    .map((one) => ({
      ...commentJson(one, call, hidesAuthor(one, view.isAnonymous ? row.user_id : undefined, view, call)),
      attachments: attachments(one.attachment_ids),
    }));

type People = readonly { readonly row: { readonly id: number }; readonly json: Json<typeof User> }[];

/** Whose submission it is. */
const identity = (row: SubmissionWithColumns, of: AssignmentFacts, people: People | undefined, call: Call) => ({
  proxy_submitter: row.proxy_name ?? undefined,
  // Account admins see both names.
  ...(of.anonymize_students && call.course?.isAdmin && { anonymous_id: anonymousIdOf(call, row.assignment_id, row.user_id) }),
  user: people?.find((one) => one.row.id === row.user_id)?.json,
  group: when(call.include.has('group'), JSON.parse(row.team ?? 'null') ?? { id: null, name: null }),
});

/** The row of an earlier attempt. */
export const versionRow = (version: Record<string, unknown>, row: SubmissionRow): SubmissionRow => ({
  ...row,
  // Versions of earlier releases lack these columns.
  media_comment_id: null,
  media_comment_type: null,
  proxy_submitter_id: null,
  entered_score: null,
  entered_grade: null,
  redo_requested_at: null,
  custom_grade_status_id: null,
  ...version,
  excused: version.excused === 1,
});

/** The assignment or user part of submission ids. */
const partsOf = (ids: SQL, part: 'assignment' | 'user') =>
  sql`select distinct ${sql.raw(part === 'assignment' ? 'id / 67108864' : 'id % 67108864')} from (with page(id) as (select * from (${ids})) select id from page)`;

/** Passed in by the modules that serialise assignments with submissions, to avoid an import cycle. */
type TellsAssignments = Serializer<ComputedRow, typeof Assignment>;

/**
 * @param assignment for `include[]=assignment`
 * @param always includes that apply without being requested
 */
export const submissionSerializer = (
  assignment?: TellsAssignments,
  always: readonly string[] = [],
): Serializer<SubmissionWithColumns, typeof Submission> => {
  const asked = (call: Call): Call => (always.length > 0 ? { ...call, include: new Set([...call.include, ...always]) } : call);
  return serializer({
    resource: Submission,
    table: submissions,
    columns: (call) => submissionColumns(asked(call)),
    also(ids, given) {
      const call = asked(given);
      const { include } = call;
      return {
        comments: when(wantsComments(call), commentsOn(call.db, ids)),
        assignments:
          assignment && include.has('assignment')
            ? embed(assignment, rows(assignments, { where: isInSelect(assignments.id, partsOf(ids, 'assignment')) }))
            : undefined,
        people: include.has('user') ? embed(user, rows(users, { where: isInSelect(users.id, partsOf(ids, 'user')) })) : undefined,
        mates: include.has('all_submissions')
          ? embed(ownSubmission, rows(submissions, { where: isInSelect(submissions.id, ofTheSameTeam(ids)) }))
          : undefined,
        ...assessmentsOn(ids, call),
        provisional: when(
          include.has('provisional_grades') && (call.course?.can('manage_grades') ?? false),
          provisionalGradesOf(call, ids),
        ),
        courses:
          include.has('course') && call.course
            ? embedApart(courseOfAccount, rows(courses, { where: sql`${courses.id} = ${call.course.id}` }))
            : undefined,
      };
    },
    json(
      row: SubmissionWithColumns,
      given,
      { comments, assignments: all, people, courses: those, mates, rated, assessments, provisional },
    ) {
      const call = asked(given);
      const { include } = call;
      const of = assignmentFactsOf(row);
      const view = viewOf(row, of, call);
      const { isReviewer, isAnonymous, hidesStudent, showsGrade } = view;
      const attachments = submissionAttachments(rowsOfJson(files, row.attached), call, isAnonymous);
      const said = comments && commentsShown(comments, row, view, call, attachments);
      const versions = (JSON.parse(row.versions ?? '[]') as Record<string, unknown>[]).map((one) => versionRow(one, row));
      const seen = (one: SubmissionRow) => {
        const json = attemptJson(one, of, call, showsGrade, attachments);
        const shown = isReviewer ? { ...json, ...withoutGrading(one) } : hidesStudent ? withoutAccommodations(json) : json;
        return isAnonymous ? { ...shown, ...anonymousIdentity(call, row) } : shown;
      };
      const current = seen(row);
      const version = versionFor(row, view);
      const read = row.is_read === 0 ? 'unread' : 'read';
      return {
        ...current,
        version,
        // The discussion shows who wrote an entry.
        discussion_entries: isAnonymous ? undefined : entriesJson(row.said, call),
        submission_history: include.has('submission_history')
          ? [...versions.filter((one) => one.attempt !== row.attempt).map(seen), current].map((one) => cut(SubmissionAttempt, one))
          : undefined,
        rubric_assessment: rated && ratingsShown(row, rated, call, showsGrade),
        ...((!isAnonymous || hidesStudent) &&
          assessments && { full_rubric_assessment: assessmentShown(row, assessments, call, showsGrade) }),
        submission_comments: when(include.has('submission_comments'), said),
        submission_html_comments: when(
          include.has('submission_html_comments'),
          said?.map((one) => ({ ...one, comment: commentHtml(one.comment) })),
        ),
        assignment: all?.find((one) => one.row.id === row.assignment_id)?.json,
        ...(!isAnonymous && identity(row, of, people, call)),
        course: those?.[0]?.json,
        student_entered_score: when(include.has('student_entered_score') && row.user_id === call.me.id, row.what_if_score),
        // Carrel does not divide assignments into checkpoints.
        sub_assignment_submissions: when(include.has('sub_assignment_submissions'), []),
        provisional_grades: provisional && provisionalGradesJson(provisional, row.id, call, isAnonymous),
        assignment_visible: when(include.has('visibility'), row.is_assigned === 1),
        read_status: when(include.has('read_status'), read),
        read_state: when(include.has('read_state'), read),
        all_submissions: include.has('all_submissions')
          ? [{ ...current, version }, ...(isReviewer ? [] : (mates ?? [])).map(({ json }) => json)].map((one) =>
              cut(SubmissionAttempt, one),
            )
          : undefined,
      };
    },
  });
};

/** As embedded in its assignment. */
export const ownSubmission: Serializer<SubmissionWithColumns, typeof Submission> = submissionSerializer();
