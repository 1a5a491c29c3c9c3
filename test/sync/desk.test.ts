// The desk: the data it shows with and without the server, and how the user's edits are sent.

import { existsSync } from 'node:fs';
import { type Desk, openDesk } from '@carrel/desktop/engine/desk';
import { systemClock } from '@carrel/desktop/engine/server/session';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { aFakeCourse, type FakeCourse } from './support/course';
import { FakeServer } from './support/fake_server';
import { Student } from './support/student';
import { takesFiles } from './support/takes_files';

let server: FakeServer;
let course: FakeCourse;
let home: Student;
let desk: Desk;

const isDone = async () => {
  await vi.waitFor(async () => expect((await desk['sync.status'](undefined)).phase).not.toBe('syncing'), { timeout: 20_000, interval: 20 });
  return desk['sync.status'](undefined);
};
const sync = async () => {
  await desk['sync.now'](undefined);
  return isDone();
};
const clock = { ...systemClock, sleep: () => new Promise<void>((resolve) => setImmediate(resolve)) };
const open = (isManual = true) => openDesk({ store: home.store, folder: home.folder, clock, isManual });
const soon = { from: '2026-11-01T00:00:00Z', to: '2026-12-31T00:00:00Z' };

beforeEach(async () => {
  server = await new FakeServer().start();
  course = aFakeCourse(server);
  home = new Student();
  desk = await open();
});
afterEach(async () => {
  await desk.close();
  await home.leave();
  await server.stop();
});

const signIn = () => desk['account.login']({ url: server.url, token: server.token });

describe('signing in', () => {
  test('shows whose desk it is, and remembers it after a restart', async () => {
    expect(await desk['account.current'](undefined)).toBeNull();
    expect(await signIn()).toMatchObject({ url: server.url, user_id: 7, name: 'Ada Student', shown: true });
    await desk.close();
    desk = await open();
    const { id = '' } = (await desk['account.current'](undefined)) ?? {};
    expect(await desk['account.current'](undefined)).toMatchObject({ name: 'Ada Student' });
    await desk['account.leave']({ id, files: 'keep' });
    expect(await desk['account.current'](undefined)).toBeNull();
    await expect(desk['courses.list'](undefined)).rejects.toThrow(/signed in/);
  });

  test('a wrong token is refused with the server’s message', async () => {
    await expect(desk['account.login']({ url: server.url, token: 'wrong' })).rejects.toThrow('Invalid access token.');
    expect(await desk['account.current'](undefined)).toBeNull();
  });

  test('two programs do not share one store', async () => {
    await expect(open()).rejects.toThrow(/Another Carrel program/);
  });
});

