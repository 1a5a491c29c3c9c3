// Old rows of the audit logs move to R2, and the endpoints answer as before.

import { env } from 'cloudflare:test';
import { newMeter, open } from '@carrel/worker/database/open';
import { archiveLogs } from '@carrel/worker/domains/audit/archive';
import { unzipLines } from '@carrel/worker/domains/audit/lines';
import { authentication_events, course_events, masquerades } from '@carrel/worker/domains/audit/table';
import type { Platform } from '@carrel/worker/platform';
import { sql } from 'drizzle-orm';
import { beforeAll, expect, test, vi } from 'vitest';
import { as, ground, many, nth, ok, within } from '../support/api';
import type { Person } from '../support/ground';

const platform = env as unknown as Platform;
const now = '2027-06-15T03:00:00Z';
const events = 6500;

let admin: Person;
let people: readonly Person[];
let course: { readonly id: number };

/** Ten minutes apart: 45 days, of which the last are too new. */
const everyTenMinutes = (from: string) => sql<string>`strftime('%Y-%m-%dT%H:%M:%SZ', ${from}, '+' || (n / 2 * 20) || ' minutes')`;

const count = async (table: string) => Number(await env.DB.prepare(`select count(*) as count from ${table}`).first('count'));
const fresh = () => open(env.DB, newMeter(), 'first-primary');

/** Runs the chore to its end. @param at most so many runs */
async function archive(files: Platform['FILES'] = platform.FILES, runs = 100): Promise<void> {
  for (let run = 0; run < runs; run++) if ((await archiveLogs({ FILES: files }, fresh(), now)) === 0) return;
  throw new Error('the archive does not end');
}

/** A bucket that fails after some calls to put, with the object written or not. */
const failing = (after: number, isWritten: boolean): Platform['FILES'] => {
  let calls = 0;
  const put = async (key: string, bytes: ArrayBuffer) => {
    calls += 1;
    if (calls <= after || isWritten) await platform.FILES.put(key, bytes);
    if (calls > after) throw new Error('the Worker was stopped');
  };
  return { put } as unknown as Platform['FILES'];
};

beforeAll(async () => {
  admin = await ground.admin();
  people = [await ground.person(), await ground.person({ login: 'old', password: 'open sesame' })];
  const [one, other] = people as [Person, Person];
  const { results } = await env.DB.prepare('select id from logins where user_id = ?').bind(other.id).all<{ id: number }>();
  await many(events, authentication_events, {
    uuid: nth('event '),
    event_type: 'login',
    login_id: sql`iif(n % 3 = 0, ${results[0]?.id ?? 0}, 100000)`,
    account_id: 1,
    user_id: sql`iif(n % 3 = 0, ${other.id}, iif(n % 700 = 1, ${one.id}, 100000 + n % 2))`,
    created_at: everyTenMinutes('2027-03-03 00:00:00'),
  });
  course = ok(await as(admin).post('/accounts/1/courses', { course: { name: 'Old' } }));
  await many(300, course_events, {
    course_id: sql`iif(n % 3 = 0, ${course.id}, 5000 + n)`,
    account_id: 1,
    event_type: 'updated',
    event_source: 'api',
    event_data: sql`json_object('name', json_array('Old', 'New ' || n))`,
    user_id: admin.id,
    created_at: everyTenMinutes('2026-01-01 00:00:00'),
  });
  await many(10, masquerades, {
    real_user_id: 1,
    user_id: 2,
    action: 'PUT /',
    path: '/',
    request_id: nth('r'),
    created_at: '2026-01-01T00:00:00Z',
  });
});

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Body = any;

/** What every endpoint returns, page by page. */
async function everything(): Promise<Record<string, Body>> {
  const [one, other] = people as [Person, Person];
  const login = ok(await as(other).get('/users/self/logins'))[0].id;
  const at = '/audit/authentication';
  const client = as(admin);
  const some = { per_page: 100, start_time: '2027-03-20T00:00:00Z', end_time: '2027-03-20T08:00:00Z' };
  return {
    user: await client.pages(`${at}/users/${one.id}`, { per_page: 3 }),
    login: await client.pages(`${at}/logins/${login}`, { per_page: 100, end_time: '2027-03-08T00:00:00Z' }),
    account: await client.pages(`${at}/accounts/1`, some),
    first: ok(await client.get(`${at}/users/${other.id}`, { end_time: '2027-04-01T00:00:00Z' })),
    numbered: ok(await client.get(`${at}/users/${other.id}`, { page: 1, end_time: '2027-04-01T00:00:00Z' })),
    compound: ok(await client.get(`${at}/users/${other.id}`, { format: 'compound', end_time: '2027-03-10T00:00:00Z', per_page: 100 })),
    none: ok(await client.get(`${at}/users/${one.id}`, { end_time: '2027-03-01T00:00:00Z' })),
    course: await client.pages(`/audit/course/courses/${course.id}`, { per_page: 40 }),
    courses: await client.pages('/audit/course/accounts/1', { per_page: 100 }),
    linked: ok(await client.get(`/audit/course/courses/${course.id}`, { format: 'compound', per_page: 100 })),
  };
}

