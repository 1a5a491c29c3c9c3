// Grading on the desk: students' work stays apart from one's own, grades are entered offline, sent once and only for what was seen.

import { type Desk, openDesk } from '@carrel/desktop/engine/desk';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aFakeCourse, type FakeCourse } from './support/course';
import { FakeServer } from './support/fake_server';
import { hurriedClock, Student } from './support/student';
import { idOfWork, takesGrades } from './support/takes_grades';

let server: FakeServer;
let course: FakeCourse;
let home: Student;
let desk: Desk;
let grades: ReturnType<typeof takesGrades>;
let essay: number;
let at: { course_id: number; assignment_id: number };
const [ada, ben] = [101, 102];

const open = (of = home) => openDesk({ store: of.store, folder: of.folder, clock: hurriedClock, isManual: true });
const sync = async (of = desk) => {
  await of['sync.now'](undefined);
  await vi.waitFor(async () => expect((await of['sync.status'](undefined)).phase).not.toBe('syncing'), { timeout: 20_000, interval: 20 });
  return of['sync.status'](undefined);
};
/** Like a new process. */
const restart = async () => {
  await desk.close();
  desk = await open();
};
const gradebook = async (of = desk) => {
  const found = await of['gradebook.open']({ course_id: course.id });
  if (!found) throw new Error('there is no gradebook');
  return found;
};
const cell = async (user: number, of = desk) => (await gradebook(of)).cells.find(({ user_id }) => user_id === user);
const view = async (user: number, of = desk) => {
  const found = await of['grading.open']({ ...at, user_id: user });
  if (!found) throw new Error('there is no work');
  return found;
};
const enter = (user_id: number, entry: object, of = desk) => of['gradebook.enter']({ ...at, entries: [{ user_id, ...entry }] });
const puts = () => server.asked.filter(({ method, path }) => method === 'PUT' && path.includes('/submissions/'));

beforeEach(async () => {
  server = await new FakeServer().start();
  course = aFakeCourse(server);
  grades = takesGrades(server, course);
  const me = server.id();
  server.put('enrollment', me, { id: me, user_id: 7, course_id: course.id, type: 'TeacherEnrollment' }, course.id);
  const group = server.id();
  server.put('assignment_group', group, { id: group, name: 'Work', position: 1, group_weight: 0, rules: {} }, course.id);
  essay = course.assignment('Essay', {
    grading_type: 'points',
    points_possible: 10,
    published: true,
    assignment_group_id: group,
    submission_types: ['online_text_entry'],
  });
  at = { course_id: course.id, assignment_id: essay };
  server.words.set(`/api/v1/courses/${course.id}/sections`, [{ id: 12, name: 'Monday' }] as never);
  server.words.set(`/api/v1/courses/${course.id}/grading_standards`, [] as never);
  grades.student(ada, 'Ada Lovelace');
  grades.student(ben, 'Ben Ng');
  grades.change(essay, ada, {
    attempt: 1,
    workflow_state: 'submitted',
    submission_type: 'online_text_entry',
    submitted_at: '2026-11-18T08:00:00Z',
    body: '<p>Tides<script>alert(1)</script></p>',
    submission_history: [
      {
        attempt: 1,
        submitted_at: '2026-11-18T08:00:00Z',
        submission_type: 'online_text_entry',
        body: '<p>Tides<script>alert(1)</script></p>',
        late: false,
      },
    ],
  });
  home = new Student();
  desk = await open();
  await desk['account.login']({ url: server.url, token: server.token });
  await sync();
  await desk['gradebook.choose']({ course_id: course.id, chosen: true });
  await sync();
  server.count();
});
afterEach(async () => {
  await desk.close();
  await home.leave();
  await server.stop();
});

test('the choice is sent with every request, and a course that is not chosen shows no students', async () => {
  await sync();
  expect(server.asked.filter(({ path }) => path.includes('/changes')).map(({ path }) => decodeURIComponent(path))).toEqual([
    expect.stringContaining(`graded_course_ids[]=${course.id}`),
  ]);
  server.count();
  await desk['gradebook.choose']({ course_id: course.id, chosen: false });
  await sync();
  expect(server.asked.find(({ path }) => path.includes('/changes'))?.path).not.toContain('graded');
  expect(await gradebook()).toMatchObject({ choice: 'not chosen', rows: [], cells: [] });
  expect(await desk['grading.open']({ ...at, user_id: ada })).toBeNull();
});

