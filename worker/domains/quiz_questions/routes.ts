// Questions of quizzes: every endpoint, in the order of the API reference.

import { bool, commaList, idField, object, optional } from '@carrel/shared/wire/fields';
import { eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { theIds } from '../../database/ids';
import type { Database, Statement } from '../../database/open';
import type { Call } from '../../http/call';
import { del, get, post, put } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { badParameter, found, invalid, rejected } from '../../http/problem';
import { answer, all as everyRow, one, type Reply, write } from '../../http/reply';
import { usableBank } from '../question_banks/policy';
import { question_banks } from '../question_banks/table';
import { makeUnfiledBank, unfiledBank, unfiledBanks } from '../question_banks/unfiled';
import { quiz_groups } from '../quiz_groups/table';
import { afterQuestions, quizzesOfBank } from '../quizzes/counts';
import { presentQuiz } from '../quizzes/policy';
import { afterLastEntry, afterLastInGroup, makeRoomInGroup, makeRoomInQuiz, positionOfGroup } from '../quizzes/positions';
import { quizzes } from '../quizzes/table';
import { quizQuestion } from './json';
import { presentQuestion, questionsOf } from './policy';
import { queueRegrade, regradeAsked } from './regrade_request';
import { quiz_questions } from './table';
import { type QuestionGiven, questionFields } from './types/input';
import { storedQuestion } from './types/stored_question';

export const about = { title: 'Quiz questions', description: 'Questions of classic quizzes, with their answers and points.' };

const all = '/courses/:course_id/quizzes/:quiz_id/questions';
const single = `${all}/:id` as const;

const editable = { question: optional(object(questionFields)) };
const fromBank = {
  existing_questions: optional(bool),
  assessment_question_bank_id: optional(idField('question_bank')),
  assessment_questions_ids: optional(commaList(idField('quiz_question'))),
  quiz_group_id: optional(idField('quiz_group')),
};

/** Of a bank, in one request. */
const mostCopied = 100;

/** A random id of an answer or match. */
const randomId = () => 1 + ((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % 9999);

const newest = sql`(select max(id) from quiz_questions)`;
const quizOf = (path: { readonly quiz_id: string }): number => Number(path.quiz_id);

const afterLastInBank = (bank: SQL): SQL =>
  sql`(select coalesce(max(q.position), 0) + 1 from quiz_questions q where q.question_bank_id = ${bank} and q.workflow_state = 'active')`;

/** The quiz, and those whose number of questions depends on the bank. */
const withQuizzesOfBank = (quiz_id: number, bank: SQL): SQL => sql`select ${quiz_id} union ${quizzesOfBank(bank)}`;

type Around = Pick<Call, 'db' | 'now' | 'origin'> & { readonly course: CourseContext };

const selectQuiz = (db: Database, course: CourseContext, quiz_id: number) =>
  db.build.select({ id: quizzes.id }).from(quizzes).where(presentQuiz(course, quiz_id));
const selectGroup = (db: Database, quiz_id: number, id: number | null | undefined) =>
  db.build
    .select({ id: quiz_groups.id, question_bank_id: quiz_groups.question_bank_id })
    .from(quiz_groups)
    .where(sql`quiz_groups.id = ${id ?? 0} and quiz_groups.quiz_id = ${quiz_id} and quiz_groups.workflow_state = 'active'`);

/** @throws Problem 404 for an unknown group, 400 for one that draws from a bank */
function checkGroup(asked: number | null | undefined, there: readonly { readonly question_bank_id: number | null }[]): void {
  if (!asked) return;
  if (found(there[0]).question_bank_id !== null) throw invalid('quiz_group_id', 'invalid', 'draws its questions from a bank');
}

/** The place of a question that is new or moves: in a group or outside, at a position or at the end. */
function placeOf(db: Database, quiz_id: number, group: number | null, position: number | undefined) {
  const asked = position === undefined ? undefined : Math.max(1, position);
  const room: Statement[] =
    asked === undefined ? [] : group === null ? makeRoomInQuiz(db, quiz_id, asked) : makeRoomInGroup(db, group, asked);
  const values =
    group === null
      ? { quiz_group_id: null, position: asked ?? afterLastEntry(quiz_id), root_position: asked ?? afterLastEntry(quiz_id) }
      : { quiz_group_id: group, position: asked ?? afterLastInGroup(group), root_position: positionOfGroup(group) };
  return { room, values };
}

/** Copies questions of a bank into a quiz, in the order of their ids in the request. */
async function copyFromBank(
  around: Around,
  quiz_id: number,
  given: { bank: number; ids: readonly number[]; group: number | undefined },
): Promise<Reply> {
  const { db, course, now } = around;
  const group = given.group || null;
  const [quiz, banks, groups, originals] = await db.perform([
    selectQuiz(db, course, quiz_id),
    db.build.select({ id: question_banks.id }).from(question_banks).where(usableBank(course, given.bank)),
    selectGroup(db, quiz_id, group),
    db.build
      .select()
      .from(quiz_questions)
      .where(
        sql`quiz_questions.id in (${theIds(given.ids)}) and quiz_questions.question_bank_id = ${given.bank} and quiz_questions.workflow_state = 'active'`,
      ),
  ]);
  found(quiz[0]);
  found(banks[0]);
  checkGroup(group, groups);
  const copied = given.ids.map((id) => found(originals.find((original) => original.id === id)));
  const { values } = placeOf(db, quiz_id, group, undefined);
  const inserts = copied.map(({ id, question_name, question_type, question_text, points_possible, data }) =>
    db.build.insert(quiz_questions).values({
      question_name,
      question_type,
      question_text,
      points_possible,
      data,
      ...values,
      course_id: course.id,
      quiz_id,
      assessment_question_id: id,
      created_at: now,
      updated_at: now,
    }),
  );
  const made = sql`quiz_questions.id > (${newest} - ${copied.length}) and ${questionsOf(quiz_id)}`;
  return write(
    [...inserts, ...afterQuestions(db, quiz_id, now)],
    everyRow(rows(quiz_questions, { where: made, order: ascending(quiz_questions.id) })),
  );
}

async function createQuestion(around: Around, quiz_id: number, given: QuestionGiven): Promise<Reply> {
  const { db, course, now, origin } = around;
  const group = given.quiz_group_id || null;
  const [quiz, groups] = await db.perform([selectQuiz(db, course, quiz_id), selectGroup(db, quiz_id, group)]);
  found(quiz[0]);
  checkGroup(group, groups);
  const { room, values } = placeOf(db, quiz_id, group, given.position);
  const content = storedQuestion(given, undefined, randomId, origin);
  const bank = unfiledBank(course.id);
  const times = { created_at: now, updated_at: now };
  return write(
    [
      ...room,
      makeUnfiledBank(db, course.id, now),
      db.build.insert(quiz_questions).values({ ...content, question_bank_id: bank, position: afterLastInBank(bank), ...times }),
      db.build
        .insert(quiz_questions)
        .values({ ...content, ...values, course_id: course.id, quiz_id, assessment_question_id: newest, ...times }),
      ...afterQuestions(db, quiz_id, now, withQuizzesOfBank(quiz_id, bank)),
    ],
    one(rows(quiz_questions, { where: sql`quiz_questions.id = ${newest}` })),
  );
}

export const quizQuestionRoutes = [
  get(
    single,
    { can: 'manage_assignments_edit', include: ['assessment_question'], returns: quizQuestion, summary: 'Get a question' },
    ({ course, path, id }) => one(rows(quiz_questions, { where: presentQuestion(course, quizOf(path), id) })),
  ),

  post(
    all,
    { can: 'manage_assignments_edit', params: { ...editable, ...fromBank }, returns: quizQuestion, summary: 'Create a question' },
    (call) => {
      const { params, path } = call;
      if (!params.existing_questions) return createQuestion(call, quizOf(path), params.question ?? {});
      const { assessment_question_bank_id: bank = 0, assessment_questions_ids: ids = [], quiz_group_id: group } = params;
      if (ids.length > mostCopied) throw badParameter('assessment_questions_ids', `has more than ${mostCopied} ids`);
      return copyFromBank(call, quizOf(path), { bank, ids, group });
    },
  ),

  put(single, { can: 'manage_assignments_edit', params: editable, returns: quizQuestion, summary: 'Update a question' }, async (call) => {
    const { db, course, path, id, params, now, origin } = call;
    const quiz_id = quizOf(path);
    const given = params.question ?? {};
    const [there, groups] = await db.perform([
      db.build
        .select()
        .from(quiz_questions)
        .where(presentQuestion(course, quiz_id, id)),
      selectGroup(db, quiz_id, given.quiz_group_id),
    ]);
    const before = found(there[0]);
    checkGroup(given.quiz_group_id, groups);
    const group = given.quiz_group_id === undefined ? before.quiz_group_id : given.quiz_group_id || null;
    const moves = group !== before.quiz_group_id || (given.position !== undefined && given.position !== before.position);
    const place = moves ? placeOf(db, quiz_id, group, given.position) : undefined;
    const after = storedQuestion(given, before, randomId, origin);
    const option = regradeAsked(given, before, after);
    const version = before.version + 1;
    return write(
      [
        ...(place?.room ?? []),
        db.build
          .update(quiz_questions)
          .set({
            ...after,
            ...place?.values,
            ...(option && { regrade: { option, version } }),
            // A regrade names its version, so a concurrent change must not take it.
            version: option ? sql`iif(version = ${before.version}, ${version}, null)` : sql`version + 1`,
            updated_at: now,
          })
          .where(eq(quiz_questions.id, id)),
        // The original of a bank that was made on purpose stays as it is.
        db.build
          .update(quiz_questions)
          .set({ ...after, version: sql`version + 1`, updated_at: now })
          .where(sql`id = ${before.assessment_question_id ?? 0} and question_bank_id in ${unfiledBanks(course.id)}`),
        ...(option ? queueRegrade(call, { quiz_id, question_id: id, option, version }) : []),
        ...afterQuestions(db, quiz_id, now),
      ],
      one(rows(quiz_questions, { where: eq(quiz_questions.id, id) })),
      { 'quiz_questions.version': () => rejected('the question has changed meanwhile', 409) },
    );
  }),

  del(
    single,
    { can: 'manage_assignments_edit', returns: { json: null }, status: 204, summary: 'Delete a question' },
    async ({ db, course, path, id, now }) => {
      const [there] = await db.perform([
        db.build
          .select({ id: quiz_questions.id })
          .from(quiz_questions)
          .where(presentQuestion(course, quizOf(path), id)),
      ]);
      found(there[0]);
      return write(
        [
          db.build.update(quiz_questions).set({ workflow_state: 'deleted', updated_at: now }).where(eq(quiz_questions.id, id)),
          ...afterQuestions(db, quizOf(path), now),
        ],
        answer(null),
      );
    },
  ),
];
