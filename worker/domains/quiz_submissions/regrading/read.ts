// What a regrade reads: the changed question, and the attempts of some students at a time.

import { type SQL, sql } from 'drizzle-orm';
import { isEnrolledStudent } from '../../../contexts/predicates';
import { atMost } from '../../../database/at_most';
import type { Database } from '../../../database/open';
import { effectiveDate, reaching } from '../../../rules/assigned';
import { isClosedAt } from '../../../rules/grading_periods';
import { schemesOfAssignments } from '../../../rules/grading_schemes';
import { assignments } from '../../assignments/table';
import type { RegradeRequest } from '../../quiz_questions/regrade_request';
import { quizzes } from '../../quizzes/table';

/** The quiz with its assignment, and every version of the question. */
export const regradedQuiz = ({ build }: Database, { quiz_id, question_id }: RegradeRequest) => {
  const ofQuiz = sql`select q.assignment_id from quizzes q where q.id = ${quiz_id} and q.assignment_id is not null`;
  return [
    build.select().from(quizzes).where(sql`${quizzes.id} = ${quiz_id} and ${quizzes.workflow_state} <> 'deleted'`),
    build.all<{ version: number; content: string }>(
      sql`select v.version, v.content from quiz_question_versions v where v.question_id = ${question_id}`,
    ),
    build.select().from(assignments).where(sql`assignments.id in (${ofQuiz}) and assignments.workflow_state <> 'deleted'`),
    schemesOfAssignments({ build } as Database, ofQuiz),
  ] as const;
};

export interface RegradedSubmissionRow {
  readonly id: number;
  readonly user_id: number;
  readonly attempt: number;
  readonly workflow_state: string;
  readonly kept_score: number | null;
  readonly score_before_regrade: number | null;
  readonly is_student: number;
  /** Its due date is in a grading period that is closed for the grader. */
  readonly is_closed: number;
}

/** The quiz submissions of the next students. */
const nextStudents = ({ quiz_id }: RegradeRequest, after: number, count: number): SQL =>
  sql`select own.* from quiz_submissions own where own.quiz_id = ${quiz_id} and own.user_id > ${after} order by own.user_id limit ${atMost(count)}`;

export const submissionsToRegrade = ({ build }: Database, request: RegradeRequest, after: number, count: number, now: string) => {
  const course = sql.raw('own.course_id');
  const due = effectiveDate('due_at', reaching(sql.raw('= assignments.id'), sql.raw('own.user_id')), now);
  const isClosed = request.isAdmin ? sql`0` : isClosedAt(due, course, now);
  return build.all<RegradedSubmissionRow>(
    sql`select own.id, own.user_id, own.attempt, own.workflow_state, own.kept_score, own.score_before_regrade,
        exists (select 1 from enrollments e where e.user_id = own.user_id and +e.course_id = own.course_id and ${isEnrolledStudent('+e')}) as is_student,
        coalesce((select ${isClosed} from assignments where assignments.id = (select q.assignment_id from quizzes q where q.id = own.quiz_id)), 0) as is_closed
      from (${nextStudents(request, after, count)}) own`,
  );
};

export interface RegradedAttemptRow {
  readonly quiz_submission_id: number;
  readonly attempt: number;
  readonly workflow_state: 'untaken' | 'pending_review' | 'complete' | 'preview';
  readonly score: number | null;
  readonly score_before_regrade: number | null;
  readonly fudge_points: number | null;
  readonly quiz_points_possible: number;
  readonly results: string | null;
  /** The question as the attempt presents it, and its place there; null if it does not. */
  readonly presented: string | null;
  readonly place: number | null;
  readonly answer: string | null;
}

export const attemptsToRegrade = ({ build }: Database, request: RegradeRequest, after: number, count: number) =>
  build.all<RegradedAttemptRow>(
    sql`select tried.quiz_submission_id, tried.attempt, tried.workflow_state, tried.score, tried.score_before_regrade, tried.fudge_points,
        tried.quiz_points_possible, tried.results, shown.value as presented, shown.key as place, given.answer
      from (${nextStudents(request, after, count)}) page cross join quiz_attempts tried on tried.quiz_submission_id = page.id
        left join json_each(tried.presented) shown on shown.value ->> 'id' = ${request.question_id}
        left join quiz_answers given on given.quiz_submission_id = tried.quiz_submission_id and given.attempt = tried.attempt and given.question_id = ${request.question_id}
      order by tried.quiz_submission_id, tried.attempt`,
  );
