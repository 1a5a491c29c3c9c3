// OAuth 2 applications and their tokens.

import { env, SELF } from 'cloudflare:test';
import { beforeAll, expect, test } from 'vitest';
import { as, base, ground, noteRoute, ok, within } from '../support/api';
import { assert, clientKey } from '../support/client_keys';
import type { Person } from '../support/ground';

const back = 'https://planner.example.edu/back';
const verifier = 'a-verifier-of-at-least-forty-three-characters-0123456789';
let admin: Person;
let key: Key;

interface Key {
  readonly id: number;
  readonly api_key: string;
}

const keyOf = async (developer_key: object = {}): Promise<Key> =>
  ok(
    await as(admin).post('/accounts/1/developer_keys', {
      developer_key: { name: 'Planner & Co', redirect_uris: [back], ...developer_key },
    }),
  );

beforeAll(async () => {
  admin = await ground.admin();
  key = await keyOf();
});

interface Asked {
  readonly session?: string | undefined;
  readonly form?: Record<string, string>;
  readonly headers?: Record<string, string>;
}

/** A browser without scripts, on a page of this host. */
async function browse(path: string, { session, form, headers }: Asked = {}) {
  const response = await SELF.fetch(path.startsWith('https:') ? path : `${base}${path}`, {
    method: form ? 'POST' : 'GET',
    redirect: 'manual',
    headers: {
      Accept: 'text/html',
      ...(session && { Cookie: `carrel_session=${session}` }),
      ...(form && { Origin: base }),
      ...headers,
    },
    ...(form && { body: new URLSearchParams(form) }),
  } as never);
  noteRoute(response.headers, response.status);
  return {
    status: response.status,
    text: await response.text(),
    headers: response.headers,
    location: response.headers.get('location') ?? '',
  };
}

const asking = (more: Record<string, string> = {}, of: Key = key) => ({
  client_id: String(of.id),
  response_type: 'code',
  redirect_uri: back,
  state: 'xyz & more',
  ...more,
});
const auth = (more?: Record<string, string>, of?: Key) => `/login/oauth2/auth?${new URLSearchParams(asking(more, of))}`;
const answered = (location: string) => Object.fromEntries(new URL(location).searchParams);

/** Signs a user in, and consents. */
async function consent(person: Person, more: Record<string, string> = {}, of: Key = key): Promise<string> {
  const session = await ground.session(person);
  const given = await browse('/login/oauth2/accept', { session, form: asking(more, of) });
  expect(given.status, given.text).toBe(302);
  return answered(given.location).code ?? '';
}

const exchange = (form: object, options?: { headers: Record<string, string> }) => as().post('/login/oauth2/token', form, options);
const client = (of: Key = key) => ({ client_id: of.id, client_secret: of.api_key });
const redeem = (code: string, more: object = {}, of: Key = key) =>
  exchange({ grant_type: 'authorization_code', ...client(of), redirect_uri: back, code, ...more });
const holder = (person: Person, token: string) => as({ ...person, token });
const tokenOf = async (person: Person, more: Record<string, string> = {}, of: Key = key) =>
  ok(await redeem(await consent(person, more, of), {}, of));