describe('reading', () => {
  test('everything can be read without the server', async () => {
    const file = course.file('plan.txt', 'the plan', course.folder('Week 1'));
    const page = course.page(
      'Welcome',
      `<p>Hello <img src="/courses/${course.id}/files/${file}/preview"> <a href="/courses/${course.id}/pages/welcome">here</a></p>`,
      { front_page: true },
    );
    const essay = course.assignment('Essay', { due_at: '2026-11-25T10:00:00Z' });
    const news = server.id();
    server.put(
      'discussion_topic',
      news,
      {
        id: news,
        title: 'Hi',
        message: '<p>Room <b>5</b> &amp; 6</p>',
        is_announcement: true,
        posted_at: '2026-11-19T08:00:00Z',
        read_state: 'unread',
        author: { display_name: 'T. Eacher' },
      },
      course.id,
    );
    const module = server.id();
    server.put(
      'module',
      module,
      {
        id: module,
        name: 'One',
        position: 1,
        state: 'started',
        items: [
          {
            id: 1,
            type: 'Page',
            title: 'Welcome',
            position: 1,
            indent: 0,
            page_url: 'welcome',
            completion_requirement: { type: 'must_view', completed: true },
          },
          {
            id: 2,
            type: 'Assignment',
            title: 'Essay',
            position: 2,
            indent: 1,
            content_id: essay,
            completion_requirement: { type: 'must_submit', completed: false },
          },
          { id: 3, type: 'SubHeader', title: 'More', position: 3 },
          { id: 4, type: 'ExternalUrl', title: 'Web', position: 4, external_url: 'https://example.org' },
        ],
      },
      course.id,
    );
    await signIn();
    expect(await sync()).toMatchObject({ phase: 'idle', issues: [], folder: home.folder, pending_edits: 0 });
    await server.stop();

    expect(await desk['courses.list'](undefined)).toEqual([
      {
        id: course.id,
        name: 'Algebra',
        course_code: 'ALG',
        term_name: 'Autumn',
        file_count: 1,
        unread_announcements: 1,
        role: 'studies',
        progress: 0.5,
      },
    ]);
    const [first] = await desk['course.modules']({ course_id: course.id });
    expect(first?.items.map(({ open, completed }) => [open?.kind ?? null, open?.id ?? null, completed])).toEqual([
      ['page', page, true],
      ['assignment', essay, false],
      [null, null, null],
      [null, null, null],
    ]);
    expect(await desk['course.pages']({ course_id: course.id })).toEqual([{ id: page, title: 'Welcome', front_page: true }]);
    expect(await desk['announcements.list']({ course_id: null })).toMatchObject([
      { id: news, excerpt: 'Room 5 & 6', read: false, author: 'T. Eacher' },
    ]);
    expect(await desk['today.list'](soon)).toMatchObject([
      { plannable_type: 'announcement', plannable_id: news },
      {
        plannable_type: 'assignment',
        plannable_id: essay,
        course_name: 'Algebra',
        points_possible: 10,
        marked_complete: false,
        pending: false,
      },
    ]);
    expect(await desk['course.assignments']({ course_id: course.id })).toHaveLength(1);
    const reading = await desk['reader.open']({ kind: 'page', course_id: course.id, id: page });
    expect(reading?.html).toContain(`<img src="/files/${file}" />`);
    expect(reading?.html).toContain(`href="#/read/page/${course.id}/${page}"`);
    expect(await desk['reader.open']({ kind: 'assignment', course_id: course.id, id: essay })).toMatchObject({
      title: 'Essay',
      due_at: '2026-11-25T10:00:00Z',
    });
    expect(await desk['reader.open']({ kind: 'page', course_id: course.id + 1, id: page })).toBeNull();
    expect(await desk['course.files']({ course_id: course.id })).toMatchObject([
      { id: file, name: 'plan.txt', folder: 'Week 1', state: 'synced', reason: null },
    ]);
    const opened = await desk['file.open']({ id: file });
    expect(existsSync(opened?.path ?? '')).toBe(true);
    expect(await desk['store.item']({ kind: 'file', id: file })).toMatchObject({ display_name: 'plan.txt' });
    expect(await sync()).toMatchObject({ phase: 'offline' });
    server = await new FakeServer().start();
  });

  test('a deselected file is removed, and downloaded again when it is selected', async () => {
    const file = course.file('plan.txt', 'the plan');
    await signIn();
    await sync();
    await desk['file.want']({ id: file, wanted: false });
    await sync();
    expect(await desk['course.files']({ course_id: course.id })).toMatchObject([{ state: 'not wanted' }]);
    expect(await desk['file.open']({ id: file })).toBeNull();
    await desk['file.want']({ id: file, wanted: true });
    await sync();
    expect(await desk['course.files']({ course_id: course.id })).toMatchObject([{ state: 'synced' }]);
  });
});

