// Work submitted from the desk: written and submitted offline, delivered once despite failures, and never lost.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Desk, openDesk } from '@carrel/desktop/engine/desk';
import { holdOn } from '@carrel/desktop/engine/outbox/may_hand_in';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aFakeCourse, type FakeCourse } from './support/course';
import { FakeServer } from './support/fake_server';
import { hurriedClock, Student } from './support/student';
import { takesParts } from './support/takes_parts';
import { takesWork } from './support/takes_work';

let server: FakeServer;
let course: FakeCourse;
let home: Student;
let desk: Desk;
let takes: ReturnType<typeof takesWork>;
let written: unknown[];
let essay: { course_id: number; id: number };

const open = () => openDesk({ store: home.store, folder: home.folder, clock: hurriedClock, isManual: true });
const sync = async () => {
  await desk['sync.now'](undefined);
  await vi.waitFor(async () => expect((await desk['sync.status'](undefined)).phase).not.toBe('syncing'), { timeout: 20_000, interval: 20 });
  return desk['sync.status'](undefined);
};
/** Like a new process. */
const restart = async () => {
  await desk.close();
  desk = await open();
};
const work = async (at = essay) => {
  const found = await desk['work.open'](at);
  if (!found) throw new Error('there is no such work');
  return found;
};
const write = (text: string, at = essay) => desk['work.write']({ ...at, type: 'online_text_entry', text, url: '' });

