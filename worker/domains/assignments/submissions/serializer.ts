// Serialises submissions for every endpoint; grades are hidden from students until posted.

import type { Assignment } from '@carrel/shared/resources/assignment';
import { File } from '@carrel/shared/resources/file';
import { cut } from '@carrel/shared/resources/resource';
import { Submission, SubmissionAttempt } from '@carrel/shared/resources/submission';
import { type SQL, sql } from 'drizzle-orm';
import { rowsOfJson } from '../../../database/bundle';
import { isInSelect } from '../../../database/ids';
import { withHost } from '../../../html/addresses';
import type { Call } from '../../../http/call';
import { rows } from '../../../http/listing';
import { embed, type Serializer, serializer } from '../../../http/serializer';
import { when } from '../../../http/when';
import { isHidden } from '../../../rules/posted';
import { courseOfAccount } from '../../courses/json';
import { courses } from '../../courses/table';
import { type FileRow, uploadedFile } from '../../files/json';
import { files } from '../../files/table';
import { submissions } from '../../submissions/table';
import { user } from '../../users/json';
import { users } from '../../users/table';
import type { ComputedRow } from '../computed_columns';
import { assignments } from '../table';
import {
  type AssignmentFacts,
  assignmentFactsOf,
  type SubmissionRow,
  type SubmissionWithColumns,
  submissionColumns,
  wantsComments,
} from './columns';
import { commentJson, commentsOn, readsComment } from './comments';
import { lateness } from './lateness';
import { looksAsGrader } from './policy';
import { ofTheSameTeam } from './teams';

type Attachments = (ids: readonly number[]) => object[] | undefined;

/** The attachments read with the page, as viewers of the submission see them. */
const attachmentsOf =
  (found: readonly FileRow[], call: Call): Attachments =>
  (ids) => {
    const own = ids.flatMap((id) => found.find((one) => one.id === id) ?? []);
    const tell = (one: FileRow) => ({ ...cut(File, uploadedFile.json(one, call, { folders: [] })), preview_url: null });
    return own.length > 0 ? own.map(tell) : undefined;
  };

/** The fields of one attempt: the current one from its row, earlier ones from versions. */
function attemptJson(row: SubmissionRow, of: AssignmentFacts, call: Call, showsGrade: boolean, attachments: Attachments) {
  const address = `${call.origin}/courses/${row.course_id}/assignments/${row.assignment_id}/submissions/${row.user_id}`;
  return {
    ...row,
    body: withHost(row.body, call.origin),
    score: when(showsGrade, row.score),
    grade: when(showsGrade, row.grade),
    entered_score: showsGrade ? (row.score === null ? null : row.score + (row.points_deducted ?? 0)) : undefined,
    entered_grade: when(showsGrade, row.grade),
    grade_matches_current_submission: row.graded_attempt === null || row.graded_attempt === (row.attempt ?? 0),
    ...lateness(row, of, call.now),
    custom_grade_status_id: null,
    grading_period_id: null,
    cached_due_date: of.due_at,
    redo_request: false,
    sticker: null,
    preview_url: `${address}?preview=1&version=${row.attempt ?? 0}`,
    html_url: when(call.include.has('html_url'), address),
    attachments: attachments(row.attachment_ids),
  };
}

/** The row of an earlier attempt. */
const versionRow = (version: Record<string, unknown>, row: SubmissionRow): SubmissionRow => ({
  ...row,
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
        courses:
          include.has('course') && call.course
            ? embed(courseOfAccount, rows(courses, { where: sql`${courses.id} = ${call.course.id}` }))
            : undefined,
      };
    },
    json(row: SubmissionWithColumns, given, { comments, assignments: all, people, courses: those, mates }) {
      const call = asked(given);
      const { include } = call;
      const of = assignmentFactsOf(row);
      const showsGrade = looksAsGrader(call, row.user_id) || !isHidden(row, of.post_manually);
      const attachments = attachmentsOf(rowsOfJson(files, row.attached), call);
      const said = comments
        ?.filter((one) => one.submission_id === row.id && readsComment(one, call, !showsGrade))
        .map((one) => ({ ...commentJson(one, call), attachments: attachments(one.attachment_ids) }));
      const versions = (JSON.parse(row.versions ?? '[]') as Record<string, unknown>[]).map((one) => versionRow(one, row));
      const current = attemptJson(row, of, call, showsGrade, attachments);
      const read = row.is_read === 0 ? 'unread' : 'read';
      return {
        ...current,
        submission_history: include.has('submission_history')
          ? [
              ...versions.filter((one) => one.attempt !== row.attempt).map((one) => attemptJson(one, of, call, showsGrade, attachments)),
              current,
            ].map((one) => cut(SubmissionAttempt, one))
          : undefined,
        submission_comments: when(include.has('submission_comments'), said),
        submission_html_comments: when(include.has('submission_html_comments'), said),
        assignment: all?.find((one) => one.row.id === row.assignment_id)?.json,
        user: people?.find((one) => one.row.id === row.user_id)?.json,
        course: those?.[0]?.json,
        group: when(include.has('group'), JSON.parse(row.team ?? 'null') ?? { id: null, name: null }),
        assignment_visible: when(include.has('visibility'), row.is_assigned === 1),
        read_status: when(include.has('read_status'), read),
        read_state: when(include.has('read_state'), read),
        all_submissions: include.has('all_submissions')
          ? [current, ...(mates ?? []).map(({ json }) => json)].map((one) => cut(SubmissionAttempt, one))
          : undefined,
      };
    },
  });
};

/** As embedded in its assignment. */
export const ownSubmission: Serializer<SubmissionWithColumns, typeof Submission> = submissionSerializer();