test('grades: the server’s total, and what counts towards it', async () => {
  const [labs, talk] = [server.id(), server.id()];
  server.change('course', course.id, { apply_assignment_group_weights: true });
  const group = { course_id: course.id, group_weight: 60, rules: { drop_lowest: 1 } };
  server.put('assignment_group', labs, { ...group, id: labs, name: 'Labs', position: 2 }, course.id);
  server.put('assignment_group', talk, { ...group, id: talk, name: 'Talk', position: 1, rules: {} }, course.id);
  const given = (name: string, submission: Record<string, unknown> | undefined, more: Record<string, unknown> = {}) => {
    const id = course.assignment(name, { assignment_group_id: labs, ...more });
    const its = server.id();
    if (submission)
      server.put('submission', its, { id: its, assignment_id: id, user_id: 7, workflow_state: 'graded', ...submission }, course.id);
    return id;
  };
  const graded = given('Graded', { score: 8, grade: 'B', late: true }, { due_at: '2026-11-01T10:00:00Z' });
  given('Excused', { excused: true }, { due_at: '2026-11-02T10:00:00Z' });
  given('Lower', { score: 6, grade: '6' }, { due_at: '2026-11-02T12:00:00Z' });
  given('Aside', { score: 5, grade: '5' }, { due_at: '2026-11-03T10:00:00Z', omit_from_final_grade: true });
  given('Open', undefined, { due_at: '2026-11-04T10:00:00Z' });
  given('Said', { score: 4, grade: '4' }, { assignment_group_id: talk, points_possible: 5 });
  server.put(
    'enrollment',
    server.id(),
    { type: 'StudentEnrollment', user_id: 7, grades: { current_score: 81.5, current_grade: 'B' } },
    course.id,
  );
  await signIn();
  await sync();
  const found = await desk['course.grades']({ course_id: course.id });
  expect(found).toMatchObject({ is_hidden: false, score: 81.5, grade: 'B', is_weighted: true });
  expect(
    found.groups.map(({ name, weight, drop_lowest, points, points_possible }) => [name, weight, drop_lowest, points, points_possible]),
  ).toEqual([
    ['Talk', 60, 0, 4, 5],
    ['Labs', 60, 1, 8, 10],
  ]);
  expect(found.groups[1]?.rows.map(({ title, score, aside }) => [title, score, aside])).toEqual([
    ['Graded', 8, null],
    ['Excused', null, 'excused'],
    ['Lower', 6, 'dropped'],
    ['Aside', 5, 'not in the total'],
    ['Open', null, 'not graded yet'],
  ]);
  expect(found.groups[1]?.rows[0]).toMatchObject({ id: graded, grade: 'B', late: true, open: { kind: 'assignment' } });
  expect(found).toMatchObject({ computed: null, periods: [] });

  // What if the open work had full points, and the best had none? Nothing of it is stored.
  const open = Number(found.groups[1]?.rows[4]?.id);
  const what_if = [
    { assignment_id: open, score: 10 },
    { assignment_id: graded, score: null },
  ];
  const assumed = await desk['course.grades']({ course_id: course.id, what_if });
  // Labs: 10 of 10, with the lower one dropped; talk: 4 of 5. The weights are 120 % together.
  expect(assumed).toMatchObject({ score: 81.5, computed: { score: 108 } });
  expect(assumed.groups[1]?.rows.map(({ title, score, is_assumed }) => [title, score, is_assumed])).toEqual([
    ['Graded', null, true],
    ['Excused', null, false],
    ['Lower', 6, false],
    ['Aside', 5, false],
    ['Open', 10, true],
  ]);
  expect(await desk['course.grades']({ course_id: course.id })).toEqual(found);

  // One grading period: its work and its total.
  const grading_periods = [
    { id: 1, title: 'First', start_date: '2026-10-01T00:00:00Z', end_date: '2026-11-02T11:00:00Z' },
    { id: 2, title: 'Second', start_date: '2026-11-02T11:00:00Z', end_date: '2026-12-31T00:00:00Z' },
  ];
  server.change('course', course.id, { grading_periods });
  await sync();
  const second = await desk['course.grades']({ course_id: course.id, grading_period_id: 2 });
  expect(second.periods).toEqual([
    { id: 1, title: 'First' },
    { id: 2, title: 'Second' },
  ]);
  // Work without a date belongs to the last period.
  expect(second.groups.flatMap(({ rows }) => rows.map(({ title }) => title))).toEqual(['Said', 'Lower', 'Aside', 'Open']);
  expect(second.computed).toEqual({ score: 84 });
  // Where periods are weighted, only graders learn their weights.
  server.change('course', course.id, { has_weighted_grading_periods: true });
  await sync();
  expect((await desk['course.grades']({ course_id: course.id, what_if })).computed).toEqual({ score: null });
});

