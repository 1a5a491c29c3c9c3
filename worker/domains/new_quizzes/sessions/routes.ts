// Attempts at New Quizzes: every endpoint, in the order of the API reference.

import { NewQuizSessionItems } from '@carrel/shared/resources/new_quiz';
import { bool, int, json, listOf, maybe, number, object, optional, text } from '@carrel/shared/wire/fields';
import { and, sql } from 'drizzle-orm';
import { absolute, get, post, put } from '../../../http/endpoint';
import { ascending, rows } from '../../../http/listing';
import { found, rejected } from '../../../http/problem';
import { answer, judged, list, one, write } from '../../../http/reply';
import { seesAllGrades } from '../../assignments/submissions/policy';
import { assignments } from '../../assignments/table';
import { isPlaceOpen, resultViewOf } from '../../quiz_submissions/interactions/taken_new_quiz';
import { attemptsInPlace } from '../../quiz_submissions/policy';
import { startRefusals } from '../../quiz_submissions/presenting/beginning';
import { isReader } from '../../quiz_submissions/quiz_at';
import { saveRefusals } from '../../quiz_submissions/saving';
import { quiz_submissions } from '../../quiz_submissions/table';
import { isRunningAttempt } from '../../quiz_submissions/takeability';
import { visibleNewQuiz } from '../policy';
import { saveResponses } from './answering';
import { scoreSession, turnInSession } from './ending';
import { gradersView, type ItemView, questionsIn, sessionItemJson, takersView } from './item_json';
import { newQuizSession, seesAsStudent } from './json';
import { keyIn, sessionIn, sessionsGradedByCaller, visibleSession } from './policy';
import { type ReadSession, readSession, type SessionsCall } from './reading';
import { startSession } from './starting';

export const about = { title: 'New Quiz sessions', description: 'Attempts of students at New Quizzes, with their responses and scores.' };

const all = '/api/quiz/v1/courses/:course_id/quizzes/:assignment_id/sessions';
const single = `${all}/:session_id` as const;

const work = { attempt: optional(json), validation_token: optional(text), access_code: optional(text) };

interface WorkSent {
  readonly attempt?: unknown;
  readonly validation_token?: string;
  readonly access_code?: string;
}

const workOf = ({ attempt, validation_token, access_code }: WorkSent) => ({
  attempt: /^\d{1,9}$/.test(String(attempt ?? '').trim()) ? Number(attempt) : undefined,
  validation_token,
  access_code,
});

const selectQuiz = (call: SessionsCall) =>
  call.db.build.select({ id: assignments.id }).from(assignments).where(visibleNewQuiz(call.course, call));

const ownSession = ({ me, path }: SessionsCall) =>
  sql`${quiz_submissions.quiz_id} = ${keyIn(path)} and ${quiz_submissions.user_id} = ${me.id}`;

/** The running attempt alone, else the completed ones. */
const ownAttempts = ({ me, path }: SessionsCall) =>
  attemptsInPlace(sql`own.quiz_id = ${keyIn(path)} and own.user_id = ${me.id}
    and case when own.workflow_state = 'untaken' then tried.attempt = own.attempt else tried.workflow_state in ('complete', 'pending_review') end`);

/** What the student of an attempt, or an observer, sees of its questions. @throws Problem 401 where the results hide them */
function studentsItems({ quiz, tried, isHidden }: ReadSession): ItemView {
  if (isRunningAttempt(tried)) return takersView;
  const view = resultViewOf(quiz.quiz_settings);
  if (isHidden || !view.display_items) throw rejected('Cannot view questions due to quiz settings', 401);
  return {
    points: view.display_points_possible,
    response: view.display_item_response,
    correctness: view.display_item_response_correctness,
    awarded: view.display_points_awarded,
    key: view.display_item_correct_answer,
    feedback: view.display_item_feedback,
  };
}

const manual = object({ position: int, score: optional(maybe(number)), comment: optional(text) });

