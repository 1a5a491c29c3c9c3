// Provisional grades of submissions as graders see them (reference 03 §8.2).

import { type SQL, sql } from 'drizzle-orm';
import { rowsAsJson, rowsOfJson } from '../../../database/bundle';
import type { ResultOf } from '../../../database/open';
import type { Call } from '../../../http/call';
import { anonymousIdOf } from '../../../rules/anonymous_ids';
import { mediaCommentJson } from '../../../rules/media_comments';
import { type Moderation, moderatesGrading, moderationOf } from '../../../rules/moderated_grading';
import { assignmentOfSubmission } from '../../../rules/submission_ids';
import { files } from '../../files/table';
import { avatarOf } from '../../users/display';
import { submissionAttachments } from './attachments';
import { shownBy } from './comment_files';

interface ProvisionalComment {
  readonly id: number;
  readonly comment: string;
  readonly attempt: number | null;
  readonly created_at: string;
  readonly attachment_ids: readonly number[];
  readonly media_comment_id: string | null;
  readonly media_comment_type: 'audio' | 'video' | null;
}

const itsComments = sql`(select json_group_array(json_object('id', c.id, 'comment', c.comment, 'attempt', c.attempt, 'created_at', c.created_at, 'attachment_ids', json(c.attachment_ids),
    'media_comment_id', c.media_comment_id, 'media_comment_type', c.media_comment_type)) from provisional_comments c where c.provisional_grade_id = g.id)`;

/** The files that its comments show. */
const itsFiles = rowsAsJson(
  files,
  sql`files.id in (select f.id from provisional_comments c, json_each(c.attachment_ids) j join files f on f.id = j.value
    where c.provisional_grade_id = g.id and ${shownBy('g.scorer_id', 'f')}) and files.workflow_state = 'available'`,
);

const itsAssessments = sql`(select json_group_array(json_object('id', x.id, 'rubric_id', x.rubric_id, 'rubric_association_id', x.rubric_association_id, 'user_id', x.user_id, 'score', x.score,
    'artifact_type', 'ModeratedGrading::ProvisionalGrade', 'artifact_id', g.id, 'artifact_attempt', x.artifact_attempt, 'assessment_type', x.assessment_type, 'data', json(x.data)))
  from rubric_assessments x where x.provisional_grade_id = g.id)`;

/** The assessments by rubrics that belong to a grade, as the grade names its grader and its student. */
function assessmentsJson({ assessments, scorer_id, scorer_name }: ProvisionalRow, hidden: string | undefined, isAnonymous: boolean) {
  const assessor = hidden === undefined ? { assessor_id: scorer_id, assessor_name: scorer_name } : { anonymous_assessor_id: hidden };
  const all = JSON.parse(assessments ?? '[]') as { readonly user_id: number }[];
  return all.map(({ user_id, ...one }) => ({ ...one, ...(!isAnonymous && { user_id }), ...assessor }));
}

/** The provisional grades of these submissions, with the settings of their assignments. */
export const provisionalGradesOf = ({ db, include }: Pick<Call, 'db' | 'include'>, ids: SQL) =>
  db.build.all<{
    id: number;
    submission_id: number;
    assignment_id: number;
    course_id: number;
    scorer_id: number;
    is_final: number;
    score: number | null;
    grade: string | null;
    graded_at: string | null;
    is_current: number;
    options: string;
    is_anonymous: number;
    comments: string;
    attached: string | null;
    assessments: string | null;
    scorer_name: string;
    avatar_url: string | null;
  }>(
    sql`select g.id as id, g.submission_id as submission_id, assignments.id as assignment_id, assignments.course_id as course_id, g.scorer_id as scorer_id, g.is_final as is_final, g.score as score,
        g.grade as grade, g.graded_at as graded_at, g.graded_attempt is coalesce((select s.attempt from submissions s where s.id = g.submission_id), 0) as is_current, assignments.options as options, coalesce(g.graded_anonymously, assignments.options ->> 'anonymous_grading', 0) as is_anonymous,
        ${itsComments} as comments, ${include.has('submission_comments') ? itsFiles : sql`null`} as attached,
        ${include.has('rubric_assessment') ? itsAssessments : sql`null`} as assessments, users.short_name as scorer_name, users.avatar_url as avatar_url
      from (with page(id) as (select * from (${ids})) select page.id from page) page cross join provisional_grades g on g.submission_id = page.id
        join assignments on assignments.id = ${assignmentOfSubmission(sql.raw('g.submission_id'))} join users on users.id = g.scorer_id order by g.id`,
  );
