// What teachers do with the attempts of a quiz: extensions, the log, users and messages, overdue attempts (reference 04 §7).

import { QuizExtensions } from '@carrel/shared/resources/quiz_submission';
import { bool, idField, int, listOf, object, optional, text } from '@carrel/shared/wire/fields';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import { isEnrolledStudent } from '../../../contexts/predicates';
import { sharedIds } from '../../../database/shared';
import type { Call } from '../../../http/call';
import { get, post } from '../../../http/endpoint';
import { claimFor } from '../../../http/idempotency';
import { ascending, rows } from '../../../http/listing';
import { found, rejected, unauthorized } from '../../../http/problem';
import { answer, judged, list, listWithin, type Reply, settled, write } from '../../../http/reply';
import { assignedTo } from '../../../rules/assigned';
import { studentsHere } from '../../assignments/submissions/slots';
import { presentQuiz, presentQuizzes } from '../../quizzes/policy';
import { quizzes } from '../../quizzes/table';
import { users } from '../../users/table';
import { quizSubmission, quizSubmissionsBody } from '../json';
import { closeAttempts, isToClose } from '../overdue';
import { gradedByCaller } from '../policy';
import { isReader, ofVisibleQuiz, quizIn } from '../quiz_at';
import { quiz_submission_events, quiz_submissions } from '../table';
import { isRunningAttempt } from '../takeability';
import { eventsField, quizSubmissionEvent, reportedEvents } from './events';
import { extendQuizzes, extensionParams } from './extensions';
import { quizTaker, quizTakersBody } from './takers';

export const about = {
  title: 'Quiz moderation',
  description: 'Extensions, the log of attempts, users and messages, and attempts whose time has ended.',
};

const quizPath = '/courses/:course_id/quizzes/:quiz_id';
const events = `${quizPath}/submissions/:id/events` as const;
const reviews = ['manage_grades', 'view_all_grades'] as const;

type AtQuiz = Pick<Call, 'db' | 'me' | 'now'> & { readonly course: CourseContext; readonly path: { readonly quiz_id: string } };

const hasFinished = (user: SQL, quiz: number): SQL =>
  sql`exists (select 1 from quiz_submissions done where done.quiz_id = ${quiz} and done.user_id = ${user} and done.workflow_state in ('complete', 'pending_review'))`;

/** Students of the caller to whom the quiz is assigned. @param submitted only those who have, or have not, completed an attempt */
function takersOf(course: CourseContext, quiz: number, submitted: boolean | undefined): SQL {
  const { sections } = studentsHere(course, undefined);
  const here = sections ? sql` and e.course_section_id in (${sharedIds('sections', sections)})` : sql``;
  const isAssigned = sql`exists (select 1 from quizzes q left join assignments on assignments.id = q.assignment_id
    where q.id = ${quiz} and (q.assignment_id is null or ${assignedTo(sql.raw('e.user_id'))}))`;
  const chosen =
    submitted === undefined
      ? sql``
      : submitted
        ? sql` and ${hasFinished(sql.raw('e.user_id'), quiz)}`
        : sql` and not ${hasFinished(sql.raw('e.user_id'), quiz)}`;
  return sql`select distinct e.user_id from enrollments e where e.course_id = ${course.id} and ${isEnrolledStudent('e')}${here} and ${isAssigned}${chosen}`;
}

const messageFields = object({ body: text, recipients: optional(text), subject: optional(text) });

/** Who receives a message; everyone unless one of the two groups is named. */
const receivers = (recipients: string | undefined): boolean | undefined =>
  recipients === 'submitted' ? true : recipients === 'unsubmitted' ? false : undefined;

/** A message to each student, sent by the queue. */
async function messageTakers(
  call: AtQuiz & Pick<Call, 'env' | 'idempotency'>,
  { body, recipients, subject }: { readonly body: string; readonly recipients?: string; readonly subject?: string },
): Promise<Reply> {
  const { db, env, me, now, course, path, idempotency } = call;
  const options = { form: 'each', context_type: 'Course', context_id: course.id, attachment_ids: [], media_comment: null };
  const quiz = quizIn(path);
  const chosen = sql`select json_group_array(takers.user_id) as ids from (${takersOf(course, quiz, receivers(recipients))}) takers
    where exists (select 1 from quizzes where ${presentQuiz(course, quiz)})`;
  const done = answer({ status: 'created' }, 201);
  const [quizRows, batches] = await db.perform([
    db.build.select({ id: quizzes.id }).from(quizzes).where(presentQuiz(course, quiz)),
    db.build.all<{ id: number }>(
      sql`insert into conversation_batches (user_id, subject, body, recipient_ids, options, created_at, updated_at)
        select ${me.id}, ${subject || null}, ${body}, chosen.ids, ${JSON.stringify(options)}, ${now}, ${now} from (${chosen}) chosen
        where json_array_length(chosen.ids) > 0 returning id`,
    ),
    ...(idempotency ? [claimFor(db, me.id, idempotency, done, now)] : []),
  ]);
  found(quizRows[0]);
  const [batch] = batches;
  if (batch) await env.WORK.send({ job: 'conversation_batch', ids: [batch.id] });
  return settled(done);
}

/** The caller's running attempt. @throws Problem 401 without one */
async function runningAttempt({ db, me, course, path }: AtQuiz, id: number) {
  const [[own]] = await db.perform([
    db.build
      .select()
      .from(quiz_submissions)
      .where(
        and(
          eq(quiz_submissions.id, id),
          eq(quiz_submissions.quiz_id, quizIn(path)),
          eq(quiz_submissions.course_id, course.id),
          eq(quiz_submissions.user_id, me.id),
        ),
      ),
  ]);
  if (!own || !isRunningAttempt(own)) throw unauthorized();
  return own;
}

