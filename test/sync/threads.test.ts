// Discussions and conversations on the desk: their messages are stored, read and answered without the server.

import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Desk, openDesk } from '@carrel/desktop/engine/desk';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aFakeCourse, type FakeCourse, setContent } from './support/course';
import { FakeServer } from './support/fake_server';
import { hurriedClock, Student } from './support/student';

let server: FakeServer;
let course: FakeCourse;
let home: Student;
let desk: Desk;

const sync = async () => {
  await desk['sync.now'](undefined);
  await vi.waitFor(async () => expect((await desk['sync.status'](undefined)).phase).not.toBe('syncing'), { timeout: 20_000, interval: 20 });
  return desk['sync.status'](undefined);
};

beforeEach(async () => {
  server = await new FakeServer().start();
  course = aFakeCourse(server);
  home = new Student();
  desk = await openDesk({ store: home.store, folder: home.folder, clock: hurriedClock, isManual: true });
});
afterEach(async () => {
  await desk.close();
  await home.leave();
  await server.stop();
});

const at = '2026-11-18T10:00:00Z';
const person = (id: number, display_name: string) => ({ id, display_name });

function aTopic(more: Record<string, unknown> = {}) {
  const id = server.id();
  const topic = {
    id,
    title: 'Stones',
    message: '<p>What did you find?</p>',
    discussion_subentry_count: 3,
    unread_count: 2,
    permissions: { reply: true },
  };
  server.put('discussion_topic', id, { ...topic, read_state: 'unread', posted_at: at, author: person(9, 'T. Eacher'), ...more }, course.id);
  return id;
}

const viewAt = (id: number) => `/api/v1/courses/${course.id}/discussion_topics/${id}/view`;
const aView = (more: Record<string, unknown> = {}) => ({
  participants: [person(7, 'Ada Student'), person(8, 'Ben')],
  unread_entries: [1, 2],
  view: [
    {
      id: 1,
      user_id: 8,
      created_at: at,
      updated_at: at,
      message: `<p onclick="x()">A <b>crab</b><script>alert(1)</script> see <a href="/courses/${course.id}/files/5">it</a> <a href="javascript:x()">or</a></p>`,
      replies: [{ id: 2, user_id: 7, created_at: at, updated_at: at, message: '<p>Alone? $$<br>x_1<br>$$ \\(not closed</p>' }],
    },
    { id: 3, user_id: 8, created_at: at, updated_at: at, deleted: true },
  ],
  ...more,
});

const signIn = () => desk['account.login']({ url: server.url, token: server.token });
const open = (id: number) => desk['discussion.open']({ course_id: course.id, id });

test('replies are stored as trees of text, read without the server, and requested only where there are new ones', async () => {
  const topic = aTopic();
  const silent = aTopic({ title: 'Silent', discussion_subentry_count: 0, unread_count: 0, pinned: true });
  server.words.set(viewAt(topic), aView());
  await signIn();
  await sync();
  const views = () => server.asked.filter(({ path }) => path.endsWith('/view')).map(({ path }) => path);
  expect(views()).toEqual([viewAt(topic)]);
  await sync();
  expect(views()).toHaveLength(1);
  server.change('discussion_topic', topic, { last_reply_at: at });
  await sync();
  expect(views()).toHaveLength(2);
  await server.stop();

  expect(await desk['course.discussions']({ course_id: course.id })).toMatchObject([
    { id: silent, pinned: true, replies: 0, unread: 0 },
    { id: topic, replies: 3, unread: 2, read: false, author: 'T. Eacher', excerpt: 'What did you find?' },
  ]);
  // Formulas are rendered wherever users write, as elements that the desk creates itself.
  const formula = expect.objectContaining({ tag: 'math', math: { name: 'math', given: expect.objectContaining({ display: 'block' }) } });
  expect(await open(topic)).toEqual({
    count: 3,
    unread: 2,
    can_reply: true,
    can_attach: false,
    unfinished: [],
    write_first: false,
    missing: false,
    replies: [
      expect.objectContaining({
        id: 1,
        author: 'Ben',
        mine: false,
        unread: true,
        words: [
          {
            tag: 'p',
            of: [
              'A ',
              { tag: 'strong', of: ['crab'] },
              ' see ',
              { tag: 'a', of: ['it'], href: `${server.url}/courses/${course.id}/files/5` },
              ' ',
              { tag: 'a', of: ['or'] },
            ],
          },
        ],
        replies: [
          expect.objectContaining({
            id: 2,
            author: 'Ada Student',
            mine: true,
            unread: true,
            words: [{ tag: 'p', of: ['Alone? ', formula, ' \\(not closed'] }],
          }),
        ],
      }),
      expect.objectContaining({ id: 3, deleted: true, words: [] }),
    ],
  });
  server = await new FakeServer().start();
});

