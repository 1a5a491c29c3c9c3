// Page views.

import { env } from 'cloudflare:test';
import { wireTime } from '@carrel/shared/wire/fields';
import { compactViews } from '@carrel/worker/domains/page_views/compact';
import { forgetUnregisteredViews, forgetViews } from '@carrel/worker/domains/page_views/forget';
import { moveViews } from '@carrel/worker/domains/page_views/move';
import { storeViews } from '@carrel/worker/domains/page_views/recorder';
import { page_views } from '@carrel/worker/domains/page_views/table';
import { takeInViews } from '@carrel/worker/domains/page_views/take_in';
import { expect, test, vi } from 'vitest';
import { as, base, ground, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';
import { addViews, aView, buffersWritten, platform, primary, viewsTakenIn } from '../support/page_views';

interface Viewed {
  readonly controller: string;
  readonly action: string;
  readonly id: string;
}

/** The page views of a user, without those of this endpoint itself. */
async function viewsOf(person: Person): Promise<Viewed[]> {
  await viewsTakenIn();
  const all = ok(within(await as(person).get('/users/self/page_views', { per_page: 100 }), 2)) as Viewed[];
  return all.filter(({ controller }) => controller !== 'page_views');
}

test("a user's requests are recorded, newest first, without an additional trip", async () => {
  const { course, student, teacher } = await aCourse(ground);
  const essay = ok(
    await as(teacher).post(`/courses/${course.id}/assignments`, {
      assignment: { name: 'Essay', published: true, submission_types: ['online_text_entry'] },
    }),
    201,
  );
  const headers = { 'User-Agent': 'Reader/1.0', 'CF-Connecting-IP': '192.0.2.7' };
  const read = within(await as(student).get(`/courses/${course.id}/assignments/${essay.id}`, { include: ['submission'] }, { headers }), 2);
  await anotherSecond();
  const written = within(
    await as(student).post(`/courses/${course.id}/assignments/${essay.id}/submissions`, {
      submission: { submission_type: 'online_text_entry', body: 'x' },
    }),
    3,
  );
  ok(await as(student).get('/courses/999999'), 404);
  await anotherSecond();
  ok(await as(student).get('/users/self', { search: 'seen', verifier: 'hidden', access_token: student.token }));
  expect(await viewsOf(student)).toEqual([
    expect.objectContaining({ url: `${base}/api/v1/users/self?search=seen`, controller: 'users', action: 'show', context_type: 'User' }),
    expect.objectContaining({ id: written.headers.get('x-request-context-id'), action: 'create', http_method: 'POST', participated: true }),
    {
      id: read.headers.get('x-request-context-id'),
      url: `${base}/api/v1/courses/${course.id}/assignments/${essay.id}?include%5B%5D=submission`,
      context_type: 'Course',
      asset_type: 'assignment',
      controller: 'assignments',
      action: 'show',
      contributed: false,
      interaction_seconds: null,
      created_at: expect.stringMatching(/Z$/),
      user_request: false,
      render_time: expect.any(Number),
      user_agent: 'Reader/1.0',
      participated: false,
      http_method: 'GET',
      remote_ip: '192.0.2.7',
      app_name: null,
      links: { user: student.id, context: course.id, asset: essay.id, real_user: null, account: 1 },
    },
  ]);
});

/** Views of the same second have no order. */
const anotherSecond = () => new Promise((done) => setTimeout(done, 1000 - (Date.now() % 1000)));

test('the user and administrators with the statistics permission read page views; syncs and unchanged answers are not recorded', async () => {
  const { student, teacher } = await aCourse(ground);
  const admin = await ground.admin();
  ok(await as(student).get('/api/sync/v1/changes'));
  const asDesk = { headers: { 'User-Agent': 'Carrel-Desk' } };
  ok(await as(student).get('/users/self/profile', {}, asDesk));
  ok(await as(student).put('/users/self', { user: { short_name: 'Sam' } }, asDesk));
  ok(await as(admin).get('/users/self/profile', { as_user_id: student.id }));
  const { headers } = await as(teacher).get('/courses');
  ok(await as(teacher).get('/courses', {}, { headers: { 'If-None-Match': headers.get('etag') ?? '' } }), 304);
  expect(await viewsOf(teacher), 'the first of two equal answers').toHaveLength(1);
  const views = await viewsOf(student);
  expect(views).toHaveLength(2);
  expect(views).toContainEqual(expect.objectContaining({ http_method: 'PUT' }));
  expect(views).toContainEqual(
    expect.objectContaining({ controller: 'profile', links: expect.objectContaining({ user: student.id, real_user: admin.id }) }),
  );
  ok(await as(teacher).get(`/users/${student.id}/page_views`), 401);
  ok(within(await as(admin).get(`/users/${student.id}/page_views`), 2));
  const path = '/users/self/page_views';
  expect(ok(await as(student).get(path, { start_time: '2099-01-01T00:00:00Z' }))).toEqual([]);
  expect(ok(await as(student).get(path, { end_time: '2020-01-01' }))).toEqual([]);
  ok(await as(student).get(path, { start_time: 'yesterday' }), 400);
  const first = await as(student).get(path, { per_page: 1, start_time: '2020-01-01' });
  expect(first.links.next).toContain('bookmark:');
  ok(await as(student).get(path, { page: 'bookmark:nonsense' }), 404);
  expect(await as(student).pages(path, { per_page: 1, start_time: '2020-01-01' })).toHaveLength(2);
  expect(ok(await as(student).get(path, { per_page: 1, page: 2 }))).toEqual([views[1]]);
  expect(ok(await as(student).get(path, { per_page: 1, page: 3 }))).toEqual([]);
});

const rowsOf = async (...tables: string[]) =>
  (await env.DB.batch(tables.map((table) => env.DB.prepare(`select count(*) as count from ${table}`)))).map(
    ({ results }) => (results[0] as { count: number }).count,
  );
const keysIn = async (prefix: string) => (await platform.FILES.list({ prefix })).objects.map(({ key }) => key);

test('requests write no page views to the database', async () => {
  const person = await ground.person();
  await viewsTakenIn();
  const tables = ['page_views', 'page_view_runs', 'page_view_objects', 'user_accesses'];
  const before = await rowsOf(...tables);
  for (let nth = 0; nth < 50; nth++) ok(await as(person).get('/users/self'));
  await buffersWritten();
  expect(await rowsOf(...tables)).toEqual(before);
  expect((await keysIn('page_views/new/')).length, 'objects of fifty views, one a second').toBeLessThan(10);
  await viewsTakenIn();
  const after = await rowsOf(...tables);
  expect(
    after.map((count, nth) => count - (before[nth] ?? 0)),
    'one run with one object, and the last access of the user',
  ).toEqual([0, 1, 1, 1]);
  expect(await viewsOf(person)).toHaveLength(50);
});

/** The bucket, of which some calls fail as if the Worker had been stopped. */
const failing = (fails: (method: string, key: unknown) => boolean) => ({
  ...platform,
  FILES: new Proxy(platform.FILES, {
    get: (files, name: 'put') => {
      return async (key: string, ...rest: never[]) => {
        if (fails(name, key)) throw new Error('stopped');
        return (files[name] as unknown as (...all: unknown[]) => unknown).call(files, key, ...rest);
      };
    },
  }),
});
const stopped = (work: Promise<unknown>) => expect(work).rejects.toThrow('stopped');
const minuteOf = (start: string, minute: number) => wireTime(Date.parse(start) + minute * 60_000);

test('a chore that is stopped anywhere loses no page view and repeats none', async () => {
  const person = await ground.person();
  const start = '2026-08-01T08:00:00Z';
  const ids: string[] = [];
  for (let minute = 0; minute < 30; minute++) {
    const view = aView(person.id, minuteOf(start, minute));
    ids.push(view.uuid);
    await addViews([view, aView(person.id + 5000, view.created_at)], view.created_at);
  }
  const listed = async () => (await as(person).pages('/users/self/page_views', { end_time: '2026-08-02' })).map(({ id }) => id);
  const newest = ids.toReversed();
  expect(await listed()).toEqual(newest);

  // After it has stored a run, before it deletes what it consists of.
  const late = aView(person.id, minuteOf(start, 30));
  newest.unshift(late.uuid);
  await storeViews(platform, [late], 'late');
  await stopped(
    takeInViews(
      failing((method) => method === 'delete'),
      primary(),
      minuteOf(start, 31),
    ),
  );
  const taken = await rowsOf('page_view_runs', 'page_view_tallies', 'page_view_intakes');
  await Promise.all([1, 2].map(() => takeInViews(platform, primary(), minuteOf(start, 31))));
  expect(await keysIn('page_views/new/')).toEqual([]);
  expect(await rowsOf('page_view_runs', 'page_view_tallies', 'page_view_intakes'), 'not taken in twice').toEqual(taken);
  expect(await listed()).toEqual(newest);

  // Before and after it has stored the object of a merge.
  const now = minuteOf(start, 24 * 60 + 10);
  await stopped(
    compactViews(
      failing((method) => method === 'put'),
      primary(),
      now,
    ),
  );
  expect(await listed(), 'while a merge is under way').toEqual(newest);
  const db = primary();
  const breaking = {
    ...db,
    perform: (statements: never[]) => (statements.length === 1 ? Promise.reject(new Error('stopped')) : db.perform(statements)),
  };
  await stopped(compactViews(platform, breaking as never, now));
  expect(await listed(), 'after an object that no row names').toEqual(newest);
  // Two chores at the same time, as when one takes longer than a minute.
  const twice = (work: () => Promise<void>) => Promise.all([work(), work()]);
  for (let nth = 0; nth < 5; nth++) await twice(() => compactViews(platform, primary(), now));
  const { results } = await env.DB.prepare(
    "select level from page_view_runs where workflow_state = 'active' and to_time < '2026-08-02'",
  ).all();
  expect(results, 'one run of the day').toEqual([{ level: 4 }]);
  expect(await listed(), 'merged').toEqual(newest);

  // The merged runs are deleted first, then all of them when they have expired, and in the end what no row names.
  const stored = async () => (await keysIn('page_views/runs/2026-08-01/')).length;
  expect(await stored()).toBeGreaterThan(30);
  await forgetViews(platform, primary(), minuteOf(now, 20));
  expect(await stored(), 'the merged one, and those of chores that were stopped or second').toBeLessThan(8);
  expect(await listed()).toEqual(newest);
  for (const minute of [0, 20]) await forgetViews(platform, primary(), minuteOf('2026-10-15T00:00:00Z', minute));
  expect(await listed(), 'kept for sixty days').toEqual([]);
  expect(await stored(), 'which no row names').toBeGreaterThan(0);
  await forgetUnregisteredViews(platform, '2026-10-15T00:00:00Z');
  expect(await stored()).toBe(0);
});

test('paging is stable while runs are merged, and reads a limited number of objects', async () => {
  const person = await ground.person();
  const others = Array.from({ length: 40 }, (_, nth) => person.id + 1000 + nth);
  const start = '2026-08-10T06:00:00Z';
  const expected: string[] = [];
  for (let minute = 0; minute < 25; minute++) {
    const at = (second: number) => `${minuteOf(start, minute).slice(0, 17)}${String(second).padStart(2, '0')}Z`;
    const own = Array.from({ length: 12 }, (_, nth) => aView(person.id, at(nth % 6)));
    expected.push(...own.map(({ uuid }) => uuid));
    await addViews([...own, ...others.map((id) => aView(id, at(id % 60)))], minuteOf(start, minute));
  }
  const seen: string[] = [];
  let path: string | undefined = '/users/self/page_views?per_page=7&end_time=2026-08-11';
  for (let page = 0; path !== undefined; page++) {
    const answer = within(await as(person).get(path), 2);
    expect(answer.cost.r2_calls).toBeLessThanOrEqual(12);
    seen.push(...ok(answer).map(({ id }: Viewed) => id));
    path = answer.links.next;
    if (page % 5 === 4) await compactViews(platform, primary(), minuteOf(start, 30 * page));
  }
  expect(seen).toHaveLength(expected.length);
  expect(seen.toSorted()).toEqual(expected.toSorted());
  await compactViews(platform, primary(), '2026-08-13T00:00:00Z');
  const merged = await as(person).get('/users/self/page_views', { per_page: 100, end_time: '2026-08-11' });
  expect(merged.cost.r2_calls, 'a slice of one object').toBe(1);
});

test('the views of a very active user fill several objects', async () => {
  const person = await ground.person();
  // Ten megabytes of them, many in the same second.
  const url = `https://example.edu/${'long'.repeat(490)}`;
  const many = Array.from({ length: 5000 }, (_, nth) => aView(person.id, minuteOf('2026-08-20T08:00:00Z', Math.floor(nth / 500)), { url }));
  await addViews(many.slice(0, 3000), '2026-08-20T09:00:00Z');
  await addViews([...many.slice(3000), aView(person.id + 5000, '2026-08-20T08:00:00Z')], '2026-08-20T09:01:00Z');
  await compactViews(platform, primary(), '2026-08-20T09:30:00Z');
  const { results } = await env.DB.prepare(
    "select count(o.id) as objects from page_view_runs r join page_view_objects o on o.run_id = r.id where r.workflow_state = 'active' and r.period like '2026-08-20%' group by r.id",
  ).all();
  expect(results, 'one run of two objects').toEqual([{ objects: 2 }]);
  const newest = many.toSorted((one, other) => (`${one.created_at}${one.uuid}` < `${other.created_at}${other.uuid}` ? 1 : -1));
  const ids = async (query: object) =>
    ok(await as(person).get('/users/self/page_views', { per_page: 100, ...query })).map(({ id }: Viewed) => id);
  const bounds = { start_time: '2026-08-20T08:03:00Z', end_time: '2026-08-20T08:05:00Z' };
  const between = newest.filter(({ created_at }) => created_at >= bounds.start_time && created_at <= bounds.end_time);
  expect(await ids({ end_time: '2026-08-20T09:00:00Z' })).toEqual(newest.slice(0, 100).map(({ uuid }) => uuid));
  expect(await ids(bounds)).toEqual(between.slice(0, 100).map(({ uuid }) => uuid));
  const all = await as(person).pages('/users/self/page_views', { per_page: 100, ...bounds });
  expect(all.map(({ id }) => id)).toEqual(between.map(({ uuid }) => uuid));
});

test('what one run of the chore does not take in, a job does', async () => {
  const person = await ground.person();
  const views = Array.from({ length: 310 }, (_, nth) => aView(person.id, minuteOf('2026-08-25T08:00:00Z', nth)));
  await Promise.all(views.map((view, nth) => storeViews(platform, [view], `2026-08-25-${nth}`)));
  await takeInViews(platform, primary(), '2026-08-25T20:00:00Z');
  await vi.waitFor(async () => expect(await keysIn('page_views/new/')).toEqual([]), { timeout: 20_000, interval: 100 });
  const listed = await as(person).pages('/users/self/page_views', { per_page: 100, end_time: '2026-08-26' });
  expect(listed.map(({ id }) => id)).toEqual(views.map(({ uuid }) => uuid).toReversed());
});

test('page views of an earlier version are moved from the database', async () => {
  const person = await ground.person();
  const old = Array.from({ length: 5 }, (_, nth) => aView(person.id, `2026-07-0${nth + 1}T08:00:00Z`, { remote_ip: '192.0.2.1' }));
  await ground.db.insert(page_views).values(old);
  // Stopped after the object is stored; the next run stores it again.
  const db = primary();
  let calls = 0;
  const breaking = {
    ...db,
    perform: (statements: never[]) => (++calls === 2 ? Promise.reject(new Error('stopped')) : db.perform(statements)),
  };
  await stopped(moveViews(platform, breaking as never));
  await viewsTakenIn('2026-09-01T00:00:00Z');
  await moveViews(platform, primary());
  expect(await rowsOf('page_views')).toEqual([0]);
  await viewsTakenIn('2026-09-01T00:01:00Z');
  const listed = await as(person).pages('/users/self/page_views', { end_time: '2026-08-01' });
  expect(listed.map(({ id }) => id)).toEqual(old.map(({ uuid }) => uuid).toReversed());
});
