// Items of New Quizzes: questions of every type, stimuli and banks, their order, and what students must never see of them.

import { SELF } from 'cloudflare:test';
import { endpoints } from '@carrel/worker/dist/endpoints';
import { beforeAll, describe, expect, test } from 'vitest';
import { as, ground, noteRoute, ok, within } from '../support/api';
import { aCourse } from '../support/ground';
import { askPlainly, expectNoQuizSecrets, newQuizItemsOfEveryType, secretMark, secretText } from '../support/quiz_secrets';

type Scene = Awaited<ReturnType<typeof aCourse>>;
let scene: Scene;
beforeAll(async () => {
  scene = await aCourse(ground);
});

const at = (rest: string | number = '') => `/api/quiz/v1/courses/${scene.course.id}/quizzes${rest === '' ? '' : `/${rest}`}`;
const teach = () => as(scene.teacher);
const learn = () => as(scene.student);
const make = async (quiz: object = {}) => ok(await teach().post(at(), { quiz: { title: 'Items', published: true, ...quiz } }));
type Quiz = { id: string };
const essay = { interaction_type_slug: 'essay', interaction_data: {}, scoring_data: { value: '' }, scoring_algorithm: 'None' };
const add = async (quiz: Quiz, title: string, item: object = {}) =>
  ok(await teach().post(at(`${quiz.id}/items`), { item: { entry_type: 'Item', entry: { title, item_body: title, ...essay }, ...item } }));
const itemsIn = async (quiz: Quiz) => ok(await teach().get(at(`${quiz.id}/items`), { per_page: 50 }));
const titlesIn = async (quiz: Quiz) => (await itemsIn(quiz)).map((one: { entry: { title: string } }) => one.entry.title);
const positionsIn = async (quiz: Quiz) => (await itemsIn(quiz)).map((one: { position: number }) => one.position);

