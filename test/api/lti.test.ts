// External tools of LTI 1.3: registration, launch, assignment and grade services, names and roles.

import { env, SELF } from 'cloudflare:test';
import { isSignedBy, type Jwk, readJwt } from '@carrel/worker/crypto/jwt';
import { newMeter, open } from '@carrel/worker/database/open';
import { rotateKeys } from '@carrel/worker/domains/lti/platform_keys';
import { lti_keys } from '@carrel/worker/domains/lti/table';
import type { Platform } from '@carrel/worker/platform';
import { beforeAll, expect, test } from 'vitest';
import { as, base, ground, noteRoute, ok, within } from '../support/api';
import { assert, clientKey } from '../support/client_keys';
import { aCourse, type Person } from '../support/ground';

type Scene = Awaited<ReturnType<typeof aCourse>>;
let scene: Scene;
let root: Person;
let at = '';
let tool: Installed;

const claim = (name: string) => `https://purl.imsglobal.org/spec/lti/claim/${name}`;
const ags = 'https://purl.imsglobal.org/spec/lti-ags/scope';
const scopes = {
  items: `${ags}/lineitem`,
  itemsReadonly: `${ags}/lineitem.readonly`,
  results: `${ags}/result.readonly`,
  score: `${ags}/score`,
  roster: 'https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly',
};

interface Installed {
  readonly id: number;
  readonly client_id: number;
  readonly host: string;
  readonly deployment_id: string;
}

const configuration = (host: string, more: object = {}) => ({
  title: `Tool of ${host}`,
  description: 'A tool',
  target_link_uri: `https://${host}/launch`,
  oidc_initiation_url: `https://${host}/login`,
  public_jwk: clientKey,
  scopes: Object.values(scopes),
  custom_fields: { login: '$Canvas.user.loginId', kind: 'x' },
  extensions: [
    {
      platform: 'canvas.instructure.com',
      privacy_level: 'public',
      domain: host,
      settings: {
        placements: [
          { placement: 'course_navigation', text: 'Open', message_type: 'LtiResourceLinkRequest' },
          { placement: 'link_selection', message_type: 'LtiDeepLinkingRequest', target_link_uri: `https://${host}/choose` },
        ],
      },
    },
  ],
  ...more,
});

async function installed(host: string, path = at, more: object = {}): Promise<Installed> {
  const body = { configuration: configuration(host, more), redirect_uris: [`https://${host}/launch`] };
  const key = ok(within(await as(root).post('/api/lti/accounts/1/developer_keys/tool_configuration', body, { json: true }), 3));
  const client_id = key.developer_key.id;
  const made = ok(within(await as(path === at ? scene.teacher : root).post(`${path}/external_tools`, { client_id }), 3));
  return { id: made.id, client_id, host, deployment_id: made.deployment_id };
}

const fetched = async (address: string, init: RequestInit = {}) => {
  const response = (await SELF.fetch(address.startsWith('http') ? address : `${base}${address}`, {
    redirect: 'manual',
    ...init,
  } as never)) as unknown as Response;
  noteRoute(response.headers, response.status);
  return response;
};

/** The form of a page. */
const formOf = (html: string) => {
  const plain = (text: string) => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  const pairs = [...html.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [plain(name), plain(value)]);
  return { action: plain(/action="([^"]*)"/.exec(html)?.[1] ?? ''), given: Object.fromEntries(pairs) as Record<string, string> };
};

/** Follows a launch up to the tool's login, as a browser would. */
async function login(who: Person, query: object) {
  const { url } = ok(await as(who).get(`${at}/external_tools/sessionless_launch`, query));
  const response = await fetched(url);
  const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  return { ...formOf(await response.text()), cookie };
}

const answerOf = (given: Record<string, string>, more: object = {}) => ({
  scope: 'openid',
  response_type: 'id_token',
  response_mode: 'form_post',
  prompt: 'none',
  client_id: given.client_id ?? '',
  redirect_uri: `https://${tool.host}/launch`,
  login_hint: given.login_hint ?? '',
  lti_message_hint: given.lti_message_hint ?? '',
  state: 'the state',
  nonce: 'the nonce',
  ...more,
});

async function authorize(asked: object, cookie: string, method: 'GET' | 'POST' = 'GET') {
  const form = new URLSearchParams(asked as Record<string, string>).toString();
  const response = await fetched(`/api/lti/authorize_redirect${method === 'GET' ? `?${form}` : ''}`, {
    method,
    headers: {
      Cookie: cookie,
      ...(method === 'POST' && { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'https://tool.example' }),
    },
    ...(method === 'POST' && { body: form }),
  });
  return { status: response.status, ...formOf(await response.text()) };
}

