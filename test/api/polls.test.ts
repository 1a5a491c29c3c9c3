// Polls: built by a teacher, opened in a course, answered once by each participant; who sees choices, results and answers.

import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourseOfTwoSections, type Person } from '../support/ground';

type Scene = Awaited<ReturnType<typeof aCourseOfTwoSections>>;
let scene: Scene;
beforeAll(async () => {
  scene = await aCourseOfTwoSections(ground);
});

const only = (answer: Record<string, Record<string, unknown>[]>) => Object.values(answer)[0]?.[0] as Record<string, never> & { id: number };
const send = async (person: Person, path: string, body: object) => only(ok(within(await as(person).post(path, body), 3)));

/** A poll with a right and a wrong choice, and a session of it. */
async function aPoll({ teacher, course }: Scene, more: object = {}) {
  const poll = await send(teacher, '/polls', { polls: [{ question: 'Which?', description: 'Choose.' }] });
  const at = `/polls/${poll.id}`;
  const choice = (text: string, is_correct: boolean) => send(teacher, `${at}/poll_choices`, { poll_choices: [{ text, is_correct }] });
  const [right, wrong] = [await choice('Right', true), await choice('Wrong', false)];
  const session = await send(teacher, `${at}/poll_sessions`, { poll_sessions: [{ course_id: course.id, ...more }] });
  const place = `${at}/poll_sessions/${session.id}`;
  const turn = async (way: 'open' | 'close') => only(ok(within(await as(teacher).get(`${place}/${way}`), 3)));
  const answer = (person: Person, poll_choice_id: number) =>
    as(person).post(`${place}/poll_submissions`, { poll_submissions: [{ poll_choice_id }] });
  return { poll, at, right, wrong, session, place, turn, answer };
}

test('a teacher builds a poll, finds it again, changes and deletes it', async () => {
  const { teacher, student } = scene;
  const { poll, at, right, wrong } = await aPoll(scene);
  expect(poll).toEqual({
    id: poll.id,
    question: 'Which?',
    description: 'Choose.',
    user_id: teacher.id,
    created_at: expect.any(String),
    total_results: {},
  });
  for (const list of ['/polls', '/api/1/polls'])
    expect(ok(within(await as(teacher).get(list), 2)).polls.map(({ id }: { id: number }) => id)).toContain(poll.id);
  expect(ok(await as(student).get('/polls')).polls).toEqual([]);
  expect(only(ok(await as(teacher).post('/api/1/polls', { poll: { question: 'Alone?' } })))).toMatchObject({ question: 'Alone?' });

  const changed = only(ok(within(await as(teacher).put(at, { poll: [{ question: 'Which one?' }] }), 3)));
  expect(changed).toMatchObject({ question: 'Which one?', description: 'Choose.' });
  expect(right).toMatchObject({ poll_id: poll.id, text: 'Right', position: 1, is_correct: true });
  expect(wrong).toMatchObject({ position: 2, is_correct: false });
  const moved = only(ok(within(await as(teacher).put(`${at}/poll_choices/${right.id}`, { poll_choice: [{ position: 3 }] }), 3)));
  expect(moved).toMatchObject({ position: 3, is_correct: true });
  const listed = ok(within(await as(teacher).get(`${at}/poll_choices`), 2)).poll_choices;
  expect(listed.map(({ id }: { id: number }) => id)).toEqual([wrong.id, right.id]);
  expect(only(ok(within(await as(teacher).get(`${at}/poll_choices/${wrong.id}`), 2)))).toMatchObject({ text: 'Wrong' });
  ok(within(await as(teacher).del(`${at}/poll_choices/${wrong.id}`), 3), 204);
  expect((await as(teacher).get(`${at}/poll_choices/${wrong.id}`)).status).toBe(404);

  ok(within(await as(teacher).del(at), 3), 204);
  for (const path of [at, `${at}/poll_choices`, `${at}/poll_sessions`]) expect((await as(teacher).get(path)).status).toBe(404);
});

