// New Quizzes: every endpoint, in the order of the API reference. A New Quiz is an assignment with settings and items of its own.

import { idField, listOf, object, optional } from '@carrel/shared/wire/fields';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { among } from '../../database/ids';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { absolute, del, get, patch, post } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { badParameter, found, unauthorized } from '../../http/problem';
import { list, one, write } from '../../http/reply';
import { isAssignmentClosed } from '../../rules/grading_periods';
import { isStillNewQuiz } from '../../rules/new_quizzes';
import { checkAssignmentChange, historyOf, selectHistory } from '../assignments/change_rules';
import { visibleAssignments } from '../assignments/policy';
import { assignments } from '../assignments/table';
import { deleteAssignment, newestAssignment } from '../assignments/writes';
import { newQuizDates } from './dates';
import { assignmentOfNewQuiz, newQuizParams } from './input';
import { newQuiz } from './json';
import { newQuizIn, presentNewQuiz, visibleNewQuiz } from './policy';
import { new_quizzes } from './table';
import { createNewQuiz, updateNewQuiz } from './writes';

export const about = { title: 'New Quizzes', description: 'New Quizzes of a course: settings, dates and points.' };

const all = '/api/quiz/v1/courses/:course_id/quizzes';
const single = `${all}/:assignment_id` as const;

/** @param only a further condition */
const visibleNewQuizzes = (course: CourseContext, call: Pick<Call, 'me' | 'user' | 'path'>, only?: SQL) =>
  rows(assignments, {
    from: new_quizzes,
    join: (select) => select.crossJoin(assignments),
    where: and(
      eq(new_quizzes.course_id, course.id),
      sql`assignments.id = new_quizzes.id`,
      only,
      visibleAssignments(course, call),
      isStillNewQuiz('assignments'),
    ),
    order: ascending(new_quizzes.id),
    once: !course.readsAsAdmin,
  });

export const newQuizDateRoutes = [
  get(
    '/courses/:course_id/new_quizzes/assignment_overrides',
    {
      can: 'read',
      params: { quiz_assignment_overrides: optional(listOf(object({ quiz_ids: optional(listOf(idField('assignment'))) }))) },
      returns: { wrapped: 'quiz_assignment_overrides', of: newQuizDates },
      summary: 'List the dates of New Quizzes',
    },
    (call) => {
      const ids = call.params.quiz_assignment_overrides?.flatMap((one) => one.quiz_ids ?? []);
      return list(visibleNewQuizzes(call.course, call, ids && ids.length > 0 ? among(new_quizzes.id, ids) : undefined));
    },
  ),
];

export const newQuizRoutes = absolute(
  get(all, { can: 'read', returns: [newQuiz], summary: 'List New Quizzes' }, (call) => list(visibleNewQuizzes(call.course, call))),

  get(single, { can: 'read', returns: newQuiz, summary: 'Get a New Quiz' }, (call) =>
    one(rows(assignments, { where: visibleNewQuiz(call.course, call) })),
  ),

  post(all, { can: 'manage_assignments_add', params: newQuizParams, returns: newQuiz, summary: 'Create a New Quiz' }, (call) => {
    if (call.params.quiz === undefined) throw badParameter('quiz', 'is missing');
    return write(createNewQuiz(call, call.params.quiz), one(rows(assignments, { where: sql`${assignments.id} = ${newestAssignment}` })));
  }),

  patch(single, { can: 'manage_assignments_edit', params: newQuizParams, returns: newQuiz, summary: 'Update a New Quiz' }, async (call) => {
    const { course, db, path } = call;
    const itself = presentNewQuiz(course, path);
    const [assignmentRows, settingRows, histories] = await db.perform([
      db.build.select().from(assignments).where(itself),
      db.build
        .select({ settings: new_quizzes.quiz_settings })
        .from(new_quizzes)
        .where(sql`${new_quizzes.id} = (${newQuizIn(path)})`),
      selectHistory(call, course, itself),
    ]);
    const before = found(assignmentRows[0]);
    const { settings } = found(settingRows[0]);
    const given = call.params.quiz ?? {};
    const sent = assignmentOfNewQuiz(given, before, call.origin);
    checkAssignmentChange(sent, before, historyOf(histories), call);
    return write(
      updateNewQuiz(call, { assignment: before, settings }, given, sent),
      one(rows(assignments, { where: eq(assignments.id, before.id) })),
    );
  }),

  del(single, { can: 'manage_assignments_delete', returns: newQuiz, summary: 'Delete a New Quiz' }, async ({ course, db, path, now }) => {
    const [there] = await db.perform([
      db.build
        .select({ id: assignments.id, is_closed: isAssignmentClosed(shared('course', course.id), now).as('is_closed') })
        .from(assignments)
        .where(presentNewQuiz(course, path)),
    ]);
    const { id, is_closed } = found(there[0]);
    if (is_closed && !course.isAdmin) throw unauthorized();
    return write(deleteAssignment({ db, course, now }, id), one(rows(assignments, { where: eq(assignments.id, id) })));
  }),
);
