// @lti-tool/core, unmodified from the registry, as a tool of LTI 1.3: it is launched, asked for content, sends a score,
// reads the roster, and registers itself.

import { type LTIDynamicRegistrationSession, type LTILaunchConfig, type LTISession, type LTIStorage, LTITool } from '@lti-tool/core';
import { beforeAll, expect, inject, test } from 'vitest';
import { clientOf } from '../support/client';
import type { Person } from '../support/ground';

const { url, admin, casts } = inject('started');
const { course, teacher, student } = casts.tools;
const at = `/courses/${course.id}`;
const place = 'http://127.0.0.1:39998';
const scope = (name: string) => `https://purl.imsglobal.org/spec/${name}`;

const rest = ({ token }: Person) => clientOf((to, init) => fetch(to, init as RequestInit), url, token);

/** What the package keeps between requests. */
function memory(launches: readonly LTILaunchConfig[]): LTIStorage {
  const sessions = new Map<string, LTISession>();
  const registrations = new Map<string, LTIDynamicRegistrationSession>();
  const nonces = new Set<string>();
  const unused = () => Promise.reject(new Error('not used here'));
  return {
    listClients: unused,
    getClientById: unused,
    addClient: unused,
    updateClient: unused,
    deleteClient: unused,
    listDeployments: unused,
    getDeployment: unused,
    addDeployment: unused,
    updateDeployment: unused,
    deleteDeployment: unused,
    saveLaunchConfig: unused,
    getSession: async (id) => sessions.get(id),
    addSession: async (session) => {
      sessions.set(session.id, session);
      return session.id;
    },
    storeNonce: async (nonce) => {
      nonces.add(nonce);
    },
    validateNonce: async (nonce) => nonces.delete(nonce),
    getLaunchConfig: async (iss, clientId, deploymentId) =>
      launches.find((one) => one.iss === iss && one.clientId === String(clientId) && one.deploymentId === deploymentId),
    setRegistrationSession: async (id, session) => {
      registrations.set(id, session);
    },
    getRegistrationSession: async (id) => registrations.get(id),
    deleteRegistrationSession: async (id) => {
      registrations.delete(id);
    },
  };
}

const plain = (value: string) =>
  value
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

/** The form of a page, as a browser would send it. */
function formOf(html: string) {
  const pairs = [...html.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [plain(name), plain(value)]);
  return { action: plain(/action="([^"]*)"/.exec(html)?.[1] ?? ''), fields: Object.fromEntries(pairs) as Record<string, string> };
}

