// External tools of LTI 1.3: registration, launch, assignment and grade services, names and roles.

import { env } from 'cloudflare:test';
import { isSignedBy, type Jwk, readJwt } from '@carrel/worker/crypto/jwt';
import { newMeter, open } from '@carrel/worker/database/open';
import { rotateKeys } from '@carrel/worker/domains/lti/platform_keys';
import { lti_keys } from '@carrel/worker/domains/lti/table';
import type { Platform } from '@carrel/worker/platform';
import { beforeAll, expect, test } from 'vitest';
import { as, base, ground, ok, within } from '../support/api';
import { assert, clientKey } from '../support/client_keys';
import { aCourse, type Person } from '../support/ground';
import { browse, type InstalledTool, ltiClaim, openTool, pageForm, serviceOf, toolScopes } from '../support/lti_tool';

type Scene = Awaited<ReturnType<typeof aCourse>>;
let scene: Scene;
let root: Person;
let at = '';
let tool: InstalledTool;

const configuration = (host: string, more: object = {}) => ({
  title: `Tool of ${host}`,
  description: 'A tool',
  target_link_uri: `https://${host}/launch`,
  oidc_initiation_url: `https://${host}/login`,
  public_jwk: clientKey,
  scopes: Object.values(toolScopes),
  custom_fields: { login: '$Canvas.user.loginId', kind: 'x' },
  extensions: [
    {
      platform: 'canvas.instructure.com',
      privacy_level: 'public',
      domain: host,
      settings: {
        placements: [
          {
            placement: 'course_navigation',
            text: 'Open',
            message_type: 'LtiResourceLinkRequest',
            selection_width: 700,
            selection_height: '80%',
          },
          ...['assignment_selection', 'link_selection', 'editor_button', 'homework_submission', 'collaboration'].map((placement) => ({
            placement,
            message_type: 'LtiDeepLinkingRequest',
            target_link_uri: `https://${host}/choose`,
          })),
        ],
      },
    },
  ],
  ...more,
});

async function installed(host: string, path = at, more: object = {}): Promise<InstalledTool> {
  const body = { configuration: configuration(host, more), redirect_uris: [`https://${host}/launch`] };
  const key = ok(within(await as(root).post('/api/lti/accounts/1/developer_keys/tool_configuration', body, { json: true }), 3));
  const client_id = key.developer_key.id;
  const made = ok(within(await as(path === at ? scene.teacher : root).post(`${path}/external_tools`, { client_id }), 3));
  return { id: made.id, client_id, host, deployment_id: made.deployment_id };
}

/** Follows a launch up to the tool's login, as a browser would. */
const login = (who: Person, query: object) => openTool(who, at, query);

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
  const response = await browse(`/api/lti/authorize_redirect${method === 'GET' ? `?${form}` : ''}`, {
    method,
    headers: {
      Cookie: cookie,
      ...(method === 'POST' && { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'https://tool.example' }),
    },
    ...(method === 'POST' && { body: form }),
  });
  return { status: response.status, ...pageForm(await response.text()) };
}

const keys = async () => ((await (await browse('/api/lti/security/jwks')).json()) as { keys: Jwk[] }).keys;

async function claimsOf(id_token: string | undefined) {
  const jwt = readJwt(id_token ?? '');
  expect(jwt && (await isSignedBy(jwt, await keys()))).toBe(true);
  return jwt?.claims as Record<string, unknown>;
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
    [ltiClaim('message_type')]: 'LtiResourceLinkRequest',
    [ltiClaim('version')]: '1.3.0',
    [ltiClaim('deployment_id')]: tool.deployment_id,
    [ltiClaim('target_link_uri')]: 'https://tool.example/launch',
    [ltiClaim('custom')]: { login: student.login, kind: 'x' },
    [ltiClaim('launch_presentation')]: { document_target: 'window', width: 700 },
    'https://www.instructure.com/placement': 'course_navigation',
    'https://purl.imsglobal.org/spec/lti-ags/claim/endpoint': { lineitems: `${base}/api/lti${at}/line_items` },
    'https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice': { context_memberships_url: `${base}/api/lti${at}/names_and_roles` },
  });
  expect((claims[ltiClaim('context')] as { title: string }).title).toBe('Tools');
  expect(claims[ltiClaim('roles')]).toContain('http://purl.imsglobal.org/vocab/lis/v2/membership#Learner');
  expect((await authorize(asked, cookie)).given.error).toBe('launch_no_longer_valid');
  // The same at the older address.
  expect((await browse('/api/lti/authorize')).status).toBe(400);
  expect((await browse('/api/lti/authorize', { method: 'POST' })).status).toBe(400);
});