test('read marks are sent reply by reply, and show as read before the server knows', async () => {
  const topic = aTopic();
  server.words.set(viewAt(topic), aView());
  await signIn();
  await sync();
  const seen = (...replies: number[]) => desk['discussion.seen']({ course_id: course.id, id: topic, replies });
  await seen(1);
  await seen(2);
  expect(await open(topic)).toMatchObject({ unread: 0, replies: [{ unread: false }, {}] });
  expect(await desk['course.discussions']({ course_id: course.id })).toMatchObject([{ unread: 0 }]);
  server.count();
  expect(await sync()).toMatchObject({ pending_edits: 0, issues: [] });
  expect(server.asked.filter(({ method }) => method === 'PUT').map(({ path }) => path.split('/entries')[1])).toEqual([
    '/1/read',
    '/2/read',
  ]);
});

test('a reply written offline is shown in its place, is sent once, and can be undone while it waits', async () => {
  const topic = aTopic();
  server.words.set(viewAt(topic), aView());
  await signIn();
  await sync();
  const reply = (text: string, parent_id: number | null = null) =>
    desk['discussion.reply']({ course_id: course.id, id: topic, parent_id, text });
  // Unsent text survives a restart; the step that sends it deletes it.
  const place = { kind: 'reply', course_id: course.id, id: topic, parent_id: null } as const;
  const chosen = join(home.home, 'chosen.png');
  writeFileSync(chosen, 'a picture');
  const file = await desk['letter.attach']({ name: 'crab.png', path: chosen });
  rmSync(chosen);
  await desk['writing.keep']({ place, words: { text: 'Wro' } });
  await desk['writing.keep']({ place, words: { text: 'Wrong', files: [file] } });
  await desk.close();
  desk = await openDesk({ store: home.store, folder: home.folder, clock: hurriedClock, isManual: true });
  const { text, files } = (await desk['writing.open']({ place })) ?? { text: '' };
  expect({ text, files }).toEqual({ text: 'Wrong', files: [file] });
  expect(await open(topic)).toMatchObject({ unfinished: [null], can_attach: false });
  expect(await desk['writing.list'](undefined)).toMatchObject([{ place, title: 'Stones', course_name: 'Algebra', words: { text } }]);
  await reply('Two <crabs>\nand\n\na glove', 1);
  await desk['discussion.reply']({ course_id: course.id, id: topic, parent_id: null, text, files, finished: place });
  expect(await desk['writing.list'](undefined)).toEqual([]);
  const waiting = await open(topic);
  expect(waiting?.replies[0]?.replies[1]).toMatchObject({
    id: 0,
    mine: true,
    words: [
      { tag: 'p', of: ['Two <crabs>', { tag: 'br', of: [] }, 'and'] },
      { tag: 'p', of: ['a glove'] },
    ],
    unsent: { refused: null },
  });
  expect(waiting?.replies.at(-1)?.attachments).toMatchObject([{ name: 'crab.png', waits: true, here: false }]);
  const wrong = waiting?.replies.at(-1)?.unsent?.id ?? '';
  expect(await desk['outbox.take_back']({ id: wrong })).toBe(true);
  expect(await desk['outbox.take_back']({ id: wrong })).toBe(false);
  expect(await desk['writing.open']({ place })).toEqual({ text: 'Wrong', files: [file] });
  await expect(reply('  ')).rejects.toThrow(/Write something first/);
  const bodies: string[] = [];
  let lost = 1;
  server.fault = ({ method }) => (method === 'POST' && lost-- > 0 ? 'cut' : undefined);
  server.onAsked = ({ method, path, headers }) =>
    method === 'POST' && bodies.push(`${path.split('/entries')[1]} ${headers['idempotency-key']}`);
  expect(await sync()).toMatchObject({ pending_edits: 0, issues: [] });
  expect(new Set(bodies).size).toBe(1);
  expect(bodies[0]).toMatch(/^\/1\/replies /);
  await reply('this is forbidden');
  expect(await sync()).toMatchObject({ pending_edits: 1, issues: [{ what: 'your reply', where: 'Stones', why: 'not here' }] });
  const refused = (await open(topic))?.replies.at(-1)?.unsent;
  expect(refused).toMatchObject({ refused: 'not here' });
  expect(await desk['outbox.take_back']({ id: refused?.id ?? '' })).toBe(true);
  expect(await sync()).toMatchObject({ pending_edits: 0, issues: [] });

  // A file and the text are one request, identical each time it is sent; if refused, it stays with the reason and its bytes.
  const forms: string[] = [];
  let isFull = true;
  server.fault = () => undefined;
  server.besides = ({ method, path, headers }, body) => {
    if (method !== 'POST' || !path.endsWith('/entries')) return undefined;
    const parts = [...body.matchAll(/name="(\w+)"(?:; filename="([^"]*)")?[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/g)];
    forms.push(`${parts.map(([, name, filename = '', value]) => `${name} ${filename} ${value}`).join(', ')} ${headers['idempotency-key']}`);
    return isFull ? { status: 400, body: { message: 'file size exceeds quota' } } : { status: 201, body: {} };
  };
  server.change('discussion_topic', topic, { permissions: { reply: true, attach: true } });
  await sync();
  expect(await open(topic)).toMatchObject({ can_attach: true });
  await desk['discussion.reply']({ course_id: course.id, id: topic, parent_id: null, text: 'A crab', files: [file], finished: place });
  expect(await sync()).toMatchObject({ pending_edits: 1, issues: [{ what: 'your reply', why: 'file size exceeds quota' }] });
  isFull = false;
  let unanswered = 1;
  server.fault = ({ method }) => (method === 'POST' && unanswered-- > 0 ? 'unanswered' : undefined);
  const [parked] = await desk['outbox.list'](undefined);
  expect(parked).toMatchObject({ files: ['crab.png'], refused: 'file size exceeds quota', hold: 'declined' });
  expect(await desk['outbox.retry']({ id: parked?.id ?? '' })).toBe(true);
  expect(await sync()).toMatchObject({ pending_edits: 0, issues: [] });
  // The response was lost, and the idempotency key returns it again.
  expect(new Set(forms)).toEqual(new Set([`message  <p>A crab</p>, attachment crab.png a picture ${parked?.id}`]));
  expect(forms).toHaveLength(2);
  const here = () => readdirSync(home.store, { recursive: true }).some((name) => String(name).endsWith(file.sha256));
  expect(here()).toBe(false);

  // The topic is locked or deleted: unsent text stays.
  await desk['writing.keep']({ place, words: { text: 'Too late' } });
  server.change('discussion_topic', topic, { locked_for_user: true });
  await sync();
  expect(await open(topic)).toMatchObject({ can_reply: false, unfinished: [null] });
  server.remove('discussion_topic', topic);
  await sync();
  expect(await desk['writing.list'](undefined)).toMatchObject([{ title: null, open: null, words: { text: 'Too late' } }]);
  await desk['writing.keep']({ place, words: null });
  expect(await desk['writing.list'](undefined)).toEqual([]);
});

test('users who must post before seeing replies see a note; a discussion that fails once is requested again', async () => {
  const first = aTopic({ require_initial_post: true, user_can_see_posts: false });
  const shaky = aTopic({ title: 'Shaky' });
  server.words.set(viewAt(shaky), aView());
  server.fault = ({ path }) =>
    path === viewAt(first)
      ? { status: 403, body: '{"message":"require_initial_post"}' }
      : path === viewAt(shaky)
        ? { status: 500 }
        : undefined;
  await signIn();
  expect(await sync()).toMatchObject({ phase: 'idle' });
  expect(await open(first)).toMatchObject({ write_first: true, missing: false, replies: [] });
  expect(await open(shaky)).toMatchObject({ missing: true, replies: [] });
  server.fault = () => undefined;
  server.count();
  await sync();
  expect(server.asked.map(({ path }) => path)).toContain(viewAt(shaky));
  expect(server.asked.map(({ path }) => path)).not.toContain(viewAt(first));
  expect(await open(shaky)).toMatchObject({ missing: false, count: 3 });
});

test('a conversation is read and answered offline; the server receives both once', async () => {
  const id = server.id();
  const people = [
    { id: 7, name: 'Ada Student' },
    { id: 8, name: 'Ben' },
  ];
  const message = {
    id,
    subject: 'The frame',
    workflow_state: 'unread',
    last_message: 'Have you one?',
    last_message_at: at,
    message_count: 2,
    audience: [8],
    participants: people,
  };
  server.put('conversation', id, message);
  server.words.set(`/api/v1/conversations/${id}`, {
    ...message,
    messages: [
      { id: 2, author_id: 8, created_at: at, body: 'Have you one?', attachments: [] },
      { id: 1, author_id: 7, created_at: '2026-11-17T10:00:00Z', body: 'Hello', attachments: [] },
    ],
  });
  await signIn();
  await sync();
  expect(server.asked.filter(({ path }) => path.includes('conversations')).map(({ path }) => path)).toEqual([
    `/api/v1/conversations/${id}?auto_mark_as_read=false`,
  ]);
  expect(await desk['inbox.list'](undefined)).toMatchObject([
    { id, subject: 'The frame', people: ['Ben'], unread: true, excerpt: 'Have you one?' },
  ]);
  await desk['inbox.seen']({ id });
  await desk['inbox.seen']({ id });
  await desk['inbox.reply']({ id, text: ' Yes.\n\nTwo: \\(2\\) ' });
  expect(await desk['inbox.list'](undefined)).toMatchObject([{ unread: false, unsent: true, excerpt: 'Yes. Two: \\(2\\)' }]);
  expect((await desk['inbox.open']({ id }))?.messages).toMatchObject([
    { author: 'Ada Student', mine: true, words: [{ tag: 'p', of: ['Hello'] }], unsent: null },
    { author: 'Ben', mine: false, words: [{ tag: 'p', of: ['Have you one?'] }] },
    {
      mine: true,
      words: [{ of: ['Yes.'] }, { of: ['Two: ', { tag: 'math', of: [{ math: { name: 'mn' }, of: ['2'] }] }] }],
      unsent: { refused: null },
    },
  ]);
  server.count();
  expect(await sync()).toMatchObject({ pending_edits: 0, issues: [] });
  const said = () => server.asked.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
  expect(said()).toEqual([`PUT /api/v1/conversations/${id}`, `POST /api/v1/conversations/${id}/add_message`]);
  // Starred and archived as the user chose, before the server knows; the last of several choices counts.
  await desk['inbox.star']({ id, starred: true });
  await desk['inbox.archive']({ id, archived: false });
  await desk['inbox.archive']({ id, archived: true });
  await desk['inbox.seen']({ id });
  expect(await desk['inbox.list'](undefined)).toMatchObject([{ unread: false, starred: true, archived: true }]);
  expect(await desk['inbox.open']({ id })).toMatchObject({ starred: true, archived: true });
  expect(await desk['outbox.list'](undefined)).toMatchObject([
    { verb: 'star', title: 'The frame', letter: id },
    { verb: 'archive', title: 'The frame', letter: id },
  ]);
  server.count();
  expect(await sync()).toMatchObject({ pending_edits: 0, issues: [] });
  expect(said()).toEqual([`PUT /api/v1/conversations/${id}`, `PUT /api/v1/conversations/${id}`]);
  expect(await desk['inbox.list'](undefined)).toMatchObject([{ starred: true, archived: true }]);
  expect(await desk['search.find']({ text: 'hello', course_id: null, kind: null })).toMatchObject({ found: [{ kind: 'message', id }] });
});

test('a group is like a course: its files are synced, its pages read, its discussions answered, its members listed; all of it is removed with the group', async () => {
  const group = server.id();
  const result = { id: group, name: 'Reds', context_name: 'Algebra', course_id: course.id, members_count: 3, leader: { id: 8 } };
  server.put('group', group, result, -group);
  // However many pages their list has.
  const [first, second] = [
    [
      { id: 7, name: 'Ada Student' },
      { id: 8, name: 'Ben' },
    ],
    [
      { id: 8, name: 'Ben' },
      { id: 12, name: 'Zoe' },
    ],
  ];
  const members = `/api/v1/groups/${group}/users`;
  server.lists = ({ pathname, searchParams }) =>
    pathname === members
      ? {
          status: 200,
          headers: { link: searchParams.has('page') ? '' : `<${server.url}${members}?page=bookmark:2>; rel="next"` },
          body: searchParams.has('page') ? second : first,
        }
      : undefined;
  const root = server.id();
  server.put('folder', root, { id: root, name: 'files', parent_folder_id: null }, -group);
  const file = server.id();
  server.put('file', file, { id: file, folder_id: root, display_name: 'plan.txt', 'content-type': 'text/plain' }, -group);
  setContent(server, file, 'the plan');
  const page = server.id();
  server.put('page', page, { page_id: page, url: 'ours', title: 'Ours', body: `<a href="/groups/${group}/pages/ours">us</a>` }, -group);
  const topic = server.id();
  const asked = { id: topic, title: 'Who', message: 'x', discussion_subentry_count: 1, read_state: 'unread', permissions: { reply: true } };
  server.put('discussion_topic', topic, asked, -group);
  server.words.set(`/api/v1/groups/${group}/discussion_topics/${topic}/view`, aView());
  await signIn();
  await sync();
  expect(await desk['courses.list'](undefined)).toMatchObject([
    { id: course.id },
    { id: -group, name: 'Reds (Algebra)', course_code: 'Algebra', file_count: 1 },
  ]);
  expect(home.tree()).toMatchObject({ 'Reds (Algebra)/plan.txt': 'the plan' });
  expect(await desk['reader.open']({ kind: 'page', course_id: -group, id: page })).toMatchObject({
    course_name: 'Reds (Algebra)',
    html: expect.stringContaining(`#/read/page/${-group}/${page}`),
  });
  expect(await desk['course.discussions']({ course_id: -group })).toMatchObject([{ id: topic, replies: 1 }]);
  expect(await desk['discussion.open']({ course_id: -group, id: topic })).toMatchObject({
    replies: [{ id: 1 }, { id: 3 }],
    missing: false,
  });
  await desk['discussion.reply']({ course_id: -group, id: topic, parent_id: null, text: 'Me' });
  await sync();
  expect(server.asked.map(({ method, path }) => `${method} ${path}`)).toContain(
    `POST /api/v1/groups/${group}/discussion_topics/${topic}/entries`,
  );
  expect(await desk['group.people']({ course_id: -group })).toEqual({
    count: 3,
    missing: false,
    people: [
      { id: 8, name: 'Ben', is_me: false, leads: true },
      { id: 7, name: 'Ada Student', is_me: true, leads: false },
      { id: 12, name: 'Zoe', is_me: false, leads: false },
    ],
  });
  expect(await desk['inbox.people'](undefined)).toContainEqual({ id: 12, name: 'Zoe' });
  server.remove('group', group);
  await sync();
  expect(await desk['courses.list'](undefined)).toMatchObject([{ id: course.id }]);
  expect(await desk['course.pages']({ course_id: -group })).toEqual([]);
});

test('earlier texts are read without the server, next to the current ones; users who cannot edit a page send no request for them', async () => {
  const page = course.page('Tides', '<p>Twice a day the sea <a href="javascript:x()">leaves</a>. \\(x^2\\)</p>', {
    editing_roles: 'teachers',
    last_edited_by: person(9, 'T. Eacher'),
  });
  const essay = course.assignment('Essay', { description: '<p>Ten pages.</p>' });
  const topic = aTopic({ discussion_subentry_count: 0 });
  await signIn();
  await sync();
  const reference = { kind: 'page', course_id: course.id, id: page } as const;
  expect(await desk['reader.open'](reference)).toMatchObject({ earlier: null });
  server.change('page', page, {
    title: 'The tides',
    body: '<p>Twice a day the sea comes. \\(x^3\\)</p>',
    updated_at: '2026-11-18T10:00:00Z',
  });
  server.change('assignment', essay, { description: '<p>Twelve pages.</p>' });
  server.change('discussion_topic', topic, { message: '<p>What did you see?</p>' });
  server.change('course', course.id, { syllabus_body: '<p>Weeks</p>' });
  await sync();
  server.change('course', course.id, { syllabus_body: '<p>Ten weeks</p>' });
  server.count();
  await sync();
  expect(server.count().all).toBe(1);
  // Unpublished for editing: the text that the user had read is there when it is published again, and only then.
  const drafted = server.get('assignment', essay);
  server.remove('assignment', essay);
  await sync();
  expect(await desk['versions.list']({ kind: 'assignment', course_id: course.id, id: essay })).toBeNull();
  server.put('assignment', essay, { ...drafted, description: '<p>Fifteen pages.</p>' }, course.id);
  await sync();
  await server.stop();

  expect(await desk['reader.open'](reference)).toMatchObject({ earlier: 1 });
  expect(await desk['versions.ask'](reference)).toBe('not told');
  const list = await desk['versions.list'](reference);
  expect(list).toMatchObject({
    title: 'The tides',
    may_ask: false,
    earlier: [
      {
        number: null,
        title: 'Tides',
        by: 'T. Eacher',
        at: '2026-11-01T10:00:00Z',
        until: '2026-11-18T10:00:00Z',
        here: true,
        became: { title: 'The tides', words: { inserted: 2, deleted: 2 } },
      },
    ],
  });
  const key = list?.earlier[0]?.key ?? 'k0';
  expect(await desk['versions.open']({ reference, key })).toMatchObject({
    as_it_was: {
      title: 'Tides',
      html: expect.stringMatching(/^<p>Twice a day the sea <a rel="noopener noreferrer">leaves<\/a>\. <math><msup>.*<\/math><\/p>$/),
    },
    compared: {
      title: 'The tides',
      html: expect.stringMatching(
        /sea <del [^>]*>leaves<\/del><ins [^>]*>comes<\/ins>\. <del [^>]*><math>.*<mn[^>]*>2<\/mn>.*<\/math><\/del><ins [^>]*><math>.*3.*<\/math><\/ins><\/p>$/,
      ),
    },
    newer: null,
    older: null,
  });
  for (const [kind, id, count] of [
    ['assignment', essay, 2],
    ['discussion_topic', topic, 1],
    ['syllabus', course.id, 1],
  ] as const)
    expect((await desk['versions.list']({ kind, course_id: course.id, id }))?.earlier, kind).toMatchObject(
      Array.from({ length: count }, () => ({ here: true })),
    );
  server = await new FakeServer().start();
});

test('for a page that the user may edit, the server lists its revisions on request; each is fetched once and then read offline', async () => {
  const group = server.id();
  server.put('group', group, { id: group, name: 'Reds', context_name: 'Algebra' }, -group);
  const page = server.id();
  const told = { page_id: page, url: 'ours', title: 'Ours', body: '<p>three</p>', updated_at: at, editing_roles: 'members' };
  server.put('page', page, told, -group);
  await signIn();
  await sync();
  const reference = { kind: 'page', course_id: -group, id: page } as const;
  const revisionsAt = `/api/v1/groups/${group}/pages/ours/revisions`;
  const times = ['2026-11-01T10:00:00Z', '2026-11-02T10:00:00Z', at];
  const revisions = times.map((updated_at, nth) => ({ revision_id: nth + 1, updated_at, edited_by: person(8, 'Ben') }));
  server.words.set(revisionsAt, revisions.toReversed() as never);
  for (const { revision_id, ...rest } of revisions)
    server.words.set(`${revisionsAt}/${revision_id}`, {
      ...rest,
      revision_id,
      title: 'Ours',
      body: `<p>${['one', 'two', 'three'][revision_id - 1]}</p>`,
    });
  server.count();
  expect(await desk['reader.open'](reference)).toMatchObject({ earlier: 0 });
  expect(await desk['versions.ask'](reference)).toBe('told');
  expect(server.count().all).toBe(4);
  expect(await desk['versions.ask'](reference)).toBe('told');
  expect(server.count().all).toBe(1);
  // A version that the desk saw replaced and the server's revision of it are one entry.
  server.change('page', page, { body: '<p>four</p>', updated_at: '2026-11-19T10:00:00Z' });
  await sync();
  expect(await desk['reader.open'](reference)).toMatchObject({ earlier: 3 });
  await server.stop();
  expect(await desk['versions.ask'](reference)).toBe('not reached');
  expect(await desk['versions.list'](reference)).toMatchObject({
    may_ask: true,
    earlier: [
      { key: 'r3', until: '2026-11-19T10:00:00Z', became: { words: { inserted: 1, deleted: 1 } } },
      { key: 'r2', number: 2, by: 'Ben', until: at },
      { key: 'r1', number: 1, here: true },
    ],
  });
  expect(await desk['versions.open']({ reference, key: 'r2' })).toMatchObject({
    as_it_was: { html: '<p>two</p>' },
    newer: 'r3',
    older: 'r1',
  });
  server = await new FakeServer().start();
});

test('attachments of messages and replies are stored next to the courses, open without the server, and are removed with them', async () => {
  const id = server.id();
  server.put('conversation', id, {
    id,
    subject: 'The map',
    workflow_state: 'read',
    participants: [person(8, 'Ben'), person(7, 'Ada Student')],
  });
  const hung = { map: 'x marks the spot' };
  const size = JSON.stringify(hung).length;
  const map = { id: 77, display_name: '../the map?.txt', size, url: `${server.url}/attached/77?verifier=v` };
  const words = (attachments: unknown[]) => ({
    id,
    participants: [],
    messages: [{ id: 1, author_id: 8, created_at: at, body: 'Here', attachments }],
  });
  server.words.set(`/api/v1/conversations/${id}`, words([map, { ...map, id: 78, url: `${server.url}/attached/78` }]));
  server.words.set('/attached/77', hung);
  await signIn();
  expect(await sync()).toMatchObject({ phase: 'idle', issues: [] });
  const attachments = async () => (await desk['inbox.open']({ id }))?.messages[0]?.attachments;
  expect(await attachments()).toMatchObject([
    { id: 77, name: '../the map?.txt', here: true },
    { id: 78, here: false },
  ]);
  server.count();
  await sync();
  // What the server refuses is not requested again until there is something new.
  expect(server.count().all).toBe(1);
  expect(await desk['reader.open']({ kind: 'file', course_id: 0, id: 77 })).toMatchObject({
    title: '../the map?.txt',
    course_name: 'Inbox',
    html: expect.stringContaining('marks the spot'),
    file: { here: true, hangs: true, viewer: 'text' },
  });
  const { path = '' } = (await desk['file.open']({ id: 77 })) ?? {};
  expect(path).toBe(join(home.folder, '.carrel/attachments/77/.._the map_.txt'));
  server.words.set(`/api/v1/conversations/${id}`, words([]));
  server.change('conversation', id, { last_message_at: at });
  await sync();
  expect(existsSync(path)).toBe(false);
});

test('a message has attachments: copied when they are chosen, sent once before the text, and removed when it has arrived', async () => {
  const id = server.id();
  server.put('conversation', id, {
    id,
    subject: 'The map',
    workflow_state: 'read',
    participants: [person(8, 'Ben'), person(7, 'Ada Student')],
  });
  const asked: unknown[] = [];
  let isFull = true;
  server.besides = ({ path }, body) => {
    if (path === '/api/v1/users/self/files') asked.push(JSON.parse(body));
    if (path === '/api/v1/users/self/files') return { status: 200, body: { upload_url: `${server.url}/api/v1/upload`, upload_params: {} } };
    if (path === '/api/v1/upload') return { status: 201, body: { id: 501, size: 3 } };
    if (!path.endsWith('/add_message')) return undefined;
    asked.push(JSON.parse(body));
    return isFull ? { status: 503, body: {} } : { status: 200, body: {} };
  };
  await signIn();
  await sync();
  const path = join(home.home, 'chosen.txt');
  writeFileSync(path, 'map');
  const file = await desk['letter.attach']({ name: 'the map.txt', path });
  // The original may be deleted.
  rmSync(path);
  const left = await desk['letter.attach']({ name: 'x', path: import.meta.filename });
  const place = { kind: 'letter', id } as const;
  await desk['writing.keep']({ place, words: { text: 'Here', files: [file, left] } });
  const bytes = ({ sha256 }: { sha256: string }) =>
    readdirSync(home.store, { recursive: true }).some((name) => String(name).endsWith(sha256));
  await desk['writing.keep']({ place, words: { text: 'Here', files: [file] } });
  expect([bytes(file), bytes(left)]).toEqual([true, false]);
  await desk['inbox.reply']({ id, text: 'Here', files: [file], finished: place });
  expect(await desk['writing.open']({ place })).toBeNull();
  // Undone, it can be edited with its file; a draft started meanwhile is sent before it.
  await desk['writing.keep']({ place, words: { text: 'Look!', files: [] } });
  const [waits] = await desk['outbox.list'](undefined);
  expect(waits?.files).toEqual(['the map.txt']);
  await desk['outbox.take_back']({ id: waits?.id ?? '' });
  expect(await desk['writing.open']({ place })).toEqual({ text: 'Look!\n\nHere', files: [file] });
  await desk['inbox.reply']({ id, text: 'Here', files: [file], finished: place });
  expect((await desk['inbox.open']({ id }))?.messages).toMatchObject([
    { attachments: [{ name: 'the map.txt', waits: true, here: false }] },
  ]);
  await sync();
  isFull = false;
  await sync();
  const sent = { body: 'Here', attachment_ids: [501] };
  expect(asked[0]).toEqual({ name: 'the map.txt', size: 3, parent_folder_path: 'conversation attachments', on_duplicate: 'rename' });
  expect(asked.slice(1)).toEqual(asked.slice(1).map(() => sent));
  expect(await desk['outbox.list'](undefined)).toEqual([]);
  expect(bytes(file)).toBe(false);
});
