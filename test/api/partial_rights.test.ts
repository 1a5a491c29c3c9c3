// Searches all write endpoints for a privilege escalation: gaining a missing permission, or affecting a user with more permissions.

import { env, SELF } from 'cloudflare:test';
import { permissions } from '@carrel/worker/contexts/permissions';
import type { Endpoint } from '@carrel/worker/http/endpoint';
import { expect, test } from 'vitest';
import { as, base, ground, ok } from '../support/api';
import { endpoints, fillPath, pathValuesIn, titleOf } from '../support/every_endpoint';
import { aFullScene, type FullScene } from '../support/full_scene';
import { bodiesOf, seeded } from '../support/garbage';
import { aCourse, type BuiltCourse, type Person } from '../support/ground';
import { knownIn } from '../support/hostile';
import { databaseState, type Partial, partialPeople, stateBefore, wholePeople } from '../support/partial';

/** Requests that leave a course, section or user in a state that others do not expect. */
const spoils = /reset_content|crosslist|merge_into|\/accounts\/:account_id\/courses$|^\/courses\/:(course_)?id$/;
const depth = ({ method, path }: Endpoint) =>
  path === '/login/oauth2/token' ? 0 : method === 'DELETE' ? path.split('/').length : spoils.test(path) ? 98 : 99;
// Deletions come last, and items before their containers.
const writes = endpoints.filter(({ method }) => method !== 'GET').sort((a, b) => depth(b) - depth(a));

/** A user with only course permissions cannot write in accounts, and one who has ended their own session cannot write at all. */
const isFor =
  ({ at }: Partial) =>
  ({ path }: Endpoint) =>
    !path.startsWith('/login/') && (at !== 'course' || !path.startsWith('/accounts/'));

interface Target {
  readonly person: Person;
  readonly login: number;
  readonly token: number;
  readonly channel: number;
}

const idOf = async (table: string, { id }: Person): Promise<number> =>
  ((await env.DB.prepare(`select min(id) as id from ${table} where user_id = ?`).bind(id).first()) as { id: number }).id;
/** A user who has suspended themselves continues. */
const letIn = ({ id }: Person) =>
  env.DB.prepare("update logins set workflow_state = 'active' where user_id = ? and workflow_state = 'suspended'").bind(id).run();

const targetOf = async (person: Person): Promise<Target> => ({
  person,
  login: await idOf('logins', person),
  token: await idOf('tokens', person),
  channel: await idOf('communication_channels', person),
});

interface Place {
  readonly scene: FullScene;
  readonly course: BuiltCourse;
  readonly provider: number;
}

/** The address of an endpoint, with a target user or one of their objects. */
function addressOf(endpoint: Endpoint, { scene, course, provider }: Place, { person, login, token, channel }: Target, by: Partial): string {
  const named = pathValuesIn(endpoint, scene);
  const own: Record<string, string | number> = {
    account_id: by.at === 'root' ? 1 : scene.branch.id,
    course_id: course.id,
    section_id: course.section_id,
    user_id: person.id,
    source: person.id,
    destination: by.person.id,
    observee: person.id,
    role: by.role_id,
    token,
    channel,
    provider,
    address: person.login,
    ...(endpoint.path.includes('/logins/:id') && { id: login }),
  };
  // Objects of a course are those of the scene's course.
  const isWithin = /\/(courses|sections)\/:\w+_id\/.*:/.test(endpoint.path);
  const { course_id, section_id, ...rest } = own;
  return fillPath(endpoint, { ...named, ...Object.fromEntries(Object.entries(isWithin ? rest : own).filter(([name]) => name in named)) });
}

/** Writes that grant permissions, or take over a user, unless refused. */
const harmed = [
  'POST /accounts/:account_id/roles',
  'PUT /accounts/:account_id/roles/:role',
  'POST /accounts/:account_id/admins',
  'DELETE /accounts/:account_id/admins/:user_id',
  'POST /accounts/:account_id/logins',
  'PUT /accounts/:account_id/logins/:id',
  'POST /users/:user_id/communication_channels',
  'POST /users/:user_id/tokens',
  'PUT /users/:user_id',
  'POST /courses/:course_id/enrollments',
  'POST /sections/:section_id/enrollments',
  'POST /accounts/:account_id/bulk_enrollment',
  'PUT /accounts/:account_id',
  'PUT /courses/:course_id',
  'PUT /accounts/:account_id/authentication_providers/:provider',
  'DELETE /accounts/:account_id/users',
] as const;