test('a place that takes no content opens nothing', async () => {
  const launch = (who: Person, query: object) => as(who).get(`${at}/external_tools/sessionless_launch`, { id: tool.id, ...query });
  const { url } = ok(await launch(scene.teacher, { launch_type: 'collaboration' }));
  const response = await browse(url);
  expect(response.status).toBe(400);
  expect(await response.text()).not.toContain('tool.example');
  for (const launch_type of ['assignment_selection', 'link_selection', 'editor_button', 'homework_submission'])
    ok(await launch(scene.student, { launch_type }), 401);
  ok(await launch(scene.teacher, { launch_type: 'homework_submission' }), 401);
  ok(await launch(scene.teacher, { launch_type: 'link_selection', context_module_id: 88888888 }), 404);
  ok(await launch(scene.teacher, { launch_type: 'assignment_selection', assignment_id: 88888888 }), 404);
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
  expect(((await (await browse('/api/lti/security/openid-configuration')).json()) as { issuer: string }).issuer).toBe(base);
});

test('a tool reads the roster of its course, with what its privacy level allows', async () => {
  const { course, student, stranger } = scene;
  const path = `/api/lti/courses/${course.id}/names_and_roles`;
  const reads = await serviceOf(tool, toolScopes.roster);
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
  ok(await (await serviceOf(tool, toolScopes.items)).get(path), 401);
  for (const token of [scene.teacher.token, root.token, stranger.token, 'nonsense']) ok(await withToken(token).get(path), 401);
  ok(await as().get(path), 401);
});

test('a tool makes line items, sends scores and reads results, of its own only', async () => {
  const { course, student, student2, teacher } = scene;
  const path = `/api/lti/courses/${course.id}/line_items`;
  const serves = await serviceOf(tool, toolScopes.items, toolScopes.score, toolScopes.results);
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
  const others = await serviceOf(stranger, toolScopes.items, toolScopes.score, toolScopes.results);
  expect(ok(await others.get(path))).toEqual([]);
  for (const line of [id, own.id]) {
    ok(await others.get(`${path}/${line}`), 404);
    ok(await others.put(`${path}/${line}`, { label: 'x' }, { json: true }), 404);
    ok(await others.del(`${path}/${line}`), 404);
    ok(await others.post(`${path}/${line}/scores`, { ...score, scoreGiven: 1, scoreMaximum: 1 }, { json: true }), 404);
    ok(await others.get(`${path}/${line}/results`), 404);
  }
  ok(await others.get(resultUrl), 404);
  const readonly = await serviceOf(tool, toolScopes.itemsReadonly);
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

const dl = (name: string) => `https://purl.imsglobal.org/spec/lti-dl/claim/${name}`;
interface Asked {
  readonly deep_link_return_url: string;
  readonly data: string;
  readonly accept_types: string[];
  readonly accept_multiple: boolean;
  readonly accept_lineitem: boolean;
}

/** Opens the tool to choose content, as a browser would. */
async function asksForContent(who: Person, query: object) {
  const { given, cookie } = await login(who, { id: tool.id, ...query });
  const claims = await claimsOf((await authorize(answerOf(given), cookie)).given.id_token);
  expect(claims).toMatchObject({
    [ltiClaim('message_type')]: 'LtiDeepLinkingRequest',
    [ltiClaim('target_link_uri')]: 'https://tool.example/choose',
  });
  expect(claims[ltiClaim('resource_link')]).toBeUndefined();
  return claims[dl('deep_linking_settings')] as Asked;
}

const responseOf = (asked: Pick<Asked, 'data'>, content_items: unknown, more: object = {}) => {
  const now = Math.floor(Date.now() / 1000);
  return {
    iss: String(tool.client_id),
    aud: [base],
    iat: now,
    exp: now + 300,
    nonce: crypto.randomUUID(),
    [ltiClaim('deployment_id')]: tool.deployment_id,
    [ltiClaim('message_type')]: 'LtiDeepLinkingResponse',
    [ltiClaim('version')]: '1.3.0',
    [dl('data')]: asked.data,
    [dl('content_items')]: content_items,
    ...more,
  };
};

async function returned(asked: Pick<Asked, 'deep_link_return_url'>, JWT: string) {
  const response = await browse(asked.deep_link_return_url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'https://tool.example' },
    body: new URLSearchParams({ JWT }).toString(),
  });
  return { status: response.status, html: await response.text() };
}

