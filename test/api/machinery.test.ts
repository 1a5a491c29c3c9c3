// Rules for all endpoints: decoding, paging, errors, idempotency, round trips.

import { createExecutionContext, env, SELF, waitOnExecutionContext } from 'cloudflare:test';
import { newMeter, open } from '@carrel/worker/database/open';
import { type Together, together, withColumns } from '@carrel/worker/database/together';
import { assignment_groups } from '@carrel/worker/domains/assignment_groups/table';
import { courses } from '@carrel/worker/domains/courses/table';
import worker from '@carrel/worker/index';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { as, base, ground, many, nth, ok, within } from '../support/api';
import { bookmarkAt } from '../support/bookmark';
import { clientOf } from '../support/client';
import { aCourse } from '../support/ground';

const groups = (course: { id: number }, rest = '') => `/courses/${course.id}/assignment_groups${rest}`;
const raw = (path: string, init: RequestInit = {}) => SELF.fetch(`${base}${path}`, init as never);
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

test('an Authorization header without a bearer token counts as absent', async () => {
  const teacher = await ground.person();
  for (const Authorization of ['Bearer', 'Bearer ', 'Basic YWRhOnNlY3JldA=='])
    for (const [query, status] of [
      [`?access_token=${teacher.token}`, 200],
      ['', 401],
    ] as const)
      expect((await raw(`/api/v1/users/self${query}`, { headers: { Authorization } })).status).toBe(status);
});

test('parameters are query, form, multipart or JSON, and the query takes precedence', async () => {
  const { course, teacher } = await aCourse(ground);
  const path = `/api/v1${groups(course)}`;
  const headers = bearer(teacher.token);
  const form = new FormData();
  form.append('name', 'Multipart');
  form.append('rules[drop_lowest]', '0');
  const answers = await Promise.all([
    raw(`${path}?name=Query`, { method: 'POST', headers }),
    raw(path, { method: 'POST', headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'name=Form+%26+more' }),
    raw(path, { method: 'POST', headers, body: form }),
    raw(path, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'JSON', group_weight: 5 }),
    }),
    raw(`${path}?name=Query+wins`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: '{"name":"Body"}',
    }),
  ]);
  const names = await Promise.all(answers.map(async (answer) => ((await answer.json()) as { name: string }).name));
  expect(names).toEqual(['Query', 'Form & more', 'Multipart', 'JSON', 'Query wins']);
});

test('a body with an invalid encoding is refused and causes no internal error', async () => {
  const { course, teacher } = await aCourse(ground);
  const headers = { ...bearer(teacher.token), 'Content-Type': 'application/json' };
  for (const body of ['{', '"text"', 'null', '\u0000'])
    expect((await raw(`/api/v1${groups(course)}`, { method: 'POST', headers, body })).status, body).toBe(400);
  const mixed = await raw(`/api/v1${groups(course)}?rules=1&rules[drop_lowest]=2`, { method: 'POST', headers: bearer(teacher.token) });
  expect(mixed.status).toBe(400);
  expect(await mixed.text()).toContain('rules');
  const broken = await raw(`/api/v1${groups(course)}`, {
    method: 'POST',
    headers: { ...bearer(teacher.token), 'Content-Type': 'multipart/form-data; boundary=x' },
    body: 'no parts',
  });
  expect(broken.status).toBe(400);
});

test('a path also matches with a trailing slash and with .json', async () => {
  const { course, student } = await aCourse(ground);
  for (const suffix of ['', '/', '.json']) ok(await as(student).get(`${groups(course)}${suffix}`));
});

test('HEAD returns the headers of GET without a body', async () => {
  const { course, student } = await aCourse(ground);
  const head = await as(student).head(groups(course));
  expect(head.status).toBe(200);
  expect(head.body).toBe('');
  expect(head.links.current).toBeDefined();
});

test('an unknown path returns 404 as JSON', async () => {
  const answer = await as().get('/no/such/thing');
  expect(ok(answer, 404)).toEqual({ errors: [{ message: 'The specified resource does not exist.' }] });
});