beforeEach(async () => {
  server = await new FakeServer().start();
  course = aFakeCourse(server);
  takes = takesWork(server, course);
  const takesAttempts = server.besides;
  written = [];
  server.besides = (asked, body) => {
    if (asked.path !== '/api/v1/conversations') return takesAttempts(asked, body);
    written.push(JSON.parse(body));
    return { status: 201, body: [] as never };
  };
  const submission_types = ['online_text_entry', 'online_url', 'online_upload'];
  essay = { course_id: course.id, id: course.assignment('Essay', { submission_types, allowed_attempts: -1 }) };
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

test('a draft survives a restart, and the text is submitted once the server is reachable, with a signed receipt', async () => {
  await write('First thoughts');
  await restart();
  expect((await work()).draft).toMatchObject({ type: 'online_text_entry', text: 'First thoughts' });
  await write('Tides & “zones”\n\nSecond paragraph <here>');
  server.fault = () => 'cut';
  await desk['work.hand_in'](essay);
  await expect(write('too late')).rejects.toThrow('still waiting to be sent');
  await sync();
  expect(await work()).toMatchObject({
    draft: { text: '' },
    on_its_way: { text: expect.stringContaining('Tides'), unsent: { refused: null } },
  });
  expect((await desk['sync.status'](undefined)).pending_edits).toBe(1);
  server.fault = () => undefined;
  await sync();
  expect(takes.arrivedAt(essay.id)).toMatchObject([{ body: '<p>Tides &amp; “zones”</p><p>Second paragraph &lt;here&gt;</p>' }]);
  const { on_its_way, receipts, attempts_made } = await work();
  expect(on_its_way).toBeNull();
  expect(attempts_made).toBe(1);
  expect(receipts).toMatchObject([
    { attempt: 1, standing: 'signed', submitted_at: '2026-11-20T09:00:00Z', text: expect.stringContaining('zones') },
  ]);
  expect(receipts[0]?.sha256).toMatch(/^[0-9a-f]{64}$/);

  // The server is restored from a backup of the day before: that is reported, and the work is restored as a draft.
  const [there] = server.all('submission');
  server.change('submission', Number(there?.id), { attempt: null, workflow_state: 'unsubmitted', body: null });
  server.forgetHistory();
  const lost = [{ what: 'your work', where: 'Essay', reason: { code: 'why.lostThere' } }];
  for (let nth = 0; nth < 2; nth++) expect((await sync()).issues).toMatchObject(lost);
  expect(await work()).toMatchObject({ draft: { text: expect.stringContaining('zones') }, receipts: [{ standing: 'lost' }] });
  await desk['work.hand_in'](essay);
  expect((await sync()).issues).toEqual([]);
  expect((await work()).receipts[0]).toMatchObject({ standing: 'signed', text: expect.stringContaining('zones') });
});

test('a message to several is one conversation, or one with each of them alone', async () => {
  const to = [
    { id: 8, name: 'Ben' },
    { id: 9, name: 'Cy' },
  ];
  const message = { to, subject: 'Tides', text: 'Shall we?', course_id: course.id };
  await desk['inbox.compose'](message);
  await desk['inbox.compose']({ ...message, individually: true });
  await desk['inbox.compose']({ ...message, to: to.slice(0, 1) });
  await sync();
  const [together, alone, one] = written as Record<string, unknown>[];
  expect(together).toMatchObject({ recipients: ['8', '9'], group_conversation: true });
  expect(together).not.toHaveProperty('force_new');
  expect(alone).toMatchObject({ recipients: ['8', '9'], group_conversation: false, force_new: true });
  expect(one).toMatchObject({ recipients: ['8'], group_conversation: false, force_new: true });
});

test('the attempts of an observed student in the same course do not count as the user’s own', async () => {
  const theirs = {
    id: 1,
    assignment_id: essay.id,
    user_id: 8,
    attempt: 5,
    workflow_state: 'submitted',
    submitted_at: '2026-11-20T09:00:00Z',
  };
  server.put('submission', 1, theirs, course.id);
  await sync();
  await write('My own');
  await desk['work.hand_in'](essay);
  expect((await sync()).issues).toEqual([]);
  expect(takes.arrivedAt(essay.id)).toMatchObject([{ body: '<p>My own</p>' }]);
  expect(await desk['store.item']({ kind: 'submission', id: 1 })).toMatchObject(theirs);
});

test('files are copied when they are attached, and arrive whatever happens to the originals', async () => {
  const path = join(home.home, 'essay.txt');
  writeFileSync(path, 'the whole essay');
  await desk['work.attach']({ ...essay, name: 'essay.txt', path });
  writeFileSync(path, 'notes');
  await desk['work.attach']({ ...essay, name: 'notes.txt', path });
  const [, notes] = (await work()).draft.files;
  await desk['work.detach']({ ...essay, sha256: notes?.sha256 ?? '' });
  expect((await work()).draft).toMatchObject({ type: 'online_upload', files: [{ name: 'essay.txt', size: 15 }] });
  rmSync(path);
  await desk['work.hand_in'](essay);
  await sync();
  expect(takes.arrivedAt(essay.id)).toMatchObject([
    { submission_type: 'online_upload', files: [{ name: 'essay.txt', text: 'the whole essay' }] },
  ]);
  expect((await work()).receipts).toMatchObject([{ standing: 'signed', files: [{ name: 'essay.txt' }] }]);
});

test.each([
  ['before the upload', /self\/files$/, 'cut'],
  ['between the upload and the submission', /upload$/, 'unanswered'],
  ['before the server receives it', /submissions$/, 'cut'],
  ['after the server has received it', /submissions$/, 'unanswered'],
  ['before the receipt', /receipts/, 'cut'],
] as const)('it arrives exactly once if the program is killed %s', async (_when, where, fault) => {
  const path = join(home.home, 'essay.txt');
  writeFileSync(path, 'the whole essay');
  await desk['work.attach']({ ...essay, name: 'essay.txt', path });
  await desk['work.hand_in'](essay);
  server.fault = (asked) =>
    asked.method !== 'GET' || where.source.includes('receipts')
      ? where.test(asked.path.split('?')[0] ?? '')
        ? fault
        : undefined
      : undefined;
  await sync();
  await restart();
  server.fault = () => undefined;
  // What was submitted before the assignment closed counts, also if the response arrives later.
  if (fault === 'unanswered' && where.test('/submissions'))
    server.change('assignment', essay.id, { locked_for_user: true, lock_info: { lock_at: '2026-11-20T10:00:00Z' } });
  await sync();
  await sync();
  expect(takes.arrivedAt(essay.id)).toHaveLength(1);
  expect(takes.arrivedAt(essay.id)[0]?.files.map(({ text }) => text)).toEqual(['the whole essay']);
  expect(await work()).toMatchObject({ on_its_way: null, receipts: [{ attempt: 1, standing: 'signed' }] });
});

test('an assignment that closed meanwhile is noticed before anything is sent; the work stays, with the reason and a way to edit it', async () => {
  await write('Too late, perhaps');
  await desk['work.hand_in'](essay);
  server.change('assignment', essay.id, { locked_for_user: true, lock_info: { lock_at: '2026-11-20T08:00:00Z' } });
  server.count();
  const status = await sync();
  expect(status.issues).toMatchObject([{ what: 'your work', where: 'Essay', why: 'the assignment is closed' }]);
  expect(server.asked.some(({ path }) => path.endsWith('/submissions'))).toBe(false);
  const waiting = (await work()).on_its_way;
  expect(waiting).toMatchObject({ hold: 'closed', may_take_back: true });
  // The teacher reopens it.
  server.change('assignment', essay.id, { locked_for_user: false, lock_info: undefined });
  await sync();
  expect(takes.arrivedAt(essay.id)).toEqual([]);
  expect(await desk['outbox.retry']({ id: waiting?.unsent.id ?? '' })).toBe(true);
  await sync();
  expect(takes.arrivedAt(essay.id)).toHaveLength(1);
});

test('a large file of a submission is sent in parts, and continues after a restart', async () => {
  const part = 16 * 2 ** 20;
  const uploads = takesParts(server, takes, part);
  const path = join(home.home, 'film.mp4');
  writeFileSync(path, 'a film '.repeat(7_500_000));
  await desk['work.attach']({ ...essay, name: 'film.mp4', path });
  await desk['work.hand_in'](essay);
  server.fault = (asked) => (asked.path.includes('/parts/4?') ? 'cut' : undefined);
  await sync();
  expect([...uploads.values()].map(({ parts }) => parts.size)).toEqual([3]);
  expect(takes.arrivedAt(essay.id)).toEqual([]);
  await restart();
  server.fault = () => undefined;
  server.asked.length = 0;
  await sync();
  expect(server.asked.filter(({ path: asked }) => asked.includes('/parts/'))).toHaveLength(1);
  expect(takes.arrivedAt(essay.id).map(({ files }) => files.map(({ text }) => text.length))).toEqual([[52_500_000]]);
});

test('refused work stays with the server’s reason, and becomes a draft again when it is undone', async () => {
  takes.refuse(essay.id, 400, { message: 'not like this' });
  await write('My only copy');
  await desk['work.hand_in'](essay);
  await sync();
  const waiting = (await work()).on_its_way;
  expect(waiting).toMatchObject({ hold: 'declined', unsent: { refused: 'not like this' } });
  await restart();
  expect(await desk['outbox.take_back']({ id: waiting?.unsent.id ?? '' })).toBe(true);
  expect(await work()).toMatchObject({ on_its_way: null, draft: { text: 'My only copy' } });
  takes.relent(essay.id);
  await desk['work.hand_in'](essay);
  await sync();
  expect(takes.arrivedAt(essay.id)).toHaveLength(1);
});

test('a newer attempt from elsewhere is a question that only the user answers', async () => {
  await write('From the train');
  await desk['work.hand_in'](essay);
  const id = essay.id + 1_000_000;
  server.put('submission', id, { id, assignment_id: essay.id, user_id: 7, attempt: 1, workflow_state: 'submitted' }, course.id);
  await sync();
  const waiting = (await work()).on_its_way;
  expect(waiting?.hold).toBe('newer attempt');
  await desk['outbox.retry']({ id: waiting?.unsent.id ?? '' });
  await sync();
  expect(takes.arrivedAt(essay.id)).toMatchObject([{ body: '<p>From the train</p>' }]);
});

test('a server without receipts accepts the work as well', async () => {
  takes.signsNothing();
  await desk['work.write']({ ...essay, type: 'online_url', text: '', url: 'https://example.org/essay' });
  await desk['work.hand_in'](essay);
  await sync();
  expect((await work()).receipts).toMatchObject([{ standing: 'unsigned', url: 'https://example.org/essay' }]);
});

test('the outbox shows what waits, can be reordered, and is sent in that order; entries about one item stay in order', async () => {
  const note = (title: string) => ({ title, details: null, todo_date: '2026-11-21T17:00:00Z', course_id: null });
  server.put('conversation', 90, {
    id: 90,
    subject: 'Hello',
    workflow_state: 'read',
    participants: [
      { id: 8, name: 'Ben' },
      { id: 7, name: 'Ada' },
    ],
  });
  await sync();
  const { plannable_id: id } = await desk['note.create'](note('First'));
  await desk['planner.mark']({ plannable_type: 'assignment', plannable_id: essay.id, marked_complete: true });
  server.words.set('/api/v1/search/recipients', [
    { id: 8, name: 'Ben' },
    { id: 7, name: 'Ada Student' },
    { id: 'course_1', name: 'Algebra' },
  ] as never);
  expect(await desk['inbox.find']({ text: 'b' })).toEqual([]);
  const to = await desk['inbox.find']({ text: 'be' });
  expect(to).toEqual([{ id: 8, name: 'Ben' }]);
  server.words.delete('/api/v1/search/recipients');
  expect(await desk['inbox.find']({ text: 'be' })).toEqual([]);
  await desk['inbox.compose']({ to, subject: 'Tides', text: 'Shall we?', course_id: course.id });
  await expect(desk['inbox.compose']({ to: [], subject: '', text: 'x', course_id: null })).rejects.toThrow('at least one recipient');
  const seen = async () => (await desk['outbox.list'](undefined)).map(({ verb, title }) => `${verb} ${title}`);
  expect(await seen()).toEqual(['create First', 'mark Essay', 'compose Tides']);
  const [first, , message] = await desk['outbox.list'](undefined);
  expect(await desk['outbox.move']({ id: message?.id ?? '', by: 'up' })).toBe(true);
  expect(await desk['outbox.move']({ id: message?.id ?? '', by: 'up' })).toBe(true);
  expect(await desk['outbox.move']({ id: message?.id ?? '', by: 'up' })).toBe(false);
  expect(await seen()).toEqual(['compose Tides', 'create First', 'mark Essay']);
  server.fault = ({ method, path }) => (method === 'POST' && /planner_notes|conversations/.test(path) ? 'unanswered' : undefined);
  await sync();
  await desk['note.update']({ id, ...note('Second thoughts') });
  const [, second, mark] = await desk['outbox.list'](undefined);
  expect(second?.id).toBe(first?.id);
  expect(await seen()).toEqual(['compose Tides', 'create First', 'update Second thoughts']);
  expect(await desk['outbox.move']({ id: mark?.id ?? '', by: 'up' })).toBe(false);
  server.fault = () => undefined;
  server.count();
  await sync();
  expect(server.asked.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path.replace(/\d+$/, '7')}`)).toEqual(
    ['POST /api/v1/conversations', 'POST /api/v1/planner_notes', 'PUT /api/v1/planner_notes/7'],
  );
  expect(written).toEqual([
    {
      recipients: ['8'],
      subject: 'Tides',
      body: 'Shall we?',
      group_conversation: false,
      force_new: true,
      context_code: `course_${course.id}`,
    },
  ]);
  expect(server.all('planner_note').map(({ title }) => title)).toEqual(['Second thoughts']);
  expect(await seen()).toEqual([]);
});

test('changes since the last visit are described by meaning: not the first sync, not items of a new course, not the user’s own', async () => {
  const news = async () => (await desk['news.list'](undefined)).map(({ what, title, course_name }) => `${what}: ${title} (${course_name})`);
  expect(await news()).toEqual([]);
  const page = course.page('Tides', '<p>Twice a day.</p>');
  await sync();
  expect(await news()).toEqual(['page new: Tides (Algebra)']);
  server.change('assignment', essay.id, { due_at: '2026-12-01T10:00:00Z' });
  await sync();
  server.change('assignment', essay.id, { due_at: '2026-12-03T10:00:00Z' });
  const other = aFakeCourse(server, 'Botany');
  other.assignment('Herbarium');
  await write('mine');
  await desk['work.hand_in'](essay);
  await sync();
  await restart();
  expect(await news()).toEqual(['course new: Botany (Botany)', 'due: Essay (Algebra)', 'page new: Tides (Algebra)']);
  const [, due] = await desk['news.list'](undefined);
  expect(due).toMatchObject({ from: null, to: '2026-12-03T10:00:00Z' });
  await desk['news.seen']({ until: due?.id ?? 0 });
  expect(await news()).toEqual(['course new: Botany (Botany)']);
  await desk['news.seen']({ until: Number.MAX_SAFE_INTEGER });
  const letter = server.id();
  const hello = {
    id: letter,
    subject: 'Hello',
    workflow_state: 'unread',
    last_message: 'Shall we?',
    last_message_at: 'a',
    message_count: 1,
  };
  server.put('conversation', letter, hello);
  const passing = course.page('Passing', '<p>By</p>');
  server.change('page', page, { body: '<p>Twice a day.</p><p>And once a night.</p>' });
  server.change('assignment', essay.id, { rubric: [{ id: 'a', description: 'Method', points: 5 }] });
  await sync();
  expect((await news()).sort()).toEqual([
    'message: Hello (null)',
    'page new: Passing (Algebra)',
    'rubric: Essay (Algebra)',
    'text: Tides (Algebra)',
  ]);
  const text = (await desk['news.list'](undefined)).find(({ what }) => what === 'text');
  expect(text).toMatchObject({ text: { paragraphs_added: 1, inserted: 0 }, earlier: expect.stringMatching(/^k/) });
  const opened = await desk['versions.open']({
    reference: { kind: 'page', course_id: course.id, id: page },
    key: text?.earlier ?? 'k',
  });
  expect(opened?.compared?.html).toContain('<ins');
  // Read elsewhere, deleted before it was viewed, or changed back.
  server.change('conversation', letter, { workflow_state: 'read' });
  server.remove('page', passing);
  server.change('page', page, { body: '<p>Twice a day.</p>' });
  await sync();
  expect(await news()).toEqual(['rubric: Essay (Algebra)']);
  expect(await desk['news.list'](undefined)).toMatchObject([{ rows: { added: ['Method'], removed: [], changed: [] } }]);
  server.change('page', page, { body: '<p>Thrice a day.</p>' });
  server.forgetHistory();
  await sync();
  // Everything was fetched again: nothing of it is news.
  expect(await news()).toEqual([]);
});

test('each item is notified once: after quiet hours all that arrived in them, and before the due date of unsubmitted work', async () => {
  let at = new Date(2026, 10, 20, 21, 0);
  const reopen = async () => {
    await desk.close();
    desk = await openDesk({ store: home.store, folder: home.folder, clock: { ...hurriedClock, now: () => at }, isManual: true });
  };
  const take = async (in_sight = false) => {
    const { say, again } = await desk['notices.take']({ in_sight, can_say: true });
    const one = say.map(({ notice }) =>
      notice.of === 'due'
        ? `due: ${notice.due.title}`
        : notice.of === 'news'
          ? `${notice.item.what}: ${notice.item.title}`
          : `${notice.quiet ? 'after quiet' : 'several'}: ${notice.items.map(({ title }) => title).join(', ')}`,
    );
    return { one, again: again && new Date(again) };
  };
  const enrollment = server.id();
  server.put('enrollment', enrollment, { id: enrollment, type: 'StudentEnrollment', course_id: course.id }, course.id);
  await sync();
  await reopen();
  course.page('Old', '');
  await sync();
  const about = { due: true, grades: true, dates: true, announcements: true, messages: true, discussions: true, content: true };
  await desk['notices.choose']({ enabled: true, about, quiet: { from: '22:00', to: '07:00' } });
  expect(await take()).toEqual({ one: [], again: null });
  course.page('Evening', '');
  await sync();
  expect((await take()).one).toEqual(['page new: Evening']);
  expect((await take()).one).toEqual([]);
  course.page('Seen', '');
  await sync();
  expect((await take(true)).one).toEqual([]);
  at = new Date(2026, 10, 20, 23, 0);
  course.page('Night', '');
  course.page('Midnight', '');
  server.change('assignment', essay.id, { due_at: new Date(2026, 10, 21, 12, 0).toISOString() });
  await sync();
  expect(await take()).toEqual({ one: [], again: new Date(2026, 10, 21, 7, 0) });
  at = new Date(2026, 10, 21, 7, 0);
  await reopen();
  expect(await take()).toEqual({ one: ['due: Essay', 'after quiet: Night, Midnight, Essay'], again: new Date(2026, 10, 21, 11, 0) });
  await reopen();
  expect((await take()).one).toEqual([]);
  await write('mine');
  await desk['work.hand_in'](essay);
  at = new Date(2026, 10, 21, 11, 0);
  expect(await take()).toEqual({ one: [], again: null });
});

test('bookmarks, notes and highlights are the user’s own: kept on the desk, and never sent to the server', async () => {
  const reference = { kind: 'assignment' as const, ...essay };
  server.count();
  await desk['bookmarks.mark']({ reference, marked: true, note: 'For the exam ' });
  const highlight = { id: 'one', words: 'tide', before: 'the ', after: ' lines' };
  await desk['bookmarks.highlight']({ reference, highlight });
  await restart();
  expect(await desk['bookmarks.list'](undefined)).toMatchObject([
    { title: 'Essay', course_name: 'Algebra', note: 'For the exam', is_marked: true, highlights: [highlight] },
  ]);
  expect((await desk['reader.open'](reference))?.bookmark).toMatchObject({ is_marked: true });
  expect(server.asked).toEqual([]);
  // The text is deleted; its highlights stay.
  server.remove('assignment', essay.id);
  await sync();
  expect(await desk['bookmarks.list'](undefined)).toMatchObject([{ title: 'Essay', highlights: [highlight] }]);
  // The server's bookmarks are listed, too: each links to the local item, otherwise to the web.
  server.put('page', 501, { page_id: 501, url: 'tides', title: 'Tides', body: '', published: true }, essay.course_id);
  const at = `/courses/${essay.course_id}/pages`;
  for (const [position, url] of [`${at}/tides`, `${at}/elsewhere`, 'https://tides.example.edu/', 'javascript:alert(1)'].reverse().entries())
    server.put('bookmark', position + 1, { id: position + 1, name: `Kept ${position}`, url, position });
  await sync();
  expect((await desk['bookmarks.kept'](undefined)).map(({ name, href }) => [name, href])).toEqual([
    ['Kept 1', 'https://tides.example.edu/'],
    ['Kept 2', `${server.url}${at}/elsewhere`],
    ['Kept 3', `#/read/page/${essay.course_id}/501`],
  ]);
  await desk['bookmarks.unhighlight']({ reference, id: 'one' });
  await desk['bookmarks.mark']({ reference, marked: false, note: '' });
  expect(await desk['bookmarks.list'](undefined)).toEqual([]);
});

