// Taking quizzes on the desk: no saved answer is lost, whatever the network, the program or the clock does.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Desk, openDesk } from '@carrel/desktop/engine/desk';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aFakeCourse, type FakeCourse } from './support/course';
import { FakeServer } from './support/fake_server';
import { hurriedClock, Student } from './support/student';
import { takesQuizzes } from './support/takes_quizzes';

const choice = {
  id: 11,
  question_type: 'multiple_choice_question',
  question_text: '<p>What moves the <b>tides</b>?</p>',
  answers: [
    { id: 1, text: 'The moon' },
    { id: 2, html: '<i>Wind</i>' },
  ],
};
const number = { id: 12, question_type: 'numerical_question', question_text: 'How many tides a day?' };
const essay = { id: 13, question_type: 'essay_question', question_text: 'Why?' };
const text = { id: 14, question_type: 'text_only_question', question_text: 'Now the second part.' };
const files = { id: 15, question_type: 'file_upload_question', question_text: 'Attach your sketch.' };
const all = [choice, number, text, essay];

let server: FakeServer;
let course: FakeCourse;
let takes: ReturnType<typeof takesQuizzes>;
let home: Student;
let desk: Desk;

const open = () => openDesk({ store: home.store, folder: home.folder, clock: hurriedClock, isManual: true });
const sync = async () => {
  await desk['sync.now'](undefined);
  await vi.waitFor(async () => expect((await desk['sync.status'](undefined)).phase).not.toBe('syncing'), { timeout: 20_000, interval: 20 });
};
const quiz = async (id: number) => {
  const found = await desk['quiz.open']({ course_id: course.id, id });
  if (!found) throw new Error('there is no such quiz');
  return found;
};
const attempt = async (id: number) => {
  const found = await desk['quiz.attempt']({ id });
  if (!found) throw new Error('no attempt runs here');
  return found;
};
const start = (id: number, more: { access_code?: string } = {}) => desk['quiz.start']({ course_id: course.id, id, ...more });
const answer = (id: number, question_id: number, given: Parameters<Desk['quiz.answer']>[0]['answer']) =>
  desk['quiz.answer']({ id, question_id, answer: given });
const restart = async () => {
  await desk.close();
  desk = await open();
};

beforeEach(async () => {
  server = await new FakeServer().start();
  course = aFakeCourse(server);
  takes = takesQuizzes(server, course);
  home = new Student();
  desk = await open();
  await desk['account.login']({ url: server.url, token: server.token });
});
afterEach(async () => {
  await desk.close();
  await home.leave();
  await server.stop();
});

test('a quiz is started, answered, handed in and reviewed', async () => {
  const id = takes.quiz('Tides', all, { due_at: '2026-12-01T12:00:00Z' });
  await sync();
  expect(await desk['courses.list'](undefined)).toMatchObject([{ has_quizzes: true }]);
  expect(await desk['quiz.list']({ course_id: course.id })).toMatchObject([{ id, title: 'Tides', state: 'not started' }]);
  await start(id);
  const { questions } = await attempt(id);
  expect(questions.map(({ number: nth, shape }) => [nth, shape])).toEqual([
    [1, 'choice'],
    [2, 'number'],
    [null, 'none'],
    [3, 'text'],
  ]);
  expect(questions[0]).toMatchObject({
    text: [{ tag: 'p', of: ['What moves the ', { tag: 'strong', of: ['tides'] }, '?'] }],
    choices: [
      { id: 1, text: [{ of: ['The moon'] }] },
      { id: 2, text: [{ tag: 'em', of: ['Wind'] }] },
    ],
  });
  await answer(id, 11, 1);
  await answer(id, 12, '2,5');
  await answer(id, 13, 'Gravity\n\nmostly');
  expect(await attempt(id)).toMatchObject({ answered: 3, count: 3, unsent: 3 });
  await sync();
  expect(takes.answersOf(id)).toEqual({ 11: 1, 12: '2.5', 13: '<p>Gravity</p><p>mostly</p>' });
  expect(await attempt(id)).toMatchObject({ unsent: 0, trouble: null });
  await desk['quiz.turn_in']({ id });
  await sync();
  expect(takes.stateOf(id)).toBe('complete');
  expect(await desk['quiz.attempt']({ id })).toBeNull();
  expect(await quiz(id)).toMatchObject({ state: 'done', running: null, score: 3, hold: 'attempts used' });
  const { attempts, questions: results } = await desk['quiz.results']({ course_id: course.id, id });
  expect(attempts).toMatchObject([{ attempt: 1, score: 3, is_pending: false }]);
  expect(results?.map(({ result }) => result)).toEqual(['right', 'right', 'wrong', 'right']);
});

