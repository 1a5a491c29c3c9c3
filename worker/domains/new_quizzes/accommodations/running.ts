// More time for students whose attempt is running.

import { wireTime } from '@carrel/shared/wire/fields';
import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../../database/open';
import { timeLimitOf } from '../../quiz_submissions/interactions/taken_new_quiz';
import { quiz_submissions } from '../../quiz_submissions/table';
import { type NewQuizSettings, new_quizzes } from '../table';

interface RunningSession {
  readonly id: number;
  readonly user_id: number;
  readonly attempt: number;
  readonly started_at: string | null;
  readonly end_at: string | null;
  readonly extra_time: number | null;
  readonly quiz_settings: NewQuizSettings;
}

const later = (time: string, minutes: number) => wireTime(Date.parse(time) + minutes * 60_000);

/**
 * The new end of a running attempt.
 * @param extra_time minutes in place of those that it has
 * @returns undefined for one that its time limit does not end
 */
export function endWithExtraTime(
  { started_at, end_at, extra_time: before, quiz_settings }: Omit<RunningSession, 'id' | 'user_id' | 'attempt'>,
  extra_time: number,
): string | undefined {
  const limit = timeLimitOf(quiz_settings);
  if (limit === null || started_at === null || end_at === null) return undefined;
  const isByLimit = Date.parse(end_at) === Date.parse(later(started_at, limit + (before ?? 0)));
  return isByLimit && extra_time !== (before ?? 0) ? later(started_at, limit + extra_time) : undefined;
}

/** Running attempts of users. @param quiz a select of the New Quiz; none for those of the course without an accommodation of their own */
export const runningSessions = (db: Database, course_id: number, quiz: SQL | undefined, users: string) =>
  db.build
    .select({
      id: quiz_submissions.id,
      user_id: quiz_submissions.user_id,
      attempt: quiz_submissions.attempt,
      started_at: quiz_submissions.started_at,
      end_at: quiz_submissions.end_at,
      extra_time: quiz_submissions.extra_time,
      quiz_settings: new_quizzes.quiz_settings,
    })
    .from(quiz_submissions)
    .innerJoin(new_quizzes, sql`new_quizzes.id = -quiz_submissions.quiz_id`)
    .where(
      sql`quiz_submissions.course_id = ${course_id} and quiz_submissions.user_id in (select value from json_each(${users}))
        and quiz_submissions.workflow_state = 'untaken' and quiz_submissions.end_at is not null
        and ${
          quiz
            ? sql`quiz_submissions.quiz_id = -(select assignments.id from assignments where ${quiz})`
            : sql`quiz_submissions.quiz_id < 0 and not exists (select 1 from new_quiz_accommodations own
                where own.course_id = quiz_submissions.course_id and own.user_id = quiz_submissions.user_id and own.new_quiz_id = -quiz_submissions.quiz_id)`
        }`,
    );

/** @param extraTime minutes by user */
export function extendRunningSessions(
  { db, now }: { readonly db: Database; readonly now: string },
  sessions: readonly RunningSession[],
  extraTime: ReadonlyMap<number, number>,
): Statement[] {
  const extended = sessions.flatMap((one) => {
    const extra_time = extraTime.get(one.user_id);
    const end_at = extra_time === undefined ? undefined : endWithExtraTime(one, extra_time);
    return end_at === undefined ? [] : [{ id: one.id, attempt: one.attempt, extra_time, end_at }];
  });
  if (extended.length === 0) return [];
  const text = JSON.stringify(extended);
  return [
    db.build.run(sql`update quiz_submissions set end_at = j.value ->> 'end_at', extra_time = j.value ->> 'extra_time', updated_at = ${now}
      from json_each(${text}) j where quiz_submissions.id = j.value ->> 'id' and quiz_submissions.attempt = j.value ->> 'attempt'
        and quiz_submissions.workflow_state = 'untaken'`),
    db.build.run(sql`update quiz_attempts set end_at = j.value ->> 'end_at', updated_at = ${now}
      from json_each(${text}) j where quiz_attempts.quiz_submission_id = j.value ->> 'id' and quiz_attempts.attempt = j.value ->> 'attempt'
        and quiz_attempts.workflow_state = 'untaken'`),
  ];
}
