// What the endpoints of attempts at a New Quiz read of it, in one round trip with what else they need.

import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import { shared } from '../../../database/shared';
import type { Call } from '../../../http/call';
import { found } from '../../../http/problem';
import { type EffectiveDates, effectiveDates, reaching } from '../../../rules/assigned';
import { assignments } from '../../assignments/table';
import { moduleLockOf, moduleLocks } from '../../modules/locks';
import type { FactsRow } from '../../modules/progress/facts';
import { accessCodeOf, isAddressAllowed } from '../../quiz_submissions/interactions/taken_new_quiz';
import { isGradeHidden } from '../../quiz_submissions/json';
import { attemptQuestions, questionsOfAttempt } from '../../quiz_submissions/reading';
import { quiz_attempts, quiz_submissions } from '../../quiz_submissions/table';
import { isBoundBySchedule } from '../../quiz_submissions/taking';
import { newQuizIn, visibleNewQuiz } from '../policy';
import type { NewQuizSettings } from '../table';
import { keyIn, sessionIn, visibleSession } from './policy';

export type SessionsCall = Pick<Call, 'db' | 'me' | 'user' | 'now' | 'request' | 'origin'> & {
  readonly course: CourseContext;
  readonly path: { readonly assignment_id: string };
};
export type SessionCall = SessionsCall & { readonly path: { readonly assignment_id: string; readonly session_id: string } };

/** What eases the quiz for a student. Times are minutes. */
export interface Eased {
  readonly extra_time: number;
  readonly extra_attempts: number;
  readonly reduce_choices_enabled: number;
}

/** Of the quiz, or else of the course, as JSON; null without one. @param course, quiz, user SQL for the ids */
export const easedFor = (course: SQL, quiz: SQL, user: SQL): SQL<Eased | null> =>
  sql<Eased | null>`(select json_object('extra_time', o.extra_time, 'extra_attempts', o.extra_attempts, 'reduce_choices_enabled', o.reduce_choices_enabled)
    from new_quiz_accommodations o where o.course_id = ${course} and o.user_id = ${user} and o.new_quiz_id in (0, ${quiz}) order by o.new_quiz_id desc limit 1)`.mapWith(
    (text: string) => JSON.parse(text) as Eased,
  );

/** The New Quiz of the path as its taker meets it; none if they may not see it. */
export const newQuizForTaker = (call: SessionsCall) => {
  const me = shared('user', call.me.id);
  const dates = effectiveDates(reaching(sql.raw('= assignments.id'), me), call.now);
  return call.db.build
    .select({
      ...getTableColumns(assignments),
      quiz_settings: sql<NewQuizSettings>`(select new_quizzes.quiz_settings from new_quizzes where new_quizzes.id = assignments.id)`
        .mapWith((text: string) => JSON.parse(text) as NewQuizSettings)
        .as('quiz_settings'),
      effective_dates: sql<EffectiveDates>`${dates}`.mapWith((text: string) => JSON.parse(text) as EffectiveDates).as('effective_dates'),
      is_excused:
        sql<number>`exists (select 1 from submissions s where s.assignment_id = assignments.id and s.user_id = ${me} and s.excused = 1)`.as(
          'is_excused',
        ),
      eased: easedFor(sql.raw('assignments.course_id'), sql.raw('assignments.id'), me).as('eased'),
    })
    .from(assignments)
    .where(visibleNewQuiz(call.course, call));
};

type ForTaker = ReturnType<typeof newQuizForTaker>['_']['result'][number];

export const locksOfNewQuiz = (call: SessionsCall) => moduleLocks('Assignment', sql`select (${newQuizIn(call.path)}) as id`, call);

export const ownSessions = ({ db, me, path }: SessionsCall) =>
  db.build
    .select()
    .from(quiz_submissions)
    .where(sql`${quiz_submissions.quiz_id} = ${keyIn(path)} and ${quiz_submissions.user_id} = ${me.id}`);

/** @param locks none where only a start would be locked */
export function takingOfNewQuiz(call: SessionsCall, quiz: ForTaker, locks: readonly FactsRow[], givenCode: string | undefined) {
  const { course, request, now } = call;
  const { unlock_at, lock_at } = quiz.effective_dates;
  const isLocked =
    isBoundBySchedule(call) &&
    ((unlock_at ?? '') > now || (lock_at ?? '9999') <= now || moduleLockOf(locks, 'Assignment', quiz.id, now) !== undefined);
  const asStudent = course.participates && quiz.workflow_state === 'published' && quiz.is_excused === 0;
  return {
    isLocked,
    maySubmit: asStudent || !isBoundBySchedule(call) || course.can('manage_assignments_edit'),
    access_code: accessCodeOf(quiz.quiz_settings),
    givenCode,
    isAddressAllowed: isAddressAllowed(quiz.quiz_settings, request.headers.get('cf-connecting-ip')?.trim() ?? ''),
  };
}

/** An attempt with its questions. @param attempt none for the newest @throws Problem 404 for what the caller may not see */
export async function readSession(call: SessionCall, attempt: number | undefined) {
  const { db, course } = call;
  // What is read of an attempt that the caller may not see is dropped without its row.
  const here = sql`${sessionIn(call.path)}`;
  const number = attempt === undefined ? sql`(select own.attempt from quiz_submissions own where own.id = ${here})` : sql`${attempt}`;
  const [quizRows, submissionRows, triedRows, questions, [hidden]] = await db.perform([
    newQuizForTaker(call),
    db.build.select().from(quiz_submissions).where(visibleSession(course, call)),
    db.build
      .select()
      .from(quiz_attempts)
      .where(sql`${quiz_attempts.quiz_submission_id} = ${here} and ${quiz_attempts.attempt} = ${number}`),
    questionsOfAttempt(call, here, number),
    db.build.all<{ is_hidden: number }>(
      sql`select ${isGradeHidden(sql.raw('-own.quiz_id'), sql.raw('own.user_id'))} as is_hidden from quiz_submissions own where own.id = ${here}`,
    ),
  ]);
  return {
    quiz: found(quizRows[0]),
    submission: found(submissionRows[0]),
    tried: found(triedRows[0]),
    questions: attemptQuestions(questions),
    isHidden: hidden?.is_hidden === 1,
  };
}

export type ReadSession = Awaited<ReturnType<typeof readSession>>;
