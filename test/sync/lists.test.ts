// A server without the feed, such as a stock Canvas: the desk lists everything within a request budget, and never treats a missing item as deleted.

import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bytesAt, takeFile } from '@carrel/desktop/engine/outbox/work_drafts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aFakeCourse, type FakeCourse, setContent } from './support/course';
import { type FakeRequest, FakeServer } from './support/fake_server';
import { type Lists, withoutFeed } from './support/lists';
import { hurriedClock, Student } from './support/student';
import { takesFiles } from './support/takes_files';

let server: FakeServer;
let lists: Lists;
let course: FakeCourse;
let student: Student;
let slept: number;
let stream: Record<string, unknown>[];

beforeEach(async () => {
  server = await new FakeServer().start();
  lists = withoutFeed(server);
  course = aFakeCourse(server);
  slept = 0;
  stream = [];
  server.words.set('/api/v1/users/self/activity_stream', stream as never);
  const clock = {
    ...hurriedClock,
    sleep: (milliseconds: number) => {
      slept += milliseconds;
      return hurriedClock.sleep();
    },
  };
  student = await Student.at(server, { clock });
});
afterEach(async () => {
  await student.leave();
  await server.stop();
});

const paths = () => server.asked.map(({ path }) => path);

test('everything arrives as through the feed, page by page, and the second sync changes nothing', async () => {
  for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt']) course.file(name, `these are ${name}`, course.folder('Week 1'));
  course.page('Welcome', '<p>Hello</p>');
  course.assignment('Essay');
  expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 5, issues: [] });
  expect(student.study.status()).toMatchObject({ way: 'lists', phase: 'idle' });
  expect(Object.keys(student.tree())).toHaveLength(7);
  expect(student.study.user.rows().get(`file:${server.all('file')[0]?.id}`)?.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(paths().filter((path) => path.startsWith('/api/sync'))).toHaveLength(1);
  expect(paths().some((path) => path.includes('page=bookmark'))).toBe(true);

  const before = student.stamps();
  server.count();
  server.told = 0;
  server.unchanged = 0;
  expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 0, unchanged: 7 });
  // The server counts no page views of what a desk reads.
  expect(server.asked.every(({ method, headers }) => method !== 'GET' || headers['user-agent'] === 'Carrel-Desk')).toBe(true);
  // No list is sent a second time.
  expect([server.unchanged > 20, server.told]).toEqual([true, 0]);
  expect(student.stamps()).toEqual(before);
});

test('an idle desk sends few requests: 73 without a body for six courses, and two on quiet days', async () => {
  lists.perPage = 100;
  for (let nth = 0; nth < 5; nth++) aFakeCourse(server, `Course ${nth}`).file('a.txt', 'A');
  course.file('plan.txt', 'the plan');
  let now = new Date();
  const after = (hours: number) => {
    now = new Date(now.getTime() + hours * 3_600_000);
  };
  await student.restart({ clock: { ...hurriedClock, now: () => now } });
  await student.sync();
  const asked = async (isThorough = false) => {
    server.count();
    expect(await student.study.sync({ isThorough })).toMatchObject({ outcome: 'complete', downloaded: 0 });
    return server.asked.length;
  };
  expect(await asked(true)).toBe(73);
  server.told = 0;
  // What changed today may change again.
  expect(await asked()).toBe(62);
  after(24);
  // Once a day the desk checks whether the server now has the feed.
  expect([await asked(true), server.told]).toEqual([74, 0]);
  after(0.5);
  expect(await asked()).toBe(2);
  expect(paths().map((path) => path.split('?')[0])).toEqual(['/api/v1/courses', '/api/v1/users/self/activity_stream']);
  // Activity in a course makes the desk list that course, and no other.
  stream.push({ id: 1, type: 'Announcement', course_id: course.id, updated_at: now.toISOString() });
  expect(await asked()).toBe(12);
  expect(
    paths()
      .filter((path) => path.includes('/courses/'))
      .every((path) => path.startsWith(`/api/v1/courses/${course.id}/`)),
  ).toBe(true);
  after(1);
  const word = { title: 'Read chapter 3', details: null, todo_date: '2026-11-21T10:00:00Z', course_id: null };
  expect(await asked()).toBe(74);
  student.study.outbox.createNote(word);
  // One of them sends the note; its response already contains the result.
  expect(await asked()).toBe(13);
});

