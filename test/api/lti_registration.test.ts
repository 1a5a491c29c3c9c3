// Dynamic registration: an external tool registers itself, and works once an administrator has confirmed it.

import { beforeAll, expect, test } from 'vitest';
import { as, base, ground, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';
import { browse, launchClaimsOf, ltiClaim, serviceOf, toolScopes } from '../support/lti_tool';

type Scene = Awaited<ReturnType<typeof aCourse>>;
let scene: Scene;
let root: Person;

const claim = 'https://purl.imsglobal.org/spec/lti-tool-configuration';
const host = 'files.carrel.org';

beforeAll(async () => {
  scene = await aCourse(ground, { name: 'Self-service' });
  root = await ground.admin();
});

const toolPart = {
  domain: host,
  description: 'Quizzes',
  target_link_uri: `https://${host}/launch`,
  custom_parameters: { course: '$Canvas.course.id' },
  claims: ['sub', 'name', 'shoe_size'],
  messages: [
    { type: 'LtiResourceLinkRequest' },
    {
      type: 'LtiResourceLinkRequest',
      label: 'Quizzes',
      'label#de': 'Fragen',
      placements: ['course_navigation', 'a_place_of_another_platform'],
      target_link_uri: `https://${host}/launch/navigation`,
      custom_parameters: { from: 'navigation' },
    },
    { type: 'LtiDeepLinkingRequest', placements: ['ContentArea', 'RichTextEditor'], target_link_uri: `https://${host}/choose` },
    { type: 'LtiDataPrivacyLaunchRequest' },
  ],
  'https://canvas.instructure.com/lti/privacy_level': 'name_only',
};
const registration = {
  application_type: 'web',
  response_types: ['id_token'],
  grant_types: ['implicit', 'client_credentials'],
  initiate_login_uri: `https://${host}/login`,
  redirect_uris: [`https://${host}/launch`, `https://${host}/choose`],
  client_name: 'Quizzes of a vendor',
  jwks_uri: `https://${host}/jwks`,
  token_endpoint_auth_method: 'private_key_jwt',
  scope: `${toolScopes.score} ${toolScopes.roster} https://canvas.instructure.com/lti/account_lookup/scope/show openid`,
  [claim]: toolPart,
};

const invite = async (query: object = {}, account = 1) =>
  ok(within(await as(root).get(`/api/lti/accounts/${account}/registration_token`, query), 2)) as { uuid: string; token: string };
const register = (token: string, body: unknown = registration) =>
  as({ token } as Person).post('/api/lti/registrations', body as object, { json: true });
const at = (uuid: string, account = 1) => `/api/lti/accounts/${account}/registrations/uuid/${uuid}`;

test('a tool registers itself, and can do nothing until an administrator confirms it', async () => {
  const { teacher, student, course } = scene;
  const invited = ok(
    await as(root).get('/api/lti/accounts/1/registration_token', { registration_url: `https://${host}/register?plan=a#top` }),
  );
  const address = new URL(invited.registration_address);
  expect(`${address.origin}${address.pathname}`).toBe(`https://${host}/register`);
  expect(Object.fromEntries(address.searchParams)).toEqual({
    plan: 'a',
    openid_configuration: `${base}/api/lti/security/openid-configuration`,
    registration_token: invited.token,
  });
  const platform = (await (
    await browse(invited.oidc_configuration_url, { headers: { Authorization: `Bearer ${invited.token}` } })
  ).json()) as Record<string, unknown>;
  expect(platform).toMatchObject({ issuer: base, registration_endpoint: `${base}/api/lti/registrations` });
  const { messages_supported, variables } = platform['https://purl.imsglobal.org/spec/lti-platform-configuration'] as {
    messages_supported: { type: string; placements: string[] }[];
    variables: string[];
  };
  expect(messages_supported.find(({ type }) => type === 'LtiDeepLinkingRequest')?.placements).toContain('editor_button');
  expect(variables).toContain('Canvas.course.id');

  const sent = within(await register(invited.token), 3);
  const registered = ok(sent);
  expect(sent.headers.get('cache-control')).toBe('no-store');
  expect(registered).toMatchObject({
    client_name: 'Quizzes of a vendor',
    scope: `${toolScopes.score} ${toolScopes.roster}`,
    redirect_uris: registration.redirect_uris,
    token_endpoint_auth_method: 'private_key_jwt',
    [claim]: { domain: host, claims: ['sub', 'name'], messages: [{}, { label: 'Quizzes' }, { type: 'LtiDeepLinkingRequest' }] },
  });
  expect(registered[claim].messages).toHaveLength(3);
  const client_id = Number(registered.client_id);
  const { deployment_id } = registered[claim];

  // Not yet: no token, no installation, no tool in the navigation.
  const grant = () => serviceOf({ client_id }, toolScopes.roster);
  await expect(grant()).rejects.toThrow();
  ok(await as(teacher).post(`/courses/${course.id}/external_tools`, { client_id }), 404);
  expect(ok(await as(root).get('/accounts/1/external_tools', { search_term: 'Quizzes of' }))).toEqual([]);
  const pending = ok(within(await as(root).get(at(invited.uuid)), 2));
  expect(pending).toMatchObject({
    uuid: invited.uuid,
    account_id: 1,
    developer_key_id: client_id,
    workflow_state: 'pending',
    scopes: [toolScopes.score, toolScopes.roster],
    external_tool_id: null,
    configuration: { domain: host, privacy_level: 'name_only', target_link_uri: `https://${host}/launch` },
  });
  expect(Object.keys(pending.configuration.placements).sort()).toEqual([
    'assignment_selection',
    'course_navigation',
    'editor_button',
    'link_selection',
  ]);

  for (const wrong of [{ disabled_scopes: ['x'] }, { disabled_placements: ['file_menu'] }, { privacy_level: 'everything' }])
    ok(await as(root).post(`${at(invited.uuid)}/confirm`, wrong), 400);
  const tool = ok(
    within(
      await as(root).post(`${at(invited.uuid)}/confirm`, { disabled_scopes: [toolScopes.score], disabled_placements: ['editor_button'] }),
      3,
    ),
  );
  expect(tool).toMatchObject({
    name: 'Quizzes of a vendor',
    version: '1.3',
    developer_key_id: client_id,
    deployment_id,
    privacy_level: 'name_only',
    domain: host,
    editor_button: null,
    course_navigation: { text: 'Quizzes', labels: { de: 'Fragen' }, target_link_uri: `https://${host}/launch/navigation` },
    link_selection: { message_type: 'LtiDeepLinkingRequest' },
  });
  // Once more changes nothing.
  expect(ok(await as(root).post(`${at(invited.uuid)}/confirm`, { privacy_level: 'public' }))).toMatchObject({
    id: tool.id,
    privacy_level: 'name_only',
  });
  expect(ok(await as(root).get(at(invited.uuid)))).toMatchObject({ workflow_state: 'active', external_tool_id: tool.id });

  const path = `/courses/${course.id}`;
  const claims = await launchClaimsOf(student, path, { host }, { id: tool.id, launch_type: 'course_navigation' });
  expect(claims).toMatchObject({
    aud: String(client_id),
    name: 'Sam Student',
    [ltiClaim('deployment_id')]: deployment_id,
    [ltiClaim('target_link_uri')]: `https://${host}/launch/navigation`,
    [ltiClaim('custom')]: { course: String(course.id), from: 'navigation' },
  });
  expect(claims.email).toBeUndefined();
  // The tool's keys are fetched from its address.
  const { members } = ok(await (await grant()).get(`/api/lti${path}/names_and_roles`));
  expect(members.length).toBeGreaterThan(3);
  await expect(serviceOf({ client_id }, toolScopes.score)).rejects.toThrow();
});

test('a registration token is for one tool, one time and half an hour', async () => {
  const { token, uuid } = await invite();
  const refused = async (used: string) => expect(ok(await register(used), 401).error).toBe('invalid_token');
  for (const other of ['', 'nonsense', `${token.slice(0, -4)}0000`, root.token, scene.teacher.token]) await refused(other);
  // A wrong registration does not use the token up.
  ok(await register(token, { ...registration, client_name: '' }), 400);
  ok(await as(root).get(at(uuid)), 404);
  const { registration_token, ...body } = { registration_token: token, ...registration };
  ok(await as().post('/api/lti/registrations', { ...body, registration_token }, { json: true }));
  await refused(token);
  ok(await as(root).get(at(uuid)));
  // Others of the same account see no registrations, and those of another account do not have it.
  for (const person of [scene.teacher, scene.student]) {
    ok(await as(person).get('/api/lti/accounts/1/registration_token'), 401);
    ok(await as(person).get(at(uuid)), 401);
    ok(await as(person).post(`${at(uuid)}/confirm`), 401);
  }
  const branch = ok(await as(root).post('/accounts/1/sub_accounts', { account: { name: 'Branch' } }));
  ok(await as(root).get(at(uuid, branch.id)), 404);
  ok(await as(root).post(`${at(uuid, branch.id)}/confirm`), 404);
  ok(await as(root).post(`${at('00000000-0000-0000-0000-000000000000')}/confirm`), 404);
  for (const registration_url of ['http://tool.example/register', 'javascript:alert(1)', 'nonsense', 'https://me:pw@tool.example/'])
    ok(await as(root).get('/api/lti/accounts/1/registration_token', { registration_url }), 400);
  // A registration that is discarded cannot be confirmed.
  const discarded = ok(await as(root).get(at(uuid)));
  ok(await as(root).del(`/developer_keys/${discarded.developer_key_id}`));
  ok(await as(root).get(at(uuid)), 404);
  ok(await as(root).post(`${at(uuid)}/confirm`), 404);
});

test('an administrator who may not add tools cannot install one by confirming its registration', async () => {
  const { token, uuid } = await invite();
  ok(await register(token, registration));
  const permissions = { manage_developer_keys: { explicit: true, enabled: true } };
  const role = ok(await as(root).post('/accounts/1/roles', { label: 'Keeper of keys', permissions }));
  const keeper = await ground.admin({ role_id: role.id });
  ok(await as(keeper).get(at(uuid)));
  ok(await as(keeper).post(`${at(uuid)}/confirm`), 401);
  expect(ok(await as(root).get(at(uuid))).workflow_state).toBe('pending');
});

test('a tool that a branch has confirmed works in the courses of the branch alone', async () => {
  const branch = ok(await as(root).post('/accounts/1/sub_accounts', { account: { name: 'Department' } }));
  const { token, uuid } = await invite({}, branch.id);
  const { client_id } = ok(await register(token, { ...registration, client_name: 'Of the department' }));
  const tool = ok(await as(root).post(`${at(uuid, branch.id)}/confirm`));
  expect(ok(await as(root).get(`/accounts/${branch.id}/external_tools/${tool.id}`)).developer_key_id).toBe(Number(client_id));
  ok(await as(root).get(`/courses/${scene.course.id}/external_tools/sessionless_launch`, { id: tool.id }), 404);
  ok(
    await (await serviceOf({ client_id: Number(client_id) }, toolScopes.roster)).get(`/api/lti/courses/${scene.course.id}/names_and_roles`),
    401,
  );
});

test('a wrong registration is refused by the name of its parameter', async () => {
  const { token } = await invite();
  const wrong: readonly (readonly [unknown, string])[] = [
    [{ ...registration, application_type: 'native' }, 'application_type'],
    [{ ...registration, token_endpoint_auth_method: 'client_secret_basic' }, 'token_endpoint_auth_method'],
    [{ ...registration, response_types: ['code'] }, 'response_types'],
    [{ ...registration, grant_types: 'implicit' }, 'grant_types'],
    [{ ...registration, client_name: 'x'.repeat(256) }, 'client_name'],
    [{ ...registration, initiate_login_uri: `http://${host}/login` }, 'initiate_login_uri'],
    [{ ...registration, redirect_uris: [] }, 'redirect_uris'],
    [{ ...registration, redirect_uris: [`http://${host}/launch`] }, 'redirect_uris'],
    [{ ...registration, redirect_uris: ['javascript:alert(1)'] }, 'redirect_uris'],
    [{ ...registration, redirect_uris: [{}] }, 'redirect_uris'],
    [{ ...registration, redirect_uris: Array.from({ length: 101 }, (_, n) => `https://${host}/${n}`) }, 'redirect_uris'],
    [{ ...registration, jwks_uri: 'https://169.254.169.254/jwks' }, 'jwks_uri'],
    [{ ...registration, jwks_uri: `http://${host}/jwks` }, 'jwks_uri'],
    [{ ...registration, logo_uri: 'data:image/png;base64,' }, 'logo_uri'],
    [{ ...registration, [claim]: undefined }, claim],
    [{ ...registration, [claim]: [] }, claim],
    [{ ...registration, [claim]: { ...toolPart, domain: 'org' } }, 'domain'],
    [{ ...registration, [claim]: { ...toolPart, domain: 'other.example' } }, 'target_link_uri'],
    [{ ...registration, [claim]: { ...toolPart, messages: [5] } }, 'messages'],
    [{ ...registration, [claim]: { ...toolPart, messages: [{ ...toolPart.messages[1], target_link_uri: 'x' }] } }, 'target_link_uri'],
    [{ ...registration, [claim]: { ...toolPart, custom_parameters: { a: {} } } }, 'custom_parameters'],
    [{ ...registration, [claim]: { ...toolPart, description: 'x'.repeat(60_000) } }, 'registration'],
    [{}, 'token_endpoint_auth_method'],
  ];
  for (const [body, name] of wrong) {
    const answer = await register(token, body);
    expect(answer.status, JSON.stringify(body).slice(0, 200)).toBe(400);
    const { error, error_description } = answer.body as { error: string; error_description: string };
    expect(error).toBe(
      name === 'redirect_uris' && !String((body as typeof registration).redirect_uris).includes('/100')
        ? 'invalid_redirect_uri'
        : 'invalid_client_metadata',
    );
    expect(error_description).toContain(name);
  }
  ok(await register(token));
});
