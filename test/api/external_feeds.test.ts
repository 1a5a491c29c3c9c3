// External feeds of courses and groups.

import { env } from 'cloudflare:test';
import { newMeter, open } from '@carrel/worker/database/open';
import { readDueFeeds, readFeeds } from '@carrel/worker/domains/external_feeds/job';
import type { Job, Platform } from '@carrel/worker/platform';
import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

type Scene = Awaited<ReturnType<typeof aCourse>>;
let scene: Scene;
let at = '';
const web = 'https://files.carrel.org';
const read = (...ids: number[]) => readFeeds({ job: 'read_external_feeds', ids } as Job, env as Platform);
const result = async (path = at) =>
  ok(await as(scene.student).get(`${path}/discussion_topics`, { only_announcements: true, per_page: 50 })) as {
    id: number;
    title: string;
    message: string;
    author: object;
  }[];

beforeAll(async () => {
  scene = await aCourse(ground);
  at = `/courses/${scene.course.id}`;
});

test('users who may announce add and remove external feeds', async () => {
  const { teacher, student, stranger } = scene;
  const given = { url: `${web}/nowhere.atom`, header_match: 'exam', verbosity: 'shouted' };
  const made = ok(within(await as(teacher).post(`${at}/external_feeds`, given), 3));
  expect(made).toEqual({
    id: made.id,
    display_name: `${web} feed`,
    url: given.url,
    header_match: 'exam',
    verbosity: 'full',
    created_at: expect.any(String),
    external_feed_entries_count: 0,
  });
  expect(ok(await as(teacher).post(`${at}/external_feeds`, given), 400).errors.url[0].type).toBe('taken');
  ok(await as(teacher).post(`${at}/external_feeds`, { ...given, verbosity: 'truncate' }));
  for (const url of [
    undefined,
    ' ',
    'blog',
    'ftp://files.carrel.org/x',
    'http://169.254.169.254/latest',
    'https://localhost/x',
    'https://a:b@files.carrel.org/',
  ])
    expect(ok(await as(teacher).post(`${at}/external_feeds`, { url }), 400).errors.url).toHaveLength(1);
  expect(ok(within(await as(teacher).get(`${at}/external_feeds`), 2))).toHaveLength(2);
  for (const who of [student, stranger]) {
    ok(await as(who).get(`${at}/external_feeds`), 401);
    ok(await as(who).post(`${at}/external_feeds`, given), 401);
    ok(await as(who).del(`${at}/external_feeds/${made.id}`), 401);
  }
  expect(ok(within(await as(teacher).del(`${at}/external_feeds/${made.id}`), 3)).id).toBe(made.id);
  ok(await as(teacher).del(`${at}/external_feeds/${made.id}`), 404);
  ok(await as(teacher).del(`${at}/external_feeds/nonsense`), 404);
});

test('a post of a feed is announced once, sanitised, and updated when it changes', async () => {
  const { teacher } = scene;
  const feed = ok(await as(teacher).post(`${at}/external_feeds`, { url: `${web}/old-blog.atom` }));
  await read(feed.id);
  const [second, first, ...others] = await result();
  expect(others).toEqual([]);
  expect([first?.title, second?.title].sort()).toEqual(['A comet & its tail', 'Weather']);
  const comet = (await result()).find((one) => one.title.startsWith('A comet')) as { id: number; message: string; author: object };
  expect(comet.message).toContain(`<a href="${web}/posts/first">Original article</a>`);
  expect(comet.message).toContain('Seen <b>today</b>');
  expect(comet.message).not.toMatch(/onclick|script|javascript/);
  expect(comet.author).toEqual({});
  expect(ok(await as(teacher).get(`${at}/external_feeds`)).find((one: { id: number }) => one.id === feed.id)).toMatchObject({
    display_name: 'The Observatory',
    external_feed_entries_count: 2,
  });

  await read(feed.id);
  expect((await result()).find(({ id }) => id === comet.id)?.message).toContain('Corrected');
  await read(feed.id);
  expect(await result()).toHaveLength(2);
  ok(await as(teacher).del(`${at}/external_feeds/${feed.id}`));
  expect(await result()).toHaveLength(2);
});