test('an unknown context returns 404, a forbidden one 401 without asking to sign in', async () => {
  const { course, stranger } = await aCourse(ground);
  ok(await as(stranger).get(groups({ id: 999_999 })), 404);
  ok(await as(stranger).get('/courses/letters/assignment_groups'), 404);
  const hidden = await as(stranger).get(groups(course));
  expect(ok(hidden, 401)).toMatchObject({ status: 'unauthorized' });
  expect(hidden.headers.get('www-authenticate')).toBeNull();
  const nobody = await as().get(groups(course));
  expect(ok(nobody, 401)).toMatchObject({ status: 'unauthenticated' });
  expect(nobody.headers.get('www-authenticate')).toContain('Bearer');
  const wrong = await as({ id: 0, name: '', login: '', token: 'wrong' }).get(groups(course));
  expect(ok(wrong, 401)).toEqual({ errors: [{ message: 'Invalid access token.' }] });
});

test('a token is refused once it has expired or is deleted, or its login is suspended', async () => {
  const { course, student } = await aCourse(ground);
  const set = (sql: string) => env.DB.prepare(sql).bind(student.id).run();
  await set("update tokens set expires_at = '2026-01-01T00:00:00Z' where user_id = ?");
  expect(ok(await as(student).get(groups(course)), 401)).toEqual({ errors: [{ message: 'Expired access token.' }] });
  await set('update tokens set expires_at = null where user_id = ?');
  ok(await as(student).get(groups(course)));
  await set("update logins set workflow_state = 'suspended' where user_id = ?");
  ok(await as(student).get(groups(course)), 401);
  await set("update logins set workflow_state = 'active' where user_id = ?");
  await set("update tokens set workflow_state = 'deleted' where user_id = ?");
  ok(await as(student).get(groups(course)), 401);
});

test('the token may be sent as access_token, in the query or in the body', async () => {
  const { course, student, teacher } = await aCourse(ground);
  ok(await as().get(groups(course), { access_token: student.token }));
  ok(await as().post(groups(course), { access_token: teacher.token, name: 'By body' }));
});

test('courses, users and sections are found by SIS id, also hex-encoded', async () => {
  const { course, student } = await aCourse(ground, { sis_course_id: 'fall/2026 É' });
  for (const id of [
    'sis_course_id:fall%2F2026%20%C3%89',
    `hex:sis_course_id:${[...new TextEncoder().encode('fall/2026 É')].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`,
  ]) {
    const [group] = ok(await as(student).get(`/courses/${id}/assignment_groups`));
    expect(group.course_id).toBe(course.id);
  }
  ok(await as(student).get('/courses/sis_course_id:other/assignment_groups'), 404);
});

test('ids are strings for clients that request it', async () => {
  const { course, student } = await aCourse(ground);
  const [group] = ok(await as(student).get(groups(course), {}, { headers: { Accept: 'application/json+canvas-string-ids' } }));
  expect(group.id).toBeTypeOf('string');
  expect(group.course_id).toBe(String(course.id));
  expect(group.position).toBeTypeOf('number');
});

test('pages link by bookmark, and by number for clients that count', async () => {
  const { course, student } = await aCourse(ground);
  await many(24, assignment_groups, { course_id: course.id, name: nth('Group '), position: sql`1 + n / 2` });
  const first = await as(student).get(groups(course), { include: ['assignments'] });
  expect(ok(first)).toHaveLength(10);
  expect(first.links.next).toContain('include%5B%5D=assignments');
  expect(first.links.next).toContain('page=bookmark:');
  expect(first.links.next?.startsWith(`${base}/api/v1/`)).toBe(true);
  expect(first.links.prev).toBeUndefined();
  // canvas-api-wrapper requests further pages by number, and only if it sees that this is page 1.
  expect([first.links.current, first.links.first]).toEqual(Array(2).fill(expect.stringContaining('&page=1&per_page=10')));
  // Canvas pages enrollments by bookmarks, and names the first page so.
  const enrollments = await as(student).get(`/courses/${course.id}/enrollments`);
  expect([enrollments.links.current, enrollments.links.first]).toEqual(Array(2).fill(expect.stringContaining('?page=first&per_page=10')));
  const all = await as(student).pages(groups(course), { per_page: 7 });
  expect(all).toHaveLength(25);
  expect(new Set(all.map((group) => group.id)).size).toBe(25);
  const third = await as(student).get(groups(course), { page: 3, per_page: 10 });
  expect(ok(third)).toHaveLength(5);
  expect(third.links).toMatchObject({ prev: expect.stringContaining('page=2'), last: expect.stringContaining('page=3') });
  expect(third.links.next).toBeUndefined();
  // Clients split the header at commas.
  const split = (await raw(`/api/v1${groups(course)}?odd=a,b;c`, { headers: { Authorization: `Bearer ${student.token}` } })).headers;
  expect(split.get('link')?.split(/[,;]/)).toHaveLength(6);
  expect(ok(await as(student).get(groups(course), { page: 99 }))).toEqual([]);
  for (const size of ['0', '-3', 'many']) expect(ok(await as(student).get(groups(course), { per_page: size }))).toHaveLength(1);
  ok(await as(student).get(groups(course), { page: 'bookmark:nonsense' }), 404);
  ok(await as(student).get(groups(course), { page: `bookmark:${btoa('[1,"x",3]')}` }), 404);
  // Of another list, of the same list in another order, and with fewer values than the order has.
  const elsewhere = new URL((await as(student).get(`/courses/${course.id}/users`, { per_page: 1 })).links.next as string);
  const page = elsewhere.searchParams.get('page') as string;
  ok(await as(student).get(groups(course), { page }), 404);
  ok(await as(student).get(`/courses/${course.id}/users`, { page, order: 'desc' }), 404);
  ok(await as(student).get(groups(course), { page: await bookmarkAt(groups(course), [1, 'x', 3]) }), 404);
  expect(ok(await as(student).get(`/courses/${course.id}/users`, { page, per_page: 2, include: ['enrollments'] }))).toHaveLength(2);
  ok(await as(student).get(groups(course), { page: 'last' }), 404);
});

