// Attempts at New Quizzes as clients see them: scores only once the results show them.

import { NewQuizSession } from '@carrel/shared/resources/new_quiz';
import { type SQL, sql } from 'drizzle-orm';
import type { Call } from '../../../http/call';
import { serializer } from '../../../http/serializer';
import { when } from '../../../http/when';
import { submissionId } from '../../../rules/submission_ids';
import { secondsLeft, timeSpent } from '../../quiz_submissions/attempt_time';
import { attemptsLeft } from '../../quiz_submissions/attempts_left';
import { allowedAttemptsOf, newQuizKey, resultViewOf } from '../../quiz_submissions/interactions/taken_new_quiz';
import { isGradeHidden, type QuizSubmissionRow } from '../../quiz_submissions/json';
import { quiz_submissions } from '../../quiz_submissions/table';
import { isRunningAttempt } from '../../quiz_submissions/takeability';
import type { NewQuizSettings } from '../table';
import { type Eased, easedFor } from './reading';

export interface BesideSession {
  readonly quiz_settings: NewQuizSettings;
  readonly eased: Eased | null;
  /** 1 if the grade is not posted to its student. */
  readonly is_grade_hidden: number;
  readonly item_count: number;
  readonly reached: number;
}

/** Whether the caller sees the attempt as its student, or an observer of them. */
export const seesAsStudent = ({ me, course }: Pick<Call, 'me' | 'course'>, user_id: number): boolean =>
  user_id === me.id || (course?.observedIds.includes(user_id) ?? false);

export function newQuizSessionJson(row: QuizSubmissionRow & BesideSession, call: Pick<Call, 'me' | 'course' | 'now'>) {
  const { quiz_settings, eased, is_grade_hidden } = row;
  const assignment_id = newQuizKey(row.quiz_id);
  const isRunning = isRunningAttempt(row);
  const asStudent = seesAsStudent(call, row.user_id);
  const view = resultViewOf(quiz_settings);
  const isScoreSeen = !asStudent || (is_grade_hidden !== 1 && view.display_points_awarded);
  const extra_attempts = eased?.extra_attempts ?? 0;
  return {
    ...row,
    id: String(row.id),
    quiz_id: String(assignment_id),
    submission_id: submissionId(assignment_id, row.user_id),
    time_left: isRunning ? secondsLeft(row.end_at, call.now) : null,
    time_spent: timeSpent({ ...row, extra_time: null }),
    score: isScoreSeen && !isRunning ? row.score : null,
    kept_score: isScoreSeen ? row.kept_score : null,
    fudge_points: isScoreSeen && !isRunning ? row.fudge_points : null,
    points_possible: isRunning || !asStudent || view.display_points_possible ? row.quiz_points_possible : null,
    attempts_left: attemptsLeft(allowedAttemptsOf(quiz_settings), { ...row, extra_attempts }),
    extra_attempts,
    extra_time: row.extra_time ?? 0,
    position: row.reached,
    validation_token: when(row.user_id === call.me.id, row.validation_token),
  };
}

const ofAttempt = (value: SQL): SQL =>
  sql`(select ${value} from quiz_attempts tried where tried.quiz_submission_id = quiz_submissions.id and tried.attempt = quiz_submissions.attempt)`;

/** How many questions an attempt presents. */
export const itemCount = sql.raw("(select count(*) from json_each(tried.presented) shown where shown.value ->> 'is_stimulus' is null)");

export const newQuizSession = serializer({
  resource: NewQuizSession,
  table: quiz_submissions,
  columns: () => ({
    quiz_settings: sql<NewQuizSettings>`(select n.quiz_settings from new_quizzes n where n.id = -quiz_submissions.quiz_id)`
      .mapWith((text: string) => JSON.parse(text) as NewQuizSettings)
      .as('quiz_settings'),
    eased: easedFor(sql.raw('quiz_submissions.course_id'), sql.raw('-quiz_submissions.quiz_id'), sql.raw('quiz_submissions.user_id')).as(
      'eased',
    ),
    is_grade_hidden: isGradeHidden(sql.raw('-quiz_submissions.quiz_id'), sql.raw('quiz_submissions.user_id')).as('is_grade_hidden'),
    item_count: sql<number>`${ofAttempt(itemCount)}`.as('item_count'),
    reached: sql<number>`${ofAttempt(sql.raw('tried.reached'))}`.as('reached'),
  }),
  json: (row: QuizSubmissionRow & BesideSession, call) => newQuizSessionJson(row, call),
});