test('the archive answers as the tables did, also after it was stopped at any moment', async () => {
  const before = await everything();
  expect(before.user).toHaveLength(7);
  expect(before.account).toHaveLength(50);
  expect(before.course.length).toBeGreaterThan(100);
  const rows = await count('authentication_events');

  for (const [after, isWritten] of [
    [0, true],
    [1, false],
    [2, true],
    [2, false],
  ] as const)
    await expect(archive(failing(after, isWritten))).rejects.toThrow('stopped');
  expect(await count('authentication_events')).toBe(rows - 5000);
  expect(await everything()).toEqual(before);
  await archive();
  const left = await count('authentication_events');
  expect(left).toBeLessThan(rows - 5000);
  // What is younger than 60 days stays.
  expect(await env.DB.prepare('select min(created_at) as oldest from authentication_events').first('oldest')).toBe('2027-04-16T00:00:00Z');
  expect(await count('masquerades')).toBe(0);
  expect(await everything()).toEqual(before);

  // Each row is in one object in order of time, and once in a copy by user and by login.
  for (const grouped_by of ['time', 'user_id', 'login_id']) {
    const { results } = await env.DB.prepare(
      "select key, rows from archived_logs where log = 'authentication_events' and grouped_by = ? order by bucket, last_at, last_id",
    )
      .bind(grouped_by)
      .all<{ key: string; rows: number }>();
    const ids: number[] = [];
    for (const { key, rows: stated } of results) {
      const object = (await platform.FILES.get(key)) as R2ObjectBody;
      const found = await unzipLines<{ id: number }>(await object.arrayBuffer());
      expect(found.length).toBe(stated);
      ids.push(...found.map(({ id }) => id));
    }
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length, grouped_by).toBe(rows - left);
  }
  // Another run finds nothing to do.
  const entries = await count('archived_logs');
  await archive();
  expect(await count('archived_logs')).toBe(entries);
});

test('a page that does not reach the archive costs what it did, and one that does reads few objects', async () => {
  const [one, other] = people as [Person, Person];
  const at = '/audit/authentication/users';
  const near = within(await as(admin).get(`${at}/${other.id}`), 2);
  expect(near.body).toHaveLength(10);
  expect(near.cost).toMatchObject({ d1_trips: 2, r2_calls: 0 });
  const recent = await as(admin).get(`${at}/${other.id}`, { start_time: '2027-05-01T00:00:00Z' });
  expect(recent.cost).toMatchObject({ d1_trips: 2, r2_calls: 0 });
  const far = await as(admin).get(`${at}/${one.id}`, { per_page: 100 });
  expect(far.body).toHaveLength(7);
  expect(far.cost.d1_trips).toBeLessThanOrEqual(3);
  expect(far.cost.r2_calls).toBeLessThanOrEqual(2);
  expect(far.cost.rows_read).toBeLessThan(200);
  // A numbered page ends with the table, and links to the archive.
  const lastOfTable = { page: 3, per_page: 20, end_time: '2027-04-16T23:59:59Z' };
  const numbered = await as(admin).get(`${at}/${other.id}`, lastOfTable);
  expect(numbered.body).toHaveLength(8);
  const next = await as(admin).get(numbered.links.next as string);
  expect(next.body).toHaveLength(20);
  expect(next.body[0].created_at < numbered.body.at(-1).created_at).toBe(true);
});

test('an object that is missing is an error, never a shorter log', async () => {
  const { results } = await env.DB.prepare("select key from archived_logs where grouped_by = 'course_id'").all<{ key: string }>();
  await platform.FILES.delete(results.map(({ key }) => key));
  const logs = vi.spyOn(console, 'error').mockImplementation(() => {});
  expect((await as(admin).get(`/audit/course/courses/${course.id}`, { per_page: 100 })).status).toBe(500);
  logs.mockRestore();
});