describe('items', () => {
  test('one of every type is created, read and updated, and its data come back as they were sent', async () => {
    const quiz = await make();
    for (const item of newQuizItemsOfEveryType()) {
      const made = ok(within(await teach().post(at(`${quiz.id}/items`), { item }, { json: true }), 3));
      expect(made).toMatchObject({ ...item, entry_editable: true, status: 'mutable', stimulus_quiz_entry_id: null });
      expect(ok(within(await teach().get(at(`${quiz.id}/items/${made.id}`)), 2))).toEqual(made);
      expect(ok(within(await teach().patch(at(`${quiz.id}/items/${made.id}`), { item: made }, { json: true }), 3))).toEqual(made);
    }
    const listed = ok(within(await teach().get(at(`${quiz.id}/items`), { per_page: 50 }), 2));
    const slugs = newQuizItemsOfEveryType().map(({ entry }) => entry.interaction_type_slug);
    expect(listed.map((one: { entry: { interaction_type_slug: string } }) => one.entry.interaction_type_slug)).toEqual(slugs);
    expect(listed.map((one: { position: number }) => one.position)).toEqual(slugs.map((_, index) => index + 1));
  });

  test('an update changes only what it names, and checks the whole', async () => {
    const quiz = await make();
    const [, choice] = newQuizItemsOfEveryType();
    const made = ok(await teach().post(at(`${quiz.id}/items`), { item: choice }));
    const path = at(`${quiz.id}/items/${made.id}`);
    const changed = ok(await teach().patch(path, { item: { points_possible: 5, entry: { scoring_data: { value: 'c' } } } }));
    expect(changed).toEqual({ ...made, points_possible: 5, entry: { ...made.entry, scoring_data: { value: 'c' } } });
    expect(ok(await teach().patch(path, { item: { entry: { scoring_data: { value: 'z' } } } }), 400).errors[0].message).toContain(
      'item[entry][scoring_data]',
    );
    expect(ok(await teach().patch(path, { item: { entry_type: 'Stimulus' } }), 400).errors[0].message).toContain('item[entry_type]');
    expect(ok(await teach().patch(path, {}))).toEqual(changed);
  });

  test('a form sends data as fields or as JSON text', async () => {
    const quiz = await make();
    const made = ok(
      await teach().post(at(`${quiz.id}/items`), {
        'item[entry_type]': 'Item',
        'item[entry][item_body]': 'True?',
        'item[entry][interaction_type_slug]': 'true-false',
        'item[entry][interaction_data]': '{"true_choice":"Yes","false_choice":"No"}',
        'item[entry][scoring_data][value]': 'true',
        'item[entry][scoring_algorithm]': 'Equivalence',
      }),
    );
    expect(made).toMatchObject({ points_possible: 1, entry: { interaction_data: { true_choice: 'Yes' }, scoring_data: { value: true } } });
  });

  test('texts are safe to show', async () => {
    const quiz = await make();
    const choices = ['a', 'b'].map((id) => ({ id, item_body: `${id}<script>x()</script>` }));
    const entry = { item_body: '<p onclick="x()">Which?</p>', interaction_type_slug: 'choice', scoring_algorithm: 'Equivalence' };
    const given = {
      ...entry,
      interaction_data: { choices },
      scoring_data: { value: 'a' },
      answer_feedback: { a: '<script>x()</script>Yes' },
    };
    const made = ok(await teach().post(at(`${quiz.id}/items`), { item: { entry_type: 'Item', entry: given } }));
    expect(made.entry).toMatchObject({ item_body: '<p>Which?</p>', answer_feedback: { a: 'Yes' } });
    expect(made.entry.interaction_data.choices).toEqual([
      { id: 'a', item_body: 'a' },
      { id: 'b', item_body: 'b' },
    ]);
  });

  test('wrong input is refused by name', async () => {
    const quiz = await make();
    const whole = { title: 'Essay', item_body: 'Write', ...essay };
    for (const [item, name] of [
      [{ entry: whole }, 'item[entry_type]'],
      [{ entry_type: 'Riddle', entry: whole }, 'item[entry_type]'],
      [{ entry_type: 'BankEntry', entry: whole }, 'item[entry][bank_entry_id]'],
      [{ entry_type: 'Item' }, 'item[entry][item_body]'],
      [{ entry_type: 'Item', entry: { ...whole, scoring_data: undefined } }, 'item[entry][scoring_data]'],
      [{ entry_type: 'Item', entry: { ...whole, scoring_data: 'x' } }, 'item[entry][scoring_data]'],
      [{ entry_type: 'Item', entry: { ...whole, interaction_type_slug: 'riddle' } }, 'item[entry][interaction_type_slug]'],
      [{ entry_type: 'Item', entry: { ...whole, scoring_algorithm: 'Equivalence' } }, 'item[entry][scoring_algorithm]'],
      [{ entry_type: 'Item', entry: { ...whole, title: 'x'.repeat(256) } }, 'item[entry][title]'],
      [{ entry_type: 'Item', entry: { ...whole, calculator_type: 'abacus' } }, 'item[entry][calculator_type]'],
      [{ entry_type: 'Item', entry: { ...whole, properties: 3 } }, 'item[entry][properties]'],
      [{ entry_type: 'Item', entry: { ...whole, item_body: 'x'.repeat(100_001) } }, 'item[entry]'],
      [{ entry_type: 'Item', entry: whole, points_possible: -1 }, 'item[points_possible]'],
      [{ entry_type: 'Item', entry: whole, position: 'first' }, 'item[position]'],
      [{ entry_type: 'Item', entry: whole, stimulus_quiz_entry_id: 999_999 }, 'item[stimulus_quiz_entry_id]'],
      [{ entry_type: 'Item', entry: whole, properties: 'x' }, 'item[properties]'],
      [{ entry_type: 'Stimulus', entry: { source_url: 'javascript:x()' } }, 'item[entry][source_url]'],
      [{ entry_type: 'Bank', entry: { id: 999_999 } }, 'item[entry][id]'],
    ] as const)
      expect(ok(await teach().post(at(`${quiz.id}/items`), { item }, { json: true }), 400).errors[0].message).toContain(name);
    ok(await teach().post(at(`${quiz.id}/items`), {}), 400);
    expect(await itemsIn(quiz)).toEqual([]);
  });

  test('items exist only in their New Quiz, and only for editors', async () => {
    const [quiz, other] = [await make(), await make()];
    const { id } = await add(quiz, 'One');
    for (const path of [at(`${other.id}/items/${id}`), at(`${quiz.id}/items/999999`), at(`999999/items/${id}`)]) {
      ok(await teach().get(path), 404);
      ok(await teach().patch(path, { item: {} }), 404);
      ok(await teach().del(path), 404);
    }
    ok(await teach().get(at('999999/items')), 404);
    ok(await teach().post(at('999999/items'), { item: { entry_type: 'Stimulus' } }), 404);
    for (const person of [scene.student, scene.observer, scene.stranger]) {
      ok(await as(person).get(at(`${quiz.id}/items`)), 401);
      ok(await as(person).get(at(`${quiz.id}/items/${id}`)), 401);
      ok(await as(person).post(at(`${quiz.id}/items`), { item: {} }), 401);
      ok(await as(person).patch(at(`${quiz.id}/items/${id}`), { item: {} }), 401);
      ok(await as(person).del(at(`${quiz.id}/items/${id}`)), 401);
    }
    expect(await titlesIn(quiz)).toEqual(['One']);
  });
});