const chosen = async (asked: Asked, items: unknown, more: object = {}) => returned(asked, await assert(responseOf(asked, items, more)));
const linkItem = { type: 'ltiResourceLink', url: 'https://tool.example/unit/1', title: 'Unit 1', custom: { unit: 'one' } };
const links = async (query: object = {}) => ok(await as(scene.teacher).get(`${at}/lti_resource_links`, query)) as Record<string, unknown>[];

test('content that is chosen in a tool becomes an assignment, once, and comes with its custom values', async () => {
  const { teacher, student } = scene;
  const asked = await asksForContent(teacher, { launch_type: 'assignment_selection' });
  expect(asked).toMatchObject({ accept_types: ['ltiResourceLink'], accept_multiple: false, accept_lineitem: true });
  const item = {
    ...linkItem,
    title: 'Deep exam',
    text: 'Read',
    lineItem: { scoreMaximum: 30, label: 'Deep exam', tag: 'deep', resourceId: 'r9' },
  };
  const now = Math.floor(Date.now() / 1000);
  const wrong: readonly object[] = [
    { iss: '88888888' },
    { aud: 'https://elsewhere.example' },
    { exp: now - 100 },
    { iat: now - 7200 },
    { nonce: '' },
    { [ltiClaim('deployment_id')]: 'other' },
    { [ltiClaim('message_type')]: 'LtiResourceLinkRequest' },
    { [ltiClaim('version')]: '1.1' },
    { [dl('data')]: `${asked.data.slice(0, -4)}0000` },
    { [dl('content_items')]: [item, item] },
    { [dl('content_items')]: [{ ...item, url: 'https://other.example/' }] },
    { [dl('content_items')]: [{ ...item, url: 'javascript://tool.example/x' }] },
    { [dl('content_items')]: [{ type: 'link', url: 'https://tool.example/' }] },
  ];
  for (const more of wrong) expect((await chosen(asked, [item], more)).status, JSON.stringify(more)).toBe(400);
  const signed = await assert(responseOf(asked, [item]));
  expect((await returned(asked, `${signed.slice(0, -6)}AAAAAA`)).status).toBe(400);
  const elsewhere = asked.deep_link_return_url.replace(/courses\/\d+/, 'courses/88888888');
  expect((await returned({ deep_link_return_url: elsewhere }, signed)).status).toBe(400);
  const before = ok(await as(teacher).get(`${at}/assignments`, { search_term: 'Deep exam' }));
  expect(before).toEqual([]);
  const done = await returned(asked, signed);
  expect(done.html).toContain('Deep exam');
  expect(done.status).toBe(200);
  expect((await returned(asked, signed)).status).toBe(400);
  expect((await chosen(asked, [item])).status).toBe(400);
  const [work, ...others] = ok(await as(teacher).get(`${at}/assignments`, { search_term: 'Deep exam' }));
  expect(others).toEqual([]);
  expect(work).toMatchObject({
    name: 'Deep exam',
    points_possible: 30,
    published: false,
    submission_types: ['external_tool'],
    external_tool_tag_attributes: { url: 'https://tool.example/unit/1' },
  });
  const [link] = await links();
  expect(link).toMatchObject({
    resource_type: 'assignment',
    context_type: 'Assignment',
    context_id: work.id,
    associated_content_type: 'Assignment',
    associated_content_id: work.id,
    context_external_tool_id: tool.id,
    custom: { unit: 'one' },
  });
  ok(await as(teacher).put(`${at}/assignments/${work.id}`, { assignment: { published: true } }));
  const { given, cookie } = await login(student, { launch_type: 'assessment', assignment_id: work.id });
  const claims = await claimsOf((await authorize(answerOf(given), cookie)).given.id_token);
  expect(claims).toMatchObject({
    [ltiClaim('target_link_uri')]: 'https://tool.example/unit/1',
    [ltiClaim('custom')]: { unit: 'one', kind: 'x' },
    [ltiClaim('resource_link')]: { id: link?.resource_link_uuid, title: 'Deep exam' },
  });
  const serves = await serviceOf(tool, toolScopes.items);
  const [lineItem] = ok(await serves.get(`/api/lti${at}/line_items`, { tag: 'deep' }));
  expect(lineItem).toMatchObject({ label: 'Deep exam', resourceId: 'r9', resourceLinkId: link?.resource_link_uuid });
  // Another choice for the same assignment changes its tool, and nothing else.
  const again = await asksForContent(teacher, { launch_type: 'assignment_selection', assignment_id: work.id });
  expect((await chosen(again, [{ ...linkItem, url: 'https://tool.example/unit/2', custom: { unit: 'two' } }])).status).toBe(200);
  expect(ok(await as(teacher).get(`${at}/assignments/${work.id}`))).toMatchObject({
    name: 'Deep exam',
    published: true,
    external_tool_tag_attributes: { url: 'https://tool.example/unit/2' },
  });
  expect(await links()).toMatchObject([{ id: link?.id, custom: { unit: 'two' } }]);
  ok(await as(teacher).del(`${at}/lti_resource_links/${link?.id}`), 422);
  // A user who loses the right meanwhile adds nothing.
  const late = await asksForContent(teacher, { launch_type: 'assignment_selection' });
  ok(await as(root).del(`${at}/enrollments/${await enrollmentOf(teacher)}`, { task: 'inactivate' }));
  expect((await chosen(late, [item])).status).toBe(400);
  ok(await as(root).put(`${at}/enrollments/${await enrollmentOf(teacher)}/reactivate`));
  ok(await as(teacher).del(`${at}/assignments/${work.id}`));
  expect(await links()).toEqual([]);
});

