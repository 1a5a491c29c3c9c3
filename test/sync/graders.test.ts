// Teachers' desks against the real Worker: a course is chosen, graded offline and synced; two graders and a killed program lose nothing.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Desk, openDesk } from '@carrel/desktop/engine/desk';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type BuiltCourse, groundOf, type Person } from '../support/ground';
import { type Server, startServer, withDatabase } from '../support/server';
import { hurriedClock } from './support/student';

const home = mkdtempSync(join(tmpdir(), 'carrel-graders-'));
const persist = join(home, 'server');
const students: Person[] = [];
let teachers: readonly [Person, Person];
let outsider: Person;
let server: Server | undefined;
let course: BuiltCourse;
let essays: number[] = [];
const desks: Desk[] = [];

beforeAll(async () => {
  await withDatabase(persist, async (d1) => {
    const ground = groundOf(d1);
    teachers = [await ground.person({ name: 'Grace Hopper' }), await ground.person({ name: 'Alan Turing' })];
    outsider = await ground.person({ name: 'Someone Else' });
    course = await ground.course({ name: 'Physics' });
    for (const teacher of teachers) await ground.enroll(course, teacher, 'teacher');
    for (let nth = 0; nth < 30; nth++) {
      const student = await ground.person({ name: `Student ${String(nth).padStart(2, '0')}` });
      students.push(student);
      await ground.enroll(course, student, 'student');
    }
    await ground.enroll(course, outsider, 'student', { enrollment_state: 'deleted' });
    const submission_types = ['online_text_entry'] as never;
    essays = [];
    for (const name of ['First', 'Second', 'Third', 'Fourth'])
      essays.push(await ground.assignment(course, { name, points_possible: 10, submission_types }));
    for (const essay of essays)
      for (const student of students.slice(0, 20))
        await ground.submission(course, essay, student, {
          attempt: 1,
          submission_type: 'online_text_entry',
          body: `<p>The essay of ${student.name}</p>`,
          submitted_at: '2026-09-10T08:00:00Z',
          workflow_state: 'submitted',
        });
  });
  server = await startServer({ persist });
}, 400_000);
afterEach(async () => {
  for (const desk of desks.splice(0)) await desk.close().catch(() => {});
});
afterAll(async () => {
  await server?.kill();
  rmSync(home, { recursive: true, force: true });
});

/** What happens to the connection of one desk. */
interface Line {
  /** `lost`: the server carries it out, and the answer does not arrive. */
  meets: (method: string, address: string) => 'offline' | 'lost' | undefined;
  readonly sent: string[];
}

async function deskOf(person: Person, name: string, line: Line, isNew = true): Promise<Desk> {
  const http: typeof fetch = async (address, init) => {
    const method = init?.method ?? 'GET';
    const what = line.meets(method, String(address));
    if (what === 'offline') throw new TypeError('fetch failed', { cause: new Error('the network is down') });
    if (method === 'PUT') line.sent.push(String(address));
    const response = await fetch(address, init);
    if (what === 'lost') {
      await response.arrayBuffer();
      throw new TypeError('fetch failed', { cause: new Error('the connection was lost') });
    }
    return response;
  };
  const [store, folder] = [join(home, name, 'desk'), join(home, name, 'Study')];
  const desk = await openDesk({ store, folder, clock: hurriedClock, isManual: true, http });
  desks.push(desk);
  if (!isNew) return desk;
  await desk['account.login']({ url: server?.url ?? '', token: person.token, folder });
  await sync(desk);
  await desk['gradebook.choose']({ course_id: course.id, chosen: true });
  await sync(desk);
  return desk;
}

const line = (): Line => ({ meets: () => undefined, sent: [] });
const offline: Line['meets'] = () => 'offline';
const online: Line['meets'] = () => undefined;

async function sync(desk: Desk) {
  await desk['sync.now'](undefined);
  await vi.waitFor(async () => expect((await desk['sync.status'](undefined)).phase).not.toBe('syncing'), { timeout: 60_000, interval: 20 });
  return desk['sync.status'](undefined);
}

interface There {
  readonly user_id: number;
  readonly score: number | null;
  readonly excused: boolean | null;
  readonly submission_comments: readonly { readonly comment: string; readonly author_id: number }[];
}

