// Developer keys: secrets, and the accounts where they are turned on.

import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import type { Person } from '../support/ground';

const path = '/accounts/1/developer_keys';
let admin: Person;
let teacher: Person;
let faculty: { id: number };
let branchAdmin: Person;

beforeAll(async () => {
  faculty = await ground.account({ name: 'Faculty' });
  [admin, teacher, branchAdmin] = [await ground.admin(), await ground.person(), await ground.admin({ account_id: faculty.id })];
});

const make = async (developer_key: object, account: number | string = 1) =>
  ok(await as(admin).post(`/accounts/${account}/developer_keys`, { developer_key }));

test('an administrator creates a key, and gets its secret once', async () => {
  const made = ok(
    within(
      await as(admin).post(path, {
        developer_key: {
          name: 'Study planner',
          email: 'dev@example.edu',
          redirect_uris: ['https://planner.example.edu/back', 'http://localhost:8080/back'],
          scopes: ['url:GET|/api/v1/courses', 'url:GET|/api/v1/courses/:id', '/auth/userinfo'],
          require_scopes: true,
        },
      }),
      3,
    ),
  );
  expect(made).toMatchObject({
    name: 'Study planner',
    user_id: admin.id,
    user_name: admin.name,
    account_name: 'New Institution',
    workflow_state: 'active',
    require_scopes: true,
    allow_includes: false,
    auto_expire_tokens: true,
    access_token_count: 0,
    last_used_at: null,
    client_type: 'confidential',
    developer_key_account_binding: { account_id: 1, workflow_state: 'on', account_owns_binding: true },
  });
  expect(made.api_key).toHaveLength(64);
  const shown = ok(within(await as(admin).get(`/developer_keys/${made.id}`), 2));
  expect(shown).toEqual({ ...made, api_key: null });
  expect(ok(within(await as(admin).get(path), 2)).map((one: { id: number }) => one.id)).toContain(made.id);
});

test('a key is changed, turned off and on, given a new secret, and deleted', async () => {
  const made = await make({ name: 'A', redirect_uris: 'https://a.example.edu/1\nhttps://a.example.edu/2' });
  expect(made.redirect_uris).toEqual(['https://a.example.edu/1', 'https://a.example.edu/2']);
  const at = `/developer_keys/${made.id}`;
  expect(ok(within(await as(admin).put(at, { developer_key: { name: 'B', notes: '' } }), 3))).toMatchObject({ name: 'B', notes: null });
  expect(ok(await as(admin).put(at, { developer_key_event: 'deactivate' })).workflow_state).toBe('inactive');
  expect(ok(await as(admin).put(at, { developer_key_event: 'activate' })).workflow_state).toBe('active');
  const again = ok(await as(admin).put(at, { developer_key_event: 'regenerate' }));
  expect(again.api_key).toHaveLength(64);
  expect(again.api_key).not.toBe(made.api_key);
  ok(await as(admin).put(at, { developer_key_event: 'explode' }), 400);
  expect(ok(within(await as(admin).del(at), 3)).workflow_state).toBe('deleted');
  ok(await as(admin).get(at), 404);
  ok(await as(admin).del(at), 404);
  ok(await as(admin).put(at, { developer_key: { name: 'C' } }), 404);
});

