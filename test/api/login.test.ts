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

let doors = 0;
/** An address of its own, so that one test's guesses are not another's. */
const somewhere = () => ({ 'CF-Connecting-IP': `203.0.113.${++doors}` });

const signIn = (
  login: string,
  password: string,
  { from = somewhere(), ...more }: { from?: object; return_to?: string; remember?: boolean } = {},
) =>
  browse('/login/canvas', {
    headers: { ...own, ...from } as Record<string, string>,
    form: {
      'pseudonym_session[unique_id]': login,
      'pseudonym_session[password]': password,
      ...(more.remember && { 'pseudonym_session[remember_me]': '1' }),
      ...(more.return_to !== undefined && { return_to: more.return_to }),
    },
  });

test('people sign in with login and password, in any case of the login, and come to where they wanted', async () => {
  const person = await ground.person({ login: 'Ann@Example.edu', password: 'open sesame' });
  const shown = await browse('/login?return_to=/docs');
  expect(shown.status).toBe(200);
  for (const part of ['action="/login/canvas"', 'autocomplete="current-password"', 'name="return_to" value="/docs"'])
    expect(shown.text).toContain(part);
  expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
  const there = await signIn('ann@example.EDU', 'open sesame', { return_to: '/docs?x=1' });
  expect([there.status, there.headers.get('location')]).toEqual([303, '/docs?x=1']);
  expect(there.headers.get('server-timing')).toContain('d1_trips;dur=3');
  const lines = there.headers.getSetCookie();
  expect(lines[0]).toMatch(/^carrel_session=\w{64}; Path=\/; SameSite=Lax; Secure; HttpOnly$/);
  expect(lines[1]).toMatch(/^_csrf_token=[0-9a-f]{64}; Path=\/; SameSite=Lax; Secure$/);
  const session = there.cookies.carrel_session as string;
  expect(JSON.parse((await browse('/api/v1/users/self', { session })).text).id).toBe(person.id);
  expect((await browse('/login', { session })).headers.get('location')).toBe('/');
  expect((await browse('/login?force_login=1', { session })).status).toBe(200);
  expect((await signIn('ann@example.edu', 'open sesame', { remember: true })).headers.getSetCookie()[0]).toContain('Max-Age=1209600');
  const stored = JSON.stringify((await env.DB.prepare('select * from sessions').all()).results);
  expect(stored).not.toContain(session);
});

test('whatever was wrong, the answer is the same', async () => {
  await ground.person({ login: 'bea', password: 'open sesame' });
  const suspended = await ground.person({ login: 'cid', password: 'open sesame' });
  await env.DB.prepare("update logins set workflow_state = 'suspended' where user_id = ?").bind(suspended.id).run();
  await ground.person({ login: 'dot' });
  const answers = [
    await signIn('bea', 'guess'),
    await signIn('nobody', 'guess'),
    await signIn('cid', 'open sesame'),
    await signIn('dot', ''),
  ];
  for (const { status, text, headers } of answers) {
    expect(status).toBe(400);
    expect(text.replace(/value="\w+"/, '')).toBe(answers[0]?.text.replace(/value="\w+"/, ''));
    expect(text).toContain('role="alert"');
    expect(headers.getSetCookie()).toEqual([]);
  }
});

test('a sign-in leads to no other host, and what was typed is told back as text', async () => {
  await ground.person({ login: 'eve', password: 'open sesame' });
  for (const return_to of [
    'https://evil.example/',
    '//evil.example/x',
    '/\\evil.example',
    'javascript:alert(1)',
    'https://carrel.test//evil.example',
  ])
    expect((await signIn('eve', 'open sesame', { return_to })).headers.get('location'), return_to).toBe('/');
  expect((await signIn('eve', 'open sesame', { return_to: `${base}/docs#a` })).headers.get('location')).toBe('/docs#a');
  const { text } = await signIn('"><script>alert(1)</script>', 'x', { return_to: '/"><script>' });
  expect(text).not.toContain('<script>');
  const foreign = await browse('/login/canvas', {
    headers: { Origin: 'https://evil.example' },
    form: { 'pseudonym_session[unique_id]': 'eve', 'pseudonym_session[password]': 'open sesame' },
  });
  expect([foreign.status, foreign.headers.getSetCookie()]).toEqual([400, []]);
});