test('content that is chosen in a tool changes no assignment of a closed grading period, except for administrators', async () => {
  const { teacher, course } = scene;
  const term = await ground.term();
  const before = ok(await as(root).get(`/courses/${course.id}`)).enrollment_term_id;
  ok(await as(root).put(`/courses/${course.id}`, { course: { term_id: term.id } }));
  const made = { grading_period_set: { title: 'Year' }, enrollment_term_ids: [term.id] };
  const set = ok(await as(root).post('/accounts/1/grading_period_sets', made), 201).grading_period_set;
  const spring = {
    title: 'Spring',
    start_date: '2020-01-01T00:00:00Z',
    end_date: '2020-06-01T00:00:00Z',
    close_date: '2020-06-15T00:00:00Z',
  };
  ok(await as(root).patch(`/grading_period_sets/${set.id}/grading_periods/batch_update`, { grading_periods: [spring] }));
  const attributes = { external_tool_tag_attributes: { url: 'https://tool.example/unit/1' } };
  const assignment = { name: 'Past', due_at: '2020-03-01T12:00:00Z', submission_types: ['external_tool'], ...attributes };
  const { id } = ok(await as(root).post(`${at}/assignments`, { assignment }), 201);
  const choose = async (who: Person) => {
    const asked = await asksForContent(who, { launch_type: 'assignment_selection', assignment_id: id });
    return (await chosen(asked, [{ ...linkItem, url: 'https://tool.example/unit/2' }])).status;
  };
  const url = async () => ok(await as(teacher).get(`${at}/assignments/${id}`)).external_tool_tag_attributes.url;
  expect(await choose(teacher)).toBe(400);
  expect(await url()).toBe('https://tool.example/unit/1');
  expect(await choose(root)).toBe(200);
  expect(await url()).toBe('https://tool.example/unit/2');
  ok(await as(root).del(`${at}/assignments/${id}`));
  ok(await as(root).put(`/courses/${course.id}`, { course: { term_id: before } }));
});

const enrollmentOf = async (person: Person): Promise<number> =>
  ok(await as(root).get(`/users/${person.id}/enrollments`, { state: ['active', 'inactive'] }))[0].id;