test('the work of students is not the work of the teacher: not in the planner, the news, the grades or the search', async () => {
  const before = (await desk['news.list'](undefined)).length;
  grades.change(essay, ada, {
    score: 9,
    grade: '9',
    workflow_state: 'graded',
    submission_comments: [{ id: 1, author_id: ada, comment: 'zebra' }],
  });
  grades.change(essay, ben, { attempt: 1, submitted_at: '2026-11-18T08:00:00Z', body: 'zebra', submission_type: 'online_text_entry' });
  await sync();
  expect(await desk['news.list'](undefined)).toHaveLength(before);
  expect(await desk['course.assignments']({ course_id: course.id })).toMatchObject([
    { submitted: false, graded: false, marked_complete: false },
  ]);
  const own = await desk['course.grades']({ course_id: course.id });
  expect(own.groups.flatMap(({ rows }) => rows)).toMatchObject([{ score: null, grade: null }]);
  expect(await desk['reader.open']({ kind: 'assignment', course_id: course.id, id: essay })).toMatchObject({
    submission: null,
    comments: [],
  });
  expect((await desk['search.find']({ text: 'zebra', course_id: null, kind: null })).found).toEqual([]);
  expect(home.read('Algebra', 'Assignments', 'Essay.html')).not.toContain('zebra');
  expect(await cell(ada)).toMatchObject({ score: 9, comments: 1 });
});

test('the gradebook has students, sections, results and totals; the grading view the work as clean HTML', async () => {
  grades.change(essay, ben, { score: 5, grade: '5', workflow_state: 'graded', posted_at: '2026-11-19T08:00:00Z' });
  await sync();
  const { rows, cells, columns, sections, is_loading, choice } = await gradebook();
  expect([is_loading, choice, sections]).toEqual([false, 'chosen', [{ id: 12, name: 'Monday' }]]);
  expect(rows).toMatchObject([
    { name: 'Ada Lovelace', sortable_name: 'Lovelace, Ada', section_ids: [12], current_score: null, final_score: 0 },
    { name: 'Ben Ng', current_score: 50, final_score: 50 },
  ]);
  expect(columns).toMatchObject([{ title: 'Essay', may_grade: true, in_total: true, unassigned: [] }]);
  expect(cells.toSorted((a, b) => a.user_id - b.user_id)).toMatchObject([
    { user_id: ada, attempt: 1, needs_grading: true, score: null },
    { user_id: ben, score: 5, posted: true, needs_grading: false },
  ]);
  expect((await view(ada)).attempts).toMatchObject([{ attempt: 1, html: expect.stringMatching(/^<p>Tides(?!.*script)/) }]);
  expect(await desk['grading.queue'](at)).toMatchObject({
    title: 'Essay',
    students: [
      { name: 'Ada Lovelace', state: 'to grade', is_unsent: false },
      { name: 'Ben Ng', state: 'graded' },
    ],
  });
});

test('thirty grades entered offline are here after a restart, count in the totals, and arrive once each', async () => {
  const students = Array.from({ length: 30 }, (_, nth) => 200 + nth);
  for (const user of students) grades.student(user, `Student ${user}`);
  await sync();
  server.count();
  server.fault = () => 'cut';
  const ids = await desk['gradebook.enter']({
    ...at,
    entries: students.map((user_id, nth) => ({
      user_id,
      grade: `${nth % 11}`,
      ...(nth % 3 === 0 && { comment: `Well done, ${user_id}` }),
    })),
  });
  expect(new Set(ids).size).toBe(30);
  await sync();
  await restart();
  expect(await cell(204)).toMatchObject({ score: 4, grade: '4', unsent: { hold: null, refused: null } });
  expect((await gradebook()).rows.find(({ user_id }) => user_id === 204)).toMatchObject({ current_score: 40, final_score: 40 });
  expect((await desk['outbox.list'](undefined)).filter(({ verb }) => verb === 'grade')).toHaveLength(30);
  server.fault = () => undefined;
  server.count();
  await sync();
  expect(puts()).toHaveLength(30);
  for (const [nth, user] of students.entries()) {
    expect(grades.at(essay, user)).toMatchObject({ score: nth % 11 });
    expect(grades.at(essay, user)?.submission_comments).toHaveLength(nth % 3 === 0 ? 1 : 0);
  }
  expect(await desk['outbox.list'](undefined)).toEqual([]);
  expect(await cell(204)).toMatchObject({ score: 4, unsent: null });
});