/** What the server has, by student. */
async function there(essay: number): Promise<ReadonlyMap<number, There>> {
  const address = `${server?.url}/api/v1/courses/${course.id}/assignments/${essay}/submissions?include[]=submission_comments&per_page=100`;
  const response = await fetch(address, { headers: { authorization: `Bearer ${teachers[0].token}` } });
  const found = (await response.json()) as There[];
  return new Map(found.map((one) => [one.user_id, one]));
}

const commentsOf = (one: There | undefined) => (one?.submission_comments ?? []).map(({ comment }) => comment);
const at = (essay: number) => ({ course_id: course.id, assignment_id: essay });

test('a teacher chooses a course, grades thirty students offline, and syncs', async () => {
  const [essay = 0] = essays;
  const own = line();
  const desk = await deskOf(teachers[0], 'alone', own);
  const book = await desk['gradebook.open']({ course_id: course.id });
  expect(book).toMatchObject({ choice: 'chosen', is_loading: false });
  expect(book?.rows.map(({ name }) => name)).toEqual(students.map(({ name }) => name));
  expect(book?.cells.filter(({ assignment_id }) => assignment_id === essay)).toHaveLength(20);
  expect(book?.sections).toMatchObject([{ id: course.section_id }]);
  const work = await desk['grading.open']({ ...at(essay), user_id: students[3]?.id ?? 0 });
  expect(work?.attempts).toMatchObject([{ attempt: 1, html: '<p>The essay of Student 03</p>' }]);
  expect((await desk['grading.queue'](at(essay)))?.students.map(({ state }) => state)).toEqual([
    ...Array.from({ length: 20 }, () => 'to grade'),
    ...Array.from({ length: 10 }, () => 'nothing'),
  ]);
  // Nothing of it is the teacher's own work.
  expect(await desk['news.list'](undefined)).toEqual([]);
  expect(await desk['course.assignments']({ course_id: course.id })).toSatisfy((entries: { submitted: boolean }[]) =>
    entries.every(({ submitted }) => !submitted),
  );

  own.meets = offline;
  const entries = students.map(({ id }, nth) => ({
    user_id: id,
    grade: `${nth % 11}`,
    ...(nth % 2 === 0 && { comment: `Well done ${nth}` }),
  }));
  await desk['gradebook.enter']({ ...at(essay), entries });
  await sync(desk);
  const totals = (await desk['gradebook.open']({ course_id: course.id }))?.rows.map(({ current_score }) => current_score);
  expect(totals).toEqual(entries.map((_, nth) => (nth % 11) * 10));
  own.meets = online;
  expect((await sync(desk)).issues).toEqual([]);
  const after = await there(essay);
  for (const [nth, { id }] of students.entries()) {
    expect(after.get(id)).toMatchObject({ score: nth % 11 });
    expect(commentsOf(after.get(id))).toEqual(nth % 2 === 0 ? [`Well done ${nth}`] : []);
  }
  expect(own.sent).toHaveLength(30);
  // The totals are those of the server.
  const enrollments = await fetch(`${server?.url}/api/v1/courses/${course.id}/enrollments?type[]=StudentEnrollment&per_page=100`, {
    headers: { authorization: `Bearer ${teachers[0].token}` },
  });
  const scores = (await enrollments.json()) as {
    user_id: number;
    grades: { unposted_current_score: number; unposted_final_score: number };
  }[];
  const rows = new Map((await desk['gradebook.open']({ course_id: course.id }))?.rows.map((row) => [row.user_id, row]));
  for (const { user_id, grades } of scores)
    expect(rows.get(user_id)).toMatchObject({ current_score: grades.unposted_current_score, final_score: grades.unposted_final_score });
}, 180_000);