test('answers are sent by themselves soon after they were given, all changes in one request', async () => {
  const id = takes.quiz('Tides', all);
  await sync();
  await start(id);
  server.count();
  for (const given of ['G', 'Gr', 'Gravity']) await answer(id, 13, given);
  await answer(id, 11, 2);
  await vi.waitFor(() => expect(takes.answersOf(id)).toEqual({ 11: 2, 13: '<p>Gravity</p>' }), { timeout: 10_000 });
  expect(server.asked.filter(({ path }) => path.endsWith('/questions'))).toHaveLength(1);
});

test('a student whose network fails in the middle of a quiz loses no answer, not even when the program ends', async () => {
  const id = takes.quiz('Tides', all);
  await sync();
  await start(id);
  server.fault = () => 'cut';
  await answer(id, 11, 1);
  await answer(id, 13, 'Gravity');
  await sync();
  await vi.waitFor(async () => expect(await attempt(id)).toMatchObject({ unsent: 2, trouble: 'offline', answered: 2 }), {
    timeout: 10_000,
  });
  await restart();
  expect((await attempt(id)).questions[3]).toMatchObject({ answer: 'Gravity', is_sent: false });
  await answer(id, 12, '2');
  await desk['quiz.turn_in']({ id });
  expect(await quiz(id)).toMatchObject({ state: 'waiting', running: { turned_in_at: expect.any(String) } });
  await expect(answer(id, 12, '3')).rejects.toThrow('ended');
  server.fault = () => undefined;
  await sync();
  expect(takes.answersOf(id)).toEqual({ 11: 1, 12: '2', 13: '<p>Gravity</p>' });
  expect(takes.stateOf(id)).toBe('complete');
});

test.each([
  ['starting', /\/submissions$/],
  ['saving', /\/questions$/],
  ['handing in', /\/complete$/],
])('a response that is lost while %s changes nothing twice', async (_what, where) => {
  const id = takes.quiz('Tides', all, { allowed_attempts: -1 });
  await sync();
  let isLost = true;
  server.fault = ({ method, path }) => {
    if (!isLost || method !== 'POST' || !where.test(path)) return undefined;
    isLost = false;
    return 'unanswered';
  };
  await start(id);
  await answer(id, 11, 1);
  await desk['quiz.turn_in']({ id });
  await sync();
  await sync();
  expect(isLost).toBe(false);
  expect([takes.attemptsAt(id), takes.stateOf(id), takes.answersOf(id)]).toEqual([1, 'complete', { 11: 1 }]);
  expect(await quiz(id)).toMatchObject({ state: 'done', running: null });
});

test('an attempt that runs on another device continues here: its answers come, and unsent ones of this computer stay', async () => {
  const id = takes.quiz('Tides', all);
  await sync();
  await start(id);
  await answer(id, 11, 1);
  takes.answerElsewhere(id, 11, 2);
  takes.answerElsewhere(id, 12, '4');
  await start(id);
  const { questions } = await attempt(id);
  expect(questions.map(({ answer: given }) => given)).toEqual([1, '4', null, null]);
  await sync();
  expect(takes.answersOf(id)).toEqual({ 11: 1, 12: '4' });
  expect(takes.attemptsAt(id)).toBe(1);
});

test('answers that came too late are kept and shown, not sent and not lost', async () => {
  const id = takes.quiz('Tides', all);
  await sync();
  await start(id);
  await answer(id, 11, 1);
  await sync();
  server.fault = () => 'cut';
  await answer(id, 13, 'Gravity');
  takes.close(id);
  server.fault = () => undefined;
  await sync();
  expect(takes.answersOf(id)).toEqual({ 11: 1 });
  expect(await attempt(id)).toMatchObject({ is_over: true, unsent: 1 });
  await restart();
  expect((await attempt(id)).questions.filter(({ is_sent }) => !is_sent)).toMatchObject([{ id: 13, answer: 'Gravity' }]);
  expect(await quiz(id)).toMatchObject({ state: 'done', running: { is_over: true } });
  await expect(desk['quiz.turn_in']({ id })).rejects.toThrow('ended');
  await desk['quiz.forget']({ id });
  expect(await desk['quiz.attempt']({ id })).toBeNull();
});

