// Questions and groups of quizzes, and what students must never see of them.

import { endpoints } from '@carrel/worker/dist/endpoints';
import { question_banks } from '@carrel/worker/domains/question_banks/table';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse } from '../support/ground';
import { askPlainly, expectNoQuizSecrets, questionsOfEveryType, secretText } from '../support/quiz_secrets';

type Scene = Awaited<ReturnType<typeof aCourse>>;
let scene: Scene;
beforeAll(async () => {
  scene = await aCourse(ground);
});

const at = (rest: string | number = '') => `/courses/${scene.course.id}/quizzes${rest === '' ? '' : `/${rest}`}`;
const teach = () => as(scene.teacher);
const learn = () => as(scene.student);
const make = async (quiz: object = {}) => ok(await teach().post(at(), { quiz: { title: 'Questions', published: true, ...quiz } }));
const add = async (quiz: { id: number }, question: object = {}) =>
  ok(await teach().post(at(`${quiz.id}/questions`), { question: { question_type: 'essay_question', points_possible: 1, ...question } }));
const group = async (quiz: { id: number }, given: object = {}) =>
  ok(await teach().post(at(`${quiz.id}/groups`), { quiz_groups: [{ name: 'Group', pick_count: 1, question_points: 2, ...given }] }), 201)
    .quiz_groups[0];
const read = async (quiz: { id: number }) => ok(await teach().get(at(quiz.id)));
const namesIn = async (quiz: { id: number }) =>
  ok(await teach().get(at(`${quiz.id}/questions`))).map((one: { question_name: string }) => one.question_name);