test('an assignment shows its rubric with ratings and comments; a course shows its syllabus', async () => {
  const rubric = [{ id: 'a', description: 'Drawing', points: 5, ratings: [{ id: 'r', description: 'Fine', points: 5 }] }];
  server.change('assignment', essay.id, { rubric });
  server.change('course', course.id, { syllabus_body: '<p>Ten weeks.</p><script>x()</script>' });
  const id = essay.id + 1_000_000;
  const comments = [
    { id: 1, author_id: 2, author_name: 'T. Eacher', comment: 'Well drawn:\n\\(x < 1\\)', created_at: '2026-11-20T10:00:00Z' },
  ];
  const judged = { rubric_assessment: { a: { points: 5, rating_id: 'r', comments: 'Good' } }, submission_comments: comments };
  server.put('submission', id, { id, assignment_id: essay.id, user_id: 7, workflow_state: 'graded', ...judged }, course.id);
  await sync();
  expect(await desk['reader.open']({ kind: 'assignment', ...essay })).toMatchObject({
    rubric: {
      points: 5,
      earned: 5,
      criteria: [{ title: 'Drawing', earned: 5, comment: [{ tag: 'p', of: ['Good'] }], ratings: [{ is_given: true }] }],
    },
    comments: [{ author: 'T. Eacher', mine: false, words: [{ tag: 'p', of: ['Well drawn:', { tag: 'br' }, { tag: 'math' }] }] }],
  });
  const syllabus = await desk['reader.open']({ kind: 'syllabus', course_id: course.id, id: course.id });
  expect(syllabus).toMatchObject({ title: 'Algebra', html: '<p>Ten weeks.</p>' });
});