test('two teachers who grade the same students offline lose nothing', async () => {
  const [, essay = 0] = essays;
  const [one, two] = [line(), line()];
  const first = await deskOf(teachers[0], 'first', one);
  const second = await deskOf(teachers[1], 'second', two);
  one.meets = offline;
  two.meets = offline;
  await first['gradebook.enter']({ ...at(essay), entries: students.map(({ id }) => ({ user_id: id, grade: '6', comment: 'From Grace' })) });
  await second['gradebook.enter']({
    ...at(essay),
    entries: students.map(({ id }, nth) => ({ user_id: id, grade: nth < 10 ? '6' : '9', ...(nth >= 10 && { comment: 'From Alan' }) })),
  });
  one.meets = online;
  await sync(first);
  two.meets = online;
  // Ten gave the same grade, which is no conflict; twenty wait.
  expect((await sync(second)).issues).toHaveLength(20);
  await sync(second);
  expect((await there(essay)).get(students[15]?.id ?? 0)).toMatchObject({ score: 6 });
  const conflict = async (id: number) => (await second['grading.open']({ ...at(essay), user_id: id }))?.conflict;
  for (const [nth, { id }] of students.entries()) {
    const found = await conflict(id);
    if (nth < 10) expect(found).toBeNull();
    else {
      expect(found).toMatchObject({ why: 'graded meanwhile', mine: { grade: '9' }, theirs: { score: 6, grader: 'Grace Hopper' } });
      await second['grading.resolve']({ id: found?.id ?? '', with: nth % 2 === 0 ? 'mine' : 'theirs' });
    }
  }
  expect((await sync(second)).issues).toEqual([]);
  const after = await there(essay);
  for (const [nth, { id }] of students.entries()) {
    const isMine = nth >= 10 && nth % 2 === 0;
    expect(after.get(id)).toMatchObject({ score: isMine ? 9 : 6 });
    expect(commentsOf(after.get(id))).toEqual(isMine ? ['From Grace', 'From Alan'] : ['From Grace']);
  }
  // What was given up is a draft.
  expect((await second['writing.list'](undefined)).filter(({ place }) => place.kind === 'comment')).toHaveLength(10);
  await sync(first);
  const book = await first['gradebook.open']({ course_id: course.id });
  expect(book?.cells.find(({ assignment_id, user_id }) => assignment_id === essay && user_id === students[12]?.id)).toMatchObject({
    score: 9,
  });
}, 240_000);