test('bad input is refused by name', async () => {
  const { teacher } = scene;
  const { at, session, place } = await aPoll(scene);
  const refusals: [string, object, string][] = [
    ['/polls', {}, 'polls is missing'],
    ['/polls', { polls: [{ description: 'x' }] }, 'question'],
    ['/polls', { polls: [{ question: 'x'.repeat(256) }] }, 'question'],
    [`${at}/poll_choices`, { poll_choices: [{ text: ' ' }] }, 'text'],
    [`${place}/poll_submissions`, {}, 'poll_submissions is missing'],
  ];
  ok(await as(teacher).get(`${place}/open`));
  for (const [path, body, named] of refusals) {
    const refused = await as(teacher).post(path, body);
    expect(refused.status, path).toBe(400);
    expect(JSON.stringify(refused.body)).toContain(named);
  }
  expect((await as(teacher).put(at, { poll: [{ question: '' }] })).status).toBe(400);
  const other = await ground.section(await ground.course());
  const { course } = scene;
  const elsewhere = await ground.course();
  for (const [given, status] of [
    [{ course_id: course.id, course_section_id: other }, 400],
    [{}, 404],
    [{ course_id: 99_999_999 }, 404],
    [{ course_id: elsewhere.id }, 404],
  ] as const)
    expect((await as(teacher).post(`${at}/poll_sessions`, { poll_sessions: [{ has_public_results: false, ...given }] })).status).toBe(
      status,
    );
  expect((await as(teacher).put(`${at}/poll_sessions/${session.id}`, { poll_session: [{ course_id: elsewhere.id }] })).status).toBe(404);
});

test('students answer an open session once, and learn the right choice when it is closed', async () => {
  const { teacher, student, student2, course } = scene;
  const { poll, at, right, wrong, session, place, turn, answer } = await aPoll(scene);
  expect(session).toMatchObject({ course_id: course.id, course_section_id: null, is_published: false, has_submitted: false, results: {} });
  for (const path of [at, `${at}/poll_choices`, place]) expect((await as(student).get(path)).status, path).toBe(404);
  expect((await answer(student, right.id)).status).toBe(404);

  expect(await turn('open')).toMatchObject({ is_published: true });
  expect(await turn('open')).toMatchObject({ is_published: true });
  const open = ok(within(await as(student).get('/poll_sessions/opened'), 2)).poll_sessions;
  expect(open.map(({ id }: { id: number }) => id)).toContain(session.id);
  expect(only(ok(within(await as(student).get(at), 2)))).toEqual({ ...poll, total_results: undefined });
  for (const choice of ok(await as(student).get(`${at}/poll_choices`)).poll_choices) expect(choice).not.toHaveProperty('is_correct');

  const mine = only(ok(within(await answer(student, wrong.id), 3)));
  expect(mine).toEqual({ id: mine.id, poll_choice_id: wrong.id, user_id: student.id, created_at: expect.any(String) });
  expect((await answer(student, right.id)).status).toBe(400);
  ok(await answer(student2, right.id));
  expect((await answer(student, 99_999_999)).status).toBe(404);
  expect(only(ok(await as(student).get(place)))).toMatchObject({ has_submitted: true, poll_submissions: [mine] });
  expect(only(ok(await as(student).get(place)))).not.toHaveProperty('results');
  expect(only(ok(within(await as(student).get(`${place}/poll_submissions/${mine.id}`), 2)))).toEqual(mine);
  expect((await as(student2).get(`${place}/poll_submissions/${mine.id}`)).status).toBe(404);

  const live = only(ok(within(await as(teacher).get(place), 2)));
  expect(live).toMatchObject({ results: { [right.id]: 1, [wrong.id]: 1 }, has_submitted: false });
  expect(live.poll_submissions).toHaveLength(2);
  expect(only(ok(await as(teacher).get(at)))).toMatchObject({ total_results: { [right.id]: 1, [wrong.id]: 1 } });
  for (const choice of ok(await as(student).get(`${at}/poll_choices`)).poll_choices) expect(choice).not.toHaveProperty('is_correct');

  expect(await turn('close')).toMatchObject({ is_published: false });
  expect((await answer(teacher, right.id)).status).toBe(401);
  expect(ok(await as(student).get(`${at}/poll_choices`)).poll_choices).toMatchObject([{ is_correct: true }, { is_correct: false }]);
  const closed = ok(within(await as(student).get('/poll_sessions/closed'), 2)).poll_sessions;
  expect(closed.map(({ id }: { id: number }) => id)).toContain(session.id);
  const again = ok(await as(student).get('/poll_sessions/opened')).poll_sessions;
  expect(again.map(({ id }: { id: number }) => id)).not.toContain(session.id);

  const shown = only(ok(within(await as(teacher).put(place, { poll_session: [{ has_public_results: true }] }), 3)));
  expect(shown).toMatchObject({ has_public_results: true });
  expect(only(ok(await as(student).get(place)))).toMatchObject({ results: { [right.id]: 1, [wrong.id]: 1 } });
  ok(within(await as(teacher).del(place), 3), 204);
  expect(only(ok(await as(teacher).get(at)))).toMatchObject({ total_results: {} });
});