export const newQuizSessionRoutes = absolute(
  get(all, { can: isReader, returns: [newQuizSession], summary: 'List the sessions of a New Quiz' }, (call) => {
    const of = seesAllGrades(call.course)
      ? rows(quiz_submissions, {
          where: and(
            sql`${quiz_submissions.quiz_id} = ${keyIn(call.path)}`,
            sql`${quiz_submissions.workflow_state} not in ('settings_only', 'preview')`,
            sessionsGradedByCaller(call.course),
          ),
          order: ascending(quiz_submissions.user_id),
        })
      : rows(quiz_submissions, { from: ownAttempts(call), where: sql`1`, order: ascending(quiz_submissions.attempt) });
    return judged(selectQuiz(call), (there) => void found(there[0]), list(of));
  }),

  get(
    single,
    { can: isReader, params: { attempt: optional(int) }, returns: newQuizSession, summary: 'Get a session of a New Quiz' },
    (call) => {
      const { course, path, params } = call;
      const from =
        params.attempt === undefined
          ? undefined
          : attemptsInPlace(
              sql`own.id = ${sessionIn(path)} and tried.attempt = ${params.attempt} and tried.workflow_state in ('complete', 'pending_review')`,
            );
      return judged(
        selectQuiz(call),
        (there) => void found(there[0]),
        one(rows(quiz_submissions, { from, where: visibleSession(course, call) })),
      );
    },
  ),

  post(
    all,
    {
      can: isReader,
      params: { access_code: optional(text), preview: optional(bool) },
      returns: newQuizSession,
      summary: 'Start a session of a New Quiz',
    },
    async (call) => {
      const { access_code, preview } = call.params;
      const started = await startSession(call, { access_code, isPreview: preview ?? false });
      return write(started, one(rows(quiz_submissions, { where: ownSession(call) })), startRefusals);
    },
  ),

  get(
    `${single}/items`,
    {
      can: isReader,
      params: { attempt: optional(int) },
      returns: { json: NewQuizSessionItems },
      summary: 'List the questions of a session',
    },
    async (call) => {
      const read = await readSession(call, call.params.attempt);
      const { quiz, submission, tried, questions } = read;
      const asStudent = seesAsStudent(call, submission.user_id);
      const view = asStudent ? studentsItems(read) : gradersView;
      const isHeld = asStudent && isRunningAttempt(tried);
      const open = questionsIn(questions).filter((_, at) => !isHeld || isPlaceOpen(quiz.quiz_settings, tried.reached, at + 1));
      return answer({
        items: open.map((question) => sessionItemJson(question, questions, call.origin, view, tried.results ?? undefined)),
      });
    },
  ),

  post(
    `${single}/responses`,
    {
      can: isReader,
      params: {
        ...work,
        responses: optional(listOf(object({ position: int, response: optional(json), flagged: optional(bool) }))),
        position: optional(int),
      },
      returns: { json: NewQuizSessionItems },
      summary: 'Save responses of a session',
    },
    async (call) => {
      const { responses = [], position } = call.params;
      const saved = await saveResponses(call, { ...workOf(call.params), responses, position });
      const items = saved.shown.map((question) => sessionItemJson(question, saved.all, call.origin, takersView, undefined));
      return write(saved.statements, answer({ items }), saveRefusals);
    },
  ),

  post(
    `${single}/complete`,
    { can: isReader, params: work, returns: newQuizSession, summary: 'Complete a session of a New Quiz' },
    (call) => turnInSession(call, workOf(call.params)),
  ),

  put(
    single,
    {
      can: 'manage_grades',
      params: { attempt: optional(int), fudge_points: optional(maybe(number)), items: optional(listOf(manual)) },
      returns: newQuizSession,
      summary: 'Score a session by hand',
    },
    (call) => {
      const { attempt, fudge_points, items = [] } = call.params;
      return scoreSession(call, { attempt, fudge_points, items: new Map(items.map(({ position, ...result }) => [position, result])) });
    },
  ),
);
