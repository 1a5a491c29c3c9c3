// Signing in: by password, through an identity provider, by session; and login throttling.

import { env, SELF } from 'cloudflare:test';
import { comesFromHere } from '@carrel/worker/contexts/session';
import { login_throttles } from '@carrel/worker/domains/login/table';
import { logins } from '@carrel/worker/domains/users/table';
import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { as, base, ground, many, noteRoute, nth, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

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

test('a session authenticates in the same trip as the request, for reads by the cookie alone', async () => {
  const person = await ground.person();
  const session = await ground.session(person);
  const result = await browse('/api/v1/users/self', { session });
  expect(JSON.parse(result.text).id).toBe(person.id);
  expect(result.headers.get('server-timing')).toContain('d1_trips;dur=2');
  expect((await browse('/api/v1/users/self', { session: 'nonsense' })).status).toBe(401);
  expect(
    (await browse('/api/v1/users/self', { session: await ground.session(person, { expires_at: '2020-01-01T00:00:00Z' }) })).status,
  ).toBe(401);
  expect((await browse('/api/v1/users/self', { session: await ground.session(person, { workflow_state: 'ticket' }) })).status).toBe(401);
});

test('a write with a cookie is accepted only from this origin', async () => {
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

test('Sec-Fetch-Site takes precedence over Origin', () => {
  const says = (headers: Record<string, string>) => comesFromHere(new Request(base, { headers }) as never, base);
  expect(says({ 'Sec-Fetch-Site': 'same-origin' })).toBe(true);
  expect(says({ 'Sec-Fetch-Site': 'same-site', Origin: base })).toBe(false);
  expect(says({ 'Sec-Fetch-Site': 'cross-site', Origin: base })).toBe(false);
  expect(says({ Origin: 'null' })).toBe(false);
  expect(says({})).toBeUndefined();
});

test('a session ends with its login, on a password change, and with its user', async () => {
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

test('use extends a session, written in the background at most every ten minutes', async () => {
  const person = await ground.person();
  const session = await ground.session(person);
  const row = () => env.DB.prepare('select last_used_at, expires_at from sessions where user_id = ?').bind(person.id).first();
  await browse('/api/v1/users/self', { session });
  await expect.poll(async () => (await row())?.last_used_at).toMatch(/Z$/);
  expect((await row())?.expires_at).not.toMatch(/^2999/);
});

let doors = 0;
/** A separate IP address, so that tests do not throttle each other. */
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

test('users sign in with login and password, in any case of the login, and are redirected to where they wanted to go', async () => {
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
  expect((await browse('/login', { session })).headers.get('location')).toBe('/profile/settings');
  expect((await browse('/login?force_login=1', { session })).status).toBe(200);
  expect((await signIn('ann@example.edu', 'open sesame', { remember: true })).headers.getSetCookie()[0]).toContain('Max-Age=1209600');
  const stored = JSON.stringify((await env.DB.prepare('select * from sessions').all()).results);
  expect(stored).not.toContain(session);
});

test('every wrong sign-in gets the same response', async () => {
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

test('a sign-in redirects to no other host, and typed input is returned as text', async () => {
  await ground.person({ login: 'eve', password: 'open sesame' });
  for (const return_to of [
    'https://evil.example/',
    '//evil.example/x',
    '/\\evil.example',
    'javascript:alert(1)',
    'https://carrel.test//evil.example',
  ])
    expect((await signIn('eve', 'open sesame', { return_to })).headers.get('location'), return_to).toBe('/profile/settings');
  expect((await signIn('eve', 'open sesame', { return_to: `${base}/docs#a` })).headers.get('location')).toBe('/docs#a');
  const { text } = await signIn('"><script>alert(1)</script>', 'x', { return_to: '/"><script>' });
  expect(text).not.toContain('<script>');
  const foreign = await browse('/login/canvas', {
    headers: { Origin: 'https://evil.example' },
    form: { 'pseudonym_session[unique_id]': 'eve', 'pseudonym_session[password]': 'open sesame' },
  });
  expect([foreign.status, foreign.headers.getSetCookie()]).toEqual([400, []]);
});

test('repeated attempts for one login are throttled, whether or not it exists', async () => {
  const person = await ground.person({ login: 'fay', password: 'open sesame' });
  for (const name of ['fay', 'nobody-at-all']) {
    for (let guess = 0; guess < 10; guess += 1) expect((await signIn(name, `guess ${guess}`)).status).toBe(400);
    const slowed = await signIn(name, 'open sesame');
    expect([slowed.status, slowed.headers.get('retry-after')]).toEqual([429, '300']);
    expect(slowed.text).not.toContain('Rate Limit Exceeded');
  }
  await env.DB.prepare('update login_throttles set at = at - 300').run();
  expect((await signIn('FAY', 'open sesame')).status).toBe(303);
  expect((await signIn('fay', 'guess')).status).toBe(400);
  const session = await ground.session(person);
  expect((await browse('/api/v1/users/self', { session })).status).toBe(200);
});

test('attempts from elsewhere lock no one out of the network they usually use', async () => {
  await ground.person({ login: 'gus', password: 'open sesame' });
  const home = { 'CF-Connecting-IP': '192.0.2.55' };
  expect((await signIn('gus', 'open sesame', { from: home })).status).toBe(303);
  for (let guess = 0; guess < 10; guess += 1) await signIn('gus', 'guess');
  expect((await signIn('gus', 'open sesame')).status).toBe(429);
  expect((await signIn('gus', 'open sesame', { from: home })).status).toBe(303);
  expect((await signIn('gus', 'open sesame')).status).toBe(429);
  for (let guess = 0; guess < 10; guess += 1) await signIn('gus', 'guess', { from: home });
  expect((await signIn('gus', 'open sesame', { from: home })).status).toBe(429);
});

test('an attacking address is throttled, an IPv6 network as one, even with simultaneous attempts', async () => {
  await ground.person({ login: 'gil', password: 'open sesame' });
  const from = (n: number) => ({ 'CF-Connecting-IP': `2001:db8:1:2::${n.toString(16)}` });
  await ground.db.insert(login_throttles).values({ key: 'address:2001:db8:1:2', level: 97, at: Math.floor(Date.now() / 1000) });
  const tried = await Promise.all(Array.from({ length: 12 }, (_, n) => signIn(`name${n}`, 'x', { from: from(n) })));
  const counted = tried.filter(({ status }) => status === 400).length;
  expect(counted).toBeGreaterThanOrEqual(3);
  expect(counted).toBeLessThanOrEqual(6);
  expect((await signIn('gil', 'open sesame')).status).toBe(303);
});

test('password hashes from a student information system are verified, and replaced by our own', async () => {
  const person = await ground.person({ login: 'hal' });
  const salt = new TextEncoder().encode('pepper');
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-1', new Uint8Array([...new TextEncoder().encode('open sesame'), ...salt])));
  const hash = `{SSHA}${btoa(String.fromCharCode(...digest, ...salt))}`;
  await env.DB.prepare('update logins set password_hash = ? where user_id = ?').bind(hash, person.id).run();
  expect((await signIn('hal', 'guess')).status).toBe(400);
  const session = (await signIn('hal', 'open sesame')).cookies.carrel_session as string;
  expect((await browse('/api/v1/users/self', { session })).status).toBe(200);
  const kept = await env.DB.prepare('select password_hash from logins where user_id = ?').bind(person.id).first('password_hash');
  expect(kept).toMatch(/^pbkdf2-sha256\$6x100000\$/);
  expect((await signIn('hal', 'open sesame')).status).toBe(303);
});

test('a hash of 100,000 rounds is upgraded to 600,000 at sign-in, and other browsers stay signed in', async () => {
  const person = await ground.person({ login: 'old-hash' });
  const salt = new Uint8Array(16).fill(7);
  const text = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode('open sesame'), 'PBKDF2', false, ['deriveBits']);
  const stretched = await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations: 100_000 }, key, 256);
  const old = `pbkdf2-sha256$100000$${text(salt)}$${text(new Uint8Array(stretched))}`;
  await env.DB.prepare('update logins set password_hash = ? where user_id = ?').bind(old, person.id).run();
  const elsewhere = await ground.session(person);
  const kept = () => env.DB.prepare('select password_hash from logins where user_id = ?').bind(person.id).first<string>('password_hash');
  expect((await signIn('old-hash', 'guess')).status).toBe(400);
  expect(await kept()).toBe(old);
  expect((await signIn('old-hash', 'open sesame')).status).toBe(303);
  expect(await kept()).toMatch(/^pbkdf2-sha256\$6x100000\$BwcHBwcHBwcHBwcHBwcHBw==\$/);
  expect(await kept()).not.toContain(old.split('$').at(-1));
  expect((await browse('/api/v1/users/self', { session: elsewhere })).status).toBe(200);
  expect((await signIn('old-hash', 'open sesame')).status).toBe(303);
  expect((await signIn('old-hash', 'guess')).status).toBe(400);
});

test('a wrong password costs 600,000 rounds whether or not the login exists, and whatever hash is stored', async () => {
  const kinds = [null, 'pbkdf2-sha256$100000$AAAAAAAAAAAAAAAAAAAAAA==$AAAA', '{SSHA}AAAA', 'unreadable'];
  const names = ['no-such-login'];
  for (const [nth, kind] of kinds.entries()) {
    const person = await ground.person({ login: `kind-${nth}` });
    await env.DB.prepare('update logins set password_hash = ? where user_id = ?').bind(kind, person.id).run();
    names.push(`kind-${nth}`);
  }
  await ground.person({ login: 'kind-of-today', password: 'open sesame' });
  const derive = vi.spyOn(crypto.subtle, 'deriveBits');
  for (const name of [...names, 'kind-of-today']) {
    derive.mockClear();
    expect((await signIn(name, 'guess')).status).toBe(400);
    const rounds = derive.mock.calls.map(([how]) => (how as { iterations: number }).iterations);
    expect([name, rounds]).toEqual([name, Array(6).fill(100_000)]);
  }
  derive.mockRestore();
});

test('users sign out, and no other site can sign them out', async () => {
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

test('a login URL from the API opens a session once, for its user, and redirects', async () => {
  const person = await ground.person();
  expect(ok(await as().get('/login/session_token'), 401).status).toBe('unauthenticated');
  const given = ok(within(await as(person).get('/login/session_token', { return_to: `${base}/docs` }), 2));
  expect(given.requires_terms_acceptance).toBe(false);
  const path = given.session_url.slice(base.length);
  const there = await browse(path);
  expect([there.status, there.headers.get('location')]).toEqual([303, '/docs']);
  expect(JSON.parse((await browse('/api/v1/users/self', { session: there.cookies.carrel_session as string })).text).id).toBe(person.id);
  expect((await browse(path)).status).toBe(400);
  const late = ok(await as(person).get('/login/session_token')).session_url.slice(base.length);
  await env.DB.prepare("update sessions set expires_at = '2020-01-01T00:00:00Z' where workflow_state = 'ticket'").run();
  expect((await browse(late)).status).toBe(400);
  ok(await as(person).get('/login/session_token', { return_to: 'https://evil.example' }), 400);
});

test('all sessions and tokens of a user can be ended at once', async () => {
  const [person, other, admin] = [await ground.person(), await ground.person(), await ground.admin()];
  const session = await ground.session(person);
  ok(await as(other).del(`/users/${person.id}/sessions`), 401);
  expect(ok(within(await as(admin).del(`/users/${person.id}/sessions`), 3))).toBe('ok');
  expect((await browse('/api/v1/users/self', { session })).status).toBe(401);
  ok(await as(person).get('/users/self'), 401);
  ok(await as(other).get('/users/self'));
  expect(ok(await as(other).del('/users/self/sessions'))).toBe('ok');
  ok(await as(other).get('/users/self'), 401);
});

test('masquerading is logged, and cannot be nested', async () => {
  const scene = await aCourse(ground);
  const admin = await ground.admin();
  const { student, student2, teacher } = scene;
  const deed = await as(admin).put('/users/self/settings', { as_user_id: student.id, collapse_global_nav: true });
  ok(deed);
  const trail = () => env.DB.prepare('select * from masquerades where user_id = ?').bind(student.id).all();
  await expect.poll(async () => (await trail()).results.length).toBe(1);
  expect((await trail()).results[0]).toMatchObject({
    real_user_id: admin.id,
    action: 'PUT /users/:user_id/settings',
    request_id: deed.headers.get('x-request-context-id'),
  });
  expect(ok(await as(student).get('/users/self', { as_user_id: student2.id }), 401)).toEqual({ errors: 'Invalid as_user_id' });

  const opened = ok(await as(admin).get('/login/session_token', { as_user_id: student.id })).session_url.slice(base.length);
  const session = (await browse(opened)).cookies.carrel_session as string;
  expect(JSON.parse((await browse('/api/v1/users/self', { session })).text).id).toBe(student.id);
  const changed = await browse(`/api/v1/users/self?as_user_id=${student2.id}`, { session });
  expect([changed.status, JSON.parse(changed.text)]).toEqual([401, { errors: 'Cannot change masquerade' }]);
  expect(ok(await as(admin).get(`/audit/authentication/users/${student.id}`))).toMatchObject([
    { event_type: 'login', user_id: student.id },
  ]);
  const kept = await env.DB.prepare('select real_user_id from authentication_events where user_id = ?')
    .bind(student.id)
    .first('real_user_id');
  expect(kept).toBe(admin.id);
  await env.DB.prepare("update logins set workflow_state = 'suspended' where user_id = ?").bind(admin.id).run();
  expect((await browse('/api/v1/users/self', { session })).status).toBe(401);

  const pretend = await ground.person({ name: 'Test Student' });
  await ground.enroll(scene.course, pretend, 'student');
  await env.DB.batch([
    env.DB.prepare('update users set is_test_student = 1 where id = ?').bind(pretend.id),
    env.DB.prepare("update enrollments set type = 'StudentViewEnrollment', role_id = 8 where user_id = ?").bind(pretend.id),
  ]);
  expect(ok(await as(teacher).get('/users/self', { as_user_id: pretend.id })).id).toBe(pretend.id);
  ok(await as(student2).get('/users/self', { as_user_id: pretend.id }), 401);
  // So does an administrator of the course's account, whatever permissions they lack.
  const [root, keeper] = [await ground.admin(), await ground.person()];
  const role = ok(await as(root).post('/accounts/1/roles', { label: 'Keeper' }));
  ok(await as(root).post('/accounts/1/admins', { user_id: keeper.id, role_id: role.id }));
  expect(ok(await as(keeper).get('/users/self', { as_user_id: pretend.id })).id).toBe(pretend.id);
  ok(await as(keeper).get('/users/self', { as_user_id: student2.id }), 401);
  ok(await as(teacher).get('/users/self', { as_user_id: student2.id }), 401);
});

test('sign-ins and sign-outs are listed by account, login and user, newest first', async () => {
  const person = await ground.person({ login: 'jon', password: 'open sesame' });
  const [admin, other] = [await ground.admin(), await ground.person()];
  const session = (await signIn('jon', 'open sesame')).cookies.carrel_session as string;
  await browse('/logout', { session, method: 'POST', headers: own });
  const [login] = ok(await as(person).get('/users/self/logins'));
  const at = `/audit/authentication/logins/${login.id}`;
  const told = ok(within(await as(admin).get(at), 2));
  expect(told.map((one: { event_type: string }) => one.event_type)).toEqual(['logout', 'login']);
  expect(told[0]).toMatchObject({
    pseudonym_id: login.id,
    account_id: 1,
    user_id: person.id,
    links: { login: login.id, account: 1, user: person.id, page_view: null },
  });
  expect(told[0].id).toMatch(/^[0-9a-f-]{36}$/);
  expect(ok(await as(person).get(`/audit/authentication/users/${person.id}`))).toEqual(told);
  const first = await as(admin).get('/audit/authentication/accounts/1', { per_page: 1 });
  expect(ok(first)).toEqual(told.slice(0, 1));
  expect(ok(await as(admin).get(first.links.next as string))).toEqual(told.slice(1));
  expect(ok(await as(admin).get(at, { start_time: '2099-01-01' }))).toEqual([]);
  expect(ok(await as(admin).get(at, { end_time: told[0].created_at }))).toHaveLength(2);
  for (const [query, options] of [
    [{ format: 'compound' }, {}],
    [{}, { headers: { Accept: 'application/vnd.api+json' } }],
  ] as const) {
    const compound = ok(within(await as(admin).get(at, query, options), 2));
    expect(compound.events).toEqual(told);
    expect(compound.linked).toMatchObject({
      logins: [{ id: login.id }],
      users: [{ id: person.id }],
      accounts: [{ id: 1 }],
      page_views: [],
    });
    expect(compound.links['events.account']).toBe(`${base}/api/v1/accounts/{events.account}`);
  }
  ok(await as(other).get(at), 401);
  ok(await as(other).get(`/audit/authentication/users/${person.id}`), 401);
  ok(await as(other).get('/audit/authentication/accounts/1'), 401);
  ok(await as(admin).get('/audit/authentication/logins/999999'), 404);
  ok(await as(admin).get(at, { start_time: 'soon' }), 400);
});

test('an institution sets its password rules, and whether administrators may set passwords', async () => {
  const admin = await ground.admin();
  const person = await ground.person({ login: 'kim', password: 'open sesame' });
  const [login] = ok(await as(person).get('/users/self/logins'));
  const reset = (password: string) => as(admin).put(`/accounts/1/logins/${login.id}`, { login: { password } });
  ok(await reset('another 1!'), 401);
  const policy = { minimum_character_length: 10, require_number_characters: true, require_symbol_characters: true };
  ok(await as(admin).put('/accounts/1', { account: { settings: { admins_can_change_passwords: true, password_policy: policy } } }));
  expect(ok(await as(admin).get('/accounts/1/settings'))).toMatchObject({ admins_can_change_passwords: true, password_policy: policy });
  for (const [weak, type] of [
    ['short 1!', 'too_short'],
    ['no number here!', 'invalid'],
    ['no symbol 123', 'invalid'],
  ] as const)
    expect(ok(await reset(weak), 400).errors.password[0].type).toBe(type);
  const create = (password: string) =>
    as(admin).post('/accounts/1/users', { user: { name: 'Lu' }, pseudonym: { unique_id: `lu-${password.length}`, password } });
  expect(ok(await create('short 1!'), 400).errors.pseudonym.password[0].type).toBe('too_short');
  const session = await ground.session(person);
  ok(within(await reset('another 1!'), 3));
  expect((await browse('/api/v1/users/self', { session })).status).toBe(401);
  expect((await signIn('kim', 'open sesame')).status).toBe(400);
  const mine = (await signIn('kim', 'another 1!')).cookies.carrel_session as string;
  const elsewhere = (await signIn('kim', 'another 1!')).cookies.carrel_session as string;
  const change = await browse(`/api/v1/accounts/1/logins/${login.id}`, {
    session: mine,
    method: 'PUT',
    headers: own,
    form: { 'login[password]': 'my own 12!', 'login[old_password]': 'another 1!' },
  });
  expect(change.status).toBe(200);
  expect((await browse('/api/v1/users/self', { session: mine })).status).toBe(200);
  expect((await browse('/api/v1/users/self', { session: elsewhere })).status).toBe(401);
  ok(await as(admin).put('/accounts/1', { account: { settings: { password_policy: { minimum_character_length: '' } } } }));
  ok(await reset('newer 1!'));
});

const providersAt = '/accounts/1/authentication_providers';

test('identity providers keep their order, and return no secrets', async () => {
  const admin = await ground.admin();
  const add = (body: object) => as(admin).post(providersAt, body);
  expect(ok(within(await as(admin).get(providersAt), 2))).toMatchObject([
    { id: 1, auth_type: 'canvas', position: 1, self_registration: 'none' },
  ]);
  const secret = 'not for clients';
  const ldap = ok(within(await add({ auth_type: 'ldap', auth_host: 'ldap.example.edu', auth_password: secret }), 3));
  expect(ldap).toMatchObject({ position: 2, auth_port: 389, auth_over_tls: 'start_tls', login_attribute: null, jit_provisioning: false });
  const saml = ok(
    await add({ auth_type: 'saml', idp_entity_id: 'urn:x', position: 1, federated_attributes: { email: { attribute: 'mail' } } }),
  );
  expect(saml).toMatchObject({
    position: 1,
    login_attribute: 'NameID',
    federated_attributes: { email: { attribute: 'mail', provisioning_only: false } },
  });
  const order = async () => ok(await as(admin).get(providersAt)).map((one: { auth_type: string }) => one.auth_type);
  expect(await order()).toEqual(['saml', 'canvas', 'ldap']);
  const stored = JSON.stringify((await env.DB.prepare('select * from authentication_providers').all()).results);
  expect(stored + JSON.stringify(ok(await as(admin).get(providersAt)))).not.toContain(secret);
  expect(ok(await as(admin).get(`${providersAt}/ldap`)).id).toBe(ldap.id);

  const at = `${providersAt}/${saml.id}`;
  expect(ok(within(await as(admin).put(at, { position: 3, idp_entity_id: '', log_in_url: 'https://idp.example.edu' }), 3))).toMatchObject({
    position: 3,
    idp_entity_id: null,
    log_in_url: 'https://idp.example.edu',
  });
  expect(await order()).toEqual(['canvas', 'ldap', 'saml']);
  expect(ok(within(await as(admin).del(at), 3)).workflow_state).toBe('deleted');
  ok(await as(admin).get(at), 404);
  expect(ok(within(await as(admin).put(`${at}/restore`), 3)).workflow_state).toBe('active');

  expect(ok(await add({ auth_type: 'canvas' }), 422).errors[0].message).toBeDefined();
  for (const wrong of [
    { auth_type: 'magic' },
    {},
    { auth_type: 'canvas', self_registration: 'sometimes' },
    { auth_type: 'saml', log_in_url: 'javascript:alert(1)' },
    { auth_type: 'ldap', auth_port: 'ssh' },
    { auth_type: 'saml', federated_attributes: { shoe_size: 'x' } },
    { auth_type: 'saml', position: 0 },
  ])
    ok(await add(wrong), 400);
  ok(await as(admin).put(at, { auth_type: 'cas' }), 400);
  ok(await as(admin).get(`${providersAt}/cas`), 404);
  ok(await as(admin).get(`/accounts/${(await ground.account()).id}/authentication_providers`), 404);
  for (const answer of [await as(await ground.person()).get(providersAt), await as(await ground.person()).put(at, { position: 1 })])
    ok(answer, 401);
  for (const type of ['ldap', 'saml']) ok(await as(admin).del(`${providersAt}/${type}`));
});

test('a login belongs to its provider, within which its name is unique', async () => {
  const [admin, person] = [await ground.admin(), await ground.person({ login: 'max', password: 'open sesame' })];
  const cas = ok(await as(admin).post(providersAt, { auth_type: 'cas', auth_base: 'https://cas.example.edu' }));
  const add = (login: object) => as(admin).post('/accounts/1/logins', { user: { id: person.id }, login: { unique_id: 'max', ...login } });
  const made = ok(within(await add({ authentication_provider_id: 'cas' }), 3));
  expect(made).toMatchObject({ authentication_provider_id: cas.id, authentication_provider_type: 'cas' });
  expect(ok(await add({ authentication_provider_id: cas.id }), 400).errors.unique_id[0].type).toBe('taken');
  expect(ok(await add({}), 400).errors.unique_id[0].type).toBe('taken');
  expect(ok(await add({ authentication_provider_id: 'canvas' }), 400).errors.unique_id[0].type).toBe('taken');
  ok(await add({ unique_id: 'mx', authentication_provider_id: 'saml' }), 400);
  ok(await add({ unique_id: 'mx', authentication_provider_id: cas.id, password: 'long enough' }), 400);
  ok(await as(admin).put('/accounts/1', { account: { settings: { admins_can_change_passwords: true } } }));
  ok(await as(admin).put(`/accounts/1/logins/${made.id}`, { login: { password: 'long enough' } }), 400);
  expect((await signIn('max', 'open sesame')).status).toBe(303);

  ok(await as(admin).del(`${providersAt}/canvas`));
  expect((await signIn('max', 'open sesame')).status).toBe(400);
  expect((await browse('/login')).text).not.toContain('type="password"');
  expect(ok(await as(admin).post(providersAt, { auth_type: 'canvas', self_registration: 'observer' }))).toMatchObject({
    id: 1,
    position: 2,
  });
  expect((await signIn('max', 'open sesame')).status).toBe(303);
});

test('an institution changes its SSO settings', async () => {
  const admin = await ground.admin();
  const at = '/accounts/1/sso_settings';
  const none = { login_handle_name: null, change_password_url: null, auth_discovery_url: null, unknown_user_url: null };
  expect(ok(within(await as(admin).get(at), 2))).toEqual({ ...none, sso_settings: none });
  const some = { login_handle_name: 'Student number', change_password_url: 'https://id.example.edu/change' };
  expect(ok(within(await as(admin).put(at, { sso_settings: some }), 3))).toMatchObject({ ...some, sso_settings: some });
  const { text } = await browse('/login');
  for (const part of ['Student number', 'href="https://id.example.edu/change"']) expect(text).toContain(part);
  expect(
    ok(await as(admin).put(at, { sso_settings: { change_password_url: '', auth_discovery_url: 'https://id.example.edu' } })),
  ).toMatchObject({
    login_handle_name: 'Student number',
    change_password_url: null,
  });
  expect((await browse('/login')).headers.get('location')).toBe('https://id.example.edu');
  expect((await browse('/login/canvas')).status).toBe(200);
  ok(await as(admin).put(at, { sso_settings: { change_password_url: 'javascript:alert(1)' } }), 400);
  ok(await as(await ground.person()).put(at, { sso_settings: some }), 401);
  ok(await as(admin).get(`/accounts/${(await ground.account()).id}/sso_settings`), 404);
  expect(ok(await as(admin).put(at, { sso_settings: { login_handle_name: '', auth_discovery_url: '' } }))).toMatchObject(none);
});

test('a response from an identity provider without a request is rejected', async () => {
  expect((await browse('/login/openid_connect')).status).toBe(404);
  expect((await browse('/login/openid_connect/1')).status).toBe(404);
  expect((await browse('/login/oauth2/callback?code=a&state=b')).status).toBe(400);
  const forged = await browse('/login/oauth2/callback?code=a&state=b', {
    headers: { Cookie: 'carrel_errand=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
  });
  expect(forged.status).toBe(400);
  const admin = await ground.admin();
  const { id } = ok(await as(admin).post(providersAt, { auth_type: 'openid_connect', issuer: 'https://nowhere.example', client_id: 'x' }));
  expect((await browse(`/login/openid_connect/${id}`)).status).toBe(400);
  ok(await as(admin).del(`${providersAt}/${id}`));
});

test('users create a token for their desk on a page, see it once, and revoke it', async () => {
  const [person, other] = [await ground.person({ login: 'ned', password: 'open sesame' }), await ground.person()];
  const asked = await browse('/profile/settings');
  expect([asked.status, asked.headers.get('location')]).toEqual([303, '/login?return_to=%2Fprofile%2Fsettings']);
  const session = (await signIn('ned', 'open sesame', { return_to: '/profile/settings' })).cookies.carrel_session as string;
  const make = (purpose: string, headers: Record<string, string> = own) =>
    browse('/profile/settings/tokens', { session, headers, form: { purpose } });
  const made = await make('<i>My desk</i>');
  expect(made.headers.get('cache-control')).toBe('no-store');
  const token = /<pre[^>]*>(\w{64})<\/pre>/.exec(made.text)?.[1] as string;
  expect(ok(await as({ ...person, token }).get('/users/self')).id).toBe(person.id);
  const shown = await browse('/profile/settings', { session });
  expect(shown.headers.get('server-timing')).toContain('d1_trips;dur=2');
  expect(shown.text).toContain('&#60;i&#62;My desk');
  expect(shown.text).not.toContain(token);
  expect((await make(' ')).text).toContain('role="alert"');
  expect((await make('Forged', { Origin: 'https://evil.example' })).status).toBe(303);
  const [kept] = ok(await as({ ...person, token }).get('/users/self/user_generated_tokens', { per_page: 100 })).slice(-1);
  expect(kept.purpose).toBe('<i>My desk</i>');
  const address = () => browse('/profile/settings', { session }).then(({ text }) => /https?:\S+\.ics/.exec(text)?.[0]);
  const before = await address();
  expect(before).toContain('/feeds/calendars/user_');
  expect((await browse('/profile/settings/calendar', { session, method: 'POST', headers: own })).headers.get('location')).toBe(
    '/profile/settings',
  );
  expect(await address()).not.toBe(before);

  const remove = (by: string) => browse(`/profile/settings/tokens/${kept.id}/delete`, { session: by, method: 'POST', headers: own });
  await remove(await ground.session(other));
  ok(await as({ ...person, token }).get('/users/self'));
  expect((await remove(session)).headers.get('location')).toBe('/profile/settings');
  ok(await as({ ...person, token }).get('/users/self'), 401);
});

test('a sign-in, a wrong password and a forgotten one cost no more among 2,000 users', async () => {
  await ground.person({ login: 'one.of.many', password: 'open sesame' });
  await many(2000, logins, { user_id: sql`1000000 + n`, account_id: 1, unique_id: nth('many') });
  const ways = {
    right: () => signIn('One.of.many', 'open sesame'),
    wrong: () => signIn('one.of.many', 'guess'),
    unknown: () => signIn('none.of.many', 'guess'),
    forgotten: () => browse('/login/forgotten', { form: { 'pseudonym_session[unique_id_forgot]': 'one.of.many' }, headers: own }),
  };
  const cost: Record<string, number> = {};
  for (const [name, ask] of Object.entries(ways))
    cost[name] = Number(/rows_read;dur=(\d+)/.exec((await ask()).headers.get('server-timing') ?? '')?.[1]);
  expect(Math.max(...Object.values(cost)), JSON.stringify(cost)).toBeLessThan(200);
});