test('a new attempt holds the grade that was entered for the one before', async () => {
  const [, , essay = 0] = essays;
  const own = line();
  const desk = await deskOf(teachers[0], 'attempts', own);
  const [student] = students as [Person];
  own.meets = offline;
  await desk['gradebook.enter']({ ...at(essay), entries: [{ user_id: student.id, grade: '4' }] });
  const handedIn = await fetch(`${server?.url}/api/v1/courses/${course.id}/assignments/${essay}/submissions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${student.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ submission: { submission_type: 'online_text_entry', body: 'Better' } }),
  });
  expect(handedIn.status).toBe(201);
  own.meets = online;
  expect((await sync(desk)).issues).toMatchObject([{ what: 'your grade', where: 'Third: Student 00' }]);
  const held = await desk['grading.open']({ ...at(essay), user_id: student.id });
  expect(held).toMatchObject({ conflict: { why: 'newer attempt', theirs: { attempt: 2 } }, attempts: [{ attempt: 2 }, { attempt: 1 }] });
  expect((await there(essay)).get(student.id)).toMatchObject({ score: null });
}, 120_000);

test('a program that is killed in the middle of sending has sent everything once', async () => {
  const [, , , essay = 0] = essays;
  const own = line();
  let desk = await deskOf(teachers[0], 'killed', own);
  const some = students.slice(0, 8);
  await desk['gradebook.enter']({ ...at(essay), entries: some.map(({ id }) => ({ user_id: id, grade: '7', comment: `For ${id}` })) }).catch(
    () => {},
  );
  let count = 0;
  own.meets = (method) => (method !== 'PUT' ? undefined : ++count === 4 ? 'lost' : count > 4 ? 'offline' : undefined);
  await sync(desk);
  await desk.close();
  own.meets = online;
  desk = await deskOf(teachers[0], 'killed', own, false);
  expect((await sync(desk)).issues).toEqual([]);
  const after = await there(essay);
  for (const { id } of some) {
    expect(after.get(id)).toMatchObject({ score: 7 });
    expect(commentsOf(after.get(id))).toEqual([`For ${id}`]);
  }
  expect(await desk['outbox.list'](undefined)).toEqual([]);
}, 120_000);

async function asTeacher<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${server?.url}/api/v1/courses/${course.id}${path}`, {
    method,
    headers: { authorization: `Bearer ${teachers[0].token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.ok, `${path} ${response.status}`).toBe(true);
  return response.json() as Promise<T>;
}

test('a student votes once in a poll through the desk', async () => {
  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${server?.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${teachers[0].token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(response.ok, `${path} ${response.status}`).toBe(true);
    return response.status === 204 ? {} : ((await response.json()) as Record<string, readonly { readonly id: number }[]>);
  };
  const idIn = (told: Record<string, readonly { readonly id: number }[]>) => Object.values(told)[0]?.[0]?.id ?? 0;
  const poll = idIn(await ask('POST', '/polls', { polls: [{ question: 'Which tide?' }] }));
  for (const text of ['Neap', 'Spring']) await ask('POST', `/polls/${poll}/poll_choices`, { poll_choices: [{ text }] });
  const open = idIn(
    await ask('POST', `/polls/${poll}/poll_sessions`, { poll_sessions: [{ course_id: course.id, has_public_results: true }] }),
  );
  await ask('GET', `/polls/${poll}/poll_sessions/${open}/open`);
  const desk = await deskOf(students[3] as Person, 'voter', line());
  expect(await desk['poll.list'](undefined)).toMatchObject([{ id: open, has_voted: false }]);
  const choices = (await desk['poll.open']({ id: open }))?.choices ?? [];
  expect(choices.map(({ text, votes }) => [text, votes])).toEqual([
    ['Neap', 0],
    ['Spring', 0],
  ]);
  await desk['poll.vote']({ id: open, choice_id: choices[1]?.id ?? 0 });
  await expect(desk['poll.vote']({ id: open, choice_id: choices[0]?.id ?? 0 })).rejects.toThrow('only submit one');
  const after = await desk['poll.open']({ id: open });
  expect([after?.chosen, after?.choices.map(({ votes }) => votes)]).toEqual([choices[1]?.id, [0, 1]]);
  await ask('GET', `/polls/${poll}/poll_sessions/${open}/close`);
  await sync(desk);
  expect(await desk['poll.list'](undefined)).toEqual([]);
});

async function aQuiz(settings: object, asked: readonly object[]): Promise<number> {
  const { id } = await asTeacher<{ id: number }>('POST', '/quizzes', { quiz: { quiz_type: 'assignment', ...settings } });
  for (const question of asked)
    await asTeacher('POST', `/quizzes/${id}/questions`, {
      question: { question_name: 'Q', question_text: 'What?', points_possible: 1, ...question },
    });
  await asTeacher('PUT', `/quizzes/${id}`, { quiz: { published: true } });
  return id;
}

test('a student takes a quiz of every kind of question on the desk, half of it offline, and the server scores it', async () => {
  const asked = [
    {
      question_type: 'multiple_choice_question',
      answers: [
        { text: 'moon', weight: 100 },
        { text: 'wind', weight: 0 },
      ],
    },
    {
      question_type: 'multiple_answers_question',
      answers: [
        { text: 'a', weight: 100 },
        { text: 'b', weight: 100 },
        { text: 'c', weight: 0 },
      ],
    },
    { question_type: 'short_answer_question', answers: [{ text: 'ebb', weight: 100 }] },
    { question_type: 'numerical_question', answers: [{ numerical_answer_type: 'exact_answer', exact: 2.5, margin: 0, weight: 100 }] },
    {
      question_type: 'fill_in_multiple_blanks_question',
      question_text: 'The [one] and the [two]',
      answers: [
        { text: 'sun', blank_id: 'one', weight: 100 },
        { text: 'sea', blank_id: 'two', weight: 100 },
      ],
    },
    {
      question_type: 'multiple_dropdowns_question',
      question_text: 'Limpets eat [food]',
      answers: [
        { text: 'algae', blank_id: 'food', weight: 100 },
        { text: 'fish', blank_id: 'food', weight: 0 },
      ],
    },
    {
      question_type: 'matching_question',
      answers: [
        { answer_match_left: 'high', answer_match_right: 'dry' },
        { answer_match_left: 'low', answer_match_right: 'wet' },
      ],
    },
    { question_type: 'essay_question' },
    { question_type: 'file_upload_question' },
  ];
  const id = await aQuiz({ title: 'Tides', time_limit: 30, access_code: 'moon' }, asked);
  const student = students[0] as Person;
  const state = line();
  const desk = await deskOf(student, 'quiz', state);
  const place = { course_id: course.id, id };
  expect(await desk['quiz.list']({ course_id: course.id })).toMatchObject([{ title: 'Tides', state: 'not started', time_limit: 30 }]);
  await expect(desk['quiz.start']({ ...place, access_code: 'sun' })).rejects.toThrow('access code');
  await desk['quiz.start']({ ...place, access_code: 'moon' });
  const { questions = [], ends_at } = (await desk['quiz.attempt']({ id })) ?? {};
  expect(Math.abs(Date.parse(ends_at ?? '') - Date.now() - 1_800_000)).toBeLessThan(30_000);
  const of = (shape: string) => questions.find((question) => question.shape === shape) as (typeof questions)[number];
  const choiceOf = (shape: string, text: string) =>
    (of(shape).choices.find((one) => JSON.stringify(one.text).includes(`"${text}"`)) ?? { id: 0 }).id;
  const answer = (shape: string, given: Parameters<Desk['quiz.answer']>[0]['answer']) =>
    desk['quiz.answer']({ id, question_id: of(shape).id, answer: given });
  await answer('choice', choiceOf('choice', 'moon'));
  await answer('choices', [choiceOf('choices', 'a'), choiceOf('choices', 'b')]);
  await sync(desk);
  state.meets = offline;
  await answer('line', 'ebb');
  await answer('number', '2,5');
  await answer('blanks', { one: 'sun', two: 'sea' });
  await answer('menus', { food: of('menus').blanks[0]?.choices.find(({ text }) => text === 'algae')?.id ?? 0 });
  const right = (text: string) => of('pairs').matches.find((one) => one.text === text)?.id ?? 0;
  await answer('pairs', { [choiceOf('pairs', 'high')]: right('dry'), [choiceOf('pairs', 'low')]: right('wet') });
  await answer('text', 'Because of\n\ngravity.');
  const sketch = join(home, 'sketch.txt');
  writeFileSync(sketch, 'waves');
  await answer('files', { files: [await desk['letter.attach']({ name: 'sketch.txt', path: sketch })] });
  await desk['quiz.turn_in']({ id });
  await sync(desk);
  expect(await desk['quiz.open'](place)).toMatchObject({ state: 'waiting' });
  state.meets = online;
  await sync(desk);
  await sync(desk);
  expect(await desk['quiz.open'](place)).toMatchObject({ state: 'review', running: null, score: 7 });
  const { attempts, questions: results = [] } = await desk['quiz.results'](place);
  expect(attempts).toMatchObject([{ attempt: 1, score: 7, is_pending: true }]);
  const resultsOf = new Map(results?.map(({ shape, result }) => [shape, result]));
  for (const shape of ['choice', 'choices', 'line', 'number', 'blanks', 'menus', 'pairs'])
    expect([shape, resultsOf.get(shape as never)]).toEqual([shape, 'right']);
  expect([resultsOf.get('text'), resultsOf.get('files')]).toEqual(['not scored yet', 'not scored yet']);
  const { quiz_submissions: there } = await asTeacher<{ quiz_submissions: { workflow_state: string; score: number }[] }>(
    'GET',
    `/quizzes/${id}/submissions`,
  );
  expect(there).toMatchObject([{ workflow_state: 'pending_review', score: 7 }]);
});

test('a quiz without a way back is taken question by question, and the server scores what was answered in time', async () => {
  const numeric = (exact: number) => ({
    question_type: 'numerical_question',
    answers: [{ numerical_answer_type: 'exact_answer', exact, margin: 0, weight: 100 }],
  });
  const id = await aQuiz({ title: 'Onwards', one_question_at_a_time: true, cant_go_back: true }, [numeric(1), numeric(2)]);
  const desk = await deskOf(students[1] as Person, 'onwards', line());
  const place = { course_id: course.id, id };
  await desk['quiz.start'](place);
  const now = async () => {
    const { questions = [], steps } = (await desk['quiz.attempt']({ id })) ?? {};
    return { numbers: questions.map((one) => one.number), question_id: questions[0]?.id ?? 0, steps };
  };
  const first = await now();
  expect(first).toMatchObject({ numbers: [1], steps: { reached: 1, count: 2, can_go_back: false } });
  await desk['quiz.answer']({ id, question_id: first.question_id, answer: '1' });
  await desk['quiz.go_on']({ id });
  const second = await now();
  expect(second).toMatchObject({ numbers: [2], steps: { reached: 2 } });
  await desk['quiz.answer']({ id, question_id: second.question_id, answer: '2' });
  await desk['quiz.turn_in']({ id });
  await sync(desk);
  expect(await desk['quiz.open'](place)).toMatchObject({ state: 'done', score: 2 });
});

test('a teacher writes an announcement offline: it can be taken back, is sent once, and students see it', async () => {
  const state = line();
  const desk = await deskOf(teachers[0], 'announcer', state);
  state.meets = offline;
  const place = { kind: 'announcement', course_id: course.id } as const;
  await desk['writing.keep']({ place, words: { title: 'Exam', text: 'On Monday.' } });
  await desk['announcement.post']({ course_id: course.id, title: 'Exam', text: 'On Monday.', finished: place });
  expect(await desk['writing.open']({ place })).toBeNull();
  const [waiting] = await desk['outbox.list'](undefined);
  expect(waiting).toMatchObject({ verb: 'announce', title: 'Exam', excerpt: 'On Monday.', course_name: 'Physics' });
  await desk['outbox.take_back']({ id: waiting?.id ?? '' });
  expect(await desk['writing.open']({ place })).toMatchObject({ title: 'Exam', text: 'On Monday.' });
  const text = 'On <Tuesday> & not before.\n\nBring a pen.';
  await desk['announcement.post']({ course_id: course.id, title: 'Exam', text, finished: place });
  state.meets = (method, address) => (method === 'POST' && address.endsWith('/discussion_topics') ? 'lost' : undefined);
  await sync(desk);
  state.meets = online;
  await sync(desk);
  expect(await desk['outbox.list'](undefined)).toEqual([]);
  const answer = await fetch(`${server?.url}/api/v1/announcements?context_codes[]=course_${course.id}`, {
    headers: { authorization: `Bearer ${(students[0] as Person).token}` },
  });
  expect(await answer.json()).toMatchObject([
    { title: 'Exam', message: '<p>On &lt;Tuesday&gt; &amp; not before.</p><p>Bring a pen.</p>', author: { display_name: 'Grace Hopper' } },
  ]);
  expect(await desk['announcements.list']({ course_id: course.id })).toMatchObject([{ title: 'Exam' }]);
  const studying = await deskOf(students[1] as Person, 'no-announcer', line());
  await expect(studying['announcement.post']({ course_id: course.id, title: 'Exam', text })).rejects.toThrow('Only teachers');
});

test('grades are hidden from students and shown again from the gradebook, and need the server', async () => {
  const essay = essays[3] as number;
  const student = students[2] as Person;
  const state = line();
  const desk = await deskOf(teachers[1], 'posting', state);
  await desk['gradebook.enter']({ ...at(essay), entries: [{ user_id: student.id, grade: '8' }] });
  await sync(desk);
  const seen = async () => {
    const address = `${server?.url}/api/v1/courses/${course.id}/assignments/${essay}/submissions/self`;
    const response = await fetch(address, { headers: { authorization: `Bearer ${student.token}` } });
    return ((await response.json()) as { score?: number | null }).score ?? null;
  };
  const cell = async () =>
    (await desk['gradebook.open']({ course_id: course.id }))?.cells.find(
      ({ user_id, assignment_id }) => user_id === student.id && assignment_id === essay,
    );
  expect(await seen()).toBe(8);
  await desk['gradebook.post']({ ...at(essay), shown: false });
  await vi.waitFor(async () => expect(await seen()).toBeNull(), { timeout: 30_000, interval: 200 });
  await sync(desk);
  expect(await cell()).toMatchObject({ score: 8, posted: false });
  state.meets = offline;
  await expect(desk['gradebook.post']({ ...at(essay), shown: true })).rejects.toThrow();
  state.meets = online;
  await desk['gradebook.post']({ ...at(essay), shown: true, graded_only: true });
  await vi.waitFor(async () => expect(await seen()).toBe(8), { timeout: 30_000, interval: 200 });
  await sync(desk);
  expect(await cell()).toMatchObject({ posted: true });
  const studying = await deskOf(students[3] as Person, 'not-posting', line());
  await expect(studying['gradebook.post']({ ...at(essay), shown: false })).rejects.toThrow();
});

/** A request of a person, as any client sends it. */
async function ask<T = { id: number }>({ token }: Person, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${server?.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
}

async function handIn(student: Person, assignment: number, name: string, content: string): Promise<void> {
  const path = `/courses/${course.id}/assignments/${assignment}/submissions`;
  interface Ticket {
    readonly upload_url: string;
    readonly upload_params: Readonly<Record<string, string>>;
  }
  const { upload_url, upload_params } = await ask<Ticket>(student, 'POST', `${path}/self/files`, { name, size: content.length });
  const form = new FormData();
  for (const [field, value] of Object.entries(upload_params)) form.append(field, value);
  form.append('file', new Blob([content]), name);
  const { id } = (await (await fetch(upload_url, { method: 'POST', body: form })).json()) as { id: number };
  await ask(student, 'POST', path, { submission: { submission_type: 'online_upload', file_ids: [id] } });
}

interface WithFiles {
  readonly score: number | null;
  readonly submission_comments: readonly {
    readonly comment: string;
    readonly attempt: number | null;
    readonly attachments?: readonly { readonly display_name: string; readonly url: string }[];
  }[];
}

test('work is graded in folders: by name, anonymously and as a group, with feedback, once, and only what was seen', async () => {
  const [teacher, other] = teachers;
  const [ada, ben, cleo] = students as [Person, Person, Person];
  const at = `/courses/${course.id}`;
  const { id: set } = await ask(teacher, 'POST', `${at}/group_categories`, { name: 'Teams' });
  const { id: team } = await ask(teacher, 'POST', `/group_categories/${set}/groups`, { name: 'Red' });
  for (const { id } of [ada, ben]) await ask(teacher, 'POST', `/groups/${team}/memberships`, { user_id: id });
  const made = async (name: string, more: object) =>
    (
      await ask(teacher, 'POST', `${at}/assignments`, {
        assignment: { name, published: true, points_possible: 10, submission_types: ['online_upload'], ...more },
      })
    ).id;
  const report = await made('Report', {});
  const blind = await made('Blind', { anonymous_grading: true });
  const poster = await made('Poster', { group_category_id: set });
  await handIn(ada, report, 'report.txt', 'The report of Ada');
  await handIn(ben, report, 'report.txt', 'The report of Ben');
  await handIn(cleo, blind, 'blind.txt', 'Nobody knows');
  await handIn(ada, poster, 'poster.txt', 'Our poster');

  const own = line();
  let desk = await deskOf(teacher, 'folders', own);
  await desk['folders.switch']({ course_id: course.id, on: true });
  await sync(desk);
  expect((await sync(desk)).issues).toEqual([]);
  const { folder } = await desk['folders.state']({ course_id: course.id });
  const here = (...names: string[]) => join(folder ?? '', ...names);
  expect(readFileSync(here('Report', 'Student 00 — attempt 1', 'report.txt'), 'utf8')).toBe('The report of Ada');
  expect(readFileSync(here('Poster', 'Red — attempt 1', 'poster.txt'), 'utf8')).toBe('Our poster');
  const [unknown = ''] = readdirSync(here('Blind')).filter((name) => name.startsWith('Anonymous'));
  // The server hides the names of files, too, which often name their author.
  const [nameless = ''] = readdirSync(here('Blind', unknown)).filter((name) => name.endsWith('.txt'));
  expect(readFileSync(here('Blind', unknown, nameless), 'utf8')).toBe('Nobody knows');
  const anonymous = /^Anonymous (\w+) /.exec(unknown)?.[1] ?? '';

  const enter = (assignment: string, who: string, grade: string, comment: string) => {
    const path = here(assignment, 'grades.csv');
    const rows = readFileSync(path, 'utf8').split('\r\n');
    const changed = rows.map((row) =>
      row.startsWith(`${who},`) ? row.replace(/,[^,]*,[^,]*,[^,]*,([^,]*|"[^"]*"),(a\d-\w+)$/, `,${grade},,${comment},,$2`) : row,
    );
    expect(changed).not.toEqual(rows);
    writeFileSync(path, changed.join('\r\n'));
  };
  const feedback = (text: string, ...names: string[]) => {
    mkdirSync(dirname(here(...names)), { recursive: true });
    writeFileSync(here(...names), text);
  };
  enter('Report', `${ada.id}`, '8', 'Well done');
  enter('Report', `${ben.id}`, '6', '');
  feedback('See the margin', 'Report', 'Student 00 — attempt 1', 'Feedback', 'notes.txt');
  enter('Blind', anonymous, '7', 'Whoever you are');
  feedback('For no name', 'Blind', unknown, 'Feedback', 'notes.txt');
  enter('Poster', `group ${team}`, '9', 'All of you');
  // Another teacher is faster with one of them.
  await ask(other, 'PUT', `${at}/assignments/${report}/submissions/${ben.id}`, { submission: { posted_grade: '3' } });
  const planned = await desk['folders.plan']({ course_id: course.id });
  const changes = planned.assignments.flatMap((one) => one.changes);
  expect(changes.map(({ name, to, conflict }) => [name, to?.grade, conflict?.grade ?? null])).toEqual([
    ['Student 00', '8', null],
    ['Student 01', '6', '3'],
    [`Anonymous ${anonymous}`, '7', null],
    ['Red', '9', null],
  ]);
  expect(planned.assignments.flatMap(({ problems }) => problems)).toEqual([]);
  expect((await ask<WithFiles>(teacher, 'GET', `${at}/assignments/${report}/submissions/${ada.id}`)).score).toBeNull();

  // The first grade arrives and its response does not; then the program ends.
  let puts = 0;
  own.meets = (method) => (method === 'GET' || puts === 0 ? (method === 'PUT' && ++puts === 1 ? 'lost' : undefined) : 'offline');
  const choices = Object.fromEntries(changes.map(({ key, conflict }) => [key, conflict ? 'theirs' : 'send'] as const));
  await desk['folders.send']({ course_id: course.id, plan: planned.id, choices });
  await desk.close();
  own.meets = online;
  desk = await deskOf(teacher, 'folders', own, false);
  expect((await sync(desk)).issues).toEqual([]);
  expect(await desk['outbox.list'](undefined)).toEqual([]);
  const include = '?include[]=submission_comments';
  const of = (path: string) => ask<WithFiles>(teacher, 'GET', `${at}/assignments/${path}${include}`);
  const graded = await of(`${report}/submissions/${ada.id}`);
  expect(graded).toMatchObject({
    score: 8,
    submission_comments: [{ comment: 'Well done', attempt: 1, attachments: [{ display_name: 'notes.txt' }] }],
  });
  const [file] = graded.submission_comments[0]?.attachments ?? [];
  expect(await (await fetch(file?.url ?? '')).text()).toBe('See the margin');
  expect(await of(`${report}/submissions/${ben.id}`)).toMatchObject({ score: 3 });
  expect(await of(`${blind}/anonymous_submissions/${anonymous}`)).toMatchObject({
    score: 7,
    submission_comments: [{ comment: 'Whoever you are', attachments: [{ size: 11 }] }],
  });
  for (const { id } of [ada, ben])
    expect(await of(`${poster}/submissions/${id}`)).toMatchObject({ score: 9, submission_comments: [{ comment: 'All of you' }] });

  // Nothing is left to send, and the table has what the server has.
  expect((await desk['folders.plan']({ course_id: course.id })).assignments).toEqual([]);
  expect(readFileSync(here('Report', 'grades.csv'), 'utf8')).toMatch(new RegExp(`^${ben.id},Student 01,[^\r]*,3,,,`, 'm'));
  expect(existsSync(here('Report', 'Student 00 — attempt 1', 'Feedback', 'notes.txt'))).toBe(true);
  const names = readdirSync(here('Blind'), { recursive: true }).join() + readFileSync(here('Blind', 'grades.csv'), 'utf8');
  expect(names).not.toMatch(/Student \d/);

  // A new attempt has a folder of its own.
  await handIn(ada, report, 'better.txt', 'The report of Ada, again');
  await sync(desk);
  expect(readFileSync(here('Report', 'Student 00 — attempt 2', 'better.txt'), 'utf8')).toBe('The report of Ada, again');
}, 180_000);