test('a session of a section is for its members, and only the owner manages it', async () => {
  const { teacher, ta, student, sid, stranger, section } = scene;
  const { at, place, session, right, answer } = await aPoll(scene, { course_section_id: section });
  ok(await as(teacher).get(`${place}/open`));
  expect(ok(within(await as(teacher).get(`${at}/poll_sessions`), 2)).poll_sessions).toHaveLength(1);
  expect((await as(student).get(place)).status).toBe(404);
  expect((await answer(student, right.id)).status).toBe(404);
  ok(await answer(sid, right.id));
  const opened = async (person: Person) =>
    ok(await as(person).get('/poll_sessions/opened')).poll_sessions.some(({ id }: { id: number }) => id === session.id);
  expect([await opened(sid), await opened(student), await opened(stranger)]).toEqual([true, false, false]);
  for (const [person, status] of [
    [sid, 401],
    [ta, 404],
    [stranger, 404],
  ] as const)
    for (const [method, path, body] of [
      ['put', at, { poll: [{ question: 'Mine?' }] }],
      ['del', at, undefined],
      ['post', `${at}/poll_choices`, { poll_choices: [{ text: 'x' }] }],
      ['put', `${at}/poll_choices/${right.id}`, { poll_choice: [{ text: 'x' }] }],
      ['del', `${at}/poll_choices/${right.id}`, undefined],
      ['get', `${at}/poll_sessions`, undefined],
      ['post', `${at}/poll_sessions`, { poll_sessions: [{ course_id: scene.course.id }] }],
      ['put', place, { poll_session: [{ has_public_results: true }] }],
      ['del', place, undefined],
      ['get', `${place}/open`, undefined],
      ['get', `${place}/close`, undefined],
    ] as const)
      expect((await as(person)[method](path, body as never)).status, `${method} ${path}`).toBe(status);
  for (const person of [student, stranger]) expect((await as(person).post('/polls', { polls: [{ question: 'x' }] })).status).toBe(401);
});

test('two answers in the same moment leave one, and the counts agree', async () => {
  const { student, teacher } = scene;
  const { at, right, wrong, place, answer } = await aPoll(scene);
  ok(await as(teacher).get(`${place}/open`));
  const both = await Promise.all([answer(student, right.id), answer(student, wrong.id)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  const chosen = both[0]?.status === 200 ? right.id : wrong.id;
  expect(only(ok(await as(teacher).get(at)))).toMatchObject({ total_results: { [chosen]: 1 } });
});