test('new bytes and new texts are noticed, also after a restart of the program', async () => {
  const plan = course.file('plan.txt', 'the plan');
  const page = course.page('Welcome', '<p>Hello</p>');
  await student.sync();
  await student.restart();
  setContent(server, plan, 'another plan');
  server.change('page', page, { body: '<p>Goodbye</p>', updated_at: '2026-11-02T10:00:00Z' });
  expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 1 });
  expect(student.read('Algebra', 'plan.txt')).toBe('another plan');
  expect(student.read('Algebra', 'Pages', 'Welcome.html')).toContain('Goodbye');
  expect(student.study.cache.news.unseen()).toMatchObject([
    { what: 'file replaced', of: 'file', of_id: plan },
    { what: 'text', of: 'page', of_id: page },
  ]);
});

test('bodies and items that lists leave out are requested, once', async () => {
  const [one] = [course.page('Welcome', '<p>Hello</p>')];
  const { body, ...outline } = server.get('page', one);
  server.put('page', one, outline, course.id);
  server.words.set(`/api/v1/courses/${course.id}/pages/welcome`, { ...outline, body });
  const module = server.id();
  server.put('module', module, { id: module, name: 'Week 1', position: 1 }, course.id);
  const items = `/api/v1/courses/${course.id}/modules/${module}/items`;
  server.words.set(items, [{ id: 5, type: 'Page', title: 'Welcome', page_url: 'welcome' }] as never);
  expect(await student.sync()).toMatchObject({ outcome: 'complete' });
  expect(student.read('Algebra', 'Pages', 'Welcome.html')).toContain('Hello');
  expect(student.study.cache.get('module', module)).toMatchObject({ items: [{ id: 5 }] });
  server.count();
  await student.sync();
  expect(server.asked.some(({ path }) => path.includes('/pages/welcome'))).toBe(false);
});

describe('what lists no longer contain', () => {
  test('stays after one complete listing, and is removed after two if its own address confirms it', async () => {
    const plan = course.file('plan.txt', 'the plan');
    course.file('notes.txt', 'notes');
    await student.sync();
    server.remove('file', plan);
    expect(await student.sync()).toMatchObject({ outcome: 'complete' });
    expect(existsSync(student.path('Algebra', 'plan.txt'))).toBe(true);
    expect(await student.sync()).toMatchObject({ outcome: 'complete' });
    expect(Object.keys(student.tree()).sort()).toEqual(['Algebra/Removed by teacher/plan.txt', 'Algebra/notes.txt']);
  });

  test('stays, however often it is missing from the list, if its own address still returns it', async () => {
    const plan = course.file('plan.txt', 'the plan');
    await student.sync();
    lists.unlisted.add(`file:${plan}`);
    for (let nth = 0; nth < 4; nth++) await student.sync();
    expect(student.read('Algebra', 'plan.txt')).toBe('the plan');
    expect(student.study.cache.get('file', plan)).toMatchObject({ withheld: { why: 'unlisted' } });
    lists.unlisted.clear();
    await student.sync();
    expect(student.study.cache.get('file', plan)).not.toHaveProperty('withheld');
  });

  test('a listing that fails in the middle removes nothing, and reports the error', async () => {
    for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt']) course.file(name, name);
    await student.sync();
    server.fault = ({ path }) => (path.includes(`/courses/${course.id}/files`) && path.includes('bookmark') ? { status: 502 } : undefined);
    for (let nth = 0; nth < 3; nth++)
      expect(await student.sync()).toMatchObject({ outcome: 'complete with issues', issues: [{ what: 'list' }] });
    server.fault = ({ path }) =>
      path.includes(`/courses/${course.id}/files`) ? { status: 200, body: '<h1>Please log in</h1>' } : undefined;
    for (let nth = 0; nth < 3; nth++) expect(await student.sync()).toMatchObject({ outcome: 'complete with issues' });
    expect(Object.keys(student.tree())).toHaveLength(4);
    server.fault = () => undefined;
    expect(await student.sync()).toMatchObject({ outcome: 'complete', issues: [] });
  });

  test('a course that is no longer listed is removed only if its own address confirms it', async () => {
    course.file('plan.txt', 'the plan');
    await student.sync();
    lists.unlisted.add(`course:${course.id}`);
    server.change('course', course.id, { enrollments: [{ type: 'student' }] });
    for (let nth = 0; nth < 3; nth++) await student.sync();
    expect(student.study.cache.get('course', course.id)).toBeDefined();
    server.change('course', course.id, { enrollments: [] });
    for (let nth = 0; nth < 3; nth++) await student.sync();
    expect(student.study.cache.get('course', course.id)).toBeUndefined();
    expect(Object.keys(student.tree())).toEqual(['Algebra/Removed by teacher/plan.txt']);
  });
});

