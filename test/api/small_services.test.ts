// Content shares, media objects, and the history of pages.

import { env, SELF } from 'cloudflare:test';
import { exportContent } from '@carrel/worker/domains/content_exports/job';
import { migrateContent } from '@carrel/worker/domains/content_migrations/job';
import type { Platform } from '@carrel/worker/platform';
import { beforeAll, expect, test } from 'vitest';
import { as, base, ground, noteRoute, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';
import { viewsTakenIn } from '../support/page_views';
import { upload } from '../support/upload';

type Scene = Awaited<ReturnType<typeof aCourse>>;
const platform = env as unknown as Platform;
let scene: Scene;
let other: Scene;
let root: Person;
let at = '';

beforeAll(async () => {
  scene = await aCourse(ground, { name: 'Shared course' });
  other = await aCourse(ground, { name: 'Other course' });
  root = await ground.admin();
  at = `/courses/${scene.course.id}`;
});

interface Share {
  readonly id: number;
  readonly receivers: { readonly id: number }[];
  readonly sender: { readonly id: number } | null;
}

test('teachers share content with colleagues, who read it in their list', async () => {
  const { teacher, student, designer } = scene;
  const colleague = other.teacher;
  const work = ok(await as(teacher).post(`${at}/assignments`, { assignment: { name: 'Shared essay' } }), 201);
  const shares = (person: Person) => `/users/${person.id}/content_shares`;
  const share = (who: Person, given: object) => as(who).post(shares(who), given);
  const given = { content_type: 'assignment', content_id: work.id, receiver_ids: [colleague.id, student.id, teacher.id, 88888888] };
  const sent = ok(within(await share(teacher, given), 3), 201);
  expect(sent).toMatchObject({
    name: 'Shared essay',
    content_type: 'assignment',
    user_id: teacher.id,
    sender: null,
    source_course: { id: scene.course.id, name: 'Shared course' },
    read_state: 'read',
    content_export: { export_type: 'common_cartridge', course_id: scene.course.id },
  });
  // Students receive nothing, and neither does the sender.
  expect(sent.receivers.map(({ id }: { id: number }) => id)).toEqual([colleague.id]);
  expect(ok(within(await as(colleague).get(`${shares(colleague)}/unread_count`), 2))).toEqual({ unread_count: 1 });
  const [received] = ok(within(await as(colleague).get(`${shares(colleague)}/received`), 2)) as Share[];
  expect(received).toMatchObject({
    name: 'Shared essay',
    receivers: [],
    read_state: 'unread',
    content_export: { id: sent.content_export.id },
  });
  expect(received?.sender?.id).toBe(teacher.id);
  // Others who may read the list, such as administrators, get no package.
  await exportContent({ job: 'content_export', progress_id: Number(sent.content_export.progress_url.split('/').at(-1)) }, platform);
  const attached = async (person: Person) =>
    ok(await as(person).get(`${shares(colleague)}/${received?.id}`)).content_export.attachment?.url;
  await expect.poll(() => attached(colleague)).toBeTruthy();
  expect(await attached(root)).toBeUndefined();
  // The receiver imports it into a course of their own, although they cannot see where it came from.
  const migrations = `/courses/${other.course.id}/content_migrations`;
  const wanted = { migration_type: 'common_cartridge_importer', settings: { content_export_id: sent.content_export.id } };
  ok(await as(other.designer).post(migrations, wanted), 404);
  const begun = ok(await as(colleague).post(migrations, wanted));
  await migrateContent({ job: 'content_migration', ids: [begun.id] }, platform);
  const titles = async () =>
    (ok(await as(colleague).get(`/courses/${other.course.id}/assignments`)) as { name: string }[]).map(({ name }) => name);
  await expect.poll(titles).toContain('Shared essay');
  const single = `${shares(colleague)}/${received?.id}`;
  expect(ok(within(await as(colleague).put(single, { read_state: 'read' }), 3)).read_state).toBe('read');
  expect(ok(await as(colleague).get(`${shares(colleague)}/unread_count`))).toEqual({ unread_count: 0 });
  expect(ok(within(await as(colleague).get(single), 2)).read_state).toBe('read');
  const more = { receiver_ids: [designer.id, colleague.id] };
  const after = ok(within(await as(teacher).post(`${shares(teacher)}/${sent.id}/add_users`, more), 3));
  expect(after.receivers.map(({ id }: { id: number }) => id)).toEqual([colleague.id, designer.id]);
  ok(await as(colleague).post(`${single}/add_users`, more), 403);
  ok(await as(teacher).post(`${shares(teacher)}/${sent.id}/add_users`, { receiver_ids: [student.id] }), 400);
  ok(await as(colleague).post(`${shares(colleague)}/${sent.id}/add_users`, more), 404);
  expect(ok(within(await as(colleague).del(single), 3)).message).toBeTruthy();
  ok(await as(colleague).get(single), 404);
  expect(ok(await as(teacher).get(`${shares(teacher)}/${sent.id}`)).receivers.map(({ id }: { id: number }) => id)).toEqual([designer.id]);
  ok(await as(teacher).put(`${shares(teacher)}/${sent.id}`, { read_state: 'other' }), 400);
  for (const wrong of [
    { ...given, content_type: undefined },
    { ...given, content_type: 'course' },
    { ...given, content_id: undefined },
    { ...given, content_id: 88888888 },
    { ...given, receiver_ids: [] },
    { ...given, receiver_ids: [student.id] },
    { ...given, receiver_ids: Array.from({ length: 101 }, (_, nth) => nth + 1) },
  ])
    ok(await share(teacher, wrong), 400);
  // Content that the caller does not teach is unknown to them.
  ok(await share(colleague, { ...given, receiver_ids: [teacher.id] }), 400);
  ok(await share(student, { ...given, receiver_ids: [colleague.id] }), 400);
  for (const [path, method] of [
    ['', 'post'],
    [`/${sent.id}`, 'put'],
    [`/${sent.id}`, 'del'],
    [`/${sent.id}/add_users`, 'post'],
  ] as const)
    ok(await as(root)[method](`${shares(teacher)}${path}`, method === 'put' ? { read_state: 'read' } : given), 403);
  expect(ok(await as(root).get(`${shares(teacher)}/sent`))).toHaveLength(1);
  for (const path of ['/sent', '/received', '/unread_count', `/${sent.id}`]) ok(await as(student).get(`${shares(teacher)}${path}`), 401);
});

test('every type of content can be shared, newest first', async () => {
  const { teacher } = other;
  const path = `/courses/${other.course.id}`;
  const receiver_ids = [scene.teacher.id];
  const module = ok(await as(teacher).post(`${path}/modules`, { module: { name: 'A module' } }));
  const item = ok(await as(teacher).post(`${path}/modules/${module.id}/items`, { module_item: { type: 'SubHeader', title: 'An item' } }));
  const content = [
    ['attachment', (await upload(teacher, `${path}/files`, { name: 'A file.txt' })).id, 'A file.txt'],
    ['discussion_topic', ok(await as(teacher).post(`${path}/discussion_topics`, { title: 'A topic' })).id, 'A topic'],
    ['page', ok(await as(teacher).post(`${path}/pages`, { wiki_page: { title: 'A page' } })).page_id, 'A page'],
    ['quiz', ok(await as(teacher).post(`${path}/quizzes`, { quiz: { title: 'A quiz' } })).id, 'A quiz'],
    ['module', module.id, 'A module'],
    ['module_item', item.id, 'An item'],
  ] as const;
  for (const [content_type, content_id, name] of content)
    expect(ok(await as(teacher).post('/users/self/content_shares', { content_type, content_id, receiver_ids }), 201).name).toBe(name);
  const first = within(await as(teacher).get('/users/self/content_shares/sent', { per_page: 4 }), 2);
  const names = (list: { name: string }[]) => list.map(({ name }) => name);
  expect(names(ok(first))).toEqual(['An item', 'A module', 'A quiz', 'A page']);
  expect(names(ok(await as(teacher).get(first.links.next ?? '')))).toEqual(['A topic', 'A file.txt']);
});

test('recordings are listed with titles of their own', async () => {
  const { teacher, student, stranger } = scene;
  const record = (name: string, content_type: string, who = teacher, place = `${at}/files`) =>
    upload(who, place, { name, content_type } as never);
  const talk = await record('b talk.mp3', 'audio/mpeg');
  const film = await record('a film.mp4', 'video/mp4');
  await record('notes.txt', 'text/plain');
  const hidden = await record('hidden.mp3', 'audio/mpeg');
  ok(await as(teacher).put(`/files/${hidden.id}`, { hidden: true }));
  const titles = (list: { title: string }[]) => list.map(({ title }) => title);
  const list = (who: Person, query: object = {}, name = 'media_objects') => as(who).get(`${at}/${name}`, query);
  expect(titles(ok(within(await list(student), 2)))).toEqual(['a film.mp4', 'b talk.mp3']);
  expect(titles(ok(await list(teacher)))).toEqual(['a film.mp4', 'b talk.mp3', 'hidden.mp3']);
  expect(titles(ok(await list(student, { sort: 'created_at', order: 'desc' })))).toEqual(['a film.mp4', 'b talk.mp3']);
  expect(titles(ok(await list(student, { sort: 'title', order: 'desc' })))).toEqual(['b talk.mp3', 'a film.mp4']);
  expect(titles(ok(await list(student, { search_term: 'TALK' })))).toEqual(['b talk.mp3']);
  ok(await list(student, { search_term: 'x' }), 400);
  const [shown] = ok(await list(teacher, { search_term: 'film' }, 'media_attachments'));
  expect(shown).toMatchObject({
    media_id: `m-${film.uuid}`,
    media_type: 'video/mp4',
    user_entered_title: null,
    can_add_captions: true,
    attachment_id: film.id,
    media_tracks: [],
    media_sources: [{ content_type: 'video/mp4', fileExt: 'mp4' }],
  });
  const [bare] = ok(await list(student, { exclude: ['sources', 'tracks'], search_term: 'film' }));
  expect(bare).not.toHaveProperty('media_sources');
  expect(bare).not.toHaveProperty('media_tracks');
  const title = 'x'.repeat(300);
  expect(ok(within(await as(teacher).put(`/media_objects/m-${talk.uuid}`, { user_entered_title: ' A lecture ' }), 3))).toMatchObject({
    user_entered_title: 'A lecture',
    title: 'b talk.mp3',
  });
  expect(
    ok(within(await as(teacher).put(`/media_attachments/${talk.id}`, { user_entered_title: title }), 3)).user_entered_title,
  ).toHaveLength(255);
  expect(titles(ok(await list(student)))).toEqual(['a film.mp4', 'b talk.mp3']);
  for (const path of [`/media_objects/m-${talk.uuid}`, `/media_attachments/${talk.id}`]) {
    ok(await as(teacher).put(path, { user_entered_title: '  ' }), 400);
    ok(await as(teacher).put(path), 400);
    ok(await as(student).put(path, { user_entered_title: 'Mine' }), 401);
    ok(await as(stranger).put(path, { user_entered_title: 'Mine' }), 404);
  }
  ok(await as(teacher).put('/media_objects/m-unknown', { user_entered_title: 'x' }), 404);
  ok(await as(teacher).put('/media_attachments/88888888', { user_entered_title: 'x' }), 404);
  const notes = await record('more.txt', 'text/plain');
  ok(await as(teacher).put(`/media_attachments/${notes.id}`, { user_entered_title: 'x' }), 404);
  ok(await list(stranger), 401);
  await record('own.mp3', 'audio/mpeg', student, '/users/self/files');
  const category = ok(await as(teacher).post(`${at}/group_categories`, { name: 'Teams' }));
  const group = ok(await as(teacher).post(`/group_categories/${category.id}/groups`, { name: 'Team' }));
  ok(await as(teacher).post(`/groups/${group.id}/memberships`, { user_id: student.id }));
  await record('team.mp3', 'audio/mpeg', student, `/groups/${group.id}/files`);
  for (const name of ['media_objects', 'media_attachments']) {
    expect(titles(ok(within(await as(student).get(`/${name}`), 2)))).toEqual(['own.mp3']);
    expect(titles(ok(within(await as(student).get(`/groups/${group.id}/${name}`), 2)))).toEqual(['team.mp3']);
    expect(ok(await as(teacher).get(`/${name}`))).toEqual([]);
    ok(await as(stranger).get(`/groups/${group.id}/${name}`), 401);
  }
});

test('the history has the pages that a user has opened in a browser', async () => {
  const { teacher, student, observer, stranger } = scene;
  const tool = ok(
    await as(teacher).post(`${at}/external_tools`, {
      name: 'Visited',
      url: 'https://visited.example/',
      consumer_key: 'k',
      shared_secret: 's',
    }),
  );
  const headers = { Cookie: `carrel_session=${await ground.session(student)}` };
  const response = await SELF.fetch(`${base}${at}/external_tools/${tool.id}`, { redirect: 'manual', headers });
  noteRoute(response.headers, response.status);
  expect(response.status).toBe(200);
  ok(await as(student).get(`${at}/external_tools/${tool.id}`));
  await viewsTakenIn();
  const history = (who: Person) => as(who).get(`/users/${student.id}/history`);
  const entries = ok(within(await history(student), 3));
  expect(entries).toMatchObject([
    {
      asset_code: `context_external_tool_${tool.id}`,
      asset_name: 'Visited',
      context_type: 'Course',
      context_id: scene.course.id,
      context_name: 'Shared course',
      visited_url: `${base}${at}/external_tools/${tool.id}`,
      interaction_seconds: null,
    },
  ]);
  expect(ok(await history(root))).toEqual(entries);
  expect(ok(await as(teacher).get(`/users/${teacher.id}/history`))).toEqual([]);
  for (const person of [teacher, stranger]) ok(await history(person), 401);
  expect(ok(await history(observer))).toEqual(entries);
});
