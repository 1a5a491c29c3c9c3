// The endpoints of the console: first administrator, page, background jobs and request counts.

import { env, SELF } from 'cloudflare:test';
import { beforeAll, describe, expect, test } from 'vitest';
import { consumeBatch, layToRest } from '../../worker/jobs';
import { as, base, ground, noteRoute, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';
import { buffersWritten } from '../support/page_views';

const secret = 'only for tests, and long enough';
const setUp = { setup_secret: secret, institution: 'Whitmore College', name: 'Ada Lindqvist', login: 'ada', password: 'open sesame' };
const here = { Origin: base, 'Content-Type': 'application/x-www-form-urlencoded' };

async function visit(path: string, given?: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await SELF.fetch(`${base}${path}`, {
    redirect: 'manual',
    ...(given ? { method: 'POST', headers: { ...here, ...headers }, body: new URLSearchParams(given).toString() } : { headers }),
  } as never);
  noteRoute(response.headers, response.status);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const cookieOf = (headers: Headers) => headers.getSetCookie()[0]?.split(';')[0] ?? '';
const count = async (table: string) => (await env.DB.prepare(`select count(*) as n from ${table}`).first('n')) as number;

let admin: Person;
let branchAdmin: Person;
let teacher: Person;

test('the setup secret creates the first administrator once, even for two simultaneous requests', async () => {
  expect(await visit('/setup')).toMatchObject({ status: 200 });
  expect(await visit('/setup', { ...setUp, setup_secret: `${secret}.` })).toMatchObject({ status: 400 });
  expect(await visit('/setup', { ...setUp, password: 'short' })).toMatchObject({ status: 400 });
  expect(await visit('/setup', { ...setUp, name: ' ' })).toMatchObject({ status: 400 });
  expect(await visit('/setup', setUp, { Origin: 'https://elsewhere.example' })).toMatchObject({ status: 400 });
  expect(await count('users')).toBe(0);
  const taken = await ground.person({ login: 'ADA' });
  expect(await visit('/setup', setUp)).toMatchObject({ status: 400, text: expect.stringContaining('already taken') });
  await env.DB.batch(
    ['users', 'logins'].map((table) =>
      env.DB.prepare(`delete from ${table} where ${table === 'users' ? 'id' : 'user_id'} = ?`).bind(taken.id),
    ),
  );

  const both = await Promise.all([visit('/setup', setUp), visit('/setup', { ...setUp, login: 'eve' })]);
  expect(both.map(({ status }) => status).sort()).toEqual([303, 404]);
  const made = both.find(({ status }) => status === 303) as (typeof both)[0];
  expect(made.headers.get('location')).toBe('/admin');
  expect([await count('users'), await count('logins'), await count('admins')]).toEqual([1, 1, 1]);
  const console = await visit('/admin', undefined, { Cookie: cookieOf(made.headers) });
  expect(console.status).toBe(200);
  expect(console.text).toContain('Whitmore College');
  expect(console.headers.get('content-security-policy')).toContain("script-src 'self';");

  // Never again: not with the secret, and not after that administrator is deleted.
  await env.DB.prepare("update admins set workflow_state = 'deleted'").run();
  await env.DB.prepare('delete from admins').run();
  expect((await visit('/setup')).status).toBe(404);
  expect((await visit('/setup', { ...setUp, login: 'mallory' })).status).toBe(404);
  expect(await count('users')).toBe(1);
});

describe('after setup', () => {
  beforeAll(async () => {
    teacher = await ground.person();
    admin = await ground.admin();
    branchAdmin = await ground.admin({ account_id: (await ground.account()).id });
  }, 30_000);

  test('a user without administrator rights sees no more of the console than a stranger', async () => {
    const stranger = await visit('/admin');
    expect(stranger.status).toBe(401);
    for (const path of ['/admin/console.js', '/admin/console.css'])
      expect((await visit(path)).headers.get('x-content-type-options')).toBe('nosniff');
    const session = await ground.session(teacher);
    expect((await visit('/admin', undefined, { Cookie: `carrel_session=${session}` })).text).toBe(stranger.text);
    // A token is no session: pages are for browsers.
    expect((await visit('/admin', undefined, { Authorization: `Bearer ${admin.token}` })).text).toBe(stranger.text);
    const own = await ground.session(branchAdmin);
    expect((await visit('/admin', undefined, { Cookie: `carrel_session=${own}` })).status).toBe(200);
  });

  test('site administrators see its jobs, account administrators do not', async () => {
    const { teacher: other } = await aCourse(ground);
    await ground.progress({ tag: 'one', workflow_state: 'running' });
    await ground.progress({ tag: 'two', workflow_state: 'failed' });
    expect(ok(within(await as(admin).get('/accounts/1/jobs'), 2)).map(({ tag }: { tag: string }) => tag)).toEqual(['two', 'one']);
    expect(ok(await as(admin).get('/accounts/1/jobs', { workflow_state: 'running' }))).toMatchObject([{ tag: 'one' }]);
    expect(ok(await as(admin).get('/accounts/1/jobs', { workflow_state: 'odd' }))).toHaveLength(2);
    for (const person of [branchAdmin, other])
      for (const path of ['jobs', 'dead_letters', 'request_counts']) ok(await as(person).get(`/accounts/1/${path}`), 401);
    const { account_id } = (await env.DB.prepare('select account_id from admins where user_id = ?').bind(branchAdmin.id).first()) as {
      account_id: number;
    };
    // Only the root account lists the jobs of the whole service.
    ok(await as(branchAdmin).get(`/accounts/${account_id}/jobs`), 401);
    ok(await as(admin).get(`/accounts/${account_id}/jobs`), 401);
  });

  /** A message as the queue delivers it. */
  function messageOf(body: object, attempts: number, id: string = crypto.randomUUID()) {
    const done: string[] = [];
    const message = { id, body, attempts, timestamp: new Date(), ack: () => done.push('ack'), retry: () => done.push('retry') };
    const batch = { queue: 'carrel-work', messages: [message], ackAll: () => done.push('ack'), retryAll: () => done.push('retry') };
    return { done, batch: batch as never };
  }

  test('a job that fails on every attempt goes to the dead-letter table with its error, is reported, and can be sent again', async () => {
    const progress_id = await ground.progress();
    const early = messageOf({ job: 'unheard of', progress_id }, 5);
    await consumeBatch(early.batch, env);
    expect([early.done, await count('dead_letters')]).toEqual([['retry'], 0]);
    const last = messageOf({ job: 'unheard of', progress_id, ids: [7] }, 6);
    await consumeBatch(last.batch, env);
    expect(last.done).toEqual(['ack']);
    const silent = messageOf({ job: 'sis_import' }, 1);
    await layToRest(silent.batch, env);
    // Delivered twice, stored once.
    await layToRest(silent.batch, env);

    const messages = ok(within(await as(admin).get('/accounts/1/dead_letters'), 2));
    expect(messages).toMatchObject([
      { job: 'sis_import', error: null, ids: [], progress_id: null },
      {
        job: 'unheard of',
        error: expect.stringContaining('unknown job'),
        ids: [7],
        progress_id,
        attempts: 6,
        workflow_state: 'dead',
      },
    ]);
    expect(ok(await as(admin).get(`/progress/${progress_id}`))).toMatchObject({ workflow_state: 'failed' });
    const [{ id: silentId }, { id }] = messages;
    ok(await as(branchAdmin).post(`/accounts/1/dead_letters/${id}/send_again`), 401);
    expect(ok(within(await as(admin).post(`/accounts/1/dead_letters/${id}/send_again`), 3))).toMatchObject({
      workflow_state: 'sent_again',
    });
    expect(ok(await as(admin).get(`/progress/${progress_id}`))).toMatchObject({ workflow_state: 'queued', message: null });
    ok(await as(admin).post(`/accounts/1/dead_letters/${id}/send_again`), 400);
    ok(await as(admin).post('/accounts/1/dead_letters/999999/send_again'), 404);
    ok(await as(branchAdmin).del(`/accounts/1/dead_letters/${silentId}`), 401);
    expect(ok(within(await as(admin).del(`/accounts/1/dead_letters/${silentId}`), 3))).toMatchObject({ id: silentId });
    ok(await as(admin).del(`/accounts/1/dead_letters/${silentId}`), 404);
  });

  test('requests are counted by hour, route and class, without an additional trip', async () => {
    ok(within(await as(admin).get('/accounts/1'), 2));
    ok(await as(admin).get('/accounts/999999'), 404);
    // Counts are written once no request has come for a while, or after some minutes.
    await buffersWritten();
    const result = ok(within(await as(admin).get('/accounts/1/request_counts'), 2));
    expect(result.hours).toHaveLength(24);
    const one = result.routes.find(({ route }: { route: string }) => route === 'GET /accounts/:account_id');
    expect(one.requests).toBeGreaterThanOrEqual(2);
    expect(one.refused).toBeGreaterThanOrEqual(1);
    expect(one.slowest_ms).toBeGreaterThanOrEqual(one.mean_ms);
    const sum = (name: string) => result.hours.slice(-2).reduce((all: number, hour: Record<string, number>) => all + (hour[name] ?? 0), 0);
    expect([sum('succeeded') > 0, sum('refused') > 0]).toEqual([true, true]);
  });
});