test('an assignment whose grade is hidden is not shown as graded', async () => {
  const [shown, hidden] = [course.assignment('Shown', {}), course.assignment('Hidden', {})];
  for (const [id, posted_at] of [
    [shown, '2026-11-01T10:00:00Z'],
    [hidden, null],
  ] as const) {
    const its = server.id();
    server.put('submission', its, { id: its, assignment_id: id, user_id: 7, workflow_state: 'graded', posted_at }, course.id);
  }
  await signIn();
  await sync();
  const listed = await desk['course.assignments']({ course_id: course.id });
  const [open, done] = [false, true].map((isDone) =>
    listed.filter((one) => one.marked_complete === isDone).map(({ title, graded }) => [title, graded]),
  );
  expect(done).toEqual([['Shown', true]]);
  expect(open).toContainEqual(['Hidden', false]);
});

test('what the teacher removed is still listed and can be opened', async () => {
  const file = course.file('plan.txt', 'the plan', course.folder('Week 1'));
  await signIn();
  await sync();
  server.remove('file', file);
  await sync();
  expect(await desk['course.files']({ course_id: course.id })).toMatchObject([
    { id: file, name: 'plan.txt', folder: 'Removed by teacher/Week 1', state: 'removed by teacher', size: 8 },
  ]);
  expect((await desk['file.open']({ id: file }))?.path).toMatch(/Removed by teacher.Week 1.plan\.txt$/);
});

test('what is locked for now keeps its place, and shows until when', async () => {
  const folder = course.folder('Week 1');
  const [dated, hidden, inModule] = [
    course.file('dated.txt', 'dated', folder),
    course.file('hidden.txt', 'hidden', folder),
    course.file('module.txt', 'module'),
  ];
  await signIn();
  await sync();
  server.withhold('folder', folder, { why: 'locked' });
  server.withhold('file', dated, { why: 'locked', unlock_at: '2026-12-01T10:00:00Z', explanation: 'This file is locked until then.' });
  server.withhold('file', hidden, { why: 'hidden' });
  server.change('file', inModule, {
    url: '',
    locked_for_user: true,
    lock_info: { context_module: { name: 'Two' } },
    lock_explanation: 'Not yet.',
  });
  server.withhold('file', server.id(), { why: 'hidden' });
  expect(await sync()).toMatchObject({ phase: 'idle', issues: [] });
  const files = () => desk['course.files']({ course_id: course.id });
  expect(await files()).toMatchObject([
    { id: inModule, folder: '', state: 'kept', lock: { why: 'locked', until: null, module: 'Two' } },
    { id: dated, folder: 'Week 1', state: 'kept', lock: { why: 'locked', until: '2026-12-01T10:00:00Z', module: null } },
    { id: hidden, folder: 'Week 1', state: 'kept', lock: { why: 'hidden', until: null, module: null } },
  ]);
  expect((await desk['file.open']({ id: dated }))?.path).toMatch(/Algebra.Week 1.dated\.txt$/);
  server.remove('file', hidden);
  await sync();
  expect((await files()).find(({ id }) => id === hidden)).toMatchObject({ state: 'removed by teacher' });
});

test('closing the desk does not wait for a download', async () => {
  course.file('slow.txt', 'slow');
  server.fault = ({ path }) => (path.startsWith('/files/') ? { wait: 30_000 } : undefined);
  await signIn();
  await desk['sync.now'](undefined);
  await vi.waitFor(() => expect(server.asked.some(({ path }) => path.startsWith('/files/'))).toBe(true), { timeout: 20_000 });
  const started = Date.now();
  await desk.close();
  expect(Date.now() - started).toBeLessThan(5000);
  desk = await open();
  expect((await desk['sync.status'](undefined)).issues).toEqual([]);
});