test('what cannot be a grade is refused, and then nothing of the call is stored', async () => {
  await expect(enter(ada, { grade: 'very good' })).rejects.toThrow('Enter points');
  await expect(enter(999, { grade: '5' })).rejects.toThrow('no longer in the course');
  await expect(enter(ada, {})).rejects.toThrow('Nothing was entered');
  await expect(
    desk['gradebook.enter']({
      ...at,
      entries: [
        { user_id: ada, grade: '5' },
        { user_id: ben, grade: 'x' },
      ],
    }),
  ).rejects.toThrow();
  server.change('assignment', essay, { in_closed_grading_period: true });
  await sync();
  await expect(enter(ada, { grade: '5' })).rejects.toThrow('cannot change grades');
  await enter(ada, { comment: 'Still allowed' });
  expect(await desk['outbox.list'](undefined)).toMatchObject([{ verb: 'grade', title: 'Essay: Ada Lovelace', excerpt: 'Still allowed' }]);
});

test('a later entry replaces an unsent one field by field, keeps the first version, and every comment', async () => {
  server.fault = () => 'cut';
  await enter(ada, { grade: '4,5', comment: 'First' });
  const version = grades.at(essay, ada)?.version;
  await enter(ada, { comment: 'Second' });
  await enter(ada, { grade: '60 %' });
  expect(await cell(ada)).toMatchObject({ score: 6, grade: '6', comments: 1 });
  expect(await desk['outbox.list'](undefined)).toMatchObject([{ excerpt: expect.stringContaining('60%') }]);
  server.fault = () => undefined;
  server.count();
  await sync();
  expect(puts().map(({ headers }) => headers['if-match'])).toEqual([`"${version}"`]);
  expect(grades.at(essay, ada)).toMatchObject({ submission_comments: [{ comment: 'First\n\nSecond' }] });
});

test('a grade that is taken back leaves its comment as a draft', async () => {
  server.fault = () => 'cut';
  const [id = ''] = await enter(ada, { grade: '4', comment: 'Please see me' });
  expect(await desk['outbox.take_back']({ id })).toBe(true);
  expect(await cell(ada)).toMatchObject({ score: null, unsent: null });
  const place = { kind: 'comment', ...at, user_id: ada } as const;
  expect(await desk['writing.open']({ place })).toMatchObject({ text: 'Please see me' });
  // Sent from there, the draft is gone.
  await desk['gradebook.enter']({ ...at, entries: [{ user_id: ada, comment: 'Please see me' }], finished: place });
  expect(await desk['writing.open']({ place })).toBeNull();
});

test.each([
  ['someone else graded', { score: 3, grade: '3', workflow_state: 'graded', graded_at: '2026-11-19T08:00:00Z' }, 'graded meanwhile'],
  ['the student handed in again', { attempt: 2, submitted_at: '2026-11-19T08:00:00Z' }, 'newer attempt'],
])('if %s meanwhile, both are shown, and nothing is sent before the user decides', async (_, meanwhile, why) => {
  await desk.close();
  grades.change(essay, ada, meanwhile);
  const theirs = grades.at(essay, ada);
  // The desk does not have it yet when the grade is entered.
  server.fault = ({ path }) => (path.includes('/changes') ? { status: 503 } : undefined);
  desk = await open();
  await enter(ada, { grade: '8', comment: 'Good' });
  server.fault = () => undefined;
  for (let nth = 0; nth < 2; nth++) expect((await sync()).issues).toMatchObject([{ what: 'your grade', where: 'Essay: Ada Lovelace' }]);
  expect(puts()).toHaveLength(1);
  expect(grades.at(essay, ada)).toEqual(theirs);
  const { conflict, cell: shown } = await view(ada);
  expect(conflict).toMatchObject({
    why,
    mine: { grade: '8', comment: 'Good' },
    theirs: { score: theirs?.score, attempt: theirs?.attempt },
  });
  expect(shown).toMatchObject({ score: 8, unsent: { hold: why } });
  expect(await desk['grading.queue'](at)).toMatchObject({ students: [{ has_conflict: true }, { has_conflict: false }] });
  // More is added to it, and it stays held.
  await enter(ada, { comment: 'Very good' });
  await sync();
  expect(puts()).toHaveLength(1);
  const id = (await view(ada)).conflict?.id ?? '';
  await desk['grading.resolve']({ id, with: 'mine' });
  await sync();
  expect(grades.at(essay, ada)).toMatchObject({ score: 8, submission_comments: [{ comment: 'Good\n\nVery good' }] });
  await expect(desk['grading.resolve']({ id, with: 'theirs' })).rejects.toThrow('already been decided');
});

test('what the other grader entered can stay; the comment becomes a draft', async () => {
  server.fault = () => 'cut';
  await enter(ada, { grade: '8', comment: 'Good' });
  grades.change(essay, ada, { score: 3, grade: '3', workflow_state: 'graded' });
  server.fault = () => undefined;
  await sync();
  await desk['grading.resolve']({ id: (await view(ada)).conflict?.id ?? '', with: 'theirs' });
  await sync();
  expect(grades.at(essay, ada)).toMatchObject({ score: 3, submission_comments: [] });
  expect(await cell(ada)).toMatchObject({ score: 3, unsent: null });
  expect(await desk['writing.open']({ place: { kind: 'comment', ...at, user_id: ada } })).toMatchObject({ text: 'Good' });
});