test('an application redirects a user here, who signs in, consents, and returns with a code', async () => {
  const person = await ground.person({ name: 'Pia <Planner>' });
  const unknown = await browse(auth());
  expect(unknown.status).toBe(303);
  const login = new URL(unknown.location, base);
  expect(login.pathname).toBe('/login');
  expect(login.searchParams.get('return_to')).toMatch(/^\/login\/oauth2\/auth\?/);
  const session = await ground.session(person);
  const known = await browse(login.searchParams.get('return_to') ?? '', { session });
  expect(known.location).toMatch(/^\/login\/oauth2\/confirm\?/);
  const page = await browse(known.location, { session });
  expect(page.status).toBe(200);
  for (const part of [
    'Planner &#38; Co',
    'Pia &#60;Planner&#62;',
    'everything you can do here',
    'planner.example.edu',
    'action="/login/oauth2/accept"',
  ])
    expect(page.text).toContain(part);
  expect(page.text).not.toContain('<script');
  expect(page.headers.get('content-security-policy')).toContain("form-action 'self' https://planner.example.edu;");
  const form = Object.fromEntries(
    [...page.text.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name as string,
      (value as string).replace('&#38;', '&'),
    ]),
  );
  const yes = await browse('/login/oauth2/accept', { session, form });
  expect(yes.status).toBe(302);
  expect(yes.location.startsWith(`${back}?`)).toBe(true);
  expect(answered(yes.location)).toEqual({ code: expect.any(String), state: 'xyz & more' });
  const stored = await env.DB.prepare('select * from authorization_codes where user_id = ?').bind(person.id).first();
  expect(JSON.stringify(stored)).not.toContain(answered(yes.location).code);

  // Client ids with a shard prefix are equivalent.
  const result = within(await redeem(answered(yes.location).code ?? '', { client_id: 10_000_000_000_000 + key.id }), 3);
  expect(ok(result)).toEqual({
    access_token: expect.stringMatching(/^\w{64}$/),
    token_type: 'Bearer',
    user: { id: person.id, name: 'Pia <Planner>', global_id: String(10_000_000_000_000 + person.id), effective_locale: 'en' },
    refresh_token: expect.stringMatching(/^\w{64}$/),
    expires_in: 3600,
  });
  expect(result.headers.get('cache-control')).toBe('no-store');
  expect(ok(await holder(person, result.body.access_token).get('/users/self')).id).toBe(person.id);
  const rows = await env.DB.prepare('select * from tokens where user_id = ?').bind(person.id).all();
  for (const secret of [result.body.access_token, result.body.refresh_token]) expect(JSON.stringify(rows.results)).not.toContain(secret);
});

test('a user who refuses is redirected without a code', async () => {
  const session = await ground.session(await ground.person());
  const no = await browse('/login/oauth2/deny', { session, form: asking() });
  expect(answered(no.location)).toMatchObject({ error: 'access_denied', state: 'xyz & more' });
});

test('a form from another site is refused', async () => {
  const person = await ground.person();
  const session = await ground.session(person);
  const forged = await browse('/login/oauth2/accept', { session, form: asking(), headers: { Origin: 'https://evil.example' } });
  expect(forged.location).toMatch(/^\/login\?/);
  expect(await env.DB.prepare('select count(*) as n from authorization_codes where user_id = ?').bind(person.id).first('n')).toBe(0);
});

test('an unknown client, or one with a foreign redirect address, gets an error page here and no redirect', async () => {
  const session = await ground.session(await ground.person());
  for (const accept of ['text/html', 'application/json']) {
    const ask = async (more: Record<string, string>) => browse(auth(more), { session, headers: { Accept: accept } });
    const unknown = await ask({ client_id: '999999' });
    expect([unknown.status, unknown.location]).toEqual([401, '']);
    for (const redirect_uri of [
      'https://evil.example/',
      `${back}/more`,
      `${back}?x=1`,
      'http://planner.example.edu/back',
      '',
      'javascript:alert(1)',
    ]) {
      const astray = await ask({ redirect_uri });
      expect([astray.status, astray.location], redirect_uri).toEqual([400, '']);
    }
  }
});

test("an invalid request is reported to the application's redirect address", async () => {
  const session = await ground.session(await ground.person());
  const error = async (more: Record<string, string>, of: Key = key, by: string | undefined = session) => {
    const told = await browse(auth(more, of), { session: by });
    expect(told.status, told.text).toBe(302);
    expect(answered(told.location).state).toBe('xyz & more');
    return answered(told.location).error;
  };
  expect(await error({ response_type: 'token' })).toBe('unsupported_response_type');
  expect(await error({ prompt: 'consent' })).toBe('unsupported_prompt_type');
  expect(await error({ prompt: 'none' })).toBe('interaction_required');
  expect(await error({ prompt: 'none', force_login: '1' })).toBe('login_required');
  const nobody = await browse(auth({ prompt: 'none' }));
  expect(answered(nobody.location).error).toBe('login_required');
  expect(await error({ code_challenge: verifier, code_challenge_method: 'S512' })).toBe('invalid_request');
  expect(await error({ code_challenge: 'short' })).toBe('invalid_request');
  const scoped = await keyOf({ require_scopes: true, scopes: ['url:GET|/api/v1/courses'] });
  expect(await error({}, scoped)).toBe('invalid_scope');
  expect(await error({ scope: 'url:GET|/api/v1/courses url:GET|/api/v1/users/:id' }, scoped)).toBe('invalid_scope');
  const off = await keyOf();
  ok(await as(admin).put(`/developer_keys/${off.id}`, { developer_key_event: 'deactivate' }));
  expect(await error({}, off)).toBe('unauthorized_client');
  expect(await error({}, await keyOf({ client_type: 'public' }))).toBe('invalid_request');
});

