// The interpretation of a request's address, method and proxy headers.

import { createExecutionContext, env, SELF, waitOnExecutionContext } from 'cloudflare:test';
import worker from '@carrel/worker/index';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, base, ground, ok } from '../support/api';
import { aCourse } from '../support/ground';

let scene: Awaited<ReturnType<typeof aCourse>>;
beforeAll(async () => {
  scene = await aCourse(ground);
});

const groups = (rest = '') => `/courses/${scene.course.id}/assignment_groups${rest}`;
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

// Counters are written seconds after the response, so this waits for them once.
const context = createExecutionContext();
afterAll(() => waitOnExecutionContext(context));

/** A request to a service with these environment variables. */
async function ask(path: string, init: RequestInit, variables: object = {}): Promise<Response> {
  const answer = await worker.fetch(
    new Request(`${base}/api/v1${path}`, init as never) as never,
    { ...env, ...variables } as never,
    context,
  );
  return answer as unknown as Response;
}

test('proxy headers affect the links in responses only when a variable enables them', async () => {
  const addresses = async (forwarded: Record<string, string>, variables: object = {}) => {
    const init = { headers: { ...bearer(scene.student.token), ...forwarded } };
    const [list, self, search] = [
      await ask(groups(), init, variables),
      await ask('/users/self', init, variables),
      await ask('/accounts/search', init, variables),
    ];
    return [
      list.headers.get('link')?.split('/api/')[0]?.slice(1),
      ((await self.json()) as { avatar_url: string }).avatar_url.split('/images/')[0],
      ((await search.json()) as { domain: string }[])[0]?.domain,
    ];
  };
  const proxied = { 'X-Forwarded-Proto': 'http', 'X-Forwarded-Host': 'school.example.edu:8080' };
  const direct = [base, base, 'carrel.test'];
  expect(await addresses({})).toEqual(direct);
  expect(await addresses(proxied)).toEqual(direct);
  expect(await addresses(proxied, { TRUST_PROXY: '0' })).toEqual(direct);
  expect(await addresses({}, { TRUST_PROXY: '1' })).toEqual(direct);
  const outside = ['http://school.example.edu:8080', 'http://school.example.edu:8080', 'school.example.edu'];
  expect(await addresses(proxied, { TRUST_PROXY: '1' })).toEqual(outside);
  // Each proxy appends to the header; the first entry is the client's address.
  const twice = { 'X-Forwarded-Proto': 'http, https', 'X-Forwarded-Host': 'school.example.edu:8080, inner' };
  expect(await addresses(twice, { TRUST_PROXY: '1' })).toEqual(outside);
  for (const odd of ['', 'a/b', 'a b', '"><script>', 'user@host', 'a?b', 'host:port'])
    expect(await addresses({ 'X-Forwarded-Proto': 'javascript', 'X-Forwarded-Host': odd }, { TRUST_PROXY: '1' }), odd).toEqual(direct);
});

test('a write with a session is checked against the address that a trusted proxy reports, never a forged header', async () => {
  const session = await ground.session(scene.student);
  const write = async (headers: Record<string, string>, variables: object = {}) => {
    const init = {
      method: 'POST',
      headers: { Cookie: `carrel_session=${session}`, 'Content-Type': 'application/json', ...headers },
      body: '{"title":"x","todo_date":"2030-01-01"}',
    };
    return (await ask('/planner_notes', init, variables)).status;
  };
  const evil = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'evil.example' };
  expect(await write({ ...evil, Origin: base })).toBe(201);
  expect(await write({ ...evil, Origin: 'https://evil.example' })).toBe(401);
  const behind = { Origin: 'https://school.example.edu', 'X-Forwarded-Host': 'school.example.edu' };
  expect([await write(behind), await write(behind, { TRUST_PROXY: '1' })]).toEqual([401, 201]);
});

test('leading double slashes of a path count as one', async () => {
  for (const slashes of ['//', '///']) {
    const answer = await SELF.fetch(`${base}${slashes}api/v1${groups()}`, { headers: bearer(scene.student.token) });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('link')).toContain(`<${base}/api/v1/`);
  }
  expect((await SELF.fetch(`${base}//docs`)).status).toBe(200);
});

test('a client that can only POST names the method in the query or the body', async () => {
  const client = as(scene.teacher);
  const here = groups(`/${ok(await client.post(groups(), { name: 'First' })).id}`);
  expect(ok(await client.post(`${here}?_method=PUT`, { name: 'By query' })).name).toBe('By query');
  expect(ok(await client.post(here, { _method: 'put', name: 'By form' })).name).toBe('By form');
  expect(ok(await client.post(here, { _method: 'PUT', name: 'By JSON' }, { json: true })).name).toBe('By JSON');
  const multipart = new FormData();
  multipart.append('_method', 'PUT');
  multipart.append('name', 'By multipart');
  expect(ok(await client.post(here, multipart)).name).toBe('By multipart');
  // Only a POST may replace another method, and only for a write.
  expect(ok(await client.get(here, { _method: 'DELETE' })).name).toBe('By multipart');
  expect(ok(await client.put(here, { _method: 'DELETE', name: 'Kept' })).name).toBe('Kept');
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'nonsense', '']) ok(await client.post(here, { _method: method }), 404);
  expect(ok(await client.post(groups(), { _method: 'nonsense', name: 'Made' })).name).toBe('Made');
  ok(await client.post('/no/such/thing', { _method: 'PUT' }), 404);
  ok(await client.post(here, { _method: 'DELETE' }));
  ok(await client.get(here), 404);
});

test('scopes and session checks apply to the method that a POST replaces', async () => {
  const admin = await ground.admin();
  const scopes = ['url:POST|/api/v1/courses/:course_id/assignment_groups', 'url:PUT|/api/v1/courses/:course_id/assignment_groups/:id'];
  const developer_key = { require_scopes: true, scopes };
  const key = ok(await as(admin).post('/accounts/1/developer_keys', { developer_key }));
  const limit = (to: string[]) =>
    env.DB.prepare('update tokens set developer_key_id = ?, scopes = ? where user_id = ?')
      .bind(key.id, JSON.stringify(to), scene.ta.id)
      .run();
  const here = groups(`/${ok(await as(scene.teacher).post(groups(), { name: 'Scoped' })).id}`);
  const rename = () => as(scene.ta).post(here, { _method: 'PUT', name: 'Renamed' });
  await limit([scopes[0] as string]);
  expect(ok(await rename(), 401).errors[0].message).toContain('Insufficient scopes');
  await limit([scopes[1] as string]);
  ok(await rename());
  ok(await as(scene.ta).post(here, { _method: 'DELETE' }), 401);
  const forged = await SELF.fetch(`${base}/api/v1${here}`, {
    method: 'POST',
    headers: { Cookie: `carrel_session=${await ground.session(scene.teacher)}`, Origin: 'https://evil.example' },
    body: new URLSearchParams({ _method: 'PUT', name: 'Forged' }),
  });
  expect(forged.status).toBe(401);
});