const granted = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, { explicit: true, enabled: true }]));

/** Malicious bodies, by the end of the address. */
function harmful(endpoint: Endpoint, { scene, course }: Place, { person }: Target, by: Partial, whole: Partial): object[] {
  const base_role_type = by.at === 'course' ? 'TaEnrollment' : 'AccountMembership';
  const missing = [...permissions.keys()].filter((name) => !by.holds.has(name));
  const user_id = person.id;
  const unique_id = `${by.person.id}-${user_id}@taken.example.edu`;
  const enrollment = { user_id, enrollment_state: 'active' };
  const bodies: Readonly<Record<(typeof harmed)[number], object[]>> = {
    'POST /accounts/:account_id/roles': [
      { label: unique_id, base_role_type, permissions: granted(missing.slice(0, 1)) },
      { label: unique_id, permissions: granted(missing) },
    ],
    'PUT /accounts/:account_id/roles/:role': [
      ...[0, 1, 2].map((n) => ({ permissions: granted([missing[(by.role_id * 7 + n * 13) % missing.length] as string]) })),
      { permissions: granted(missing) },
    ],
    'POST /accounts/:account_id/admins': [
      { user_id, role_id: 1 },
      { user_id, role_id: whole.role_id },
    ],
    'DELETE /accounts/:account_id/admins/:user_id': [{ role_id: 1 }],
    'POST /accounts/:account_id/logins': [{ user: { id: user_id }, login: { unique_id, password: 'long enough' } }],
    'PUT /accounts/:account_id/logins/:id': [{ login: { password: 'long enough' } }, { login: { unique_id } }],
    'POST /users/:user_id/communication_channels': [
      { communication_channel: { type: 'email', address: unique_id }, skip_confirmation: true },
    ],
    'POST /users/:user_id/tokens': [{ token: { purpose: 'mine' } }],
    'PUT /users/:user_id': [{ user: { email: unique_id, name: 'Mine' } }],
    'POST /courses/:course_id/enrollments': [
      { enrollment: { ...enrollment, type: 'TeacherEnrollment' } },
      { enrollment: { ...enrollment, type: 'TaEnrollment', role_id: whole.role_id } },
    ],
    'POST /sections/:section_id/enrollments': [{ enrollment: { ...enrollment, type: 'DesignerEnrollment' } }],
    'POST /accounts/:account_id/bulk_enrollment': [{ user_ids: [user_id], course_ids: [course.id], enrollment_type: 'TeacherEnrollment' }],
    'PUT /accounts/:account_id': [{ account: { settings: { admins_can_view_notifications: true, admins_can_change_passwords: true } } }],
    'PUT /courses/:course_id': [{ course: { account_id: scene.otherBranch.id } }],
    'PUT /accounts/:account_id/authentication_providers/:provider': [{ token_url: 'https://mine.example.edu/t' }],
    'DELETE /accounts/:account_id/users': [{ user_ids: [user_id] }],
  };
  const title = harmed.find((one) => one === titleOf(endpoint));
  return title ? bodies[title] : [];
}

