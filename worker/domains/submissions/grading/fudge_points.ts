// A grade that a grader gives to the assignment of a classic quiz becomes the score of the latest completed attempt (reference 04 §4.6).

import { type SQL, sql } from 'drizzle-orm';
import type { Statement } from '../../../database/open';
import type { Call } from '../../../http/call';
import { submissionId } from '../../../rules/submission_ids';
import type { GradeWrite } from './input';

/** The attempts whose score is not the grade, or that wait for a grader; `points` are those of their questions. */
const attemptsGraded = (
  ids: string,
): SQL => sql`graded as materialized (select own.id as own_id, tried.attempt as its_attempt, coalesce(s.entered_score, s.score) as given,
    (select coalesce(sum(answered.value ->> 'points'), 0) from json_each(tried.results) answered) as points
  from json_each(${ids}) j cross join submissions s on s.id = j.value
    cross join quizzes q on q.assignment_id = s.assignment_id and q.workflow_state <> 'deleted'
    cross join quiz_submissions own on own.quiz_id = q.id and own.user_id = s.user_id
    cross join quiz_attempts tried on tried.quiz_submission_id = own.id and tried.attempt = (select max(ended.attempt) from quiz_attempts ended
      where ended.quiz_submission_id = own.id and ended.workflow_state in ('complete', 'pending_review'))
  where s.score is not null and (own.kept_score is not coalesce(s.entered_score, s.score) or own.workflow_state = 'pending_review'))`;

const set = sql`score = graded.given, fudge_points = round(graded.given - graded.points, 9), workflow_state = 'complete'`;

/**
 * Statements for one batch, after those that write the grades.
 * The kept score is the grade until the next attempt or score by hand, which apply the scoring policy again.
 */
export function scoreQuizzes({ db, now }: Pick<Call, 'db' | 'now'>, deeds: readonly GradeWrite[]): Statement[] {
  const graded = deeds.filter(({ assignment, grade }) => grade?.posted_grade && assignment.submission_types.includes('online_quiz'));
  if (graded.length === 0) return [];
  const attempts = attemptsGraded(JSON.stringify(graded.map(({ assignment, user_id }) => submissionId(assignment.id, user_id))));
  return [
    db.build.run(sql`with ${attempts} update quiz_attempts set ${set}, updated_at = ${now} from graded
      where quiz_attempts.quiz_submission_id in (select own_id from graded)
        and quiz_attempts.quiz_submission_id = graded.own_id and quiz_attempts.attempt = graded.its_attempt`),
    db.build.run(sql`with ${attempts} update quiz_submissions set kept_score = graded.given, updated_at = ${now} from graded
      where quiz_submissions.id in (select own_id from graded) and quiz_submissions.id = graded.own_id and quiz_submissions.attempt <> graded.its_attempt`),
    db.build.run(sql`with ${attempts} update quiz_submissions set kept_score = graded.given, ${set}, updated_at = ${now} from graded
      where quiz_submissions.id in (select own_id from graded) and quiz_submissions.id = graded.own_id and quiz_submissions.attempt = graded.its_attempt`),
  ];
}