test('a refused answer is not lost either, and no new attempt replaces answers that came too late', async () => {
  const id = takes.quiz('Tides', all, { allowed_attempts: -1 });
  await sync();
  await start(id);
  await answer(id, 13, 'long '.repeat(5000));
  await sync();
  takes.close(id);
  await expect(start(id)).rejects.toThrow('ended');
  expect(takes.attemptsAt(id)).toBe(1);
  await sync();
  expect(await attempt(id)).toMatchObject({ is_over: true, unsent: 1 });
  await expect(start(id)).rejects.toThrow('ended');
  await desk['quiz.forget']({ id });
  await start(id);
  expect([takes.attemptsAt(id), (await attempt(id)).questions[3]?.answer]).toEqual([2, null]);
});

test('an attempt that the clock of the server has closed with all answers is done', async () => {
  const id = takes.quiz('Tides', all);
  await sync();
  await start(id);
  await answer(id, 11, 1);
  await sync();
  takes.close(id);
  await sync();
  expect(await desk['quiz.attempt']({ id })).toBeNull();
  expect(await quiz(id)).toMatchObject({ state: 'done' });
});

test('the end is shown by the clock of this computer, however wrong that is', async () => {
  const id = takes.quiz('Tides', all, { time_limit: 10 });
  await sync();
  // The server has ten minutes left; this computer's clock is hours away from it.
  takes.endAt('2026-11-20T09:10:00Z');
  await start(id);
  const { ends_at } = await attempt(id);
  expect(Math.abs(Date.parse(ends_at ?? '') - Date.now() - 600_000)).toBeLessThan(10_000);
});

test('an access code goes with every answer, and is asked for again when it has changed', async () => {
  const id = takes.quiz('Tides', all, { has_access_code: true, code: 'moon' });
  await sync();
  await expect(start(id, { access_code: 'sun' })).rejects.toThrow('invalid access code');
  await start(id, { access_code: 'moon' });
  await answer(id, 11, 1);
  await sync();
  expect(takes.answersOf(id)).toEqual({ 11: 1 });
});

test('an answer that the server refuses is shown with its reason, and holds up no other', async () => {
  const id = takes.quiz('Tides', all);
  await sync();
  await start(id);
  await answer(id, 13, 'long '.repeat(5000));
  await answer(id, 11, 1);
  await sync();
  expect(takes.answersOf(id)).toEqual({ 11: 1 });
  expect((await attempt(id)).questions[3]).toMatchObject({ is_sent: false, refused: 'Text is too long.' });
  await expect(desk['quiz.turn_in']({ id })).rejects.toThrow('question 3');
  await answer(id, 13, 'short');
  await answer(id, 12, 'two');
  await expect(desk['quiz.turn_in']({ id })).rejects.toThrow('question 2');
  await answer(id, 12, '2');
  await desk['quiz.turn_in']({ id });
  await sync();
  expect(takes.answersOf(id)).toEqual({ 11: 1, 12: '2', 13: '<p>short</p>' });
});

test('an answer that is refused after the attempt was handed in offline is kept with its reason', async () => {
  const id = takes.quiz('Tides', all);
  await sync();
  await start(id);
  server.fault = () => 'cut';
  await answer(id, 11, 1);
  await answer(id, 13, 'long '.repeat(5000));
  await desk['quiz.turn_in']({ id });
  server.fault = () => undefined;
  await sync();
  expect([takes.stateOf(id), takes.answersOf(id)]).toEqual(['complete', { 11: 1 }]);
  expect(await attempt(id)).toMatchObject({ is_over: true, unsent: 1 });
  expect((await attempt(id)).questions[3]).toMatchObject({ refused: 'Text is too long.', is_sent: false });
});

test('practice without limits is taken offline, and a quiz that shows one question at a time is not', async () => {
  const practice = takes.quiz('Practice', all, { quiz_type: 'practice_quiz', allowed_attempts: -1 });
  const single = takes.quiz('One by one', all, { one_question_at_a_time: true });
  await sync();
  expect(await quiz(practice)).toMatchObject({ works_offline: true, hold: null });
  expect(await quiz(single)).toMatchObject({ works_offline: false, hold: null, one_at_a_time: 'with a way back' });
});

const shownAt = async (id: number) => (await attempt(id)).questions.map((one) => one.id);

