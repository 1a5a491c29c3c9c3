// Pages and assignments written on the desk: kept offline, sent once, merged with what others have written, and never lost.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuthoredPlace, AuthoredText } from '@carrel/desktop/contract/authoring';
import { type Desk, openDesk } from '@carrel/desktop/engine/desk';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aFakeCourse, type FakeCourse } from './support/course';
import { FakeServer } from './support/fake_server';
import { hurriedClock, Student } from './support/student';
import { takesTexts } from './support/takes_texts';

let server: FakeServer;
let course: FakeCourse;
let home: Student;
let desk: Desk;
let takes: ReturnType<typeof takesTexts>;
let page: AuthoredPlace;
let essay: AuthoredPlace;

const three = '<p>a</p><p>b</p><p>c</p>';
const open = () => openDesk({ store: home.store, folder: home.folder, clock: hurriedClock, isManual: true });
const sync = async () => {
  await desk['sync.now'](undefined);
  await vi.waitFor(async () => expect((await desk['sync.status'](undefined)).phase).not.toBe('syncing'), { timeout: 20_000, interval: 20 });
};
const view = async (place = page) => {
  const found = await desk['authoring.open'](place);
  if (!found) throw new Error('there is no such text');
  return found;
};
/** Saves what is there now, changed. */
const save = async (change: Partial<AuthoredText>, place = page) => {
  const { there, waiting } = await view(place);
  const base = waiting?.base ?? there;
  const { version: _version, ...text } = there ?? { title: '', html: '', published: false, facts: null, version: null };
  await desk['authoring.save']({ ...place, text: { ...(waiting?.text ?? text), ...change }, base });
};
const offline = () => {
  server.fault = () => 'cut';
};
const online = () => {
  server.fault = () => undefined;
};

beforeEach(async () => {
  server = await new FakeServer().start();
  course = aFakeCourse(server);
  takes = takesTexts(server, course);
  const me = server.id();
  server.put('enrollment', me, { id: me, user_id: 7, course_id: course.id, type: 'TeacherEnrollment' }, course.id);
  const id = course.page('Tides', three);
  page = { kind: 'page', course_id: course.id, id };
  essay = { kind: 'assignment', course_id: course.id, id: course.assignment('Essay', { description: three, published: true }) };
  takes.give(page);
  takes.give(essay);
  home = new Student();
  desk = await open();
  await desk['account.login']({ url: server.url, token: server.token });
  await sync();
});
afterEach(async () => {
  await desk.close();
  await home.leave();
  await server.stop();
});

test('a text that is changed offline waits, survives a restart, and is sent once; only what has changed', async () => {
  offline();
  await save({ html: '<p>X</p>' });
  await save({ title: 'Waves' });
  await desk.close();
  desk = await open();
  expect(await desk['course.pages']({ course_id: course.id })).toMatchObject([{ title: 'Tides', unsent: 'waits' }]);
  expect(await desk['outbox.list'](undefined)).toMatchObject([{ verb: 'author', title: 'Waves', excerpt: 'X', authored: page }]);
  online();
  // The response is lost: the same request is repeated.
  let isLost = false;
  server.fault = ({ method }) => {
    if (method !== 'PUT' || isLost) return undefined;
    isLost = true;
    return 'unanswered';
  };
  await sync();
  online();
  await sync();
  expect(takes.requests.filter(({ status }) => status === 200).map(({ given }) => given)).toEqual([
    { wiki_page: { body: '<p>X</p>', title: 'Waves' } },
  ]);
  expect(await view()).toMatchObject({ waiting: null, there: { title: 'Waves', html: '<p>X</p>' } });
  expect(await desk['outbox.list'](undefined)).toEqual([]);
});

test('changes of different fields become one text, without asking', async () => {
  offline();
  await save({ html: '<p>mine</p>' });
  await save({ facts: { points: 25, due_at: '2026-12-01T10:00:00Z', unlock_at: null, lock_at: null } }, essay);
  online();
  takes.change(page, { title: 'Waves' });
  takes.change(essay, { description: '<p>theirs</p>' });
  await sync();
  expect(server.get('page', page.id)).toMatchObject({ title: 'Waves', body: '<p>mine</p>' });
  expect(server.get('assignment', essay.id)).toMatchObject({
    description: '<p>theirs</p>',
    points_possible: 25,
    due_at: '2026-12-01T10:00:00Z',
    name: 'Essay',
  });
  expect(await desk['outbox.list'](undefined)).toEqual([]);
});