test('a forced login asks to sign in once', async () => {
  const session = await ground.session(await ground.person());
  const again = new URL((await browse(auth({ force_login: '1', unique_id: 'pia@example.edu' }), { session })).location, base);
  expect(again.pathname).toBe('/login');
  expect(Object.fromEntries(again.searchParams)).toMatchObject({ force_login: '1', unique_id: 'pia@example.edu' });
  expect(again.searchParams.get('return_to')).not.toContain('force_login');
});

test('consented scopes are listed on the page, and limit the token', async () => {
  const person = await ground.person();
  const scope = 'url:GET|/api/v1/courses url:GET|/api/v1/users/:id';
  const scoped = await keyOf({ require_scopes: true, scopes: [...scope.split(' '), 'url:POST|/api/v1/conversations'] });
  const session = await ground.session(person);
  const page = await browse(`/login/oauth2/confirm?${new URLSearchParams(asking({ scope }, scoped))}`, { session });
  expect(page.text).toMatch(/<li>List [^<]*courses/i);
  const { access_token } = await tokenOf(person, { scope }, scoped);
  ok(await holder(person, access_token).get('/courses'));
  ok(await holder(person, access_token).get('/conversations'), 401);
  // Nor can it be exchanged for a web session, which has no scopes.
  ok(await holder(person, access_token).get('/login/session_token'), 401);
  ok(await holder(person, access_token).del('/login/oauth2/token'));
});

test('a request for identity only gets no token', async () => {
  const person = await ground.person();
  const told = await tokenOf(person, { scope: '/auth/userinfo' });
  expect(told).toEqual({ access_token: null, token_type: 'Bearer', user: expect.objectContaining({ id: person.id }) });
});

test('consent is remembered for the same or fewer scopes, if the user agreed', async () => {
  const person = await ground.person();
  const session = await ground.session(person);
  const scopes = ['url:GET|/api/v1/courses', 'url:GET|/api/v1/users/:id'];
  const scoped = await keyOf({ require_scopes: true, scopes });
  const yes = await browse('/login/oauth2/accept', {
    session,
    form: { ...asking({ scope: scopes[0] as string }, scoped), remember_access: '1' },
  });
  const { access_token } = ok(await redeem(answered(yes.location).code ?? '', {}, scoped));
  const again = await browse(auth({ scope: scopes[0] as string, prompt: 'none' }, scoped), { session });
  expect(answered(again.location).code).toBeDefined();
  const more = await browse(auth({ scope: scopes.join(' '), prompt: 'none' }, scoped), { session });
  expect(answered(more.location).error).toBe('interaction_required');
  const other = await browse(auth({ prompt: 'none' }), { session });
  expect(answered(other.location).error).toBe('interaction_required');
  ok(await holder(person, access_token).del('/login/oauth2/token'));
  const afterwards = await browse(auth({ scope: scopes[0] as string, prompt: 'none' }, scoped), { session });
  expect(answered(afterwards.location).error).toBe('interaction_required');
});

test('an application without a redirect address shows the code for copying', async () => {
  const person = await ground.person();
  const oob = { redirect_uri: 'urn:ietf:wg:oauth:2.0:oob' };
  const session = await ground.session(person);
  const yes = await browse('/login/oauth2/accept', { session, form: asking(oob) });
  const code = new URL(yes.location, base).searchParams.get('code') ?? '';
  expect((await browse(yes.location, { session })).text).toMatch(new RegExp(`<pre[^>]*>${code}</pre>`));
  ok(await exchange({ ...client(), code }));
  const no = await browse('/login/oauth2/deny', { session, form: asking(oob) });
  expect((await browse(no.location, { session })).text).toContain('Not allowed');
});

