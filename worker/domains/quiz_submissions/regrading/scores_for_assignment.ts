// Grades the new assignment of a quiz that students have taken while it was ungraded, some students at a time.

import { sql } from 'drizzle-orm';
import { isEnrolledStudent } from '../../../contexts/predicates';
import { atMost } from '../../../database/at_most';
import type { Database } from '../../../database/open';
import { schemesOfAssignments } from '../../../rules/grading_schemes';
import { assignments } from '../../assignments/table';
import { inSteps, type ProgressStep, type SteppedJob, unfinishedSteps } from '../../progress/in_steps';
import { type QuizScoresRequest, quizScoresJob } from '../../quizzes/score_request';
import { performQuizScores, type QuizScore } from '../../submissions/grading/quiz_scores';
import { bodyOfAttempt, isStale } from '../completing';

/** Students of one step. */
const atOnce = 50;

/** A quiz submission with its newest completed attempt. */
interface ScoredRow {
  readonly id: number;
  readonly user_id: number;
  readonly running: number;
  readonly kept_score: number;
  readonly attempt: number;
  readonly finished_at: string;
  readonly score: number;
  readonly is_pending: number;
  /** A student of the course who has not completed another attempt since the assignment was made. */
  readonly is_due: number;
}

const scoredRows = ({ build }: Database, quiz_id: number, after: number) =>
  build.all<ScoredRow>(sql`select own.id, own.user_id, own.attempt as running, own.kept_score, tried.attempt, tried.finished_at, tried.score, tried.workflow_state = 'pending_review' as is_pending,
      exists (select 1 from enrollments e where e.user_id = own.user_id and +e.course_id = own.course_id and ${isEnrolledStudent('+e')})
        and not exists (select 1 from submissions s join quizzes q on q.assignment_id = s.assignment_id where q.id = own.quiz_id and s.user_id = own.user_id and s.attempt >= tried.attempt) as is_due
    from quiz_submissions own cross join quiz_attempts tried on tried.quiz_submission_id = own.id and tried.attempt = (select max(ended.attempt) from quiz_attempts ended
      where ended.quiz_submission_id = own.id and ended.workflow_state in ('complete', 'pending_review'))
    where own.quiz_id = ${quiz_id} and own.user_id > ${after} and own.workflow_state <> 'preview' and own.kept_score is not null order by own.user_id limit ${atMost(atOnce)}`);

async function gradeMore(db: Database, { quiz_id }: QuizScoresRequest, after: number, now: string): Promise<ProgressStep> {
  const ofQuiz = sql`select q.assignment_id from quizzes q where q.id = ${quiz_id} and q.assignment_id is not null`;
  const [assignmentRows, schemes, rows] = await db.perform([
    db.build.select().from(assignments).where(sql`assignments.id in (${ofQuiz}) and assignments.workflow_state <> 'deleted'`),
    schemesOfAssignments(db, ofQuiz),
    scoredRows(db, quiz_id, after),
  ]);
  const last = rows.at(-1);
  const its = assignmentRows[0];
  if (!its || !last) return { statements: [], after: after + 1, completion: 100, end: {} };
  const assignment = { ...its, scheme: schemes[0] };
  const due = rows.filter(({ is_due }) => is_due === 1);
  const scores = due.map(
    ({ user_id, kept_score, attempt, finished_at, score, is_pending }): QuizScore => ({
      assignment,
      user_id,
      kept_score,
      isPendingReview: is_pending === 1,
      turnedIn: {
        attempt,
        submitted_at: finished_at,
        body: bodyOfAttempt(user_id, quiz_id, score, finished_at),
        submission_type: 'online_quiz',
      },
    }),
  );
  const read = JSON.stringify(due.map(({ id, running, kept_score }) => ({ id, running, kept_score })));
  return {
    statements: [
      // Breaks the batch if a student has completed another attempt since it was read.
      db.build.run(
        sql`update quiz_submissions set validation_token = null where id in (select value ->> 'id' from json_each(${read})) and not exists (select 1 from json_each(${read}) j
          where j.value ->> 'id' = quiz_submissions.id and j.value ->> 'running' = quiz_submissions.attempt and j.value ->> 'kept_score' = quiz_submissions.kept_score)`,
      ),
      ...performQuizScores({ db, now }, { id: -quiz_id }, scores),
    ],
    after: last.user_id,
    // How many students follow is not counted.
    completion: 50,
    ...(rows.length < atOnce && { end: {} }),
  };
}

const grading: SteppedJob = {
  job: quizScoresJob,
  tag: quizScoresJob,
  next: (db, { after, arguments: given }, now) => gradeMore(db, given as QuizScoresRequest, after, now),
  isOutdated: isStale,
};

export const gradeNewAssignment = inSteps(grading);
export const unfinishedQuizScores = unfinishedSteps(grading);