const newKeyPair = async () =>
  (await crypto.subtle.generateKey(
    { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
    true,
    ['sign', 'verify'],
  )) as CryptoKeyPair;

let tool: LTITool;
let installed: { id: number; deployment_id: string; developer_key_id: number };

beforeAll(async () => {
  const keyPair = await newKeyPair();
  const launches: LTILaunchConfig[] = [];
  tool = new LTITool({ stateSecret: new TextEncoder().encode('of the tests'), keyPair, storage: memory(launches) });
  const [public_jwk] = (await tool.getJWKS()).keys;
  const configuration = {
    title: 'Quizzes of a vendor',
    target_link_uri: `${place}/launch`,
    oidc_initiation_url: `${place}/login`,
    public_jwk,
    scopes: [
      scope('lti-ags/scope/lineitem'),
      scope('lti-ags/scope/lineitem.readonly'),
      scope('lti-ags/scope/result.readonly'),
      scope('lti-ags/scope/score'),
      scope('lti-nrps/scope/contextmembership.readonly'),
    ],
    extensions: [
      {
        platform: 'canvas.instructure.com',
        privacy_level: 'public',
        domain: '127.0.0.1:39998',
        settings: { placements: [{ placement: 'assignment_selection', message_type: 'LtiDeepLinkingRequest' }] },
      },
    ],
  };
  const made = await rest(admin).post(
    '/api/lti/accounts/1/developer_keys/tool_configuration',
    { configuration, redirect_uris: [`${place}/launch`] },
    { json: true },
  );
  installed = (await rest(teacher).post(`${at}/external_tools`, { client_id: made.body.developer_key.id })).body;
  launches.push({
    iss: url,
    clientId: String(installed.developer_key_id),
    deploymentId: installed.deployment_id,
    authUrl: `${url}/api/lti/authorize_redirect`,
    tokenUrl: `${url}/login/oauth2/token`,
    jwksUrl: `${url}/api/lti/security/jwks`,
  });
});

/** Opens the tool as a browser does, up to the session that the tool keeps. */
async function launched(
  who: Person,
  query: object,
  opened = { tool, login: `${place}/login`, launch: `${place}/launch` },
): Promise<LTISession> {
  const start = await rest(who).get(`${at}/external_tools/sessionless_launch`, query);
  const page = await fetch(start.body.url);
  const cookie = (page.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
  const { action, fields } = formOf(await page.text());
  expect(action).toBe(opened.login);
  const { iss = '', login_hint = '', target_link_uri = '', client_id = '', lti_deployment_id = '', lti_message_hint = '' } = fields;
  const address = await opened.tool.handleLogin({
    iss,
    login_hint,
    target_link_uri,
    client_id,
    lti_deployment_id,
    lti_message_hint,
    launchUrl: opened.launch,
  });
  const answer = formOf(await (await fetch(address, { headers: { Cookie: cookie } })).text());
  expect(answer.action).toBe(opened.launch);
  return opened.tool.createSession(await opened.tool.verifyLaunch(answer.fields.id_token ?? '', answer.fields.state ?? ''));
}

test('a tool is asked for content, opened by a student, sends a score and reads the roster', async () => {
  const choosing = await launched(teacher, { id: installed.id, launch_type: 'assignment_selection' });
  expect(choosing).toMatchObject({ isDeepLinkingAvailable: true, isInstructor: true, context: { title: course.name } });
  const response = await tool.createDeepLinkingResponse(choosing, [
    {
      type: 'ltiResourceLink',
      title: 'Orbits',
      url: `${place}/quiz/1`,
      custom: { quiz: '1' },
      lineItem: { scoreMaximum: 20, label: 'Orbits' },
    },
  ] as never);
  const { action, fields } = formOf(response.replaceAll('\n', ' '));
  const done = await fetch(action, { method: 'POST', body: new URLSearchParams({ JWT: fields.JWT ?? '' }) });
  expect(done.status).toBe(200);
  expect(await done.text()).toContain('Orbits');
  const [work] = (await rest(teacher).get(`${at}/assignments`, { search_term: 'Orbits' })).body;
  expect(work).toMatchObject({ points_possible: 20, submission_types: ['external_tool'] });
  await rest(teacher).put(`${at}/assignments/${work.id}`, { assignment: { published: true } });

  const session = await launched(student, { launch_type: 'assessment', assignment_id: work.id });
  expect(session).toMatchObject({
    isStudent: true,
    isAssignmentAndGradesAvailable: true,
    launch: { target: `${place}/quiz/1` },
    customParameters: { quiz: '1' },
    resourceLink: { title: 'Orbits' },
  });
  expect((await tool.getLineItem(session)).scoreMaximum).toBe(20);
  await tool.submitScore(session, {
    userId: session.user.id,
    scoreGiven: 8,
    scoreMaximum: 10,
    activityProgress: 'Completed',
    gradingProgress: 'FullyGraded',
  });
  expect((await rest(student).get(`${at}/assignments/${work.id}/submissions/self`)).body).toMatchObject({
    score: 16,
    workflow_state: 'graded',
  });
  expect(await tool.getScores(session)).toMatchObject([{ userId: session.user.id, resultScore: 16, resultMaximum: 20 }]);

  const column = await tool.createLineItem(session, { label: 'Bonus', scoreMaximum: 5, tag: 'bonus' });
  expect((await tool.listLineItems(session)).map(({ label }) => label)).toEqual(['Orbits', 'Bonus']);
  expect(column.id).toContain(`/api/lti${at}/line_items/`);

  const members = await tool.getMembers(session);
  expect(members.find(({ userId }) => userId === session.user.id)).toMatchObject({ name: 'Sam Student', status: 'Active' });
  expect(members.length).toBeGreaterThan(4);
});

test('a tool registers itself, and serves launches once an administrator has confirmed it', async () => {
  const home = 'https://quizzes.carrel.org';
  const launches: LTILaunchConfig[] = [];
  const storage = memory(launches);
  const registering = new LTITool({
    stateSecret: new TextEncoder().encode('of the tests'),
    keyPair: await newKeyPair(),
    storage: {
      ...storage,
      addClient: async (client) => {
        const { iss, clientId, authUrl, tokenUrl, jwksUrl } = client;
        launches.push({ iss, clientId, authUrl, tokenUrl, jwksUrl, deploymentId: '' });
        return clientId;
      },
      addDeployment: async (clientId, { deploymentId }) => {
        const [client] = launches.splice(
          launches.findIndex((one) => one.clientId === clientId),
          1,
        );
        if (client) launches.push({ ...client, deploymentId });
        return deploymentId;
      },
    },
    dynamicRegistration: { url: home, name: 'Quizzes that register', description: 'Practice' },
  });
  const invited = (await rest(admin).get('/api/lti/accounts/1/registration_token', { registration_url: `${home}/register` })).body;
  const asked = Object.fromEntries(new URL(invited.registration_address).searchParams) as {
    openid_configuration: string;
    registration_token: string;
  };
  const page = await registering.initiateDynamicRegistration(asked, '/register');
  for (const service of ['ags', 'nrps', 'deep_linking']) expect(page).toContain(`value="${service}"`);
  const sessionToken = /name="sessionToken" value="([^"]*)"/.exec(page)?.[1] ?? '';
  await registering.completeDynamicRegistration({ sessionToken, services: ['ags', 'nrps', 'deep_linking'] });
  const [registered] = launches;
  expect(registered?.deploymentId).not.toBe('default');

  const at = `/api/lti/accounts/1/registrations/uuid/${invited.uuid}`;
  expect((await rest(admin).get(at)).body.workflow_state).toBe('pending');
  const confirmed = (await rest(admin).post(`${at}/confirm`, { privacy_level: 'public' })).body;
  expect(confirmed).toMatchObject({ name: 'Quizzes that register', deployment_id: registered?.deploymentId });
  // Its address is not on the web, so its key is given by hand.
  const [public_jwk] = (await registering.getJWKS()).keys;
  await rest(admin).put(`/developer_keys/${confirmed.developer_key_id}`, { developer_key: { public_jwk } }, { json: true });

  const session = await launched(
    student,
    { id: confirmed.id },
    { tool: registering, login: `${home}/lti/login`, launch: `${home}/lti/launch` },
  );
  expect(session).toMatchObject({ isStudent: true, user: { name: 'Sam Student' }, context: { title: course.name } });
  expect((await registering.getMembers(session)).length).toBeGreaterThan(4);
});