test('browsers of any origin may send requests and read the headers', async () => {
  const preflight = await raw('/api/v1/courses', {
    method: 'OPTIONS',
    headers: { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'PUT' },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization');
  const { course, student } = await aCourse(ground);
  const answer = await as(student).get(groups(course));
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(answer.headers.get('access-control-expose-headers')).toContain('Link');
});

test('every response returns its cost and its request id', async () => {
  const { course, student } = await aCourse(ground);
  const answer = within(await as(student).get(groups(course)), 2);
  expect(answer.cost.rows_read).toBeGreaterThan(0);
  expect(answer.headers.get('x-request-context-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect((await as().get('/no/such/thing')).headers.get('x-request-context-id')).not.toBeNull();
});

test('a write returns a D1 bookmark, and a client without it reads its own write', async () => {
  const { course, teacher } = await aCourse(ground);
  const made = await as(teacher).post(groups(course), { name: 'Seen at once' });
  expect(made.headers.get('x-d1-bookmark')).toBeTruthy();
  expect(ok(await as(teacher).get(groups(course))).map((group: { name: string }) => group.name)).toContain('Seen at once');
  ok(await as(teacher).get(groups(course), {}, { headers: { 'X-D1-Bookmark': made.headers.get('x-d1-bookmark') as string } }));
});

test('an administrator may act as another user, others may not', async () => {
  const { course, student, teacher } = await aCourse(ground);
  const admin = await ground.admin();
  ok(await as(admin).post(groups(course), { as_user_id: student.id, name: 'No' }), 401);
  ok(await as(admin).post(groups(course), { as_user_id: teacher.id, name: 'Yes' }));
  expect(ok(await as(student).get(groups(course), { as_user_id: teacher.id }), 401)).toEqual({ errors: 'Invalid as_user_id' });
  expect(ok(await as(admin).get(groups(course), { as_user_id: 999_999 }), 401)).toEqual({ errors: 'Invalid as_user_id' });
  const faculty = await ground.account();
  const lesser = await ground.admin({ account_id: faculty.id });
  ok(await as(lesser).get(groups(course), { as_user_id: student.id }), 401);
});

test('an Idempotency-Key belongs to its request and user', async () => {
  const { course, teacher, ta } = await aCourse(ground);
  const headers = { 'Idempotency-Key': 'one' };
  const first = ok(await as(teacher).post(groups(course), { name: 'Once' }, { headers }));
  expect(ok(await as(teacher).post(groups(course), { name: 'Once' }, { headers })).id).toBe(first.id);
  ok(await as(teacher).post(groups(course), { name: 'Twice' }, { headers }), 422);
  expect(ok(await as(ta).post(groups(course), { name: 'Once' }, { headers })).id).not.toBe(first.id);
  ok(await as(teacher).post(groups(course), { name: 'x' }, { headers: { 'Idempotency-Key': 'k'.repeat(256) } }), 400);
  ok(await as(teacher).del(groups(course, `/${first.id}`), {}, { headers: { 'Idempotency-Key': 'two' } }));
  ok(await as(teacher).del(groups(course, `/${first.id}`), {}, { headers: { 'Idempotency-Key': 'two' } }));
  ok(await as(teacher).del(groups(course, `/${first.id}`)), 404);
});

test('the landing page and the API reference are served', async () => {
  for (const path of ['/', '/docs']) {
    const page = await raw(path);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await page.text()).toContain('Carrel');
  }
});

test('no text from a client causes an internal error', async () => {
  const { course, teacher } = await aCourse(ground);
  const hostile = [
    "'; drop table users; --",
    '\u0000',
    '%',
    '\ud800',
    '💥'.repeat(1000),
    '../../etc/passwd',
    '{{7*7}}',
    '-1',
    '1e309',
    'NaN',
    '[object Object]',
  ];
  for (const text of hostile) {
    for (const answer of [
      await as(teacher).get(`/courses/${encodeURIComponent(text.toWellFormed())}/assignment_groups`),
      await as(teacher).get(groups(course), { page: text.toWellFormed(), per_page: text.toWellFormed() }),
      await as(teacher).post(groups(course), { name: text, position: text, rules: text }, { json: true }),
    ])
      expect(answer.status, `${text.slice(0, 20)} → ${JSON.stringify(answer.body)}`).toBeLessThan(500);
  }
  expect((await raw(`/api/v1${groups(course)}?x=%ff%fe&%zz`, { headers: bearer(teacher.token) })).status).toBe(200);
});

test('JSON responses are UTF-8, and the test client reports failures', async () => {
  const { course, student } = await aCourse(ground);
  const answer = await as(student).get(groups(course));
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const failing = clientOf(() => Promise.resolve(new Response('no', { status: 500 })), base, undefined);
  await expect(failing.pages('/courses')).rejects.toThrow('500');
});

test('an object where a word is expected is refused or ignored', async () => {
  const { course, student } = await aCourse(ground);
  ok(await as(student).get(groups(course), { page: { a: 1 }, per_page: { a: 1 }, include: { a: { b: 1 } } }));
  ok(await as(student).get(groups(course), { as_user_id: { a: 1 } }), 401);
  ok(await as(student).get(`/courses/${course.id}/enrollments`, { user_id: { a: 1 } }), 400);
  ok(await as(student).get(`/courses/${course.id}/assignments`, { all_dates: { a: 1 } }));
  for (const odd of ['constructor', '__proto__', 'constructor:1', 'toString:x']) ok(await as(student).get(`/courses/${odd}`), 404);
});

test('every response returns its cost and the remaining budget; excessive use is refused with an error that clients know', async () => {
  const [person, other] = [await ground.person(), await ground.person()];
  // Counters are written seconds after the response, so this waits for them once.
  const contexts: ExecutionContext[] = [];
  const ask = async (who: { token: string } | undefined, more: object = {}, path = '/api/v1/users/self') => {
    const context = createExecutionContext();
    contexts.push(context);
    const from = { 'CF-Connecting-IP': '198.51.100.7' };
    const request = new Request(`${base}${path}`, { headers: { ...from, ...(who && bearer(who.token)) } });
    const response = await worker.fetch(request as never, { ...env, RATE_LIMIT: '90', ...more } as never, context);
    expect(response.headers.get('server-timing')).toMatch(/^\w+;dur=\d+(, \w+;dur=\d+)*$/);
    const answer = {
      status: response.status,
      text: await response.text(),
      type: response.headers.get('content-type'),
      cost: response.headers.get('x-request-cost'),
      left: response.headers.get('x-rate-limit-remaining'),
      trips: response.headers.get('server-timing')?.match(/d1_trips;dur=(\d+)/)?.[1],
    };
    return answer;
  };
  const first = await ask(person);
  expect(first).toMatchObject({ status: 200, trips: '2' });
  expect(Number(first.cost)).toBeGreaterThan(0);
  expect(Number(first.left)).toBeLessThan(90);
  expect(Number(first.left)).toBeGreaterThan(80);
  expect(first.left).toMatch(/^\d+\.\d+$/);
  // Fifty are reserved while a request runs, so of three at once one is too many.
  const three = await Promise.all([ask(person), ask(person), ask(person)]);
  const turnedAway = three.filter(({ status }) => status === 403);
  expect(turnedAway).toEqual([
    { status: 403, text: '403 Forbidden (Rate Limit Exceeded)\n', type: 'text/plain', cost: null, left: '0.0', trips: '0' },
  ]);
  expect((await ask(other)).status).toBe(200);
  expect((await ask(person)).status).toBe(200);
  expect((await ask(undefined, {}, '/api/v1/nowhere')).cost).toMatch(/^\d+\.\d+$/);
  // Where the platform's rate limit is bound, it is checked once per request, by caller.
  const asked: string[] = [];
  const API_RATE = { limit: async ({ key }: { key: string }) => ({ success: asked.push(key) < 2 }) };
  expect([(await ask(person, { API_RATE })).status, (await ask(person, { API_RATE })).status]).toEqual([200, 403]);
  expect(new Set(asked).size).toBe(1);
  expect(asked[0]).not.toContain(person.token);
  // A token exchange costs 200.
  const exchange = async () => {
    const context = createExecutionContext();
    contexts.push(context);
    const request = new Request(`${base}/login/oauth2/token`, { method: 'POST', headers: { 'CF-Connecting-IP': '198.51.100.8' } });
    const { status, headers } = await worker.fetch(request as never, { ...env, RATE_LIMIT: '450' } as never, context);
    return [status, Math.round(Number(headers.get('x-request-cost')))];
  };
  expect([await exchange(), await exchange(), await exchange(), await exchange()].map(([status, cost]) => [status === 403, cost])).toEqual([
    [false, 200],
    [false, 200],
    [false, 200],
    [true, 0],
  ]);
  await Promise.all(contexts.map(waitOnExecutionContext));
});

test('invalid tokens use the budget of their address; the tokens of a user share a budget besides their own', async () => {
  const contexts: ExecutionContext[] = [];
  const ask = async (token: string, address: string, more: object = {}, cookie?: string) => {
    const context = createExecutionContext();
    contexts.push(context);
    const headers = { 'CF-Connecting-IP': address, ...(cookie ? { Cookie: cookie } : bearer(token)) };
    const request = new Request(`${base}/api/v1/users/self`, { headers });
    const response = await worker.fetch(request as never, { ...env, RATE_LIMIT: '60', ...more } as never, context);
    await response.text();
    const trips = response.headers.get('server-timing')?.match(/d1_trips;dur=(\d+)/)?.[1];
    return { status: response.status, left: response.headers.get('x-rate-limit-remaining'), trips };
  };
  const [person, other] = [await ground.person(), await ground.person()];
  const school = '2001:db8:1:2::7';
  expect((await ask(person.token, school)).status).toBe(200);
  const one = await ask('invented', school);
  expect(one).toMatchObject({ status: 401, trips: '1' });
  expect(Number(one.left)).toBeLessThan(58.5);
  const wrong = await Promise.all(Array.from({ length: 100 }, (_, n) => ask(`invented-${n}`, `2001:db8:1:2::${n}`)));
  expect(new Set(wrong.map(({ status }) => status))).toEqual(new Set([401, 403]));
  expect(wrong.at(-1)).toEqual({ status: 403, left: '0.0', trips: '0' });
  // Authenticated callers and other addresses are unaffected; a stale cookie is no attempt.
  expect((await ask(person.token, school)).status).toBe(200);
  expect((await ask(other.token, '203.0.113.9')).status).toBe(200);
  const stale = await ask('', '203.0.113.10', {}, 'carrel_session=stale');
  expect(stale.status).toBe(401);
  expect(Number(stale.left)).toBeGreaterThan(58.5);
  // The platform counts wrong tokens by address, too, and a wrong token gets no bucket of its own.
  const asked: string[] = [];
  const API_RATE = { limit: async ({ key }: { key: string }) => ({ success: asked.push(key) < 4 }) };
  const tries = [];
  for (const token of ['a', 'b', 'c']) tries.push(await ask(token, '203.0.113.11', { API_RATE }));
  expect(tries.map(({ status }) => status)).toEqual([401, 403, 403]);
  expect(asked.filter((key) => key === 'wrong tokens 203.0.113.11').length).toBe(2);

  const tokens = [person.token];
  for (let n = 0; n < 8; n += 1)
    tokens.push(ok(await as(person).post('/users/self/tokens', { token: { purpose: 'Phone' } })).visible_token);
  for (const token of tokens) expect((await ask(token, '203.0.113.12')).status).toBe(200);
  const together = await Promise.all(tokens.map((token) => ask(token, '203.0.113.12')));
  expect(together.filter(({ status, trips }) => status === 403 && trips === '0').length).toBeGreaterThan(0);
  expect(together.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(4);
  expect((await ask(tokens[5] as string, '203.0.113.12')).status).toBe(200);
  await Promise.all(contexts.map(waitOnExecutionContext));
});

test('combined statements return the same as separate ones; those that D1 would refuse stay separate', async () => {
  const { course } = await aCourse(ground);
  await aCourse(ground);
  const db = open(env.DB, newMeter(), 'first-primary');
  const json = { told: sql<string>`json('"a"')`.as('told'), many: sql<string>`json_group_array(json('{"b":null}'))`.as('many') };
  const planned = (parameters: number, columns?: readonly string[]) => (all: Together | undefined) => {
    const newest = db.build.select().from(courses).orderBy(sql`id desc`).limit(3);
    const page = all?.add(newest) ?? sql`(${newest})`;
    const raw = db.build.all(sql`select account_id, max(id) as last from courses where id in (select id from ${page})`);
    const others = [
      columns ? withColumns(raw, columns) : raw,
      db.build.select(json).from(courses),
      ...Array.from({ length: 4 }, () => db.build.select({ id: courses.id }).from(courses).where(sql`id = ${course.id} and 0`)),
      db.build
        .select({ id: courses.id })
        .from(courses)
        .where(sql`id in (${sql.join(new Array(parameters).fill(sql`${course.id}`), sql`, `)})`),
    ];
    for (const one of others) all?.add(one);
    return { statements: [newest, ...others], tell: (results: readonly unknown[]) => results };
  };
  const names = ['account_id', 'last'];
  const answers = async (plan: { statements: readonly never[]; tell(results: readonly unknown[]): unknown }) =>
    plan.tell(await db.perform(plan.statements));
  const apart = planned(30)(undefined);
  const expected = await answers(apart as never);
  for (const [plan, statements] of [
    [planned(30, names), 1],
    [planned(30), apart.statements.length],
    [planned(90, names), 1],
    [planned(96, names), apart.statements.length],
  ] as const) {
    const made = together(db, plan);
    expect(made.statements).toHaveLength(statements);
    expect(await answers(made as never)).toEqual(expected);
  }
});

test('parameters in too many levels are refused with their name, in every encoding', async () => {
  const { course, teacher } = await aCourse(ground);
  const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const sent = async (path: string, type = 'text/plain', body = '') => {
    const headers = { authorization: `Bearer ${teacher.token}`, 'content-type': type };
    const response = await SELF.fetch(`${base}/api/v1${path}`, { method: 'POST', headers, body });
    return { status: response.status, message: ((await response.json()) as { errors: { message: string }[] }).errors[0]?.message };
  };
  const pages = `/courses/${course.id}/pages`;
  for (const levels of [200, 100_000]) {
    const name = `wiki_page${'[a]'.repeat(levels)}`;
    for (const answer of [
      await sent(pages, 'application/json', `{"wiki_page":${deep(levels)}}`),
      await sent(pages, 'application/x-www-form-urlencoded', `${name}=1`),
      ...(levels < 1000 ? [await sent(`${pages}?${name}=1`)] : []),
    ])
      expect(answer).toEqual({ status: 400, message: 'wiki_page has more than 100 levels' });
  }
});

test('a text that the database cannot store is refused with its name, and a body that does not fit into memory with 413', async () => {
  const { course, teacher } = await aCourse(ground);
  const path = `/courses/${course.id}/pages`;
  const long = 'ä'.repeat(500_001);
  const page = (body: string) => ({ wiki_page: { title: 'Long', body } });
  for (const json of [true, false])
    expect(ok(await as(teacher).post(path, page(long), { json }), 400).errors[0].message).toBe(
      'wiki_page[body] is longer than 1,000,000 bytes',
    );
  expect(ok(await as(teacher).post(path, page('a'.repeat(8_000_001)), { json: true }), 413).errors[0].message).toContain('8 MB');
});