const keys = async () => ((await (await fetched('/api/lti/security/jwks')).json()) as { keys: Jwk[] }).keys;

async function claimsOf(id_token: string | undefined) {
  const jwt = readJwt(id_token ?? '');
  expect(jwt && (await isSignedBy(jwt, await keys()))).toBe(true);
  return jwt?.claims as Record<string, unknown>;
}

async function tokenFor({ client_id }: Pick<Installed, 'client_id'>, ...wanted: string[]): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const client_assertion = await assert({
    iss: String(client_id),
    sub: String(client_id),
    aud: `${base}/login/oauth2/token`,
    iat: now,
    exp: now + 300,
    jti: crypto.randomUUID(),
  });
  const answer = await as().post('/login/oauth2/token', {
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion,
    scope: wanted.join(' '),
  });
  return ok(answer).access_token;
}

const withToken = (token: string) => as({ ...scene.teacher, token });

beforeAll(async () => {
  scene = await aCourse(ground, { name: 'Tools', course_code: 'T13' });
  root = await ground.admin();
  at = `/courses/${scene.course.id}`;
  tool = await installed('tool.example');
});

test('administrators configure a developer key, from which teachers install its tool', async () => {
  const key = ok(within(await as(root).get(`/api/lti/developer_keys/${tool.client_id}/tool_configuration`), 2));
  expect(key.developer_key).toMatchObject({ id: tool.client_id, api_key: null, redirect_uris: ['https://tool.example/launch'] });
  expect(key.tool_configuration.settings).toMatchObject({
    title: 'Tool of tool.example',
    oidc_initiation_url: 'https://tool.example/login',
  });
  expect(ok(await as(scene.student).get(`${at}/external_tools/${tool.id}`))).toMatchObject({
    version: '1.3',
    consumer_key: 'N/A',
    developer_key_id: tool.client_id,
    privacy_level: 'public',
    course_navigation: { text: 'Open' },
    link_selection: { target_link_uri: 'https://tool.example/choose' },
  });
  const other = await installed('renamed.example');
  const changed = { configuration: configuration('renamed.example', { title: 'Renamed' }) };
  const path = `/api/lti/developer_keys/${other.client_id}/tool_configuration`;
  expect(ok(within(await as(root).put(path, changed, { json: true }), 3)).tool_configuration.settings.title).toBe('Renamed');
  for (const wrong of [
    undefined,
    [],
    {},
    configuration('x.example', { title: '' }),
    configuration('x.example', { target_link_uri: 'javascript:x' }),
    configuration('x.example', { oidc_initiation_url: undefined }),
    configuration('x.example', { scopes: ['https://elsewhere.example/scope'] }),
    configuration('x.example', { public_jwk: undefined }),
  ])
    ok(await as(root).put(path, { configuration: wrong }, { json: true }), 400);
  ok(await as(scene.teacher).get(path), 401);
  ok(await as(scene.teacher).put(path, changed, { json: true }), 401);
  ok(await as(scene.teacher).post('/api/lti/accounts/1/developer_keys/tool_configuration', changed, { json: true }), 401);
  ok(await as(root).put('/api/lti/developer_keys/88888888/tool_configuration', changed, { json: true }), 404);
});