test('where both have changed the words nothing is sent; both are shown, and the decision is sent for that state only', async () => {
  offline();
  await save({ html: '<p>mine</p><p>b</p><p>c</p>' });
  online();
  takes.change(page, { body: '<p>theirs</p><p>b</p><p>c!</p>' });
  await sync();
  expect(server.get('page', page.id)).toMatchObject({ body: '<p>theirs</p><p>b</p><p>c!</p>' });
  expect(await desk['outbox.list'](undefined)).toMatchObject([{ hold: 'changed meanwhile' }]);
  const { waiting } = await view();
  expect(
    waiting?.merge?.parts.map((part) => (part.from === 'conflict' ? [part.mine.html, part.theirs.html] : [part.from, part.piece.html])),
  ).toEqual([
    ['<p>mine</p>', '<p>theirs</p>'],
    ['both', '<p>b</p>'],
    ['theirs', '<p>c!</p>'],
  ]);
  const id = waiting?.id ?? '';
  // Neither a sync nor another attempt sends it without a decision.
  expect(await desk['outbox.retry']({ id })).toBe(false);
  await sync();
  expect(takes.requests.filter(({ status }) => status === 200)).toEqual([]);
  // A third change, after both were shown.
  takes.change(page, { body: '<p>theirs, again</p><p>b</p><p>c!</p>' });
  const text = { ...(waiting as NonNullable<typeof waiting>).text, html: '<p>mine</p><p>theirs</p><p>b</p><p>c!</p>' };
  await desk['authoring.resolve']({ id, as: 'text', text });
  await sync();
  const again = (await view()).waiting;
  expect(again).toMatchObject({ hold: 'changed meanwhile', text: { html: text.html } });
  await desk['authoring.resolve']({ id: again?.id ?? '', as: 'text', text });
  await sync();
  expect(server.get('page', page.id)).toMatchObject({ body: text.html });
  expect((await view()).waiting).toBeNull();
});

test('a conflict can be decided in the editor: the text is a draft again, for the state that was shown', async () => {
  offline();
  await save({ html: '<p>mine</p>' });
  online();
  takes.change(page, { body: '<p>theirs</p>' });
  await sync();
  await desk['authoring.resolve']({ id: (await view()).waiting?.id ?? '', as: 'draft' });
  const place = { kind: 'authored', of: 'page', course_id: course.id, id: page.id } as const;
  const draft = await desk['writing.open']({ place });
  expect(draft).toMatchObject({ text: '<p>mine</p>', title: 'Tides', base: { html: '<p>theirs</p>' } });
  expect(await desk['course.pages']({ course_id: course.id })).toMatchObject([{ unsent: 'being written' }]);
  const base = draft?.base ?? null;
  await desk['authoring.save']({
    ...page,
    text: { title: 'Tides', html: '<p>both</p>', published: true, facts: null },
    base,
    finished: place,
  });
  await sync();
  expect(server.get('page', page.id)).toMatchObject({ body: '<p>both</p>' });
  expect(await desk['writing.list'](undefined)).toEqual([]);
});

test('a new page is created once, with its image, and what is written meanwhile changes it', async () => {
  const fresh = { ...page, id: -5 };
  const path = join(home.folder, '..', 'shore.png');
  writeFileSync(path, '\x89PNG bytes', 'latin1');
  const image = await desk['letter.attach']({ name: 'shore.png', path });
  const html = `<p><img src="unsent:${image.sha256}" alt="A shore"></p>`;
  expect(await desk['authoring.image']({ sha256: image.sha256 })).toMatch(/^data:image\/png;base64,/);
  offline();
  await desk['authoring.save']({ ...fresh, text: { title: 'Shore', html, published: false, facts: null }, base: null, files: [image] });
  expect(await desk['course.pages']({ course_id: course.id })).toContainEqual(
    expect.objectContaining({ id: -5, title: 'Shore', unsent: 'waits' }),
  );
  // It arrives, and the response is lost: what is written then is sent after it.
  server.fault = ({ method, path: at }) => (method === 'POST' && at.endsWith('/pages') ? 'unanswered' : undefined);
  await sync();
  await save({ title: 'The shore' }, fresh);
  online();
  await sync();
  const made = server.all('page').find(({ title }) => title === 'The shore');
  expect(made?.body).toMatch(new RegExp(`^<p><img src="/courses/${course.id}/files/\\d+/preview" alt="A shore"></p>$`));
  expect(takes.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  expect(await desk['outbox.list'](undefined)).toEqual([]);
});

test('a refused text stays with its reason and can be taken back; one that was deleted is created again', async () => {
  takes.refuse('locked by the blueprint of the course');
  await save({ html: '<p>mine</p>' });
  await sync();
  expect((await view()).waiting).toMatchObject({
    refused: expect.stringContaining('blueprint'),
    hold: 'declined',
    text: { html: '<p>mine</p>' },
  });
  takes.refuse(undefined);
  server.remove('page', page.id);
  await desk['outbox.retry']({ id: (await view()).waiting?.id ?? '' });
  await sync();
  const { there, waiting } = await view();
  expect([there, waiting?.text.html, waiting?.hold]).toEqual([null, '<p>mine</p>', 'declined']);
  await desk['authoring.resolve']({ id: waiting?.id ?? '', as: 'new' });
  await sync();
  expect(server.all('page').map(({ body }) => body)).toEqual(['<p>mine</p>']);
});

test('who may not change a text is not offered it', async () => {
  const other = { ...page, id: course.page('Rules', '<p>r</p>') };
  await sync();
  // Without a version the server does not let the caller change it.
  expect(await desk['authoring.open'](other)).toBeNull();
  expect((await desk['reader.open'](other))?.may_edit).toBeUndefined();
  expect((await desk['reader.open'](page as never))?.may_edit).toBe(true);
  const text = { title: 'Rules', html: 'x', published: true, facts: null };
  await expect(desk['authoring.save']({ ...other, text, base: null })).rejects.toThrow('may not change');
});