test('content that is chosen in a tool becomes items of a module, HTML for a text, or a submission', async () => {
  const { teacher, student } = scene;
  const module = ok(await as(teacher).post(`${at}/modules`, { module: { name: 'Deep' } }));
  const forModule = await asksForContent(teacher, { launch_type: 'link_selection', context_module_id: module.id });
  const web = { type: 'link', url: 'https://read.example/', title: 'Reading' };
  expect((await chosen(forModule, [linkItem, web])).html).toContain('2 items were added');
  const items = ok(await as(teacher).get(`${at}/modules/${module.id}/items`)) as Record<string, unknown>[];
  expect(items).toMatchObject([
    { type: 'ExternalTool', title: 'Unit 1', external_url: 'https://tool.example/unit/1', content_id: tool.id, position: 1 },
    { type: 'ExternalUrl', title: 'Reading', external_url: 'https://read.example/', position: 2 },
  ]);
  expect(await links()).toMatchObject([
    { resource_type: 'module_item', associated_content_type: 'ModuleItem', associated_content_id: items[0]?.id },
  ]);
  const opened = await login(teacher, { launch_type: 'module_item', module_item_id: items[0]?.id });
  const inModule = await claimsOf((await authorize(answerOf(opened.given), opened.cookie)).given.id_token);
  expect(inModule[ltiClaim('custom')]).toMatchObject({ unit: 'one' });

  const forText = await asksForContent(teacher, { launch_type: 'editor_button' });
  expect(forText).toMatchObject({ accept_types: ['ltiResourceLink', 'link', 'file', 'html', 'image'], accept_multiple: true });
  const { html } = await chosen(
    forText,
    [
      { ...linkItem, iframe: { width: 500, height: 300 } },
      { type: 'image', url: 'https://tool.example/i.png', title: 'Map' },
      { type: 'file', url: 'https://files.carrel.org/notes.txt', title: 'Paper' },
      { type: 'html', html: '<p onclick="x()">Text</p><script>y()</script>' },
    ],
    { [dl('msg')]: '<i>Thanks</i>' },
  );
  const text = html.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  expect(text).toContain('<img src="https://tool.example/i.png" alt="Map">');
  expect(text).toMatch(/<a href="\/courses\/\d+\/files\/[1-9]\d*\?wrap=1">Paper<\/a>/);
  expect(text).toContain('<p>Text</p>');
  expect(html).not.toContain('<i>Thanks');
  const [, inText] = await links();
  expect(inText).toMatchObject({ resource_type: 'rich_content', custom: { unit: 'one' } });
  expect(text).toContain(`<iframe src="${String(inText?.canvas_launch_url).replaceAll('&', '&#38;')}`);
  expect((await chosen(await asksForContent(teacher, { launch_type: 'editor_button' }), undefined)).html).toContain('Nothing was chosen');

  const work = ok(
    await as(teacher).post(`${at}/assignments`, {
      assignment: { name: 'Hand in', published: true, points_possible: 5, submission_types: ['online_url', 'online_text_entry'] },
    }),
    201,
  );
  const query = { launch_type: 'homework_submission', assignment_id: work.id };
  const submission = async () => ok(await as(student).get(`${at}/assignments/${work.id}/submissions/self`));
  expect((await chosen(await asksForContent(student, query), [{ type: 'link', url: 'https://work.example/1' }])).html).toContain('Hand in');
  expect(await submission()).toMatchObject({ submission_type: 'online_url', url: 'https://work.example/1', attempt: 1 });
  expect((await chosen(await asksForContent(student, query), [{ type: 'html', html: '<p>Essay</p>' }])).status).toBe(200);
  expect(await submission()).toMatchObject({ submission_type: 'online_text_entry', body: '<p>Essay</p>', attempt: 2 });
  expect((await chosen(await asksForContent(student, query), [linkItem])).status).toBe(200);
  expect(await submission()).toMatchObject({ submission_type: 'basic_lti_launch', url: 'https://tool.example/unit/1', attempt: 3 });
  const late = await asksForContent(student, query);
  ok(await as(teacher).put(`${at}/assignments/${work.id}`, { assignment: { lock_at: '2026-01-01T00:00:00Z' } }));
  expect((await chosen(late, [{ type: 'html', html: '<p>Late</p>' }])).status).toBe(400);
  expect((await submission()).attempt).toBe(3);
});