test('a launch is signed for one browser, one user and one use', async () => {
  const { student } = scene;
  const { action, given, cookie } = await login(student, { id: tool.id, launch_type: 'course_navigation' });
  expect(action).toBe('https://tool.example/login');
  expect(given).toMatchObject({
    iss: base,
    client_id: String(tool.client_id),
    target_link_uri: 'https://tool.example/launch',
    deployment_id: tool.deployment_id,
  });
  expect(given.login_hint).not.toBe(String(student.id));
  const asked = answerOf(given);
  // Nothing of this uses up the launch.
  expect((await authorize({ ...asked, redirect_uri: 'https://tool.example/launch/' }, cookie)).status).toBe(400);
  expect((await authorize({ ...asked, client_id: '88888888' }, cookie)).status).toBe(400);
  const refusals: readonly [object, string, string][] = [
    [{ prompt: 'login' }, cookie, 'invalid_request_object'],
    [{ nonce: '' }, cookie, 'invalid_request_object'],
    [{ login_hint: 'somebody' }, cookie, 'login_required'],
    [{ lti_message_hint: 'abcdef' }, cookie, 'launch_no_longer_valid'],
    [{}, 'carrel_launch=anotherbrowseranotherbrowser', 'launch_no_longer_valid'],
    [{}, '', 'launch_no_longer_valid'],
  ];
  for (const [more, from, error] of refusals) {
    const refused = await authorize({ ...asked, ...more }, from);
    expect(refused.action, JSON.stringify(more)).toBe('https://tool.example/launch');
    expect(refused.given, JSON.stringify(more)).toMatchObject({ error, state: 'the state' });
    expect(refused.given.id_token).toBeUndefined();
  }
  const opened = await authorize(asked, cookie, 'POST');
  expect(opened.action).toBe('https://tool.example/launch');
  expect(opened.given.state).toBe('the state');
  const claims = await claimsOf(opened.given.id_token);
  expect(claims).toMatchObject({
    iss: base,
    aud: String(tool.client_id),
    sub: given.login_hint,
    nonce: 'the nonce',
    name: 'Sam Student',
    email: student.login,
    [claim('message_type')]: 'LtiResourceLinkRequest',
    [claim('version')]: '1.3.0',
    [claim('deployment_id')]: tool.deployment_id,
    [claim('target_link_uri')]: 'https://tool.example/launch',
    [claim('custom')]: { login: student.login, kind: 'x' },
    'https://www.instructure.com/placement': 'course_navigation',
    'https://purl.imsglobal.org/spec/lti-ags/claim/endpoint': { lineitems: `${base}/api/lti${at}/line_items` },
    'https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice': { context_memberships_url: `${base}/api/lti${at}/names_and_roles` },
  });
  expect((claims[claim('context')] as { title: string }).title).toBe('Tools');
  expect(claims[claim('roles')]).toContain('http://purl.imsglobal.org/vocab/lis/v2/membership#Learner');
  expect((await authorize(asked, cookie)).given.error).toBe('launch_no_longer_valid');
  // The same at the older address.
  expect((await fetched('/api/lti/authorize')).status).toBe(400);
  expect((await fetched('/api/lti/authorize', { method: 'POST' })).status).toBe(400);
});

test('a place where a tool is asked for content opens nothing', async () => {
  const { url } = ok(
    await as(scene.teacher).get(`${at}/external_tools/sessionless_launch`, { id: tool.id, launch_type: 'link_selection' }),
  );
  const response = await fetched(url);
  expect(response.status).toBe(400);
  expect(await response.text()).not.toContain('tool.example');
});

test('the keys are published with the next one, and rotate once a month', async () => {
  const before = await keys();
  expect(before).toHaveLength(2);
  expect(before.every((key) => key.kty === 'RSA' && !('d' in key))).toBe(true);
  const db = open(env.DB, newMeter(), 'first-primary');
  const run = (now: string) => rotateKeys({ db, env: env as Platform, now });
  await run(new Date().toISOString());
  expect(await keys()).toEqual(before);
  await ground.db.update(lti_keys).set({ created_at: '2026-01-01T00:00:00Z' });
  await run(`${new Date().toISOString().slice(0, 19)}Z`);
  const after = await keys();
  expect(after).toHaveLength(3);
  for (const { kid } of before) expect(after.map((key) => key.kid)).toContain(kid);
  const { given, cookie } = await login(scene.student, { id: tool.id });
  await claimsOf((await authorize(answerOf(given), cookie)).given.id_token);
  expect(((await (await fetched('/api/lti/security/openid-configuration')).json()) as { issuer: string }).issuer).toBe(base);
});

test('a tool reads the roster of its course, with what its privacy level allows', async () => {
  const { course, student, stranger } = scene;
  const path = `/api/lti/courses/${course.id}/names_and_roles`;
  const reads = withToken(await tokenFor(tool, scopes.roster));
  const told = within(await reads.get(path), 2);
  expect(told.headers.get('content-type')).toBe('application/vnd.ims.lis.v2.membershipcontainer+json');
  const { members } = ok(told) as { members: Record<string, unknown>[] };
  expect(members.map(({ name }) => name)).toHaveLength(6);
  const sam = members.find(({ name }) => name === 'Sam Student');
  expect(sam).toMatchObject({
    status: 'Active',
    email: student.login,
    roles: ['http://purl.imsglobal.org/vocab/lis/v2/membership#Learner'],
  });
  const learners = ok(await reads.get(path, { role: 'http://purl.imsglobal.org/vocab/lis/v2/membership#Learner', limit: 1 }));
  expect(learners.members).toHaveLength(1);
  const first = await reads.get(path, { role: 'http://purl.imsglobal.org/vocab/lis/v2/membership#Learner', limit: 1 });
  const next = ok(await reads.get(first.links.next ?? ''));
  expect(next.members).toHaveLength(1);
  expect(next.members[0].user_id).not.toBe(learners.members[0].user_id);
  expect((await reads.get(first.links.next ?? '')).links.next).toBeUndefined();
  ok(await as(scene.teacher).put(`${at}/external_tools/${tool.id}`, { privacy_level: 'anonymous' }));
  const hidden = JSON.stringify(ok(await reads.get(path)));
  for (const word of ['Sam', student.login, 'picture']) expect(hidden).not.toContain(word);
  ok(await as(scene.teacher).put(`${at}/external_tools/${tool.id}`, { privacy_level: 'public' }));
  const elsewhere = await aCourse(ground);
  ok(await reads.get(`/api/lti/courses/${elsewhere.course.id}/names_and_roles`), 401);
  ok(await withToken(await tokenFor(tool, scopes.items)).get(path), 401);
  for (const token of [scene.teacher.token, root.token, stranger.token, 'nonsense']) ok(await withToken(token).get(path), 401);
  ok(await as().get(path), 401);
});