test('questions that are shown one at a time come one by one, and the earlier ones stay', async () => {
  const id = takes.quiz('One by one', all, { one_question_at_a_time: true });
  await sync();
  await start(id);
  expect(await attempt(id)).toMatchObject({ steps: { reached: 1, count: 4, can_go_back: true } });
  expect(await shownAt(id)).toEqual([11]);
  await answer(id, 11, 1);
  await desk['quiz.go_on']({ id });
  expect(takes.answersOf(id)).toEqual({ 11: 1 });
  expect(await shownAt(id)).toEqual([11, 12]);
  server.fault = () => 'cut';
  await answer(id, 11, 2);
  await expect(desk['quiz.go_on']({ id })).rejects.toThrow();
  await restart();
  expect((await attempt(id)).questions.map((one) => one.answer)).toEqual([2, null]);
  server.fault = () => undefined;
  await desk['quiz.go_on']({ id });
  expect(takes.answersOf(id)).toEqual({ 11: 2 });
  expect(await attempt(id)).toMatchObject({ steps: { reached: 3 } });
  await desk['quiz.turn_in']({ id });
  await sync();
  expect(takes.stateOf(id)).toBe('complete');
});

test('without a way back no answer is left behind, and no earlier question stays on this computer', async () => {
  const id = takes.quiz('Onwards', [essay, number, choice], { one_question_at_a_time: true, cant_go_back: true });
  await sync();
  await start(id);
  await answer(id, 13, 'long '.repeat(5000));
  await expect(desk['quiz.go_on']({ id })).rejects.toThrow('you cannot come back');
  expect(await shownAt(id)).toEqual([13]);
  await answer(id, 13, 'Gravity');
  await desk['quiz.go_on']({ id });
  expect(await shownAt(id)).toEqual([12]);
  expect((await attempt(id)).questions[0]?.number).toBe(2);
  await answer(id, 12, 'two');
  await expect(desk['quiz.go_on']({ id })).rejects.toThrow('you cannot come back');
  // Lost responses leave the desk one question behind: it goes on to where the server is.
  await answer(id, 12, '2');
  server.fault = ({ path }) => (path.endsWith('/shown_questions') ? 'unanswered' : undefined);
  await expect(desk['quiz.go_on']({ id })).rejects.toThrow();
  server.fault = () => undefined;
  expect(await shownAt(id)).toEqual([12]);
  await answer(id, 12, '3');
  await expect(desk['quiz.go_on']({ id })).rejects.toThrow('came too late');
  expect(await shownAt(id)).toEqual([11]);
  await answer(id, 11, 1);
  takes.close(id);
  await expect(desk['quiz.go_on']({ id })).rejects.toThrow('ended');
  await sync();
  expect(takes.answersOf(id)).toEqual({ 13: '<p>Gravity</p>', 12: '2' });
  expect(await attempt(id)).toMatchObject({ is_over: true, unsent: 1 });
});

test('nothing of a question is on this computer before it was shown, and nothing of the token at any time', async () => {
  const id = takes.quiz('Tides', all);
  await sync();
  const stored = () => JSON.stringify([server.get('quiz', id)]);
  expect(stored()).not.toContain('moon');
  await start(id);
  await answer(id, 11, 1);
  await sync();
  const bytes = readdirSync(home.store, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.db(-wal)?$/.test(name))
    .map((name) => readFileSync(join(home.store, name), 'latin1'));
  expect(bytes.join('')).toContain('The moon');
  expect(bytes.join('')).not.toContain('token-0');
});

test('a file for an answer is copied at once, uploaded with the answers, and sent once', async () => {
  const id = takes.quiz('Sketches', [files]);
  const uploads: string[] = [];
  const before = server.besides;
  server.besides = (asked, body) => {
    if (asked.path.endsWith('/self/files'))
      return { status: 200, body: { attachments: [{ upload_url: `${server.url}/upload`, upload_params: {}, file_param: 'file' }] } };
    if (asked.path !== '/upload') return before(asked, body);
    uploads.push(body);
    return { status: 201, body: { id: 500, display_name: 'sketch.txt', size: 6 } };
  };
  await sync();
  await start(id);
  const path = join(home.home, 'sketch.txt');
  writeFileSync(path, 'waves!');
  const file = await desk['letter.attach']({ name: 'sketch.txt', path });
  writeFileSync(path, 'changed');
  await answer(id, 15, { files: [file] });
  await sync();
  expect(uploads).toHaveLength(1);
  expect(uploads[0]).toContain('waves!');
  expect(takes.answersOf(id)).toEqual({ 15: [500] });
});
