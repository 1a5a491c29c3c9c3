// Which attempts exist for a caller (reference 04 §4.1).

import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { selectInPlace } from '../../database/select_in_place';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { isAnonymisedSql } from '../../rules/anonymous_grading';
import { seesAllGrades } from '../assignments/submissions/policy';
import { isStudentHere } from '../peer_reviews/policy';
import { quiz_submissions } from './table';

/** The course of a quiz submission in a path. */
export const courseOfQuizSubmission = (id: string | undefined): SQL => sql`select course_id from quiz_submissions where id = ${id}`;

const columns = getTableColumns(quiz_submissions);
const ofAttempt = new Set<string>([
  'attempt',
  'started_at',
  'finished_at',
  'end_at',
  'score',
  'score_before_regrade',
  'fudge_points',
  'quiz_version',
  'quiz_points_possible',
  'workflow_state',
]);

/**
 * Attempts in place of the rows of `quiz_submissions`: each has the id of its quiz submission.
 * @param which a condition on `own`, a row of `quiz_submissions`, and `tried`, its attempt
 */
export const attemptsInPlace = (which: SQL): typeof quiz_submissions => {
  const selected = Object.keys(columns).map((name) => `${ofAttempt.has(name) ? 'tried' : 'own'}.${name} as ${name}`);
  const select = sql`select ${sql.raw(selected.join(', '))} from quiz_submissions own cross join quiz_attempts tried on tried.quiz_submission_id = own.id where ${which}`;
  return selectInPlace(quiz_submissions, select);
};

/** The running attempt alone, else the completed ones. */
export const ownAttempts = (quiz_id: number, user_id: number): SQL =>
  sql`own.quiz_id = ${quiz_id} and own.user_id = ${shared('user', user_id)}
    and case when own.workflow_state = 'untaken' then tried.attempt = own.attempt else tried.workflow_state in ('complete', 'pending_review') end`;

/** The students of a quiz are anonymous to the caller. */
const isAnonymousQuiz = (course: CourseContext): SQL =>
  sql`exists (select 1 from quizzes q join assignments a on a.id = q.assignment_id where q.id = quiz_submissions.quiz_id and ${isAnonymisedSql('a', course)})`;

/** Those of the students whom the caller may grade. */
export const gradedByCaller = (course: CourseContext): SQL =>
  and(isStudentHere({ course }, sql.raw('quiz_submissions.user_id')), sql`not ${isAnonymousQuiz(course)}`) as SQL;

/** Graders see those of their students, students their own, observers those of the students they observe. */
export function visibleQuizSubmissions(course: CourseContext, { me }: Pick<Call, 'me'>): SQL {
  const own = sql`quiz_submissions.user_id = ${shared('user', me.id)}`;
  const observed =
    course.observedIds.length === 0
      ? sql`0`
      : sql`quiz_submissions.user_id in (select value from json_each(${JSON.stringify(course.observedIds)}))`;
  const graded = seesAllGrades(course) ? gradedByCaller(course) : sql`0`;
  return and(eq(quiz_submissions.course_id, course.id), sql`(${own} or ${observed} or ${graded})`) as SQL;
}