describe('questions', () => {
  test('one of every type is created, read and updated with its key', async () => {
    const quiz = await make();
    for (const given of questionsOfEveryType()) {
      const made = ok(within(await teach().post(at(`${quiz.id}/questions`), { question: given }), 3));
      expect(made).toMatchObject({
        quiz_id: quiz.id,
        question_type: given.question_type,
        quiz_group_id: null,
        correct_comments: secretText('correct'),
      });
      const sentBack = ok(within(await teach().put(at(`${quiz.id}/questions/${made.id}`), { question: made }), 3));
      expect(sentBack).toEqual(made);
      expect(ok(within(await teach().get(at(`${quiz.id}/questions/${made.id}`)), 2))).toEqual(made);
    }
    const types = questionsOfEveryType().map((one) => one.question_type);
    const listed = ok(within(await teach().get(at(`${quiz.id}/questions`), { per_page: 50 }), 2));
    expect(listed.map((one: { question_type: string }) => one.question_type)).toEqual(types);
    expect(listed.map((one: { position: number }) => one.position)).toEqual(types.map((_, index) => index + 1));
    const after = await read(quiz);
    // The text between questions counts for nothing.
    expect(after).toMatchObject({ question_count: types.length - 1, points_possible: (types.length - 1) * 2 });
    expect([...after.question_types].sort()).toEqual([...types].sort());
    expect(ok(await teach().get(`/courses/${scene.course.id}/assignments/${quiz.assignment_id}`))).toMatchObject({
      points_possible: after.points_possible,
    });
  });

  test('a question moves to a position or group, and is deleted', async () => {
    const quiz = await make();
    const [first, second] = [await add(quiz, { question_name: 'First' }), await add(quiz, { question_name: 'Second' })];
    await add(quiz, { question_name: 'Before', position: 1 });
    expect(await namesIn(quiz)).toEqual(['Before', 'First', 'Second']);
    const its = await group(quiz);
    const moved = ok(await teach().put(at(`${quiz.id}/questions/${first.id}`), { question: { quiz_group_id: its.id } }));
    expect(moved).toMatchObject({ quiz_group_id: its.id, points_possible: 2, position: 1 });
    expect(await namesIn(quiz)).toEqual(['Before', 'Second', 'First']);
    ok(await teach().put(at(`${quiz.id}/questions/${first.id}`), { question: { quiz_group_id: null } }));
    ok(within(await teach().del(at(`${quiz.id}/questions/${second.id}`)), 3), 204);
    expect(await namesIn(quiz)).toEqual(['Before', 'First']);
    expect(await read(quiz)).toMatchObject({ question_count: 2, points_possible: 2 });
    ok(await teach().get(at(`${quiz.id}/questions/${second.id}`)), 404);
    ok(await teach().put(at(`${quiz.id}/questions/${second.id}`), { question: {} }), 404);
    ok(await teach().del(at(`${quiz.id}/questions/${second.id}`)), 404);
  });

  test('wrong input is refused by field', async () => {
    const [quiz, other] = [await make(), await make()];
    const theirs = await group(other);
    expect(ok(await teach().post(at(`${quiz.id}/questions`), { question: { points_possible: -1 } }), 400).errors).toHaveProperty(
      'points_possible',
    );
    ok(await teach().post(at(`${quiz.id}/questions`), { question: { points_possible: 'many' } }), 400);
    ok(await teach().post(at(`${quiz.id}/questions`), { question: { quiz_group_id: theirs.id } }), 404);
    ok(await teach().post(at('999999/questions'), { question: {} }), 404);
    ok(await teach().get(at('999999/questions')), 404);
    expect(await read(quiz)).toMatchObject({ question_count: 0 });
  });

  test('questions of a bank are copied into a quiz and its groups', async () => {
    const quiz = await make();
    const bank = await ground.questionBank('Course', scene.course);
    const ids = [await ground.bankQuestion(bank, { question_name: 'From the bank' }), await ground.bankQuestion(bank, { position: 2 })];
    const copied = ok(
      within(
        await teach().post(at(`${quiz.id}/questions`), {
          existing_questions: 1,
          assessment_question_bank_id: bank,
          assessment_questions_ids: ids.join(','),
        }),
        3,
      ),
    );
    expect(copied).toMatchObject([{ question_name: 'From the bank', assessment_question_id: ids[0], quiz_id: quiz.id }, {}]);
    const shown = ok(await teach().get(at(`${quiz.id}/questions/${copied[0].id}`), { include: ['assessment_question'] }));
    expect(shown.assessment_question).toMatchObject({ id: ids[0], question_data: { question_name: 'From the bank' } });
    const [elsewhere, foreign] = [await aCourse(ground), { existing_questions: 1, assessment_questions_ids: String(ids[0]) }];
    const other = await ground.questionBank('Course', elsewhere.course);
    ok(await teach().post(at(`${quiz.id}/questions`), { ...foreign, assessment_question_bank_id: other }), 404);
    ok(
      await teach().post(at(`${quiz.id}/questions`), { ...foreign, assessment_question_bank_id: bank, assessment_questions_ids: '999999' }),
      404,
    );
  });

  test('a question made in a quiz is in the default bank of the course, from which others may draw', async () => {
    const [quiz, drawing] = [await make(), await make()];
    const made = await add(quiz, { question_name: 'Kept' });
    const shown = async () =>
      ok(await teach().get(at(`${quiz.id}/questions/${made.id}`), { include: ['assessment_question'] })).assessment_question;
    expect(await shown()).toMatchObject({ id: made.assessment_question_id, question_data: { question_name: 'Kept' } });
    ok(within(await teach().put(at(`${quiz.id}/questions/${made.id}`), { question: { question_name: 'Renamed' } }), 3));
    expect(await shown()).toMatchObject({ question_data: { question_name: 'Renamed' } });
    const banks = await ground.db.select().from(question_banks).where(eq(question_banks.title, 'Unfiled Questions'));
    const [bank, ...others] = banks.filter((one) => one.context_type === 'Course' && one.context_id === scene.course.id);
    expect(others).toEqual([]);
    const its = await group(drawing, { assessment_question_bank_id: bank?.id, pick_count: 1000 });
    const before = (await read(drawing)).question_count;
    await add(quiz);
    expect(await read(drawing)).toMatchObject({ question_count: before + 1, points_possible: (before + 1) * its.question_points });
    ok(await teach().del(at(`${quiz.id}/questions/${made.id}`)), 204);
    expect((await read(drawing)).question_count).toBe(before + 1);
    const fromBank = {
      existing_questions: 1,
      assessment_question_bank_id: bank?.id,
      assessment_questions_ids: String(made.assessment_question_id),
    };
    expect(ok(await teach().post(at(`${drawing.id}/questions`), fromBank))).toMatchObject([{ question_name: 'Renamed' }]);
  });
});