test('items are created at a position, move and close the gap of a deleted one', async () => {
  const quiz = await make();
  const a = await add(quiz, 'A');
  const b = await add(quiz, 'B');
  await add(quiz, 'C');
  expect(await add(quiz, 'First', { position: 1 })).toMatchObject({ position: 1 });
  expect(await add(quiz, 'Last', { position: 99 })).toMatchObject({ position: 5 });
  expect(await titlesIn(quiz)).toEqual(['First', 'A', 'B', 'C', 'Last']);
  const move = async ({ id }: { id: string }, position: number) =>
    ok(within(await teach().patch(at(`${quiz.id}/items/${id}`), { item: { position } }), 3)).position;
  expect(await move(a, 4)).toBe(4);
  expect(await titlesIn(quiz)).toEqual(['First', 'B', 'C', 'A', 'Last']);
  expect(await move(a, -3)).toBe(1);
  expect(await move(b, 1000)).toBe(5);
  expect(await titlesIn(quiz)).toEqual(['A', 'First', 'C', 'Last', 'B']);
  expect(ok(within(await teach().del(at(`${quiz.id}/items/${a.id}`)), 3))).toMatchObject({ id: a.id });
  expect(await titlesIn(quiz)).toEqual(['First', 'C', 'Last', 'B']);
  expect(await positionsIn(quiz)).toEqual([1, 2, 3, 4]);
  ok(await teach().get(at(`${quiz.id}/items/${a.id}`)), 404);
});

test('items belong to a stimulus until it is deleted', async () => {
  const [quiz, other] = [await make(), await make()];
  const entry = { title: 'Poem', body: '<p>Read</p>', instructions: 'Twice', source_url: 'https://poems.example/1', orientation: 'top' };
  const stimulus = ok(await teach().post(at(`${quiz.id}/items`), { item: { entry_type: 'Stimulus', entry } }));
  expect(stimulus).toMatchObject({ entry_type: 'Stimulus', points_possible: 0, entry });
  const item = await add(quiz, 'About it', { stimulus_quiz_entry_id: stimulus.id });
  expect(item.stimulus_quiz_entry_id).toBe(stimulus.id);
  const changed = ok(await teach().patch(at(`${quiz.id}/items/${stimulus.id}`), { item: { entry: { body: 'Other' } } }));
  expect(changed.entry).toEqual({ ...entry, body: 'Other' });
  const elsewhere = await add(other, 'Elsewhere');
  ok(await teach().patch(at(`${other.id}/items/${elsewhere.id}`), { item: { stimulus_quiz_entry_id: stimulus.id } }), 400);
  ok(await teach().patch(at(`${quiz.id}/items/${item.id}`), { item: { stimulus_quiz_entry_id: item.id } }), 400);
  ok(await teach().del(at(`${quiz.id}/items/${stimulus.id}`)));
  expect(await itemsIn(quiz)).toMatchObject([{ id: item.id, position: 1, stimulus_quiz_entry_id: null }]);
});

