// Submissions as clients see them; grades are kept from students until they are posted.

import { Submission } from '@carrel/shared/resources/submission';
import type { Call } from '../../http/call';
import { serializer } from '../../http/serializer';
import { commentJson, commentsOn, readsComment } from './comments';
import { type AssignmentFacts, facts, factsOf, type SubmissionRow, type ToldRow } from './facts';
import { lateness } from './lateness';
import { isHidden, looksAsGrader } from './policy';
import { submissions } from './table';

export type { SubmissionRow, ToldRow } from './facts';

/** What one attempt tells; the current one from its row, earlier ones from their versions. */
function attemptJson(row: SubmissionRow, of: AssignmentFacts, call: Call, showsGrade: boolean) {
  const address = `${call.origin}/courses/${row.course_id}/assignments/${row.assignment_id}/submissions/${row.user_id}`;
  return {
    ...row,
    score: showsGrade ? row.score : undefined,
    grade: showsGrade ? row.grade : undefined,
    entered_score: showsGrade ? (row.score === null ? null : row.score + (row.points_deducted ?? 0)) : undefined,
    entered_grade: showsGrade ? row.grade : undefined,
    grade_matches_current_submission: row.graded_attempt === null || row.graded_attempt === (row.attempt ?? 0),
    ...lateness(row, of, call.now),
    custom_grade_status_id: null,
    grading_period_id: null,
    cached_due_date: of.due_at,
    redo_request: false,
    sticker: null,
    preview_url: `${address}?preview=1&version=${row.attempt ?? 0}`,
    html_url: call.include.has('html_url') ? address : undefined,
  };
}

export const submission = serializer({
  resource: Submission,
  table: submissions,
  columns: facts,
  also: (ids, call) => ({
    comments:
      call.include.has('submission_comments') || call.include.has('submission_html_comments') ? commentsOn(call.db, ids) : undefined,
  }),
  json(row: ToldRow, call, { comments }) {
    const of = factsOf(row);
    const isGrader = looksAsGrader(call, row.user_id);
    const isHeldBack = !isGrader && isHidden(row, of.post_manually);
    const said = comments
      ?.filter((one) => one.submission_id === row.id && readsComment(one, call, isHeldBack))
      .map((one) => commentJson(one, call));
    return {
      ...attemptJson(row, of, call, !isHeldBack),
      submission_comments: call.include.has('submission_comments') ? said : undefined,
      submission_html_comments: call.include.has('submission_html_comments') ? said : undefined,
    };
  },
});
