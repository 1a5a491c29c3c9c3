// Columns read with a submission, so that a page need not be read twice.

import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { noPeriods } from '../../../contexts/course';
import { rowsAsJson } from '../../../database/bundle';
import { shared } from '../../../database/shared';
import type { Call } from '../../../http/call';
import type { RowOf } from '../../../http/listing';
import { assignedTo, effectiveDate, reaching } from '../../../rules/assigned';
import { periodIdOf, setOfCourse } from '../../../rules/grading_periods';
import { isNewQuiz } from '../../../rules/new_quizzes';
import { reviewsAnonymously } from '../../../rules/peer_reviews';
import { gradingVersion } from '../../../rules/submission_version';
import { files } from '../../files/table';
import { submission_comments, type submissions } from '../../submissions/table';
import { shownBy } from './comment_files';
import { entriesColumn } from './discussion_entries';
import { seesAllGrades } from './policy';
import { teamOfSubmission } from './teams';

export type SubmissionRow = RowOf<typeof submissions>;

export interface AssignmentFacts {
  /** The student's effective due date. */
  readonly due_at: string | null;
  readonly grading_period_id: number | null;
  readonly submission_types: readonly string[];
  readonly is_new_quiz: boolean;
  readonly post_manually: boolean;
  /** Its reviewers and the students whom they review do not see each other's names. */
  readonly reviews_anonymously: boolean;
  /** Graders do not see its students' names. */
  readonly anonymize_students: boolean;
}

/** A submission row with the columns that the serializer needs. */
export type SubmissionWithColumns = SubmissionRow & {
  readonly facts: string;
  readonly attached: string;
  readonly versions: string | null;
  readonly is_read: number | null;
  readonly is_assigned: number | null;
  readonly team: string | null;
  readonly proxy_name: string | null;
  readonly said: string | null;
  /** Only for callers who see all grades of the course. */
  readonly grading_version: string | null;
  /** Only of the caller's own submissions. */
  readonly what_if_score: number | null;
};

/**
 * The assignment's facts, given a row of `assignments`.
 * @param student the student's id as SQL
 * @param set of grading periods, by `setOfRows`
 */
export function factsFor(student: SQL, now: string, set: SQL): SQL<string> {
  const due_at = effectiveDate('due_at', reaching(sql.raw('= assignments.id'), student), now);
  return sql<string>`(select json_object('due_at', due.at, 'grading_period_id', ${periodIdOf(sql.raw('due.at'), set)}, 'submission_types', json(assignments.submission_types), 'post_manually', assignments.post_manually, 'is_new_quiz', ${isNewQuiz},
      'reviews_anonymously', ${reviewsAnonymously}, 'anonymize_students', assignments.anonymize_students)
    from (select ${due_at} as at) due)`;
}

/** The set of grading periods of the course of the request, which trip 1 has read for the path's; else that of the course of each row of `assignments`. */
export function setOfRows({ course }: Pick<Call, 'course'>): SQL {
  if (!course) return setOfCourse(sql.raw('assignments.course_id'));
  return course.grading === noPeriods ? setOfCourse(shared('course', course.id)) : shared('periods', course.grading.set?.id ?? null);
}

export const assignmentFactsOf = (row: { readonly facts: string }): AssignmentFacts => {
  const facts = JSON.parse(row.facts) as Record<string, unknown>;
  return {
    due_at: facts.due_at as string | null,
    grading_period_id: facts.grading_period_id as number | null,
    submission_types: facts.submission_types as string[],
    is_new_quiz: facts.is_new_quiz === 1,
    post_manually: facts.post_manually === 1,
    reviews_anonymously: facts.reviews_anonymously === 1,
    anonymize_students: facts.anonymize_students === 1,
  };
};

const ofAssignment = (value: SQL) => sql`(select ${value} from assignments where assignments.id = submissions.assignment_id)`;

/** Files of this attempt, of comments and, when included, of earlier attempts. */
function attached({ include }: Pick<Call, 'include'>): SQL<string> {
  const sources = [
    sql`select value from json_each(submissions.attachment_ids)`,
    ...(include.has('submission_history')
      ? [sql`select j.value from submission_versions v, json_each(v.version, '$.attachment_ids') j where v.submission_id = submissions.id`]
      : []),
    ...(wantsComments({ include })
      ? [
          sql`select f.id from ${submission_comments} c, json_each(c.attachment_ids) j join files f on f.id = j.value where c.submission_id = submissions.id and ${shownBy('c.author_id', 'f')}`,
        ]
      : []),
  ];
  const found = rowsAsJson(files, sql`files.id in (${sql.join(sources, sql` union all `)}) and files.workflow_state = 'available'`);
  // Skips the common case without files, in which the subquery would still cost a row each.
  return sources.length > 1 ? found : sql<string>`case when submissions.attachment_ids <> '[]' then ${found} end`;
}

export const wantsComments = ({ include }: Pick<Call, 'include'>) =>
  include.has('submission_comments') || include.has('submission_html_comments');

/** What the caller has entered for a submission of their own. */
const whatIfScore = (me: number): SQL =>
  sql`(select w.score from what_if_scores w where w.user_id = ${shared('user', me)} and w.user_id = submissions.user_id
    and w.course_id = submissions.course_id and w.assignment_id = submissions.assignment_id)`;

export function submissionColumns(call: Pick<Call, 'now' | 'include' | 'me' | 'course'>): Record<string, SQLWrapper> {
  const { include, me, now } = call;
  const versions = sql`(select json_group_array(json(version)) from (select submission_versions.version from submission_versions where submission_versions.submission_id = submissions.id order by submission_versions.attempt))`;
  const isRead = sql`(select min(submission_reads.read) from submission_reads where submission_reads.submission_id = submissions.id and submission_reads.user_id = ${shared('user', me.id)})`;
  const none = sql`null`;
  return {
    facts: ofAssignment(factsFor(sql.raw('submissions.user_id'), now, setOfRows(call))).as('facts'),
    attached: attached(call).as('attached'),
    versions: (include.has('submission_history') ? versions : none).as('versions'),
    is_read: (include.has('read_status') || include.has('read_state') ? isRead : none).as('is_read'),
    proxy_name:
      sql`case when submissions.proxy_submitter_id is not null then (select users.short_name from users where users.id = submissions.proxy_submitter_id) end`.as(
        'proxy_name',
      ),
    said: (include.has('discussion_entries') ? entriesColumn(call) : none).as('said'),
    what_if_score: (include.has('student_entered_score') ? whatIfScore(me.id) : none).as('what_if_score'),
    team: (include.has('group') ? teamOfSubmission : none).as('team'),
    grading_version: (seesAllGrades(call.course) ? gradingVersion() : none).as('grading_version'),
    is_assigned: (include.has('visibility') ? ofAssignment(assignedTo(sql.raw('submissions.user_id'))) : none).as('is_assigned'),
  };
}