const overdue = (course: CourseContext, quiz: number, now: string): SQL =>
  and(eq(quiz_submissions.quiz_id, quiz), gradedByCaller(course), isToClose(now)) as SQL;

export const quizModerationRoutes = [
  post(
    `${quizPath}/extensions`,
    { can: 'manage_grades', params: extensionParams, returns: { json: QuizExtensions }, summary: 'Extend a quiz for students' },
    (call) => extendQuizzes(call, presentQuiz(call.course, quizIn(call.path)), call.params.quiz_extensions, true),
  ),

  post(
    '/courses/:course_id/quiz_extensions',
    {
      can: 'manage_grades',
      params: extensionParams,
      returns: { json: QuizExtensions },
      summary: 'Extend all quizzes of a course for students',
    },
    (call) => extendQuizzes(call, and(eq(quizzes.course_id, call.course.id), presentQuizzes), call.params.quiz_extensions),
  ),

  post(
    events,
    {
      can: isReader,
      params: { quiz_submission_events: optional(eventsField) },
      returns: { json: null },
      status: 204,
      summary: 'Record events of an attempt',
    },
    async (call) => {
      const { db, id, params, now } = call;
      const reported = reportedEvents(params.quiz_submission_events, now);
      const { attempt } = await runningAttempt(call, id);
      const rows = reported.map((one) => ({ ...one, quiz_submission_id: id, attempt }));
      return write(
        rows.length === 0
          ? []
          : [
              db.build.run(
                sql`insert into quiz_submission_events (quiz_submission_id, attempt, event_type, event_data, created_at)
                  select ${id}, ${attempt}, j.value ->> 'event_type', j.value -> 'event_data', j.value ->> 'created_at' from json_each(${JSON.stringify(rows)}) j`,
              ),
            ],
        answer(null),
      );
    },
  ),

  get(
    events,
    {
      can: 'manage_grades',
      params: { attempt: optional(int) },
      returns: { wrapped: 'quiz_submission_events', of: quizSubmissionEvent },
      per_page: 100,
      summary: 'List the events of an attempt',
    },
    (call) => {
      const { course, id, params, path } = call;
      const its = and(
        eq(quiz_submissions.id, id),
        eq(quiz_submissions.quiz_id, quizIn(path)),
        eq(quiz_submissions.course_id, course.id),
        gradedByCaller(course),
      );
      const attempt =
        params.attempt === undefined ? sql`(select own.attempt from quiz_submissions own where own.id = ${id})` : sql`${params.attempt}`;
      return judged(
        call.db.build.select({ id: quiz_submissions.id }).from(quiz_submissions).where(its),
        (there) => void found(there[0]),
        list(
          rows(quiz_submission_events, {
            // The plus leaves the index to the condition of the page.
            where: sql`${quiz_submission_events.quiz_submission_id} = ${id} and ${quiz_submission_events.attempt} = ${attempt}
              and +${quiz_submission_events.created_at} >= (select tried.started_at from quiz_attempts tried where tried.quiz_submission_id = ${id} and tried.attempt = ${attempt})`,
            order: ascending(quiz_submission_events.created_at, quiz_submission_events.id),
          }),
        ),
      );
    },
  ),

  get(
    `${quizPath}/submission_users`,
    {
      can: reviews,
      params: { submitted: optional(bool) },
      include: ['quiz_submissions'],
      returns: { wrapped: 'users', of: quizTaker },
      summary: 'List the students of a quiz',
    },
    (call) => {
      const { course, path, params } = call;
      const quiz = quizIn(path);
      const takers = rows(users, { where: sql`users.id in (${takersOf(course, quiz, params.submitted)})`, order: ascending(users.id) });
      return ofVisibleQuiz(call, listWithin(takers, quizTakersBody(call)));
    },
  ),

  post(
    `${quizPath}/submission_users/message`,
    {
      can: reviews,
      params: { conversations: optional(listOf(messageFields)) },
      returns: { json: null },
      status: 201,
      summary: 'Send a message to the students of a quiz',
    },
    (call) => {
      if (!call.course.can('send_messages')) throw unauthorized();
      const [given] = call.params.conversations ?? [];
      if (!given || given.body.trim() === '') throw rejected('missing required key :conversations');
      return messageTakers(call, given);
    },
  ),

  get(
    `${quizPath}/outstanding_quiz_submissions`,
    { can: 'manage_grades', returns: { wrapped: 'quiz_submissions', of: quizSubmission }, summary: 'List attempts whose time has ended' },
    (call) =>
      ofVisibleQuiz(
        call,
        listWithin(
          rows(quiz_submissions, { where: overdue(call.course, quizIn(call.path), call.now), order: ascending(quiz_submissions.user_id) }),
          quizSubmissionsBody({ include: new Set() }),
        ),
      ),
  ),

  post(
    `${quizPath}/outstanding_quiz_submissions`,
    {
      can: 'manage_grades',
      params: { quiz_submission_ids: optional(listOf(idField('quiz_submission'))) },
      returns: { json: null },
      status: 204,
      summary: 'Complete attempts whose time has ended',
    },
    async (call) => {
      const { db, course, path, now, params } = call;
      const named = JSON.stringify(params.quiz_submission_ids ?? []);
      const [due] = await db.perform([
        db.build
          .select({ id: quiz_submissions.id })
          .from(quiz_submissions)
          .where(and(overdue(course, quizIn(path), now), sql`${quiz_submissions.id} in (select value from json_each(${named}))`)),
      ]);
      // Soon after the response: each attempt is scored by itself.
      call.afterwards(() =>
        closeAttempts(
          db.aside,
          due.map(({ id }) => id),
          now,
        ),
      );
      return answer(null);
    },
  ),
];