test('a native app may use any loopback port', async () => {
  const session = await ground.session(await ground.person());
  const local = await keyOf({ redirect_uris: ['http://127.0.0.1/back', 'edu.example.app:/back'] });
  for (const redirect_uri of ['http://127.0.0.1:51234/back', 'edu.example.app:/back'])
    expect((await browse(auth({ redirect_uri }, local), { session })).location).toMatch(/^\/login\/oauth2\/confirm/);
  for (const redirect_uri of ['http://127.0.0.1:51234/other', 'http://127.0.0.1:80@evil.example/back', 'http://localhost:1/back'])
    expect((await browse(auth({ redirect_uri }, local), { session })).status, redirect_uri).toBe(400);
});

test('a code works once, and a second use revokes the tokens of the first', async () => {
  const person = await ground.person();
  const code = await consent(person);
  const first = ok(await redeem(code));
  ok(await holder(person, first.access_token).get('/users/self'));
  expect(ok(await redeem(code), 400).error).toBe('invalid_grant');
  ok(await holder(person, first.access_token).get('/users/self'), 401);
  expect(ok(await exchange({ grant_type: 'refresh_token', ...client(), refresh_token: first.refresh_token }), 400).error).toBe(
    'invalid_grant',
  );
  const raced = await consent(person);
  const both = await Promise.all([redeem(raced), redeem(raced)]);
  expect(both.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  for (const { body } of both.filter(({ status }) => status === 200)) ok(await holder(person, body.access_token).get('/users/self'), 401);
});

test('a code works only for its application and redirect address, for ten minutes', async () => {
  const person = await ground.person();
  const code = await consent(person);
  const other = await keyOf();
  const error = async (answer: ReturnType<typeof exchange>, status: number) => {
    const told = await answer;
    ok(told, status);
    if (told.body.error === 'invalid_client') expect(told.headers.get('www-authenticate')).toBe('Canvas OAuth 2.0');
    expect(told.body.error_description).toBeTruthy();
    return told.body.error;
  };
  expect(await error(redeem(code, {}, other), 400)).toBe('invalid_grant');
  expect(await error(redeem(code, { client_secret: other.api_key }), 401)).toBe('invalid_client');
  expect(await error(redeem(code, { client_secret: undefined }), 401)).toBe('invalid_client');
  expect(await error(redeem(code, { client_id: 999_999 }), 401)).toBe('invalid_client');
  expect(await error(redeem(code, { redirect_uri: 'https://planner.example.edu/other' }), 400)).toBe('invalid_grant');
  expect(await error(redeem(code, { code_verifier: verifier }), 400)).toBe('invalid_grant');
  expect(await error(redeem('never given'), 400)).toBe('invalid_grant');
  expect(await error(exchange({ grant_type: 'authorization_code', ...client() }), 400)).toBe('invalid_request');
  expect(await error(exchange({ grant_type: 'password', ...client() }), 400)).toBe('unsupported_grant_type');
  expect(await error(exchange({ grant_type: 'constructor' }), 400)).toBe('unsupported_grant_type');
  expect(await error(exchange({}), 400)).toBe('unsupported_grant_type');
  await env.DB.prepare("update authorization_codes set expires_at = '2020-01-01T00:00:00Z' where user_id = ?").bind(person.id).run();
  expect(await error(redeem(code), 400)).toBe('invalid_grant');
  ok(await as(admin).del(`/developer_keys/${other.id}`));
  expect(await error(redeem(code, {}, other), 401)).toBe('invalid_client');
});

test('PKCE: only the requester of a code can redeem it, even without a client secret', async () => {
  const person = await ground.person();
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)));
  const S256 = btoa(String.fromCharCode(...digest))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  const wanted = { code_challenge: S256, code_challenge_method: 'S256' };
  const code = await consent(person, wanted);
  ok(await redeem(code), 400);
  ok(await redeem(code, { code_verifier: `${verifier}x` }), 400);
  ok(await redeem(code, { code_verifier: verifier }));
  ok(await redeem(await consent(person, { code_challenge: verifier }), { code_verifier: verifier }));
  const open = await keyOf({ client_type: 'public' });
  const bare = { client_id: open.id, redirect_uri: back, code_verifier: verifier };
  const made = ok(await exchange({ ...bare, grant_type: 'authorization_code', code: await consent(person, wanted, open) }));
  const renew = (refresh_token: string) => exchange({ grant_type: 'refresh_token', client_id: open.id, refresh_token });
  const again = ok(await renew(made.refresh_token));
  expect(again.refresh_token).not.toBe(made.refresh_token);
  ok(await renew(made.refresh_token), 400);
  const third = ok(await renew(again.refresh_token));
  // A reused refresh token has been stolen: its grant is revoked.
  const earlier = env.DB.prepare("update tokens set updated_at = '2026-01-01T00:00:00Z' where user_id = ? and developer_key_id = ?");
  await earlier.bind(person.id, open.id).run();
  ok(await renew(again.refresh_token), 400);
  ok(await renew(third.refresh_token), 400);
  ok(await holder(person, third.access_token).get('/users/self'), 401);
});