export type ProvisionalRow = ResultOf<ReturnType<typeof provisionalGradesOf>>[number];

/** Graders see their own grades, and the comments of others if the assignment allows it; moderators see all. */
const sees = (row: ProvisionalRow, isModerator: boolean, moderation: Moderation, { me }: Call): boolean =>
  isModerator || row.scorer_id === me.id || (moderation.grader_comments_visible_to_graders && row.comments !== '[]');

/** Moderators see the names of graders unless the assignment hides them; so do other graders. Account admins always do. */
function hidesGrader(row: ProvisionalRow, isModerator: boolean, moderation: Moderation, { me, course }: Call): boolean {
  if (row.scorer_id === me.id || course?.isAdmin) return false;
  return isModerator ? !moderation.grader_names_visible_to_final_grader : moderation.graders_anonymous_to_graders;
}

/** @param author as the caller may know them */
function commentsJson({ comments, attached }: ProvisionalRow, author: object, call: Call, isAnonymous: boolean) {
  const attachments = submissionAttachments(rowsOfJson(files, attached ?? '[]'), call, isAnonymous);
  return (JSON.parse(comments) as ProvisionalComment[]).map(({ attachment_ids, media_comment_id, media_comment_type, ...one }) => ({
    ...one,
    ...author,
    media_comment: mediaCommentJson({ media_comment_id, media_comment_type }),
    attachments: attachments(attachment_ids),
  }));
}

function provisionalJson(row: ProvisionalRow, isModerator: boolean, moderation: Moderation, call: Call, isAnonymous: boolean) {
  const isHidden = hidesGrader(row, isModerator, moderation, call);
  const graderId = anonymousIdOf(call, row.assignment_id, row.scorer_id);
  const showsGrade = isModerator || row.scorer_id === call.me.id;
  const author = isHidden
    ? { author_id: null, author_name: 'Anonymous User', author: {} }
    : {
        author_id: row.scorer_id,
        author_name: row.scorer_name,
        author: { id: row.scorer_id, display_name: row.scorer_name, avatar_image_url: avatarOf(row, call.origin) },
      };
  const user_id = row.submission_id % 67_108_864;
  const student = isAnonymous ? `anonymous_id=${anonymousIdOf(call, row.assignment_id, user_id)}` : `student_id=${user_id}`;
  const grades = { score: row.score, grade: row.grade, entered_score: row.score, entered_grade: row.grade, graded_at: row.graded_at };
  return {
    provisional_grade_id: row.id,
    ...(showsGrade && grades),
    grade_matches_current_submission: row.is_current === 1,
    final: row.is_final === 1,
    graded_anonymously: row.is_anonymous === 1,
    ...(isHidden ? { anonymous_grader_id: graderId } : { scorer_id: row.scorer_id }),
    speedgrader_url: `${call.origin}/courses/${row.course_id}/gradebook/speed_grader?assignment_id=${row.assignment_id}&${student}`,
    ...(call.include.has('submission_comments') && {
      submission_comments: commentsJson(row, author, call, isHidden || isAnonymous),
    }),
    // Points are as private as the grade.
    ...(showsGrade &&
      row.assessments !== null && { rubric_assessments: assessmentsJson(row, isHidden ? graderId : undefined, isAnonymous) }),
  };
}

/** The provisional grades of one submission that the caller sees. */
export function provisionalGradesJson(rows: readonly ProvisionalRow[], submission_id: number, call: Call, isAnonymous = false) {
  const { course, me } = call;
  if (!course?.can('manage_grades')) return [];
  return rows
    .filter((row) => row.submission_id === submission_id)
    .flatMap((row) => {
      const moderation = moderationOf(JSON.parse(row.options) as Record<string, unknown>);
      const isModerator = moderatesGrading(me, course, moderation);
      return sees(row, isModerator, moderation, call) ? [provisionalJson(row, isModerator, moderation, call, isAnonymous)] : [];
    });
}