test('a feed is announced in full, truncated or as a link, optionally filtered by title', async () => {
  const { teacher } = scene;
  const { course } = await aCourse(ground);
  const here = `/courses/${course.id}/external_feeds`;
  const admin = await ground.admin();
  const follow = async (more: object) => ok(await as(admin).post(here, { url: `${web}/news.rss`, ...more })).id as number;
  await read(await follow({ verbosity: 'truncate', header_match: 'EXAM' }), await follow({ verbosity: 'link_only' }));
  const messages = ok(await as(admin).get(`/courses/${course.id}/discussion_topics`, { only_announcements: true })) as {
    title: string;
    message: string;
  }[];
  expect(messages.map(({ title }) => title).sort()).toEqual(['Canteen', 'Exam week', 'Exam week']);
  const [short, long] = messages.filter(({ title }) => title === 'Exam week').sort((a, b) => a.message.length - b.message.length);
  expect(short?.message).toBe(`<p><a href="${web}/exams">Original article</a></p>`);
  expect(long?.message).toMatch(/A long text\. .*…<\/p>$/);
  expect((long?.message.length ?? 0) - (short?.message.length ?? 0)).toBeLessThan(270);
  expect(messages.find(({ title }) => title === 'Canteen')?.message).toBe('');
  ok(await as(teacher).get(here), 401);
});

test('a feed at a private address, too large or invalid fails, and is turned off after five failures', async () => {
  const { teacher } = scene;
  const admin = await ground.admin();
  const { course } = await aCourse(ground);
  const ids: number[] = [];
  for (const path of ['inwards', 'round', 'huge.rss', 'notes.txt', 'gone'])
    ids.push(ok(await as(admin).post(`/courses/${course.id}/external_feeds`, { url: `${web}/${path}` })).id);
  const failures = async () =>
    (
      await env.DB.prepare('select consecutive_failures as n from external_feeds where context_id = ?').bind(course.id).all<{ n: number }>()
    ).results.map(({ n }) => n);
  const before = await failures();
  await read(...ids);
  expect((await failures()).every((count, which) => count > (before[which] ?? 0))).toBe(true);
  expect(ok(await as(admin).get(`/courses/${course.id}/discussion_topics`, { only_announcements: true }))).toEqual([]);

  // The scheduled work enqueues due feeds once.
  const db = () => open(env.DB, newMeter(), 'first-primary');
  const sent: number[] = [];
  const queue = { ...(env as Platform), WORK: { send: async (job: Job) => void sent.push(...(job.ids ?? [])) } } as unknown as Platform;
  await env.DB.prepare("update external_feeds set refresh_at = '2026-01-01T00:00:00Z' where context_id = ?").bind(course.id).run();
  await env.DB.prepare('update external_feeds set consecutive_failures = 5 where id = ?')
    .bind(ids[0] as number)
    .run();
  await readDueFeeds(queue, db(), '2026-01-01T00:00:01Z');
  expect(sent.sort()).toEqual(ids.slice(1).sort());
  await readDueFeeds(queue, db(), '2026-01-01T00:00:02Z');
  expect(sent).toHaveLength(4);
  ok(await as(teacher).get(`/courses/${course.id}/external_feeds`), 401);
});

test('groups have external feeds, too', async () => {
  const { teacher, student, student2, course } = scene;
  const set = ok(await as(teacher).post(`/courses/${course.id}/group_categories`, { name: 'Readers' }));
  const group = ok(await as(teacher).post(`/group_categories/${set.id}/groups`, { name: 'Red' }));
  ok(await as(teacher).post(`/groups/${group.id}/memberships`, { user_id: student.id }));
  const here = `/groups/${group.id}/external_feeds`;
  const feed = ok(await as(student).post(here, { url: `${web}/blog.atom`, verbosity: 'link_only' }));
  await read(feed.id);
  expect(await result(`/groups/${group.id}`)).toHaveLength(2);
  expect(ok(await as(student).get(here))).toHaveLength(1);
  ok(await as(student2).get(here), 401);
  ok(await as(student).del(`${here}/${feed.id}`));
});