test('a refresh token returns new access tokens repeatedly', async () => {
  const person = await ground.person();
  const made = await tokenOf(person);
  const basic = { headers: { Authorization: `Basic ${btoa(`${key.id}:${key.api_key}`)}` } };
  const renewed = within(await exchange({ grant_type: 'refresh_token', refresh_token: made.refresh_token }, basic), 3);
  expect(ok(renewed)).toEqual({ access_token: expect.any(String), token_type: 'Bearer', user: made.user, expires_in: 3600 });
  ok(await holder(person, made.access_token).get('/users/self'), 401);
  ok(await holder(person, renewed.body.access_token).get('/users/self'));
  const late = env.DB.prepare("update tokens set expires_at = '2020-01-01T00:00:00Z' where user_id = ? and developer_key_id is not null");
  await late.bind(person.id).run();
  expect(ok(await holder(person, renewed.body.access_token).get('/users/self'), 401).errors[0].message).toBe('Expired access token.');
  ok(await exchange({ grant_type: 'refresh_token', ...client(), refresh_token: made.refresh_token }));
  const other = await keyOf();
  expect(ok(await exchange({ grant_type: 'refresh_token', ...client(other), refresh_token: made.refresh_token }), 400).error).toBe(
    'invalid_grant',
  );
  ok(await exchange({ grant_type: 'refresh_token', ...client(), refresh_token: 'never given' }), 400);
  ok(await exchange({ grant_type: 'refresh_token', ...client() }), 400);
  await env.DB.prepare("update logins set workflow_state = 'suspended' where user_id = ?").bind(person.id).run();
  expect(ok(await exchange({ grant_type: 'refresh_token', ...client(), refresh_token: made.refresh_token }), 400).error).toBe(
    'invalid_grant',
  );
});

test('a stale token in the request does not prevent getting a new one', async () => {
  const code = await consent(await ground.person());
  ok(await exchange({ ...client(), redirect_uri: back, code }, { headers: { Authorization: 'Bearer stale', 'Idempotency-Key': 'x' } }));
  expect(await env.DB.prepare('select count(*) as n from idempotency_keys').first('n')).toBe(0);
});

test('tokens expire as the key says, and replace older ones on request', async () => {
  const person = await ground.person();
  const lasting = await keyOf({ auto_expire_tokens: false });
  const first = await tokenOf(person, {}, lasting);
  expect(first).not.toHaveProperty('expires_in');
  const others = await tokenOf(person);
  const second = ok(await redeem(await consent(person, {}, lasting), { replace_tokens: 1 }, lasting));
  ok(await holder(person, first.access_token).get('/users/self'), 401);
  ok(await holder(person, others.access_token).get('/users/self'));
  ok(await holder(person, second.access_token).get('/users/self'));
});

test('consent while masquerading creates a token that records the real user', async () => {
  const person = await ground.person({ name: 'Real Target' });
  const session = await ground.session(person, { real_user_id: admin.id });
  const yes = await browse('/login/oauth2/accept', { session, form: { ...asking(), remember_access: '1' } });
  const told = ok(await redeem(answered(yes.location).code ?? ''));
  expect(told).toMatchObject({ user: { id: person.id }, real_user: { id: admin.id, name: admin.name } });
  const row = await env.DB.prepare('select real_user_id, remember_access from tokens where user_id = ? and developer_key_id is not null')
    .bind(person.id)
    .first();
  expect(row).toEqual({ real_user_id: admin.id, remember_access: 0 });
});