test('teachers make, change and delete links to resources of tools', async () => {
  const { teacher, student, observer } = await linkScene();
  const path = `/courses/${linked.course.id}/lti_resource_links`;
  const made = ok(within(await as(teacher).post(path, { url: 'https://links.example/1', title: 'One', custom: { a: 1 } }), 3));
  expect(made).toMatchObject({
    context_id: linked.course.id,
    context_type: 'Course',
    resource_type: 'rich_content',
    title: 'One',
    url: 'https://links.example/1',
    custom: { a: '1' },
    lti_1_1_id: null,
    workflow_state: 'active',
  });
  expect(made.canvas_launch_url).toContain(`/courses/${linked.course.id}/external_tools/retrieve?`);
  expect(made.canvas_launch_url).toContain(made.lookup_uuid);
  const several = [{ url: 'https://links.example/2' }, { url: 'https://links.example/3', custom: { b: 'x' } }];
  const bulk = ok(within(await as(teacher).post(`${path}/bulk`, several, { json: true }), 3));
  expect(bulk.map(({ url }: { url: string }) => url)).toEqual(['https://links.example/2', 'https://links.example/3']);
  const firstPage = within(await as(teacher).get(path, { per_page: 2 }), 2);
  expect(ok(firstPage).map(({ id }: { id: number }) => id)).toEqual([made.id, bulk[0].id]);
  expect(ok(await as(teacher).get(firstPage.links.next ?? '')).map(({ id }: { id: number }) => id)).toEqual([bulk[1].id]);
  for (const name of [made.id, `lookup_uuid:${made.lookup_uuid}`, `resource_link_uuid:${made.resource_link_uuid}`])
    expect(ok(within(await as(teacher).get(`${path}/${name}`), 2)).id).toBe(made.id);
  const codes = (answer: { body: unknown }) => (answer.body as { errors: { code: string }[] }).errors.map(({ code }) => code);
  const refuse = async (method: 'post' | 'put', to: string, body: unknown, code: string) => {
    const answer = await as(teacher)[method](to, body as object, { json: true });
    ok(answer, 422);
    expect(codes(answer), JSON.stringify(body).slice(0, 80)).toEqual([code]);
  };
  for (const [body, code] of [
    [{}, 'invalid_url'],
    [{ url: 'nonsense' }, 'invalid_url'],
    [{ url: 'javascript://links.example/' }, 'invalid_url'],
    [{ url: 'https://nowhere.example/' }, 'invalid_url'],
    [{ url: 'https://links.example/', custom: 'x' }, 'invalid_custom'],
    [{ url: 'https://links.example/', custom: { a: {} } }, 'invalid_custom'],
    [{ url: 'https://links.example/', title: 'x'.repeat(256) }, 'invalid_request'],
  ] as const)
    await refuse('post', path, body, code);
  for (const [body, code] of [
    [[{ url: 'https://links.example/4' }, { url: 'https://nowhere.example/' }], 'invalid_url'],
    [[], 'invalid_request'],
    [[5], 'invalid_request'],
    [Array.from({ length: 101 }, () => ({ url: 'https://links.example/' })), 'invalid_request'],
    [{ url: 'https://links.example/' }, 'invalid_request'],
  ] as const)
    await refuse('post', `${path}/bulk`, body, code);
  expect(ok(await as(teacher).get(path))).toHaveLength(3);
  const single = `${path}/${made.id}`;
  expect(ok(within(await as(teacher).put(single, { url: 'https://links.example/9', custom: { c: 'y' } }), 3))).toMatchObject({
    url: 'https://links.example/9',
    custom: { c: 'y' },
    title: 'One',
  });
  await refuse('put', single, { url: 'https://nowhere.example/' }, 'invalid_url');
  await refuse('put', single, { context_external_tool_id: tool.id }, 'url_tool_mismatch');
  await refuse('put', single, { custom: [] }, 'invalid_custom');
  expect(ok(within(await as(teacher).del(single), 3))).toMatchObject({ id: made.id, workflow_state: 'deleted' });
  ok(await as(teacher).get(single), 404);
  ok(await as(teacher).del(single), 404);
  expect(ok(await as(teacher).get(single, { include_deleted: true })).workflow_state).toBe('deleted');
  expect(ok(await as(teacher).get(path, { include_deleted: true }))).toHaveLength(3);
  for (const person of [student, observer]) {
    ok(await as(person).get(path), 401);
    ok(await as(person).post(path, { url: 'https://links.example/1' }), 401);
    ok(await as(person).put(`${path}/${bulk[0].id}`, { custom: {} }), 401);
    ok(await as(person).del(`${path}/${bulk[0].id}`), 401);
  }
  ok(await as(teacher).get(`${at}/lti_resource_links/${bulk[0].id}`), 401);
});

let linked: Scene;
/** A course of its own with a tool of its own. */
async function linkScene(): Promise<Scene> {
  linked = await aCourse(ground, { name: 'Links' });
  const body = { configuration: configuration('links.example'), redirect_uris: ['https://links.example/launch'] };
  const { developer_key } = ok(await as(root).post('/api/lti/accounts/1/developer_keys/tool_configuration', body, { json: true }));
  ok(await as(linked.teacher).post(`/courses/${linked.course.id}/external_tools`, { client_id: developer_key.id }));
  return linked;
}
