// Question groups of quizzes: every endpoint, in the order of the API reference.

import { choice, idField, listOf, maybe, object, optional, text } from '@carrel/shared/wire/fields';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import type { Call } from '../../http/call';
import { del, get, post, put } from '../../http/endpoint';
import { rows } from '../../http/listing';
import { found, Problem, rejected } from '../../http/problem';
import { answer, all as everyRow, one, type Reply, write } from '../../http/reply';
import { usableBank } from '../question_banks/policy';
import { question_banks } from '../question_banks/table';
import { quiz_questions } from '../quiz_questions/table';
import { afterQuestions } from '../quizzes/counts';
import { presentQuiz } from '../quizzes/policy';
import { afterLastEntry, positionOfGroup } from '../quizzes/positions';
import { quizzes } from '../quizzes/table';
import { defaultGroup, type GroupGiven, type GroupValues, groupAfter } from './group_values';
import { quizGroup } from './json';
import { quiz_groups } from './table';

export const about = { title: 'Quiz question groups', description: 'Groups of questions of which an attempt gets some.' };

const all = '/courses/:course_id/quizzes/:quiz_id/groups';
const single = `${all}/:id` as const;

/** Numbers are read by the rule, which names them in its errors. */
const groupFields = {
  name: optional(maybe(text)),
  pick_count: optional(maybe(text)),
  question_points: optional(maybe(text)),
  assessment_question_bank_id: optional(maybe(idField('question_bank'))),
};
const editable = { quiz_groups: optional(listOf(object(groupFields))) };

type Sent = GroupGiven & { readonly assessment_question_bank_id?: number | null };

/** The first group that is sent; the list may hold an empty one. @throws Problem 400 without a list */
function sentGroup({ params, tree }: { readonly params: { readonly quiz_groups?: readonly Sent[] }; readonly tree: Call['tree'] }): Sent {
  if ([tree.quiz_groups ?? []].flat().length === 0) throw rejected('missing required key :quiz_groups');
  return params.quiz_groups?.[0] ?? {};
}

/** @throws Problem 422 by field */
function valuesAfter(given: GroupGiven, before: GroupValues): GroupValues {
  const after = groupAfter(given, before);
  if ('errors' in after) throw new Problem(422, { errors: after.errors });
  return after.values;
}

const quizOf = (path: { readonly quiz_id: string }): number => Number(path.quiz_id);

const presentGroup = (course: CourseContext, quiz_id: number, id: number): SQL | undefined =>
  and(
    eq(quiz_groups.id, id),
    eq(quiz_groups.quiz_id, quiz_id),
    sql`quiz_groups.workflow_state = 'active'`,
    sql`exists (select 1 from quizzes where ${presentQuiz(course, quiz_id)})`,
  );

const selectGroup = ({ db }: Pick<Call, 'db'>, course: CourseContext, quiz_id: number, id: number) =>
  db.build
    .select()
    .from(quiz_groups)
    .where(presentGroup(course, quiz_id, id));

const written = (where: SQL): Reply => everyRow(rows(quiz_groups, { where }));

type Creating = Pick<Call, 'db' | 'now' | 'tree'> & {
  readonly course: CourseContext;
  readonly path: { readonly quiz_id: string };
  readonly params: { readonly quiz_groups?: readonly Sent[] };
};

async function createGroup(call: Creating): Promise<Reply> {
  const { db, course, path, now } = call;
  const quiz_id = quizOf(path);
  const sent = sentGroup(call);
  const values = valuesAfter(sent, defaultGroup);
  const bank = sent.assessment_question_bank_id ?? null;
  const [quiz, banks] = await db.perform([
    db.build.select({ id: quizzes.id }).from(quizzes).where(presentQuiz(course, quiz_id)),
    db.build
      .select({ id: question_banks.id })
      .from(question_banks)
      .where(usableBank(course, bank ?? 0)),
  ]);
  found(quiz[0]);
  if (bank !== null) found(banks[0]);
  return write(
    [
      db.build.insert(quiz_groups).values({
        ...values,
        quiz_id,
        course_id: course.id,
        question_bank_id: bank,
        position: afterLastEntry(quiz_id),
        created_at: now,
        updated_at: now,
      }),
      ...afterQuestions(db, quiz_id, now),
    ],
    written(sql`quiz_groups.id = (select max(id) from quiz_groups)`),
  );
}

