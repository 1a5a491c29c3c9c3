// What the user has viewed and marked as done: stored at once, sent to the server once, shown as the server responds.

import type { Reference } from '@carrel/desktop/contract/reading';
import { type Desk, openDesk } from '@carrel/desktop/engine/desk';
import { systemClock } from '@carrel/desktop/engine/server/session';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { aFakeCourse, type FakeCourse } from './support/course';
import { FakeServer } from './support/fake_server';
import { Student } from './support/student';

let server: FakeServer;
let course: FakeCourse;
let home: Student;
let desk: Desk;

const clock = { ...systemClock, sleep: () => new Promise<void>((resolve) => setImmediate(resolve)) };
const sync = async () => {
  await desk['sync.now'](undefined);
  await vi.waitFor(async () => expect((await desk['sync.status'](undefined)).phase).not.toBe('syncing'), { timeout: 20_000, interval: 20 });
  return desk['sync.status'](undefined);
};
const writes = () => server.asked.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
const unread = async () => (await desk['courses.list'](undefined))[0]?.unread_announcements;
const items = async () => (await desk['course.modules']({ course_id: course.id }))[0]?.items ?? [];
const asks = (type: string, completed = false) => ({ completion_requirement: { type, completed } });

function announcement(title: string): number {
  const id = server.id();
  const topic = { id, title, message: '<p>Come.</p>', is_announcement: true, posted_at: '2026-11-19T08:00:00Z', read_state: 'unread' };
  return server.put('discussion_topic', id, topic, course.id);
}

function aModule(...given: readonly Record<string, unknown>[]): number {
  const id = server.id();
  const numbered = given.map((item, at) => ({ id: server.id(), title: 'An item', position: at + 1, ...item }));
  return server.put('module', id, { id, name: 'One', position: 1, state: 'unlocked', items: numbered }, course.id);
}

beforeEach(async () => {
  server = await new FakeServer().start();
  course = aFakeCourse(server);
  home = new Student();
  desk = await openDesk({ store: home.store, folder: home.folder, clock, isManual: true });
});
afterEach(async () => {
  await desk.close();
  await home.leave();
  await server.stop();
});

const begin = async () => {
  await desk['account.login']({ url: server.url, token: server.token });
  await sync();
  server.count();
};

describe('announcements', () => {
  test('an opened one is read at once on the desk, and once on the server', async () => {
    const id = announcement('Moved');
    announcement('Also');
    await begin();
    expect(await unread()).toBe(2);
    await desk['reader.seen']({ kind: 'discussion_topic', id });
    await desk['reader.seen']({ kind: 'discussion_topic', id });
    expect(await unread()).toBe(1);
    expect(await desk['announcements.list']({ course_id: null })).toContainEqual(expect.objectContaining({ id, read: true }));
    expect((await sync()).pending_edits).toBe(0);
    expect(writes()).toEqual([`PUT /api/v1/courses/${course.id}/discussion_topics/${id}/read`]);
    expect(server.get('discussion_topic', id).read_state).toBe('read');
    expect(await unread()).toBe(1);
    await desk['reader.seen']({ kind: 'discussion_topic', id });
    await sync();
    expect(writes()).toHaveLength(1);
  });

  test('read offline, it stays read over a restart, and is sent later', async () => {
    const id = announcement('Moved');
    await begin();
    await desk['reader.seen']({ kind: 'discussion_topic', id });
    await desk.close();
    desk = await openDesk({ store: home.store, folder: home.folder, clock, isManual: true });
    expect(await unread()).toBe(0);
    await sync();
    expect(writes()).toHaveLength(1);
    expect(await unread()).toBe(0);
  });
});

test('a topic that is only closed for comments can be read, a hidden one cannot', async () => {
  const closed = announcement('Closed');
  const hidden = announcement('Hidden');
  const locked = { locked_for_user: true, lock_explanation: 'This topic is locked.' };
  server.change('discussion_topic', closed, { ...locked, lock_info: { can_view: true } });
  server.change('discussion_topic', hidden, locked);
  await begin();
  const open = (id: number) => desk['reader.open']({ kind: 'discussion_topic', course_id: course.id, id });
  expect((await open(closed))?.locked).toBeNull();
  expect((await open(hidden))?.locked).toBe('This topic is locked.');
});