const anAssignment = { id: 1, course_id: 1, name: 'Essay', submission_types: ['online_text_entry'], allowed_attempts: 2 };
const attempt = (nth: number, more = {}) => ({ id: 1, assignment_id: 1, workflow_state: 'submitted', attempt: nth, ...more });
const cases = [
  ['nothing prevents it', anAssignment, undefined, {}, null],
  ['the assignment was deleted', undefined, undefined, {}, 'gone'],
  ['not open yet', { ...anAssignment, locked_for_user: true, lock_info: { unlock_at: 'x' } }, undefined, {}, 'not yet'],
  ['closed', { ...anAssignment, locked_for_user: true, lock_info: { lock_at: 'x', can_view: true } }, undefined, {}, 'closed'],
  ['locked by a module', { ...anAssignment, locked_for_user: true, lock_info: { context_module: { name: 'M' } } }, undefined, {}, 'locked'],
  ['another kind', anAssignment, undefined, { type: 'online_url' as const }, 'other kind'],
  ['one attempt left', anAssignment, attempt(1), { known_attempt: 1 }, null],
  ['no attempt left', anAssignment, attempt(2), { known_attempt: 2 }, 'attempts used'],
  ['an extra attempt was granted', anAssignment, attempt(2, { extra_attempts: 1 }), { known_attempt: 2 }, null],
  ['submitted elsewhere in the meantime', anAssignment, attempt(1), { known_attempt: 0 }, 'newer attempt'],
] as const;

test('reasons against submitting', () => {
  for (const [name, assignment, submission, given, hold] of cases)
    expect([name, holdOn(assignment, submission, given)]).toEqual([name, hold]);
});