const returns = { wrapped: 'quiz_groups', of: quizGroup } as const;

export const quizGroupRoutes = [
  post(
    all,
    {
      can: 'manage_assignments_edit',
      params: editable,
      returns,
      status: 201,
      summary: 'Create a question group',
    },
    (call) => createGroup(call),
  ),

  // No group exists yet, so the last part of the path has no meaning.
  post(
    `${all}/:new_group`,
    {
      can: 'manage_assignments_edit',
      params: editable,
      returns,
      status: 201,
      summary: 'Create a question group',
    },
    (call) => createGroup(call),
  ),

  get(
    single,
    { can: ['manage_assignments_edit', 'read_as_admin'], returns: quizGroup, summary: 'Get a question group' },
    ({ course, path, id }) => one(rows(quiz_groups, { where: presentGroup(course, quizOf(path), id) })),
  ),

  put(
    single,
    {
      can: 'manage_assignments_edit',
      params: editable,
      returns,
      summary: 'Update a question group',
    },
    async (call) => {
      const { db, course, path, id, now } = call;
      const [there] = await db.perform([selectGroup(call, course, quizOf(path), id)]);
      const values = valuesAfter(call.params.quiz_groups?.[0] ?? {}, found(there[0]));
      return write(
        [
          db.build
            .update(quiz_groups)
            .set({ ...values, updated_at: now })
            .where(eq(quiz_groups.id, id)),
          ...afterQuestions(db, quizOf(path), now),
        ],
        written(eq(quiz_groups.id, id)),
      );
    },
  ),

  del(
    single,
    { can: 'manage_assignments_edit', returns: { json: null }, status: 204, summary: 'Delete a question group' },
    async (call) => {
      const { db, course, path, id, now } = call;
      const [there] = await db.perform([selectGroup(call, course, quizOf(path), id)]);
      found(there[0]);
      const set = { workflow_state: 'deleted' as const, updated_at: now };
      return write(
        [
          db.build.update(quiz_groups).set(set).where(eq(quiz_groups.id, id)),
          db.build.update(quiz_questions).set(set).where(sql`quiz_group_id = ${id} and workflow_state = 'active'`),
          ...afterQuestions(db, quizOf(path), now),
        ],
        answer(null),
      );
    },
  ),

  post(
    `${single}/reorder`,
    {
      can: 'manage_assignments_edit',
      params: { order: listOf(object({ id: idField('quiz_question'), type: optional(choice('question')) })) },
      returns: { json: null },
      status: 204,
      summary: 'Reorder the questions of a group',
    },
    async (call) => {
      const { db, course, path, id, params, now } = call;
      const quiz_id = quizOf(path);
      const [there, questions] = await db.perform([
        selectGroup(call, course, quiz_id, id),
        db.build
          .select({ id: quiz_questions.id, quiz_group_id: quiz_questions.quiz_group_id, position: quiz_questions.position })
          .from(quiz_questions)
          .where(
            sql`quiz_questions.quiz_id = ${quiz_id} and quiz_questions.workflow_state = 'active' and quiz_questions.quiz_id is not null`,
          ),
      ]);
      if (found(there[0]).question_bank_id !== null) throw rejected('the group draws its questions from a bank');
      const asked = [...new Set(params.order.map((one) => one.id))];
      for (const one of asked) found(questions.find((question) => question.id === one));
      const rest = questions
        .filter((question) => question.quiz_group_id === id && !asked.includes(question.id))
        .sort((a, b) => a.position - b.position || a.id - b.id)
        .map((question) => question.id);
      const places = JSON.stringify([...asked, ...rest].map((question, at) => [question, at + 1]));
      const place = sql`(select j.value ->> 1 from json_each(${places}) j where j.value ->> 0 = quiz_questions.id)`;
      return write(
        [
          db.build
            .update(quiz_questions)
            .set({ quiz_group_id: id, position: place, root_position: positionOfGroup(id), updated_at: now })
            .where(
              sql`quiz_id = ${quiz_id} and workflow_state = 'active' and ${place} is not null and (position is not ${place} or quiz_group_id is not ${id})`,
            ),
          ...afterQuestions(db, quiz_id, now),
        ],
        answer(null),
      );
    },
  ),
];
