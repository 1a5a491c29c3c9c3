import { env, SELF } from 'cloudflare:test';
import { comesFromHere } from '@carrel/worker/contexts/session';
import { expect, test } from 'vitest';
import { base, ground, noteRoute } from '../support/api';

interface Asked {
  readonly session?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly form?: Record<string, string>;
}

/** A browser without scripts: cookies, forms, no token. */
async function browse(path: string, { session, method, headers, form }: Asked = {}) {
  const response = await SELF.fetch(`${base}${path}`, {
    method: method ?? (form ? 'POST' : 'GET'),
    redirect: 'manual',
    headers: { ...(session && { Cookie: `theme=dark; carrel_session=${session}` }), ...headers },
    ...(form && { body: new URLSearchParams(form) }),
  } as never);
  noteRoute(response.headers, response.status);
  const cookies = Object.fromEntries(response.headers.getSetCookie().map((line) => line.split(';')[0]?.split('=') as [string, string]));
  return { status: response.status, text: await response.text(), headers: response.headers, cookies };
}

const own = { Origin: base };

test('a session is its person: in one trip with everything else, for reads by the cookie alone', async () => {
  const person = await ground.person();
  const session = await ground.session(person);
  const told = await browse('/api/v1/users/self', { session });
  expect(JSON.parse(told.text).id).toBe(person.id);
  expect(told.headers.get('server-timing')).toContain('d1_trips;dur=2');
  expect((await browse('/api/v1/users/self', { session: 'nonsense' })).status).toBe(401);
  expect(
    (await browse('/api/v1/users/self', { session: await ground.session(person, { expires_at: '2020-01-01T00:00:00Z' }) })).status,
  ).toBe(401);
  expect((await browse('/api/v1/users/self', { session: await ground.session(person, { workflow_state: 'ticket' }) })).status).toBe(401);
});

test('a write by cookie counts only where it comes from this host', async () => {
  const session = await ground.session(await ground.person());
  const write = async (headers: Record<string, string>, more: Record<string, string> = {}) =>
    (await browse('/api/v1/users/self/settings', { session, method: 'PUT', headers, form: { collapse_global_nav: 'true', ...more } }))
      .status;
  const hex = async (text: string) =>
    [...new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('');
  const token = await hex(`csrf ${session}`);
  expect(await write({})).toBe(401);
  expect(await write({ Origin: 'https://evil.example' })).toBe(401);
  expect(await write({ Origin: 'https://evil.example', 'X-CSRF-Token': token })).toBe(401);
  expect(await write({ 'X-CSRF-Token': await hex('csrf another') })).toBe(401);
  expect(await write(own)).toBe(200);
  expect(await write({ 'X-CSRF-Token': token })).toBe(200);
  expect(await write({}, { authenticity_token: token })).toBe(200);
});

test('what the browser says of the page counts before what the page says', () => {
  const says = (headers: Record<string, string>) => comesFromHere(new Request(base, { headers }) as never, base);
  expect(says({ 'Sec-Fetch-Site': 'same-origin' })).toBe(true);
  expect(says({ 'Sec-Fetch-Site': 'same-site', Origin: base })).toBe(false);
  expect(says({ 'Sec-Fetch-Site': 'cross-site', Origin: base })).toBe(false);
  expect(says({ Origin: 'null' })).toBe(false);
  expect(says({})).toBeUndefined();
});

test('a session ends with its login, with another password, and with its person', async () => {
  const endings = [
    "update logins set workflow_state = 'suspended' where user_id = ?",
    "update logins set password_hash = 'another' where user_id = ?",
    "update users set workflow_state = 'deleted' where id = ?",
  ];
  for (const ending of endings) {
    const person = await ground.person();
    const session = await ground.session(person);
    expect((await browse('/api/v1/users/self', { session })).status).toBe(200);
    await env.DB.prepare(ending).bind(person.id).run();
    expect((await browse('/api/v1/users/self', { session })).status, ending).toBe(401);
    const left = await env.DB.prepare('select count(*) as n from sessions where user_id = ?').bind(person.id).first('n');
    expect(left, ending).toBe(0);
  }
});

test('use keeps a session open, written aside and at most every ten minutes', async () => {
  const person = await ground.person();
  const session = await ground.session(person);
  const row = () => env.DB.prepare('select last_used_at, expires_at from sessions where user_id = ?').bind(person.id).first();
  await browse('/api/v1/users/self', { session });
  await expect.poll(async () => (await row())?.last_used_at).toMatch(/Z$/);
  expect((await row())?.expires_at).not.toMatch(/^2999/);
});