describe('modules', () => {
  test('a page that must be viewed is reported as viewed, others are not; its state is the server’s response', async () => {
    const page = course.page('Welcome', '<p>Hello</p>');
    const other = course.page('Other', '<p>Hello</p>');
    const module = aModule({ type: 'Page', page_url: 'welcome', ...asks('must_view') }, { type: 'Page', page_url: 'other' });
    await begin();
    await desk['reader.seen']({ kind: 'page', id: other });
    await desk['reader.seen']({ kind: 'page', id: page });
    const [first] = await items();
    expect(first).toMatchObject({ completed: false, pending: true });
    await sync();
    expect(writes()).toEqual([`POST /api/v1/courses/${course.id}/modules/${module}/items/${first?.id}/mark_read`]);
    expect((await items())[0]).toMatchObject({ completed: true, pending: false });
    await desk['reader.seen']({ kind: 'page', id: page });
    await sync();
    expect(writes()).toHaveLength(1);
  });

  test.for<[Reference['kind'], string]>([
    ['assignment', 'Assignment'],
    ['discussion_topic', 'Discussion'],
    ['file', 'File'],
  ])('so is an item of kind %s', async ([kind, type]) => {
    const content_id =
      kind === 'assignment' ? course.assignment('Essay') : kind === 'file' ? course.file('a.txt', 'A') : announcement('Moved');
    aModule({ type, content_id, ...asks('must_view') });
    await begin();
    await desk['reader.seen']({ kind: kind as 'page', id: content_id });
    await sync();
    expect((await items())[0]).toMatchObject({ completed: true, pending: false });
  });

  test('repeated marking as done is merged into the last state, and can be undone', async () => {
    const essay = course.assignment('Essay');
    const module_id = aModule({ type: 'Assignment', content_id: essay, ...asks('must_mark_done') });
    await begin();
    const item_id = (await items())[0]?.id ?? 0;
    const mark = (as: 'done' | 'not done') => desk['module.mark']({ course_id: course.id, module_id, item_id, as });
    const toMark = async () => (await desk['reader.open']({ kind: 'assignment', course_id: course.id, id: essay }))?.to_mark;
    expect(await toMark()).toEqual({ module_id, item_id, module_name: 'One', done: false, pending: false });
    await mark('done');
    await mark('not done');
    await mark('done');
    expect(await toMark()).toMatchObject({ done: true, pending: true });
    expect((await desk['sync.status'](undefined)).pending_edits).toBe(1);
    await sync();
    expect(writes()).toEqual([`PUT /api/v1/courses/${course.id}/modules/${module_id}/items/${item_id}/done`]);
    expect(await toMark()).toMatchObject({ done: true, pending: false });
    await mark('not done');
    await sync();
    expect((await items())[0]).toMatchObject({ completed: false, pending: false });
  });

  test('a locked module is not reported as viewed; a mark that it refuses is kept with the reason', async () => {
    const page = course.page('Welcome', '<p>Hello</p>');
    const module_id = aModule({ type: 'Page', page_url: 'welcome', title: 'Welcome', ...asks('must_mark_done') });
    await begin();
    const item_id = (await items())[0]?.id ?? 0;
    server.change('module', module_id, { state: 'locked' });
    await desk['module.mark']({ course_id: course.id, module_id, item_id, as: 'done' });
    const status = await sync();
    expect(status.issues).toMatchObject([{ what: 'what you marked as done', where: 'Welcome', why: 'The module item is locked.' }]);
    expect(await desk['reader.open']({ kind: 'page', course_id: course.id, id: page })).toMatchObject({ to_mark: null });
  });

  test('a view is dropped when the server does not accept it', async () => {
    const page = course.page('Welcome', '<p>Hello</p>');
    const module = aModule({ type: 'Page', page_url: 'welcome', ...asks('must_view') });
    await begin();
    await desk['reader.seen']({ kind: 'page', id: page });
    server.change('module', module, { state: 'locked' });
    expect(await sync()).toMatchObject({ issues: [], pending_edits: 0 });
    expect(writes()).toHaveLength(1);
    await sync();
    expect(writes()).toHaveLength(1);
  });
});

test('an assignment without a date is in its course, and not in the planner', async () => {
  course.assignment('Some day');
  course.assignment('Soon', { due_at: '2026-11-25T10:00:00Z' });
  await begin();
  const work = await desk['course.assignments']({ course_id: course.id });
  expect(work.map(({ title, date }) => [title, date])).toEqual([
    ['Soon', '2026-11-25T10:00:00Z'],
    ['Some day', null],
  ]);
  const plan = await desk['today.list']({ from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' });
  expect(plan.map(({ title }) => title)).toEqual(['Soon']);
});