test('dangerous or meaningless values of a key are refused', async () => {
  const refused = async (developer_key: object, field: string) =>
    expect(ok(await as(admin).post(path, { developer_key }), 400).errors).toHaveProperty(field);
  await refused({ redirect_uris: ['javascript:alert(1)'] }, 'redirect_uris');
  await refused({ redirect_uri: 'data:text/html,x' }, 'redirect_uris');
  await refused({ redirect_uris: ['https://a.example.edu/#part'] }, 'redirect_uris');
  await refused({ redirect_uris: ['/relative'] }, 'redirect_uris');
  await refused({ scopes: ['url:GET|/api/v1/no/such/thing'] }, 'scopes');
  await refused({ redirect_uris: [`https://a.example.edu/${'x'.repeat(2000)}`] }, 'redirect_uris');
  await refused({ redirect_uris: Array.from({ length: 101 }, (_, n) => `https://a.example.edu/${n}`) }, 'redirect_uris');
  await refused({ scopes: ['everything'] }, 'scopes');
  await refused({ name: 'x'.repeat(256) }, 'name');
  await refused({ public_jwk: { kty: 'RSA', n: 'x' } }, 'public_jwk');
  await refused({ public_jwk: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', d: 'private' } }, 'public_jwk');
  await refused({ public_jwk_url: 'http://a.example.edu/jwks' }, 'public_jwk_url');
  const made = await make({ redirect_uris: ['edu.example.app:/back'], public_jwk: '{"kty":"RSA","n":"AQ","e":"AQAB"}' });
  expect(made).toMatchObject({ name: null, public_jwk: { kty: 'RSA', n: 'AQ', e: 'AQAB' } });
});

test('visible keys of the institution are inherited, and each account turns them on or off for itself', async () => {
  const shown = await make({ name: 'Shown', visible: true });
  const hidden = await make({ name: 'Hidden' });
  const own = await make({ name: 'Own' }, faculty.id);
  const ids = async (query: object) =>
    ok(await as(admin).get(`/accounts/${faculty.id}/developer_keys`, query)).map((one: { id: number }) => one.id);
  expect(await ids({})).toEqual([own.id]);
  expect(await ids({ inherited: true })).toEqual([shown.id]);
  const bind = (key: number, workflow_state: string, account: number = faculty.id) =>
    as(admin).post(`/accounts/${account}/developer_keys/${key}/developer_key_account_bindings`, {
      developer_key_account_binding: { workflow_state },
    });
  expect(ok(within(await bind(shown.id, 'off'), 3))).toMatchObject({
    account_id: faculty.id,
    developer_key_id: shown.id,
    workflow_state: 'off',
    account_owns_binding: false,
  });
  expect(ok(await bind(shown.id, 'on')).workflow_state).toBe('on');
  expect(ok(await bind(shown.id, 'allow', 1))).toMatchObject({ workflow_state: 'allow', account_owns_binding: true });
  ok(await bind(hidden.id, 'on'), 404);
  ok(await bind(own.id, 'on', 1), 404);
  ok(await bind(shown.id, 'perhaps'), 400);
  const [listed] = ok(await as(admin).get(`/accounts/${faculty.id}/developer_keys`, { inherited: true }));
  expect(listed.developer_key_account_binding).toMatchObject({ account_id: faculty.id, workflow_state: 'on' });
});

test('only users who manage developer keys of the institution see or change any', async () => {
  const made = await make({ name: 'Mine' });
  for (const person of [teacher, branchAdmin]) {
    ok(await as(person).get(path), 401);
    ok(await as(person).post(path, { developer_key: { name: 'x' } }), 401);
    ok(await as(person).get(`/developer_keys/${made.id}`), 401);
    ok(await as(person).put(`/developer_keys/${made.id}`, { developer_key: { name: 'x' } }), 401);
    ok(await as(person).del(`/developer_keys/${made.id}`), 401);
  }
  ok(await as(branchAdmin).get(`/accounts/${faculty.id}/developer_keys`), 401);
  ok(await as(admin).get('/developer_keys/999999'), 404);
});

test('scopes are the endpoints of the service, grouped by resource on request', async () => {
  const scopes = ok(within(await as(admin).get('/accounts/1/scopes'), 2));
  expect(scopes).toContainEqual({
    resource: 'courses',
    resource_name: 'Courses',
    controller: 'courses',
    action: 'show',
    verb: 'GET',
    path: '/api/v1/courses/:id',
    scope: 'url:GET|/api/v1/courses/:id',
  });
  const names = scopes.map((one: { resource: string }) => one.resource);
  expect(names).toEqual([...names].sort());
  expect(scopes.every((one: { path: string }) => !one.path.startsWith('/login'))).toBe(true);
  const grouped = ok(await as(admin).get('/accounts/1/scopes', { group_by: 'resource_name' }));
  expect(Object.values(grouped).flat()).toHaveLength(scopes.length);
  expect(grouped['Developer Keys'].length).toBeGreaterThan(3);
  expect(Object.keys(ok(await as(admin).get('/accounts/1/scopes', { group_by: 'resource' })))).toContain('developer_keys');
  ok(await as(teacher).get('/accounts/1/scopes'), 401);
  // Every one of them is accepted for a key.
  expect((await make({ scopes: scopes.map((one: { scope: string }) => one.scope) })).scopes).toHaveLength(scopes.length);
});