describe('own files', () => {
  let mine: ReturnType<typeof takesFiles>;
  const my = (...names: string[]) => join(student.folder, 'My files', ...names);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(my(path)), { recursive: true });
    writeFileSync(my(path), text);
  };
  const rests = async () => {
    const uploads = server.asked.filter(({ method }) => method !== 'GET').length;
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 0, issues: [] });
    expect(server.asked.filter(({ method }) => method !== 'GET')).toHaveLength(uploads);
  };
  beforeEach(() => {
    mine = takesFiles(server);
  });

  test('are synced both ways, including folders, and an uploaded file is not downloaded again', async () => {
    mine.file('a.txt', 'A', mine.folder('old'));
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 1 });
    write('new/b.txt', 'B');
    renameSync(my('old'), my('kept'));
    mkdirSync(my('empty'));
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 0, issues: [] });
    expect(mine.tree()).toEqual({ 'kept/a.txt': 'A', 'new/b.txt': 'B' });
    expect(mine.all('folder').map(([path]) => path)).toEqual(expect.arrayContaining(['empty', 'kept', 'new']));
    await rests();
    write('new/b.txt', 'B, edited');
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 0, issues: [] });
    expect(mine.tree()).toEqual({ 'kept/a.txt': 'A', 'new/b.txt': 'B, edited' });
    await student.restart();
    await rests();
    rmSync(my('new'), { recursive: true });
    expect(await student.sync()).toMatchObject({ outcome: 'complete', issues: [] });
    expect(mine.tree()).toEqual({ 'kept/a.txt': 'A' });
    expect(mine.find('folder', 'new')).toBeUndefined();
    await rests();
  });

  test('are deleted on the desk when their own address confirms the deletion, not before', async () => {
    const folder = mine.folder('old');
    const [gone, there] = [mine.file('gone.txt', 'G', folder), mine.file('there.txt', 'T')];
    await student.sync();
    lists.unlisted.add(`file:${there}`);
    server.remove('file', gone);
    server.remove('folder', folder);
    await student.sync();
    expect(existsSync(my('old', 'gone.txt'))).toBe(true);
    await student.sync();
    expect(existsSync(my('old'))).toBe(false);
    expect(existsSync(my('Deleted elsewhere', 'old', 'gone.txt'))).toBe(true);
    expect(existsSync(my('there.txt'))).toBe(true);
    // The user's own deletion is sent anyway.
    rmSync(my('there.txt'));
    lists.unlisted.clear();
    await student.sync();
    await student.sync();
    expect(mine.tree()).toEqual({});
  });

  test('stay in place while the server does not list them', async () => {
    mine.file('a.txt', 'A');
    await student.sync();
    lists.shut.add('/api/v1/users/self/files');
    rmSync(my('a.txt'));
    write('b.txt', 'B');
    await student.sync();
    await student.sync();
    expect(mine.tree()).toEqual({ 'a.txt': 'A' });
    lists.shut.clear();
    await student.sync();
    expect(mine.tree()).toEqual({ 'b.txt': 'B' });
  });

  test('a lost response creates no second file and no second folder', async () => {
    await student.sync();
    write('new/b.txt', 'B');
    let isOnce = true;
    server.fault = ({ path }) => {
      if (!(path === '/bytes' || (path.endsWith('/folders') && isOnce))) return undefined;
      if (path.endsWith('/users/self/folders')) isOnce = false;
      return 'unanswered';
    };
    for (let nth = 0; nth < 3; nth++) await student.sync();
    server.fault = () => undefined;
    for (let nth = 0; nth < 2; nth++) await student.sync();
    expect(mine.tree()).toEqual({ 'new/b.txt': 'B' });
    expect(mine.all('folder').map(([path]) => path)).toEqual(['new']);
    await rests();
  });
});