describe('the planner, edited on the desk', () => {
  const note = { title: 'Read', details: 'chapter 2', todo_date: '2026-11-22T00:00:00Z', course_id: null };
  const writes = () => server.asked.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);

  test('a note created, changed and read offline is sent once, and gets the server’s id', async () => {
    await signIn();
    await sync();
    const made = await desk['note.create'](note);
    expect(made).toMatchObject({ title: 'Read', pending: true });
    expect(made.plannable_id).toBeLessThan(0);
    await desk['note.update']({ ...note, id: made.plannable_id, title: 'Read again' });
    expect(await desk['today.list'](soon)).toMatchObject([{ title: 'Read again', pending: true }]);
    expect(await sync()).toMatchObject({ pending_edits: 0 });
    expect(server.all('planner_note')).toMatchObject([{ title: 'Read again', details: 'chapter 2' }]);
    const [entry] = await desk['today.list'](soon);
    expect(entry).toMatchObject({ title: 'Read again', pending: false });
    expect(entry?.plannable_id).toBeGreaterThan(0);
    // The UI may still use the temporary id.
    await desk['note.update']({ ...note, id: made.plannable_id, title: 'Read twice' });
    await sync();
    expect(server.all('planner_note')).toMatchObject([{ title: 'Read twice' }]);
    await desk['note.delete']({ id: entry?.plannable_id ?? 0 });
    expect(await desk['today.list'](soon)).toEqual([]);
    await sync();
    expect(server.all('planner_note')).toEqual([]);
  });

  test('a note created and completed offline is completed on the server, too', async () => {
    await signIn();
    await sync();
    const { plannable_id } = await desk['note.create'](note);
    await desk['planner.mark']({ plannable_type: 'planner_note', plannable_id, marked_complete: true });
    expect(await sync()).toMatchObject({ pending_edits: 0, issues: [] });
    const [there] = server.all('planner_note');
    expect(server.all('planner_override')).toMatchObject([
      { plannable_type: 'planner_note', plannable_id: there?.id, marked_complete: true },
    ]);
  });

  test('a note edited on two devices keeps both edits, and a deletion never discards an edit', async () => {
    const put = (id: number, more: object) => server.put('planner_note', id, { id, ...note, ...more });
    await signIn();
    for (const id of [7001, 7002, 7003, 7004]) put(id, {});
    await sync();
    await desk['note.update']({ ...note, id: 7001, title: 'Read on the train' });
    await desk['note.update']({ ...note, id: 7001, title: 'Read on the train', details: 'chapter 2 and 3' });
    await desk['note.update']({ ...note, id: 7002, title: 'Read on the train' });
    await desk['note.delete']({ id: 7003 });
    await desk['note.update']({ ...note, id: 7004, details: 'of the train' });
    // Meanwhile, on the phone.
    put(7001, { details: 'chapter 2, page 40' });
    put(7002, { todo_date: '2026-11-23T00:00:00Z', details: 'of the phone' });
    put(7003, { details: 'of the phone' });
    server.remove('planner_note', 7004);
    expect(await sync()).toMatchObject({ pending_edits: 0, issues: [] });
    expect(server.all('planner_note')).toMatchObject([
      { id: 7001, title: 'Read on the train', details: 'chapter 2, page 40\n\nchapter 2 and 3' },
      { id: 7002, title: 'Read on the train', details: 'of the phone', todo_date: '2026-11-23T00:00:00Z' },
      { id: 7003, details: 'of the phone' },
      { title: 'Read', details: 'of the train' },
    ]);
  });

  test('a lost response does not create a second note', async () => {
    await signIn();
    await sync();
    await desk['note.create'](note);
    // The server stores the note, and the connection is cut before the response: the same key is sent again.
    let lost = 1;
    const keys = new Set<unknown>();
    server.onAsked = ({ method, headers }) => method === 'POST' && keys.add(headers['idempotency-key']);
    server.fault = ({ method }) => (method === 'POST' && lost-- > 0 ? 'cut' : undefined);
    await sync();
    expect(server.all('planner_note')).toHaveLength(1);
    expect(keys.size).toBe(1);
  });

  test('repeated marks are merged into the last one, and updated rather than created again', async () => {
    const essay = course.assignment('Essay', { due_at: '2026-11-25T10:00:00Z' });
    await signIn();
    await sync();
    server.count();
    const mark = (marked_complete: boolean) => desk['planner.mark']({ plannable_type: 'assignment', plannable_id: essay, marked_complete });
    await mark(true);
    await mark(false);
    await mark(true);
    expect(await desk['today.list'](soon)).toMatchObject([{ marked_complete: true, pending: true }]);
    await sync();
    expect(writes()).toEqual(['POST /api/v1/planner/overrides']);
    server.count();
    await mark(false);
    await sync();
    expect(writes()).toEqual([expect.stringMatching(/^PUT \/api\/v1\/planner\/overrides\/\d+$/)]);
    expect(server.all('planner_override')).toMatchObject([{ marked_complete: false, plannable_id: essay }]);
    expect(await desk['today.list'](soon)).toMatchObject([{ marked_complete: false, pending: false }]);
    // Marked on another device in the meantime: it is the same mark, and the last change wins.
    const reading = course.assignment('Reading', { due_at: '2026-11-26T10:00:00Z' });
    await sync();
    await desk['planner.mark']({ plannable_type: 'assignment', plannable_id: reading, marked_complete: true });
    server.onAsked = ({ method, path }) => {
      if (method !== 'POST' || path !== '/api/v1/planner/overrides') return;
      server.put('planner_override', 5000, { id: 5000, plannable_type: 'assignment', plannable_id: reading, marked_complete: false });
    };
    expect(await sync()).toMatchObject({ pending_edits: 0, issues: [] });
    expect(server.get('planner_override', 5000)).toMatchObject({ marked_complete: true });
  });

  test('an edit that the server refuses is kept, with the reason', async () => {
    await signIn();
    await sync();
    const made = await desk['note.create']({ ...note, title: '' });
    expect(await sync()).toMatchObject({ phase: 'idle', pending_edits: 1, issues: [{ why: 'title is missing' }] });
    server.count();
    await sync();
    expect(writes()).toEqual([]);
    await desk['note.update']({ ...note, id: made.plannable_id });
    expect(await sync()).toMatchObject({ pending_edits: 0, issues: [] });
    expect(server.all('planner_note')).toMatchObject([{ title: 'Read' }]);
  });

  test('edits survive a server that starts over, and a restart of the program', async () => {
    await signIn();
    await sync();
    await desk['note.create'](note);
    await desk.close();
    server.forgetHistory();
    desk = await open();
    expect(await desk['today.list'](soon)).toMatchObject([{ title: 'Read', pending: true }]);
    await sync();
    expect(server.all('planner_note')).toHaveLength(1);
  });

  test('a note deleted before it was sent is never sent', async () => {
    await signIn();
    await sync();
    const made = await desk['note.create'](note);
    await desk['note.delete']({ id: made.plannable_id });
    server.count();
    expect(await sync()).toMatchObject({ pending_edits: 0 });
    expect(writes()).toEqual([]);
  });
});