test('a tool makes line items, sends scores and reads results, of its own only', async () => {
  const { course, student, student2, teacher } = scene;
  const path = `/api/lti/courses/${course.id}/line_items`;
  const token = await tokenFor(tool, scopes.items, scopes.score, scopes.results);
  const serves = withToken(token);
  const made = within(await serves.post(path, { label: 'Exam', scoreMaximum: 20, tag: 'a', resourceId: 'r1' }, { json: true }), 3);
  const item = ok(made, 201);
  expect(item).toMatchObject({ label: 'Exam', scoreMaximum: 20, tag: 'a', resourceId: 'r1' });
  const id = Number(item.id.split('/').at(-1));
  expect(ok(await as(teacher).get(`${at}/assignments/${id}`))).toMatchObject({ name: 'Exam', points_possible: 20, published: true });
  const own = ok(
    await as(teacher).post(`${at}/assignments`, {
      assignment: {
        name: 'Essay in the tool',
        published: true,
        points_possible: 10,
        submission_types: ['external_tool'],
        external_tool_tag_attributes: { url: 'https://tool.example/essay' },
      },
    }),
    201,
  );
  ok(await as(teacher).post(`${at}/assignments`, { assignment: { name: 'By hand', published: true, points_possible: 5 } }), 201);
  const listed = within(await serves.get(path, { include: ['launch_url'] }), 2);
  expect(listed.headers.get('content-type')).toBe('application/vnd.ims.lis.v2.lineitemcontainer+json');
  expect((ok(listed) as { label: string }[]).map(({ label }) => label)).toEqual(['Exam', 'Essay in the tool']);
  expect(ok(listed)[1]['https://canvas.instructure.com/lti/launch_url']).toBe('https://tool.example/essay');
  expect(ok(await serves.get(path, { tag: 'a' }))).toHaveLength(1);
  const firstPage = await serves.get(path, { limit: 1 });
  expect(ok(firstPage)).toHaveLength(1);
  expect(ok(await serves.get(firstPage.links.next ?? ''))[0].label).toBe('Essay in the tool');
  const uuid = await uuidOf(student);
  const score = { userId: uuid, activityProgress: 'Completed', gradingProgress: 'FullyGraded', timestamp: new Date().toISOString() };
  const post = (line: number, body: object) => serves.post(`${path}/${line}/scores`, body, { json: true });
  const sent = within(await post(own.id, { ...score, scoreGiven: 4, scoreMaximum: 5, comment: 'Good' }), 4);
  expect(sent.headers.get('content-type')).toBe('application/vnd.ims.lis.v1.score+json');
  const { resultUrl } = ok(sent);
  expect(ok(await as(student).get(`${at}/assignments/${own.id}/submissions/self`))).toMatchObject({
    score: 8,
    workflow_state: 'graded',
    submission_type: 'external_tool',
    attempt: 1,
  });
  const results = within(await serves.get(`${path}/${own.id}/results`), 2);
  expect(results.headers.get('content-type')).toBe('application/vnd.ims.lis.v2.resultcontainer+json');
  expect(ok(results)).toEqual([
    { id: resultUrl, scoreOf: `${base}${path}/${own.id}`, userId: uuid, resultScore: 8, resultMaximum: 10, comment: 'Good' },
  ]);
  expect(ok(within(await serves.get(resultUrl), 2)).resultScore).toBe(8);
  expect(ok(await serves.get(`${path}/${own.id}/results`, { user_id: await uuidOf(student2) }))).toEqual([]);
  ok(await post(own.id, { ...score, scoreGiven: 1, scoreMaximum: 5 }), 400);
  const later = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  ok(await post(own.id, { ...score, timestamp: later(1), gradingProgress: 'Pending', scoreGiven: 0, scoreMaximum: 5 }));
  expect(ok(await as(student).get(`${at}/assignments/${own.id}/submissions/self`)).score).toBe(8);
  ok(await post(own.id, { ...score, timestamp: later(2), userId: await uuidOf(teacher), scoreGiven: 1, scoreMaximum: 1 }), 422);
  ok(await post(own.id, { ...score, timestamp: later(2), userId: 'nobody', scoreGiven: 1, scoreMaximum: 1 }), 422);
  ok(await post(own.id, { ...score, timestamp: later(2), scoreGiven: 1 }), 422);
  const handed = { submission_type: 'online_url', submission_data: 'https://tool.example/work/1' };
  ok(
    await post(own.id, {
      ...score,
      timestamp: later(3),
      scoreGiven: 5,
      scoreMaximum: 5,
      'https://canvas.instructure.com/lti/submission': handed,
    }),
  );
  expect(ok(await as(student).get(`${at}/assignments/${own.id}/submissions/self`))).toMatchObject({
    score: 10,
    attempt: 3,
    url: handed.submission_data,
  });
  ok(await as(teacher).put(`${at}/assignments/${own.id}/submissions/${student.id}`, { submission: { posted_grade: '3' } }));
  const polite = { submission_type: 'none', prioritize_non_tool_grade: true };
  ok(
    await post(own.id, {
      ...score,
      timestamp: later(4),
      scoreGiven: 5,
      scoreMaximum: 5,
      'https://canvas.instructure.com/lti/submission': polite,
    }),
  );
  expect(ok(await as(student).get(`${at}/assignments/${own.id}/submissions/self`))).toMatchObject({ score: 3, attempt: 3 });
  // Of another tool, of an assignment without tool, and without the scope.
  const stranger = await installed('other.example');
  const others = withToken(await tokenFor(stranger, scopes.items, scopes.score, scopes.results));
  expect(ok(await others.get(path))).toEqual([]);
  for (const line of [id, own.id]) {
    ok(await others.get(`${path}/${line}`), 404);
    ok(await others.put(`${path}/${line}`, { label: 'x' }, { json: true }), 404);
    ok(await others.del(`${path}/${line}`), 404);
    ok(await others.post(`${path}/${line}/scores`, { ...score, scoreGiven: 1, scoreMaximum: 1 }, { json: true }), 404);
    ok(await others.get(`${path}/${line}/results`), 404);
  }
  ok(await others.get(resultUrl), 404);
  const readonly = withToken(await tokenFor(tool, scopes.itemsReadonly));
  ok(within(await readonly.get(`${path}/${id}`), 2));
  ok(await readonly.put(`${path}/${id}`, { label: 'x' }, { json: true }), 401);
  ok(await readonly.post(`${path}/${id}/scores`, { ...score, scoreGiven: 1, scoreMaximum: 1 }, { json: true }), 401);
  ok(await readonly.get(`${path}/${id}/results`), 401);
  expect(ok(within(await serves.put(`${path}/${own.id}`, { label: 'Renamed', tag: 't' }, { json: true }), 3))).toMatchObject({
    label: 'Renamed',
    tag: 't',
  });
  expect(ok(await as(teacher).get(`${at}/assignments/${own.id}`)).name).toBe('Renamed');
  expect(ok(await serves.get(path, { tag: 't' }))).toHaveLength(1);
  ok(await serves.del(`${path}/${own.id}`), 401);
  expect((await serves.del(`${path}/${id}`)).status).toBe(204);
  ok(await as(teacher).get(`${at}/assignments/${id}`), 404);
  for (const [body, status] of [
    [{ scoreMaximum: 1 }, 400],
    [{ label: 'x' }, 400],
    [{ label: 'x', scoreMaximum: -1 }, 422],
    [{ label: 'x', scoreMaximum: 1, resourceLinkId: 'nowhere' }, 404],
    [
      {
        label: 'x',
        scoreMaximum: 1,
        'https://canvas.instructure.com/lti/submission_type': { type: 'external_tool', external_tool_url: 'https://other.example/' },
      },
      400,
    ],
  ] as const)
    ok(await serves.post(path, body, { json: true }), status);
  ok(await as(root).put(`/developer_keys/${tool.client_id}`, { developer_key_event: 'deactivate' }));
  ok(await serves.get(path), 401);
  ok(await as(root).put(`/developer_keys/${tool.client_id}`, { developer_key_event: 'activate' }));
});

const uuidOf = async (person: Person): Promise<string> => ok(await as(root).get(`/users/${person.id}`, { include: ['uuid'] })).uuid;