test('a bank of the course or its account gives questions', async () => {
  const quiz = await make();
  const [bank, ofAccount] = [
    await ground.questionBank('Course', scene.course, { title: 'Own' }),
    await ground.questionBank('Account', { id: 1 }),
  ];
  await ground.bankQuestion(bank);
  await ground.bankQuestion(bank, { position: 2 });
  const elsewhere = await ground.questionBank('Course', { id: 999_999 });
  const item = { entry_type: 'Bank', points_possible: 3, properties: { sample_num: 2 }, entry: { id: bank } };
  const made = ok(within(await teach().post(at(`${quiz.id}/items`), { item }, { json: true }), 3));
  expect(made).toMatchObject({
    entry_type: 'Bank',
    entry_editable: false,
    status: 'immutable',
    points_possible: 3,
    properties: { sample_num: 2 },
  });
  expect(made.entry).toEqual({ id: String(bank), title: 'Own', archived: false, entry_count: 2, item_entry_count: 2 });
  const path = at(`${quiz.id}/items/${made.id}`);
  expect(ok(await teach().patch(path, { item: { points_possible: 4 } }))).toMatchObject({
    points_possible: 4,
    properties: { sample_num: 2 },
  });
  expect(ok(await teach().patch(path, { item: { entry: { id: ofAccount } } })).entry).toMatchObject({ title: 'Bank', entry_count: 0 });
  expect(ok(await teach().patch(path, { item: { entry: { id: elsewhere } } }), 400).errors[0].message).toContain('item[entry][id]');
  expect(ok(await teach().patch(path, { item: { properties: { sample_num: 0 } } }), 400).errors[0].message).toContain('sample_num');
});

test('an item can present one question of a bank', async () => {
  const quiz = await make();
  const bank = await ground.questionBank('Course', scene.course);
  const [question, other] = [await ground.bankQuestion(bank), await ground.bankQuestion(bank, { position: 2, question_text: 'Other?' })];
  const elsewhere = await ground.bankQuestion(await ground.questionBank('Course', { id: 999_999 }));
  const item = { entry_type: 'BankEntry', points_possible: 3, entry: { bank_entry_id: question } };
  const made = ok(within(await teach().post(at(`${quiz.id}/items`), { item }, { json: true }), 3));
  expect(made).toMatchObject({ entry_type: 'BankEntry', entry_editable: false, status: 'immutable', points_possible: 3 });
  expect(made.entry).toMatchObject({ id: String(question), entry_type: 'Item', archived: false, entry: { question_text: 'True?' } });
  const path = at(`${quiz.id}/items/${made.id}`);
  expect(ok(await teach().patch(path, { item: { points_possible: 4 } })).entry.id).toBe(String(question));
  expect(ok(await teach().patch(path, { item: { entry: { bank_entry_id: other } } })).entry.entry.question_text).toBe('Other?');
  const refused = ok(await teach().patch(path, { item: { entry: { bank_entry_id: elsewhere } } }), 400);
  expect(refused.errors[0].message).toContain('item[entry][bank_entry_id]');
});