test('in a course without a list of files, those that its modules link to are downloaded', async () => {
  const plan = course.file('plan.txt', 'the plan');
  course.file('hidden.txt', 'not linked anywhere');
  lists.shut.add(`/api/v1/courses/${course.id}/files`);
  const module = server.id();
  const items = [{ id: 5, type: 'File', title: 'plan.txt', content_id: plan }];
  server.put('module', module, { id: module, name: 'Week 1', position: 1, items }, course.id);
  await student.sync();
  expect(await student.sync()).toMatchObject({ outcome: 'complete', issues: [] });
  expect(Object.keys(student.tree())).toEqual(['Algebra/plan.txt']);
});

test('the desk slows down when the rate limit is nearly used up, and waits after a refusal', async () => {
  await student.sync();
  expect(slept).toBe(0);
  lists.remaining = '150.0';
  await student.sync();
  expect(slept).toBeGreaterThan(5000);
  lists.remaining = '700.0';
  let refused = 0;
  server.fault = ({ path }) =>
    path.includes('/assignments') && refused++ < 2
      ? { status: 403, headers: { 'content-type': 'text/plain' }, body: '403 Forbidden (Rate Limit Exceeded)\n' }
      : undefined;
  expect(await student.sync()).toMatchObject({ outcome: 'complete', issues: [] });
});

test('the desk uses the feed from the day after the server provides it', async () => {
  course.file('plan.txt', 'the plan');
  await student.sync();
  server.lists = () => undefined;
  const tomorrow = new Date(Date.now() + 25 * 3_600_000);
  await student.restart({ clock: { ...hurriedClock, now: () => tomorrow } });
  expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 0 });
  expect(student.study.way).toBe('feed');
  expect(student.read('Algebra', 'plan.txt')).toBe('the plan');
});

describe('user edits, sent to a server without idempotency keys', () => {
  const note = { title: 'Read chapter 3', details: null, todo_date: '2026-11-21T10:00:00Z', course_id: null };
  const isNote = ({ method, path }: { method: string; path: string }) => method === 'POST' && path === '/api/v1/planner_notes';

  test('are sent again if they never arrived, and only once', async () => {
    await student.sync();
    const port = Number(new URL(server.url).port);
    student.study.outbox.createNote(note);
    await server.stop();
    expect(await student.sync()).toMatchObject({ outcome: 'offline' });
    await server.start(port);
    expect(await student.sync()).toMatchObject({ outcome: 'complete', issues: [] });
    expect(server.all('planner_note')).toHaveLength(1);
  });

  test('are not sent again if they may have arrived: the user checks and decides', async () => {
    await student.sync();
    student.study.outbox.createNote(note);
    server.fault = (asked) => (isNote(asked) ? 'unanswered' : undefined);
    await student.sync();
    expect(server.asked.filter(isNote)).toHaveLength(1);
    server.fault = () => undefined;
    expect(await student.sync()).toMatchObject({ outcome: 'complete with issues', issues: [{ what: 'your new note' }] });
    expect(student.study.outbox.pending()).toMatchObject([{ state: 'parked', hold: 'unsure' }]);
    expect(server.all('planner_note')).toHaveLength(1);
    const [kept] = student.study.outbox.pending();
    expect(student.study.outbox.retry(kept?.id ?? '')).toBe(true);
    expect(await student.sync()).toMatchObject({ outcome: 'complete' });
    expect(server.all('planner_note')).toHaveLength(2);

    // The same for a reply with its file, which is kept until then.
    const { user, outbox } = student.study;
    const file = await takeFile(user, import.meta.filename, 'crab.ts');
    outbox.reply({ course_id: course.id, topic_id: 5, parent_id: null, text: 'A crab', files: [file] });
    const isReply = ({ method, headers }: FakeRequest) =>
      method === 'POST' && headers['content-type']?.startsWith('multipart/form-data') === true;
    server.besides = (asked) => (isReply(asked) ? { status: 201, body: {} } : undefined);
    server.fault = (asked) => (isReply(asked) ? 'unanswered' : undefined);
    await student.sync();
    await student.sync();
    expect(server.asked.filter(isReply)).toHaveLength(1);
    expect(outbox.pending()).toMatchObject([{ verb: 'reply', hold: 'unsure' }]);
    expect(existsSync(bytesAt(user, file.sha256))).toBe(true);
    server.fault = () => undefined;
    outbox.retry(outbox.pending()[0]?.id ?? '');
    expect(await student.sync()).toMatchObject({ outcome: 'complete' });
    expect(server.asked.filter(isReply)).toHaveLength(2);
    expect(existsSync(bytesAt(user, file.sha256))).toBe(false);
  });
});