test('guesses at one name are slowed, whether or not there is such a login', async () => {
  const person = await ground.person({ login: 'fay', password: 'open sesame' });
  for (const name of ['fay', 'nobody-at-all']) {
    for (let guess = 0; guess < 10; guess += 1) expect((await signIn(name, `guess ${guess}`)).status).toBe(400);
    const slowed = await signIn(name, 'open sesame');
    expect([slowed.status, slowed.headers.get('retry-after')]).toEqual([429, '300']);
    expect(slowed.text).not.toContain('Rate Limit Exceeded');
  }
  await env.DB.prepare('update sign_in_brakes set at = at - 300').run();
  expect((await signIn('FAY', 'open sesame')).status).toBe(303);
  expect((await signIn('fay', 'guess')).status).toBe(400);
  const session = await ground.session(person);
  expect((await browse('/api/v1/users/self', { session })).status).toBe(200);
});

test('an address that guesses is slowed, a network of IPv6 as one, and all at once does not help', async () => {
  await ground.person({ login: 'gil', password: 'open sesame' });
  const from = (n: number) => ({ 'CF-Connecting-IP': `2001:db8:1:2::${n.toString(16)}` });
  await env.DB.prepare("insert into sign_in_brakes (key, level, at) values ('address:2001:db8:1:2', 97, unixepoch())").run();
  const tried = await Promise.all(Array.from({ length: 12 }, (_, n) => signIn(`name${n}`, 'x', { from: from(n) })));
  const counted = tried.filter(({ status }) => status === 400).length;
  expect(counted).toBeGreaterThanOrEqual(3);
  expect(counted).toBeLessThanOrEqual(6);
  expect((await signIn('gil', 'open sesame')).status).toBe(303);
});

test('passwords from a student information system are verified, and kept our way from then on', async () => {
  const person = await ground.person({ login: 'hal' });
  const salt = new TextEncoder().encode('pepper');
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-1', new Uint8Array([...new TextEncoder().encode('open sesame'), ...salt])));
  const hash = `{SSHA}${btoa(String.fromCharCode(...digest, ...salt))}`;
  await env.DB.prepare('update logins set password_hash = ? where user_id = ?').bind(hash, person.id).run();
  expect((await signIn('hal', 'guess')).status).toBe(400);
  const session = (await signIn('hal', 'open sesame')).cookies.carrel_session as string;
  expect((await browse('/api/v1/users/self', { session })).status).toBe(200);
  const kept = await env.DB.prepare('select password_hash from logins where user_id = ?').bind(person.id).first('password_hash');
  expect(kept).toMatch(/^pbkdf2-sha256\$100000\$/);
  expect((await signIn('hal', 'open sesame')).status).toBe(303);
});

test('people sign out, and nobody else signs them out', async () => {
  const session = await ground.session(await ground.person({ name: 'Ida <b>' }));
  expect((await browse('/logout', { session })).text).toContain('Ida &#60;b&#62;');
  expect((await browse('/logout')).headers.get('location')).toBe('/login');
  await browse('/logout', { session, method: 'POST', headers: { Origin: 'https://evil.example' } });
  expect((await browse('/api/v1/users/self', { session })).status).toBe(200);
  const out = await browse('/logout', { session, method: 'POST', headers: own });
  expect([out.status, out.cookies.carrel_session]).toEqual([303, '']);
  expect((await browse('/api/v1/users/self', { session })).status).toBe(401);
  expect((await browse(out.headers.get('location') as string)).text).toContain('You have signed out.');
  expect((await browse('/logout', { session: await ground.session(await ground.person()), method: 'DELETE', headers: own })).status).toBe(
    303,
  );
});
