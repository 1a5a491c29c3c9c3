// Quizzes: every endpoint, in the order of the API reference.

import { QuizIpFilters } from '@carrel/shared/resources/quiz';
import { choice, idField, listOf, object, optional, searchTerm, text } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { among, contains } from '../../database/ids';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { del, get, post, put } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { badParameter, found, notFound, unauthorized } from '../../http/problem';
import { answer, judged, list, one, oneOr, write } from '../../http/reply';
import { isAssignmentClosed } from '../../rules/grading_periods';
import { assignments } from '../assignments/table';
import { afterQuestions } from './counts';
import { quizParams } from './input';
import { quiz, quizDates, quizInFull } from './json';
import { listsQuizzes, presentQuiz, quizHasAttempts, visibleQuizzes } from './policy';
import { placesAfter, readEntries, writePlaces } from './reorder';
import { quizzes } from './table';
import { createQuiz, deleteQuiz, newestQuiz, updateQuiz } from './writes';

export const about = { title: 'Quizzes', description: 'Classic quizzes of a course: settings, dates and points.' };

const all = '/courses/:course_id/quizzes';
const single = `${all}/:id` as const;

/** @throws Problem 404 where the course hides its quizzes from the caller */
function checkTab(course: CourseContext): void {
  if (!listsQuizzes(course)) throw notFound();
}

const listed = (course: CourseContext, call: Call, also?: ReturnType<typeof and>) =>
  rows(quizzes, {
    where: and(visibleQuizzes(course, call), also),
    order: ascending(quizzes.sort_lock, quizzes.sort_title, quizzes.same_id),
    // Whether a quiz is assigned to a student is decided once for all statements of the page.
    once: !course.readsAsAdmin,
  });

type Here = Pick<Call, 'db' | 'now'> & { readonly course: CourseContext; readonly id: number };

/** The quiz, its assignment, whether students have begun, and whether a due date is in a closed grading period. @throws Problem 404 */
async function readQuiz({ db, course, id, now }: Here) {
  const itself = presentQuiz(course, id);
  const [quizRows, facts, assignmentRows] = await db.perform([
    db.build.select().from(quizzes).where(itself),
    db.build
      .select({ has_attempts: quizHasAttempts.as('has_attempts') })
      .from(quizzes)
      .where(itself),
    db.build
      .select({ row: assignments, is_closed: isAssignmentClosed(shared('course', course.id), now).as('is_closed') })
      .from(assignments)
      .where(sql`assignments.id = (select quizzes.assignment_id from quizzes where ${itself})`),
  ]);
  return {
    quiz: found(quizRows[0]),
    hasAttempts: facts[0]?.has_attempts === 1,
    assignment: assignmentRows[0]?.row,
    isClosed: Boolean(assignmentRows[0]?.is_closed),
  };
}

/** An existing quiz that is not visible to the caller is a 401, not a 404 (reference 04 §1.1). */
const seen = (call: Call & Here, then: Parameters<typeof judged>[2]) =>
  judged(
    call.db.build.select({ id: quizzes.id }).from(quizzes).where(presentQuiz(call.course, call.id)),
    (there) => void found(there[0]),
    then,
  );

export const quizRoutes = [
  get(all, { can: 'read', params: { search_term: searchTerm }, returns: [quiz], summary: 'List quizzes' }, (call) => {
    const { course, params } = call;
    checkTab(course);
    return list(listed(course, call, params.search_term ? contains(quizzes.title, params.search_term) : undefined));
  }),

  post(all, { can: 'manage_assignments_add', params: quizParams, returns: quizInFull, summary: 'Create a quiz' }, (call) => {
    if (call.params.quiz === undefined) throw badParameter('quiz', 'is missing');
    return write(createQuiz(call, call.params.quiz), one(rows(quizzes, { where: sql`${quizzes.id} = ${newestQuiz}` })));
  }),

  get(
    `${all}/assignment_overrides`,
    {
      can: 'read',
      params: { quiz_assignment_overrides: optional(listOf(object({ quiz_ids: optional(listOf(idField('quiz'))) }))) },
      returns: { wrapped: 'quiz_assignment_overrides', of: quizDates },
      summary: 'List the dates of quizzes',
    },
    (call) => {
      checkTab(call.course);
      const ids = call.params.quiz_assignment_overrides?.flatMap((one) => one.quiz_ids ?? []);
      return list(listed(call.course, call, ids && ids.length > 0 ? among(quizzes.id, ids) : undefined));
    },
  ),

  get(single, { can: 'read', returns: quizInFull, summary: 'Get a quiz' }, (call) =>
    seen(call, oneOr(rows(quizzes, { where: and(visibleQuizzes(call.course, call), eq(quizzes.id, call.id)) }), unauthorized)),
  ),

  put(single, { can: 'manage_assignments_edit', params: quizParams, returns: quizInFull, summary: 'Update a quiz' }, async (call) => {
    const before = await readQuiz(call);
    return write(updateQuiz(call, before, call.params.quiz ?? {}), one(rows(quizzes, { where: eq(quizzes.id, call.id) })));
  }),

  del(single, { can: 'manage_assignments_delete', returns: quizInFull, summary: 'Delete a quiz' }, async (call) => {
    const { quiz: gone, isClosed } = await readQuiz(call);
    if (isClosed && !call.course.isAdmin) throw unauthorized();
    return write(deleteQuiz(call, gone), one(rows(quizzes, { where: eq(quizzes.id, call.id) })));
  }),

  post(
    `${single}/reorder`,
    {
      can: 'manage_assignments_edit',
      params: { order: listOf(object({ id: idField('quiz_question'), type: optional(choice('question', 'group')) })) },
      returns: { json: null },
      status: 204,
      summary: 'Reorder the questions and groups of a quiz',
    },
    async ({ db, course, id, params, now }) => {
      const entries = await readEntries(db, presentQuiz(course, id));
      const order = params.order.map((one) => ({ id: one.id, type: one.type ?? ('question' as const) }));
      return write([...writePlaces(db, id, placesAfter(entries, order), now), ...afterQuestions(db, id, now)], answer(null));
    },
  ),

  post(
    `${single}/validate_access_code`,
    { can: 'read', params: { access_code: optional(text) }, returns: { json: null }, summary: 'Check the access code of a quiz' },
    async (call) => {
      const { db, course, id, params } = call;
      const [there, visible] = await db.perform([
        db.build.select({ id: quizzes.id }).from(quizzes).where(presentQuiz(course, id)),
        db.build
          .select({ access_code: quizzes.access_code })
          .from(quizzes)
          .where(and(visibleQuizzes(course, call), eq(quizzes.id, id))),
      ]);
      found(there[0]);
      const [its] = visible;
      if (!its) throw unauthorized();
      return answer(its.access_code !== null && its.access_code === params.access_code);
    },
  ),

  get(
    `${all}/:quiz_id/ip_filters`,
    { can: 'manage_assignments_edit', returns: { json: QuizIpFilters }, summary: 'List the address filters of a quiz' },
    async ({ db, course, path }) => {
      const [there] = await db.perform([
        db.build
          .select({ title: quizzes.title, ip_filter: quizzes.ip_filter })
          .from(quizzes)
          .where(presentQuiz(course, Number(path.quiz_id))),
      ]);
      const { title, ip_filter } = found(there[0]);
      return answer({ quiz_ip_filters: ip_filter === null ? [] : [{ name: 'Current Filter', account: title, filter: ip_filter }] });
    },
  ),
];