describe('groups', () => {
  test('a group is created by either address, updated, read and deleted with its questions', async () => {
    const quiz = await make();
    const made = ok(within(await teach().post(at(`${quiz.id}/groups/new`), { quiz_groups: [{ name: '' }] }), 3), 201);
    expect(made.quiz_groups).toMatchObject([
      { name: 'Question Group', pick_count: 1, question_points: 1, assessment_question_bank_id: null, position: 1 },
    ]);
    const { id } = made.quiz_groups[0];
    await add(quiz, { quiz_group_id: id, points_possible: 9 });
    await add(quiz, { quiz_group_id: id });
    expect(await read(quiz)).toMatchObject({ question_count: 1, points_possible: 1 });
    const changed = ok(
      within(
        await teach().put(at(`${quiz.id}/groups/${id}`), { quiz_groups: [{ name: 'Cells', pick_count: 5, question_points: '2.5' }] }),
        3,
      ),
    );
    expect(changed.quiz_groups).toMatchObject([{ name: 'Cells', pick_count: 5, question_points: 2.5 }]);
    expect(await read(quiz)).toMatchObject({ question_count: 2, points_possible: 5 });
    expect(ok(within(await teach().get(at(`${quiz.id}/groups/${id}`)), 2))).toEqual(changed.quiz_groups[0]);
    ok(within(await teach().del(at(`${quiz.id}/groups/${id}`)), 3), 204);
    expect(await namesIn(quiz)).toEqual([]);
    expect(await read(quiz)).toMatchObject({ question_count: 0, points_possible: 0 });
    ok(await teach().get(at(`${quiz.id}/groups/${id}`)), 404);
    ok(await teach().put(at(`${quiz.id}/groups/${id}`), { quiz_groups: [{ name: '' }] }), 404);
    ok(await teach().del(at(`${quiz.id}/groups/${id}`)), 404);
  });

  test('a missing list, wrong numbers and unknown banks are refused', async () => {
    const quiz = await make();
    expect(ok(await teach().post(at(`${quiz.id}/groups`), {}), 400)).toMatchObject({ status: 'bad_request' });
    expect(ok(await teach().post(at(`${quiz.id}/groups`), { quiz_groups: [{ pick_count: 'two' }] }), 422).errors).toHaveProperty(
      'pick_count',
    );
    ok(await teach().post(at(`${quiz.id}/groups`), { quiz_groups: [{ assessment_question_bank_id: 999_999 }] }), 404);
    ok(await teach().post(at('999999/groups'), { quiz_groups: [{ name: '' }] }), 404);
    ok(await learn().get(at(`${quiz.id}/groups/1`)), 401);
  });

  test('a group draws from a bank of the course or of an account above', async () => {
    const quiz = await make();
    const bank = await ground.questionBank('Account', { id: 1 });
    await ground.bankQuestion(bank);
    const its = await group(quiz, { assessment_question_bank_id: bank, pick_count: 3, question_points: 4 });
    expect(its).toMatchObject({ assessment_question_bank_id: bank });
    expect(await read(quiz)).toMatchObject({ question_count: 1, points_possible: 4 });
    ok(await teach().post(at(`${quiz.id}/questions`), { question: { quiz_group_id: its.id } }), 400);
  });

  test('questions and groups are reordered, and questions move into a group', async () => {
    const quiz = await make();
    const [a, b, c] = [
      await add(quiz, { question_name: 'A' }),
      await add(quiz, { question_name: 'B' }),
      await add(quiz, { question_name: 'C' }),
    ];
    const its = await group(quiz);
    ok(
      within(await teach().post(at(`${quiz.id}/groups/${its.id}/reorder`), { order: [{ id: c.id }, { id: a.id, type: 'question' }] }), 3),
      204,
    );
    expect(await namesIn(quiz)).toEqual(['B', 'C', 'A']);
    expect(await read(quiz)).toMatchObject({ question_count: 2, points_possible: 3 });
    ok(within(await teach().post(at(`${quiz.id}/reorder`), { order: [{ id: its.id, type: 'group' }, { id: b.id }] }), 3), 204);
    expect(await namesIn(quiz)).toEqual(['C', 'A', 'B']);
    ok(await teach().post(at(`${quiz.id}/reorder`), { order: [{ id: c.id, type: 'question' }] }), 204);
    expect(await namesIn(quiz)).toEqual(['C', 'A', 'B']);
    expect(ok(await teach().get(at(`${quiz.id}/questions/${c.id}`)))).toMatchObject({ quiz_group_id: null, points_possible: 1 });
    ok(await teach().post(at(`${quiz.id}/reorder`), { order: [{ id: 999_999 }] }), 404);
    ok(await teach().post(at(`${quiz.id}/groups/${its.id}/reorder`), { order: [{ id: 999_999 }] }), 404);
    ok(await teach().post(at(`${quiz.id}/reorder`), {}), 400);
  });
});

test('no response of these endpoints tells a student a secret of a quiz', async () => {
  const quiz = await make({ access_code: secretText('code'), description: 'Read this' });
  const its = await group(quiz);
  const made: { id: number }[] = [];
  for (const given of questionsOfEveryType()) made.push(await add(quiz, given));
  const values: Record<string, number | undefined> = { course_id: scene.course.id, quiz_id: quiz.id };
  const mine = endpoints.filter(({ path }) =>
    /^\/courses\/:course_id\/quizzes(\/(:id|assignment_overrides|:quiz_id\/(questions|groups|ip_filters|statistics|reports)).*)?$/.test(
      path,
    ),
  );
  expect(mine.length).toBeGreaterThan(18);
  for (const { method, path } of mine) {
    const id = path.includes('/questions/') ? made[0]?.id : path.includes('/groups/') ? its.id : quiz.id;
    const address = path.replace(/:(\w+)/g, (_, name: string) => String(values[name] ?? id));
    const asked = await askPlainly(learn(), method, address);
    expectNoQuizSecrets(asked, `${method} ${path}`);
  }
  for (const address of [
    `/courses/${scene.course.id}/assignments`,
    `/courses/${scene.course.id}/assignment_groups?include[]=assignments`,
    '/users/self/todo',
    '/planner/items',
  ])
    expectNoQuizSecrets(await learn().get(address), address);
  expect(await namesIn(quiz)).toHaveLength(10);
});
