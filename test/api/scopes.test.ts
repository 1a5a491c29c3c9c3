// Tokens limited to scopes.

import { env } from 'cloudflare:test';
import { tokens } from '@carrel/worker/domains/tokens/table';
import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';

let admin: Person;
let scene: Awaited<ReturnType<typeof aCourse>>;

beforeAll(async () => {
  admin = await ground.admin();
  scene = await aCourse(ground);
});

const everything = {
  require_scopes: true,
  scopes: ['url:GET|/api/v1/courses/:id', 'url:GET|/api/v1/courses', 'url:GET|/api/v1/users/:id'],
};
const keyOf = async (developer_key: object, account = 1) =>
  ok(await as(admin).post(`/accounts/${account}/developer_keys`, { developer_key })) as { id: number };

/** A user with a token of an application. */
async function holding(key: { id: number }, scopes: string[], person?: Person): Promise<Person> {
  const who = person ?? (await ground.person());
  await env.DB.prepare('update tokens set developer_key_id = ?, scopes = ? where user_id = ?')
    .bind(key.id, JSON.stringify(scopes), who.id)
    .run();
  return who;
}

const insufficient = { errors: [{ message: 'Insufficient scopes on access token.' }] };

test('a token of a key with enforced scopes gives access to its scopes only', async () => {
  const { course, student } = scene;
  const person = await holding(await keyOf(everything), ['url:GET|/api/v1/courses/:course_id', 'url:GET|/api/v1/users/:id'], student);
  const client = as(person);
  ok(within(await client.get(`/courses/${course.id}`), 2));
  ok(await client.get(`/courses/${course.id}.json`));
  ok(await client.get(`/courses/${course.id}/`));
  ok(await client.get('/courses/sis_course_id%3Anone'), 404);
  ok(await client.get('/users/self'));
  expect((await client.head(`/courses/${course.id}`)).status).toBe(200);
  const refused = await client.get('/courses');
  expect(ok(refused, 401)).toEqual(insufficient);
  expect(refused.headers.get('www-authenticate')).toBeNull();
  ok(await client.get(`/courses/${course.id}/assignments`), 401);
  ok(await client.put(`/courses/${course.id}`, { course: { name: 'x' } }), 401);
  expect(ok(await client.post('/users/self/tokens', { token: { purpose: 'without limits' } }), 401)).toEqual(insufficient);
  expect(ok(await client.get('/api/sync/v1/changes'), 401)).toEqual(insufficient);
});

test('removing a scope from a key limits its existing tokens', async () => {
  const key = await keyOf(everything);
  const client = as(await holding(key, ['url:GET|/api/v1/courses']));
  ok(await client.get('/courses'));
  ok(await as(admin).put(`/developer_keys/${key.id}`, { developer_key: { scopes: ['url:GET|/api/v1/users/:id'] } }));
  ok(await client.get('/courses'), 401);
});

test('scopes apply only where the key enforces them', async () => {
  const client = as(await holding(await keyOf({ scopes: everything.scopes }), ['url:GET|/api/v1/courses']));
  ok(await client.get('/users/self'));
});

test('a scoped token cannot use includes, unless its key allows it', async () => {
  const { course, teacher } = scene;
  const key = await keyOf({ ...everything, scopes: ['url:GET|/api/v1/courses/:id'] });
  const client = as(await holding(key, ['url:GET|/api/v1/courses/:id'], teacher));
  const ask = async () => ok(await client.get(`/courses/${course.id}`, { include: ['term', 'total_students'] }));
  expect(await ask()).not.toHaveProperty('term');
  ok(await as(admin).put(`/developer_keys/${key.id}`, { developer_key: { allow_includes: true } }));
  expect(await ask()).toHaveProperty('term');
});

test('a token gives no access while its key is turned off, inactive or deleted', async () => {
  const faculty = await ground.account();
  const key = await keyOf({ name: 'Of a faculty' }, faculty.id);
  const client = as(await holding(key, []));
  const bind = async (account: number, workflow_state: string) =>
    ok(
      await as(admin).post(`/accounts/${account}/developer_keys/${key.id}/developer_key_account_bindings`, {
        developer_key_account_binding: { workflow_state },
      }),
    );
  const opens = async (status: number) => {
    const answer = await client.get('/users/self');
    ok(answer, status);
    if (status === 401) expect(answer.headers.get('www-authenticate')).toContain('Bearer');
  };
  await opens(200);
  await bind(faculty.id, 'off');
  await opens(401);
  await bind(faculty.id, 'on');
  await opens(200);
  ok(await as(admin).put(`/developer_keys/${key.id}`, { developer_key_event: 'deactivate' }));
  await opens(401);
  ok(await as(admin).put(`/developer_keys/${key.id}`, { developer_key_event: 'activate' }));
  await opens(200);
  ok(await as(admin).del(`/developer_keys/${key.id}`));
  await opens(401);
});

test('a key has the number of its tokens, and the time of last use', async () => {
  const key = await keyOf({ name: 'Counted' });
  const shown = async () => ok(await as(admin).get(`/developer_keys/${key.id}`));
  const [one, two] = [await ground.person(), await ground.person()];
  const tokenOf = ({ id }: Person) => ({
    user_id: id,
    developer_key_id: key.id,
    token_hash: `of ${id}`,
    token_hint: 'x',
    created_at: '',
    updated_at: '',
  });
  await ground.db.insert(tokens).values([tokenOf(one), tokenOf(two)]);
  expect(await shown()).toMatchObject({ access_token_count: 2, last_used_at: null });
  await env.DB.prepare("update tokens set workflow_state = 'deleted', last_used_at = '2026-10-01T00:00:00Z' where token_hash = ?")
    .bind(`of ${one.id}`)
    .run();
  expect(await shown()).toMatchObject({ access_token_count: 1, last_used_at: '2026-10-01T00:00:00Z' });
});

test('a token of an application is listed under its name, apart from manually created ones, and cannot be regenerated manually', async () => {
  const person = await ground.person();
  await holding(await keyOf({ name: 'Planner' }), [], person);
  expect(ok(await as(person).get('/users/self/user_generated_tokens'))).toEqual([]);
  const [{ id }] = ok(within(await as(person).get('/users/self/user_generated_tokens', { applications: true }), 2));
  expect(ok(within(await as(person).get(`/users/self/tokens/${id}`), 2))).toMatchObject({
    app_name: 'Planner',
    can_manually_regenerate: false,
  });
  ok(await as(person).put(`/users/self/tokens/${id}`, { token: { regenerate: true } }), 400);
  ok(await as(person).del(`/users/self/tokens/${id}`));
  ok(await as(person).get('/users/self'), 401);
});