async function send(method: string, address: string, person: Person, body: object | undefined): Promise<number> {
  const response = await SELF.fetch(`${base}${address}`, {
    method,
    redirect: 'manual',
    headers: { Authorization: `Bearer ${person.token}`, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  } as never);
  await response.arrayBuffer();
  return response.status;
}

/** The bodies to send: malicious ones, and a valid one for the endpoint. */
function bodiesFor(endpoint: Endpoint, place: Place, target: Target, by: Partial, whole: Partial): (object | undefined)[] {
  const known = (name: string) =>
    ['user_id', 'user_ids', 'users', 'student_ids', 'recipients'].includes(name) ? target.person.id : knownIn(place.scene)(name);
  const harm = harmful(endpoint, place, target, by, whole);
  const params = endpoint.options.params ?? {};
  if (endpoint.method === 'DELETE' || Object.keys(params).length === 0) return harm.length > 0 ? harm : [undefined];
  return [...harm, bodiesOf(params, known, seeded(by.role_id)).body(0)];
}

/** All permissions of a user in the scene's contexts. */
async function heldBy({ person }: Partial, { scene, course }: Place): Promise<string[]> {
  const places = ['/accounts/1', `/accounts/${scene.branch.id}`, `/courses/${course.id}`];
  const held: string[] = [];
  for (const place of places) {
    const { status, body } = await as(person).get(`${place}/permissions`);
    if (status === 200) held.push(...Object.entries(body).flatMap(([name, holds]) => (holds === true ? [`${place} ${name}`] : [])));
  }
  return held;
}

test('no write gives a user a missing permission, or affects a user with more permissions', async () => {
  const scene = await aFullScene();
  const { course: fresh } = await aCourse(ground, { account_id: scene.branch.id });
  const courses = [scene.course, fresh];
  const whole = await wholePeople(scene.branch, courses);
  const { id: provider } = ok(
    await as(scene.root).post('/accounts/1/authentication_providers', {
      auth_type: 'openid_connect',
      client_id: 'x',
      token_url: 'https://id.example.edu/t',
    }),
  );
  const login = { unique_id: 'root', authentication_provider_id: provider };
  ok(await as(scene.root).post('/accounts/1/logins', { user: { id: scene.root.id }, login }));
  for (const person of [scene.root, scene.branchAdmin]) await ground.session(person);
  const [chief, elsewhere] = [await targetOf(scene.root), await targetOf(scene.branchAdmin)];
  const scope = await stateBefore();
  const tally = { requests: 0, granted: 0 };
  const broken: string[] = [];

  /** Sends the malicious bodies and a valid one. */
  async function attack(by: Partial, target: Target, endpoint: Endpoint, place: Place, changed: () => Promise<string[]> | string[]) {
    // A user with all permissions in all accounts ranks above one with all permissions in one account.
    const above = by === whole[0] ? [chief.person.id] : [chief.person.id, elsewhere.person.id];
    const strongest = whole.find(({ at }) => at === by.at) as Partial;
    let last = await databaseState(above, scope);
    for (const body of bodiesFor(endpoint, place, target, by, strongest)) {
      const address = addressOf(endpoint, place, target, by);
      tally.requests += 1;
      if ((await send(endpoint.method, address, by.person, body)) >= 400) continue;
      tally.granted += 1;
      const state = await databaseState(above, scope);
      const gained = state.rights === last.rights ? [] : await changed();
      const found = [...(state.above === last.above ? [] : ['touched who holds more']), ...gained];
      if (found.length > 0)
        broken.push(`${by.person.name} ${found.slice(0, 3).join(', ')}: ${endpoint.method} ${address} ${JSON.stringify(body)}`);
      last = state;
    }
  }

  // A user with all permissions who is not a site administrator can do everything that others can: this shows whether someone above is affected.
  expect(harmed.filter((title) => !writes.some((endpoint) => titleOf(endpoint) === title))).toEqual([]);
  const telling = new Set(writes.filter((endpoint) => (harmed as readonly string[]).includes(titleOf(endpoint))));
  const there = { scene, course: scene.course, provider };
  for (const [n, by] of whole.entries())
    for (const endpoint of writes.filter((one) => n === 0 || (telling.has(one) && isFor(by)(one))))
      await attack(by, n === 0 ? chief : elsewhere, endpoint, there, () => {
        telling.add(endpoint);
        return [];
      });

  // No subset of the permissions leads to another one through the writes that change permissions.
  const people = await partialPeople(scene.branch, courses);
  const later = { scene, course: fresh, provider };
  for (const by of people) {
    const held = await heldBy(by, later);
    const self = await targetOf(by.person);
    const gained = async () => (await heldBy(by, later)).filter((one) => !held.includes(one)).map((one) => `gained ${one}`);
    for (const endpoint of [...telling].filter(isFor(by))) {
      // A user who deletes themselves cannot try anything afterwards.
      const isOwnEnd = endpoint.method === 'DELETE' && /users|logins|admins/.test(endpoint.path);
      if (!isOwnEnd) await attack(by, self, endpoint, later, gained);
      await letIn(by.person);
      if (by.at === 'root' && /:user_id|logins|admins/.test(endpoint.path)) await attack(by, elsewhere, endpoint, later, gained);
    }
    // Queued jobs end after their response. A user whose token was revoked on the way would have tried nothing since.
    const late = await gained();
    if (late.length > 0) broken.push(`${by.person.name} in the end ${late.slice(0, 3).join(', ')}`);
    ok(await as(by.person).get('/users/self'));
  }
  console.log(`${tally.requests} requests, ${tally.granted} of them granted; ${telling.size} endpoints change rights`);
  expect(broken).toEqual([]);
  expect(tally.granted).toBeGreaterThan(150);
}, 240_000);
