// Attempts at quizzes: every endpoint below a quiz, in the order of the API reference.

import { QuizSubmissionTime } from '@carrel/shared/resources/quiz_submission';
import { bool, int, json, listOf, mapOf, maybe, number, object, optional, text } from '@carrel/shared/wire/fields';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { get, post, put } from '../../http/endpoint';
import { ascending, type Listing, rows } from '../../http/listing';
import { notFound, rejected, unauthorized } from '../../http/problem';
import { answer, listWithin, type Reply, write } from '../../http/reply';
import { seesAllGrades } from '../assignments/submissions/policy';
import { secondsLeft } from './attempt_time';
import { quizSubmission, quizSubmissionIncludes, quizSubmissionsBody } from './json';
import { attemptsInPlace, gradedByCaller, ownAttempts, visibleQuizSubmissions } from './policy';
import { startRefusals } from './presenting/beginning';
import { isReader, ofVisibleQuiz, quizIn } from './quiz_at';
import type { QuizCall } from './reading';
import type { ManualResult } from './scoring/attempt_score';
import { startAttempt } from './starting';
import { quiz_submissions } from './table';
import { isRunningAttempt } from './takeability';
import { scoreByHand, turnInAttempt } from './turning_in';

export const about = { title: 'Quiz submissions', description: 'Attempts of students at classic quizzes, with their scores.' };

const all = '/courses/:course_id/quizzes/:quiz_id/submissions';
const single = `${all}/:id` as const;
const include = quizSubmissionIncludes;
const returns = { wrapped: 'quiz_submissions', of: quizSubmission } as const;

type AtQuiz = QuizCall & Pick<Call, 'include'> & { readonly path: { readonly quiz_id: string } };

const listed = (call: AtQuiz, listing: Listing): Reply => listWithin(listing, quizSubmissionsBody(call));

/** One quiz submission. @throws Problem 404 without it */
const exactlyOne = (call: AtQuiz, listing: Listing): Reply =>
  listWithin(listing, (page) => {
    if (page.length === 0) throw notFound();
    return quizSubmissionsBody(call)(page);
  });

const ownOne = ({ me, path }: AtQuiz): SQL => and(eq(quiz_submissions.quiz_id, quizIn(path)), eq(quiz_submissions.user_id, me.id)) as SQL;

/** Undefined unless an integer was sent, as a number or as text. */
const integerIn = (given: unknown): number | undefined => {
  const value = typeof given === 'string' && /^\d{1,9}$/.test(given.trim()) ? Number(given) : given;
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
};

const manual = object({ score: optional(maybe(number)), comment: optional(text) });

/** What was entered, by question; an empty score takes the score away. */
const manualResults = (given: Readonly<Record<string, { readonly score?: number | null; readonly comment?: string }>> = {}) =>
  new Map<number, ManualResult>(Object.entries(given).map(([id, result]) => [Number(id), result]));

export const quizSubmissionRoutes = [
  get(all, { can: isReader, include, returns, summary: 'List the submissions of a quiz' }, (call) => {
    const quiz_id = quizIn(call.path);
    const of = seesAllGrades(call.course)
      ? rows(quiz_submissions, {
          where: and(eq(quiz_submissions.quiz_id, quiz_id), gradedByCaller(call.course)),
          order: ascending(quiz_submissions.user_id),
        })
      : rows(quiz_submissions, {
          from: attemptsInPlace(ownAttempts(quiz_id, call.me.id)),
          where: sql`1`,
          order: ascending(quiz_submissions.attempt),
        });
    return ofVisibleQuiz(call, listed(call, of));
  }),

  get(
    '/courses/:course_id/quizzes/:quiz_id/submission',
    { can: isReader, include, returns, summary: "Get the caller's submission of a quiz" },
    (call) => ofVisibleQuiz(call, listed(call, rows(quiz_submissions, { where: ownOne(call) }))),
  ),

  get(single, { can: isReader, params: { attempt: optional(int) }, include, returns, summary: 'Get a quiz submission' }, (call) => {
    const { course, id, path, params } = call;
    const here = and(eq(quiz_submissions.id, id), eq(quiz_submissions.quiz_id, quizIn(path)), visibleQuizSubmissions(course, call));
    const from =
      params.attempt === undefined
        ? undefined
        : attemptsInPlace(
            sql`own.id = ${id} and tried.attempt = ${params.attempt} and tried.workflow_state in ('complete', 'pending_review')`,
          );
    return ofVisibleQuiz(call, exactlyOne(call, rows(quiz_submissions, { from, where: here })));
  }),

  post(
    all,
    {
      can: isReader,
      params: { access_code: optional(text), preview: optional(bool) },
      include,
      returns,
      summary: 'Start an attempt at a quiz',
    },
    async (call) => {
      const { params } = call;
      const started = await startAttempt(call, {
        quiz_id: quizIn(call.path),
        access_code: params.access_code,
        isPreview: params.preview ?? false,
      });
      return write(started, listed(call, rows(quiz_submissions, { where: ownOne(call) })), startRefusals);
    },
  ),

  put(
    single,
    {
      can: 'manage_grades',
      params: {
        quiz_submissions: optional(
          listOf(
            object({
              attempt: optional(int),
              fudge_points: optional(maybe(number)),
              questions: optional(mapOf(manual, 'quiz_question')),
            }),
          ),
        ),
      },
      returns,
      summary: 'Score a quiz submission by hand',
    },
    (call) => {
      const [given] = call.params.quiz_submissions ?? [];
      if (!given) throw rejected('missing required key :quiz_submissions');
      return scoreByHand(
        call,
        { quiz_id: quizIn(call.path), id: call.id },
        { attempt: given.attempt, fudge_points: given.fudge_points, questions: manualResults(given.questions) },
      );
    },
  ),

  post(
    `${single}/complete`,
    {
      can: isReader,
      params: { attempt: optional(json), validation_token: optional(text), access_code: optional(text) },
      returns,
      summary: 'Complete an attempt at a quiz',
    },
    (call) => {
      const { attempt, validation_token, access_code } = call.params;
      return turnInAttempt(
        call,
        { quiz_id: quizIn(call.path), id: call.id },
        { attempt: integerIn(attempt), validation_token, access_code },
      );
    },
  ),

  get(
    `${single}/time`,
    { can: isReader, returns: { json: QuizSubmissionTime }, summary: 'Get the time left of an attempt' },
    async (call) => {
      const { db, id, me, path, now } = call;
      const [[own]] = await db.perform([
        db.build
          .select()
          .from(quiz_submissions)
          .where(
            and(
              eq(quiz_submissions.id, id),
              eq(quiz_submissions.quiz_id, quizIn(path)),
              eq(quiz_submissions.course_id, call.course.id),
              eq(quiz_submissions.user_id, me.id),
            ),
          ),
      ]);
      if (!own || !isRunningAttempt(own)) throw unauthorized();
      return answer({ end_at: own.end_at, time_left: secondsLeft(own.end_at, now) });
    },
  ),
];