test('no response of New Quizzes tells a student a secret', async () => {
  const quiz = await make({
    quiz_settings: { student_access_code: secretText('code'), filters: { ips: [['10.0.0.1', '10.0.0.2']] } },
    instructions: 'Read this',
  });
  const made: { id: string }[] = [];
  for (const item of newQuizItemsOfEveryType()) made.push(ok(await teach().post(at(`${quiz.id}/items`), { item }, { json: true })));
  expect(JSON.stringify(await itemsIn(quiz))).toContain(secretMark);
  ok(await teach().patch(at(quiz.id), { quiz: { published: true } }));
  const session = ok(await learn().post(at(`${quiz.id}/sessions`)));
  const values: Record<string, unknown> = {
    course_id: scene.course.id,
    assignment_id: quiz.id,
    session_id: session.id,
    item_id: made[1]?.id,
    user_id: scene.student.id,
    uuid: 'guessed',
  };
  const mine = endpoints.filter(({ path }) => path.startsWith('/api/quiz/v1/') || path.includes('/accommodations'));
  expect(mine.length).toBeGreaterThan(9);
  for (const { method, path } of mine) {
    const address = path.replace(/:(\w+)/g, (_, name: string) => String(values[name]));
    const asked = await askPlainly(learn(), method, address);
    expectNoQuizSecrets(asked, `${method} ${path}`);
  }
  for (const address of [
    `/courses/${scene.course.id}/assignments`,
    `/courses/${scene.course.id}/assignments/${quiz.id}?include[]=submission`,
    `/courses/${scene.course.id}/assignment_groups?include[]=assignments`,
    `/courses/${scene.course.id}/smartsearch?q=essay`,
    '/api/sync/v1/changes',
    '/users/self/todo',
    '/planner/items',
    `/quiz_submissions/${session.id}/questions`,
  ])
    expectNoQuizSecrets(await learn().get(address), address);
  expect(ok(await learn().get(at(`${quiz.id}/sessions/${session.id}/items`))).items).toHaveLength(newQuizItemsOfEveryType().length);
  expect(await itemsIn(quiz)).toHaveLength(newQuizItemsOfEveryType().length);
});

describe('images of questions', () => {
  const png = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);
  const put = (url: string, body: BodyInit = png, type = 'image/png') =>
    SELF.fetch(url, { method: 'PUT', body, headers: { 'Content-Type': type } } as never) as unknown as Promise<Response>;
  const addressFor = async (quiz: Quiz) => ok(within(await teach().get(at(`${quiz.id}/items/media_upload_url`)), 2)).url as string;

  test('an editor gets an address, to which an image is sent once, and where it is shown', async () => {
    const url = await addressFor(await make());
    const sent = await put(url);
    expect(sent.status).toBe(200);
    noteRoute(sent.headers, sent.status);
    const [shown = ''] = url.split('?');
    expect(await sent.json()).toEqual({ url: shown });
    const got = (await SELF.fetch(shown)) as unknown as Response;
    noteRoute(got.headers, got.status);
    expect([got.status, got.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(new Uint8Array(await got.arrayBuffer())).toEqual(png);
    expect((await put(url)).status).toBe(409);
    const item = newQuizItemsOfEveryType().find(({ entry }) => entry.interaction_type_slug === 'hot-spot');
    const entry = { ...item?.entry, interaction_data: { image_url: shown } };
    ok(await teach().post(at(`${(await make()).id}/items`), { item: { ...item, entry } }, { json: true }));
  });

  test('other addresses, other types and students are refused', async () => {
    const quiz = await make();
    const url = await addressFor(quiz);
    expect((await put(url, '<svg/>', 'image/svg+xml')).status).toBe(400);
    expect((await put(url, '<p>', 'text/html')).status).toBe(400);
    expect((await put(`${url}x`)).status).toBe(403);
    expect((await put(url.split('?')[0] ?? '')).status).toBe(403);
    expect((await put(url.replace('quiz_media/', 'quiz_media/other'))).status).toBe(403);
    expect(((await SELF.fetch(url)) as unknown as Response).status).toBe(404);
    ok(await learn().get(at(`${quiz.id}/items/media_upload_url`)), 401);
    ok(await teach().get(at('999999/items/media_upload_url')), 404);
    const course = await aCourse(ground, { storage_quota_mb: 0 });
    const { id } = ok(await as(course.teacher).post(`/api/quiz/v1/courses/${course.course.id}/quizzes`, { quiz: { title: 'Full' } }));
    const full = ok(await as(course.teacher).get(`/api/quiz/v1/courses/${course.course.id}/quizzes/${id}/items/media_upload_url`));
    expect((await put(full.url)).status).toBe(400);
  });
});