test('the same grade by two graders is no conflict', async () => {
  server.fault = () => 'cut';
  await enter(ada, { grade: '8' });
  grades.change(essay, ada, { score: 8, grade: '8', workflow_state: 'graded' });
  server.fault = () => undefined;
  expect((await sync()).issues).toEqual([]);
  expect(await desk['outbox.list'](undefined)).toEqual([]);
});

test.each(['cut', 'unanswered'] as const)(
  'each grade and comment arrives once if the program is killed when the connection is %s',
  async (fault) => {
    const students = [ada, ben, ...Array.from({ length: 4 }, (_, nth) => 300 + nth)];
    for (const user of students.slice(2)) grades.student(user, `Student ${user}`);
    await sync();
    await desk['gradebook.enter']({ ...at, entries: students.map((user_id) => ({ user_id, grade: '7', comment: `For ${user_id}` })) });
    let count = 0;
    server.fault = ({ method }) => (method === 'PUT' && ++count > 3 ? fault : undefined);
    await sync();
    await restart();
    // Entered after the restart: it follows the one that may have arrived.
    await enter(303, { grade: '9' });
    server.fault = () => undefined;
    await sync();
    for (const user of students) {
      expect(grades.at(essay, user)).toMatchObject({ score: user === 303 ? 9 : 7 });
      expect(grades.at(essay, user)?.submission_comments).toMatchObject([{ comment: `For ${user}` }]);
    }
    expect(await desk['outbox.list'](undefined)).toEqual([]);
  },
);

test('a refused grade waits with the reason, and can be tried again', async () => {
  grades.refuse(ada, { status: 403, body: { message: 'You may not grade this student.' } });
  await desk['gradebook.enter']({
    ...at,
    entries: [
      { user_id: ada, grade: '8' },
      { user_id: ben, excused: true },
    ],
  });
  expect((await sync()).issues).toMatchObject([{ what: 'your grade', why: 'You may not grade this student.' }]);
  expect(grades.at(essay, ben)).toMatchObject({ excused: true });
  const [{ id = '' } = {}] = await desk['outbox.list'](undefined);
  grades.relent(ada);
  await desk['outbox.retry']({ id });
  await sync();
  expect(grades.at(essay, ada)).toMatchObject({ score: 8 });
});

test('on a server without versions the desk compares before it sends', async () => {
  grades.withoutVersions();
  grades.change(essay, ada, {});
  grades.change(essay, ben, { score: 2, grade: '2' });
  for (const user of [ada, ben]) {
    const { version: _, ...submission } = grades.at(essay, user) ?? {};
    server.put('submission', idOfWork(essay, user), submission, course.id);
  }
  await sync();
  server.fault = () => 'cut';
  await desk['gradebook.enter']({
    ...at,
    entries: [
      { user_id: ada, grade: '8' },
      { user_id: ben, grade: '8' },
    ],
  });
  server.fault = () => undefined;
  server.words.set(`/api/v1/courses/${course.id}/assignments/${essay}/submissions/${ada}`, { ...grades.at(essay, ada) });
  server.words.set(`/api/v1/courses/${course.id}/assignments/${essay}/submissions/${ben}`, {
    ...grades.at(essay, ben),
    score: 4,
    grade: '4',
  });
  await sync();
  expect(grades.at(essay, ada)).toMatchObject({ score: 8 });
  expect((await view(ben)).conflict).toMatchObject({ why: 'graded meanwhile', theirs: { score: 4 } });
});

test('files of students are here for the viewers, and go with the choice', async () => {
  const attachment = { id: 4242, display_name: 'CON.txt', size: 5, url: `${server.url}/files/4242/download?verifier=v4242` };
  server.put('file', 4242, { id: 4242, display_name: 'CON.txt', size: 5 });
  server.bytes.set(4242, Buffer.from('words'));
  await sync();
  grades.change(essay, ben, {
    attempt: 1,
    submission_type: 'online_upload',
    submitted_at: '2026-11-18T08:00:00Z',
    attachments: [attachment],
    submission_history: [{ attempt: 1, submission_type: 'online_upload', submitted_at: '2026-11-18T08:00:00Z', attachments: [attachment] }],
  });
  await sync();
  expect((await view(ben)).attempts).toMatchObject([{ files: [{ id: 4242, name: 'CON.txt' }] }]);
});