test('modern clients are configured from one metadata address', async () => {
  const told = await browse('/.well-known/oauth-authorization-server');
  expect(JSON.parse(told.text)).toMatchObject({
    issuer: base,
    authorization_endpoint: `${base}/login/oauth2/auth`,
    token_endpoint: `${base}/login/oauth2/token`,
    code_challenge_methods_supported: ['S256', 'plain'],
  });
});

test("a token is revoked, on request with the user's sessions", async () => {
  const person = await ground.person();
  const session = await ground.session(person);
  const { access_token } = await tokenOf(person);
  const mine = holder(person, access_token);
  expect(ok(within(await mine.del('/login/oauth2/token'), 3))).toEqual({});
  ok(await mine.get('/users/self'), 401);
  expect(ok(await as().del('/login/oauth2/token'), 400).message).toBeTruthy();
  expect((await browse('/api/v1/users/self', { session })).status).toBe(200);
  const again = await tokenOf(person);
  ok(await holder(person, again.access_token).del('/login/oauth2/token', { expire_sessions: 1 }));
  expect((await browse('/api/v1/users/self', { session })).status).toBe(401);
});

const lineItems = 'https://purl.imsglobal.org/spec/lti-ags/scope/lineitem';
const claimsOf = (of: Key, more: object = {}) => {
  const now = Math.floor(Date.now() / 1000);
  return {
    iss: String(of.id),
    sub: String(of.id),
    aud: `${base}/login/oauth2/token`,
    iat: now,
    exp: now + 300,
    jti: crypto.randomUUID(),
    ...more,
  };
};
const asClient = (client_assertion: string, more: object = {}) =>
  exchange({
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion,
    scope: lineItems,
    ...more,
  });

test('client credentials: an application authenticates by its own signed assertion, once each', async () => {
  const service = await keyOf({ public_jwk: clientKey, scopes: [lineItems] });
  const assertion = await assert(claimsOf(service));
  const told = within(await asClient(assertion), 3);
  expect(ok(told)).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 3600, scope: lineItems });
  // It gives access to the LTI services, and to no user's data.
  ok(await as({ ...admin, token: told.body.access_token }).get('/users/self'), 401);
  expect(ok(await asClient(assertion), 401).error).toBe('invalid_client');
  const afar = await keyOf({ public_jwk_url: 'https://files.carrel.org/jwks', scopes: [lineItems] });
  ok(await asClient(await assert(claimsOf(afar))));
  ok(await asClient(await assert(claimsOf(afar), { kid: 'yet another' })), 401);
});

test('an invalid assertion gets nothing', async () => {
  const service = await keyOf({ public_jwk: clientKey, scopes: [lineItems] });
  const now = Math.floor(Date.now() / 1000);
  const broken: [object, object?][] = [
    [{ iss: 'somebody' }],
    [{ aud: 'https://elsewhere.example/login/oauth2/token' }],
    [{ exp: now - 600 }],
    [{ exp: undefined }],
    [{ exp: now + 100_000 }],
    [{ iat: now + 600 }],
    [{ nbf: now + 600 }],
    [{ jti: undefined }],
    [{}, { alg: 'none' }],
    [{}, { alg: 'HS256' }],
    [{}, { alg: 'RS256' }],
    [{}, { crit: ['b64'] }],
  ];
  for (const [claims, header] of broken)
    expect(ok(await asClient(await assert(claimsOf(service, claims), header)), 401).error, JSON.stringify([claims, header])).toBe(
      'invalid_client',
    );
  const [head, , signature] = (await assert(claimsOf(service))).split('.');
  const forged = btoa(JSON.stringify(claimsOf(service))).replaceAll('=', '');
  ok(await asClient(`${head}.${forged}.${signature}`), 401);
  ok(await asClient('x.y.z'), 401);
  ok(await asClient(await assert(claimsOf(await keyOf({ scopes: [lineItems] })))), 401);
  const good = async () => assert(claimsOf(service));
  expect(ok(await asClient(await good(), { scope: 'url:GET|/api/v1/courses' }), 400).error).toBe('invalid_scope');
  expect(ok(await asClient(await good(), { scope: undefined }), 400).error).toBe('invalid_scope');
  expect(ok(await exchange({ grant_type: 'client_credentials', ...client(service), scope: lineItems }), 400).error).toBe('invalid_request');
});