test('a notification makes the desk fetch changes, and report them', async () => {
  await desk.close();
  desk = await open(false);
  const changed = new Set<string>();
  desk.onNotice((notice) => {
    for (const part of notice.changed) changed.add(part);
  });
  await signIn();
  await isDone();
  course.file('new.txt', 'new');
  await vi.waitFor(
    async () => {
      server.nudge();
      expect(await desk['course.files']({ course_id: course.id })).toMatchObject([{ state: 'synced' }]);
    },
    { timeout: 20_000, interval: 50 },
  );
  expect(changed).toContain('files');
  expect(changed).toContain('status');
  // Another replica may be behind the write that the signal announces.
  const feed = () => server.asked.filter(({ path }) => path.startsWith('/api/sync/v1/changes')).at(-1)?.headers['x-d1-bookmark'];
  expect(feed()).toBeUndefined();
  for (const bookmark of ['0002-b', '0001-a']) {
    const before = server.asked.length;
    server.nudge({ bookmark, spread: 5 });
    await vi.waitFor(() => expect(server.asked.length).toBeGreaterThan(before), { timeout: 20_000 });
    expect(feed()).toBe('0002-b');
  }
});

test('own files are listed, can be opened and offer their earlier versions; files of an attended course do not', async () => {
  const shelf = takesFiles(server);
  const essay = shelf.file('essay.txt', 'my essay', shelf.folder('Week 1'));
  course.file('slides.txt', 'slides');
  await signIn();
  await sync();
  expect(await desk['course.files']({ course_id: 0 })).toMatchObject([
    { name: 'essay.txt', folder: 'Week 1', state: 'synced', has_versions: true },
  ]);
  expect(await desk['course.files']({ course_id: course.id })).toMatchObject([{ name: 'slides.txt', has_versions: false }]);
  const read = await desk['reader.open']({ kind: 'file', course_id: 0, id: essay });
  expect(read).toMatchObject({ title: 'essay.txt', course_name: 'My files', earlier: 0 });
  expect(read?.html).toContain('my essay');
});
