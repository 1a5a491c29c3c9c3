// Access tokens that users create for themselves.

import { env } from 'cloudflare:test';
import { tokens } from '@carrel/worker/domains/tokens/table';
import { expect, test } from 'vitest';
import { as, ground, many, nth, ok, within } from '../support/api';

test('users create tokens, whose secret is returned once', async () => {
  const person = await ground.person();
  const path = `/users/${person.id}/tokens`;
  const made = ok(
    within(await as(person).post('/users/self/tokens', { token: { purpose: 'My script', scopes: ['url:GET|/api/v1/courses'] } }), 3),
  );
  expect(made).toMatchObject({
    purpose: 'My script',
    app_name: 'User-Generated',
    workflow_state: 'active',
    expires_at: null,
    scopes: ['url:GET|/api/v1/courses'],
  });
  expect(made.visible_token).toHaveLength(64);
  expect(ok(await as({ ...person, token: made.visible_token }).get('/users/self')).id).toBe(person.id);
  const shown = ok(within(await as(person).get(`${path}/${made.id}`), 2));
  expect(shown.visible_token).toBe(`${made.visible_token.slice(0, 5)}...`);
  expect(ok(await as(person).get(`${path}/${encodeURIComponent(shown.visible_token)}`)).id).toBe(made.id);
  const listed = ok(within(await as(person).get('/users/self/user_generated_tokens'), 2));
  expect(listed).toHaveLength(2);
  expect(JSON.stringify(listed)).not.toContain(made.visible_token);
  const stored = await env.DB.prepare('select * from tokens where id = ?').bind(made.id).first();
  expect(JSON.stringify(stored)).not.toContain(made.visible_token);
});

test('a token is renamed, regenerated and deleted', async () => {
  const person = await ground.person();
  const made = ok(await as(person).post('/users/self/tokens', { token: { purpose: 'A', expires_at: '2999-01-01' } }));
  const path = `/users/self/tokens/${made.id}`;
  const hint = made.visible_token.slice(0, 5);
  for (const known of [hint, `${hint}...`]) expect(ok(await as(person).get(`/users/self/tokens/${known}`)).id).toBe(made.id);
  expect(ok(within(await as(person).put(path, { token: { purpose: 'B', expires_at: '' } }), 3))).toMatchObject({
    purpose: 'B',
    expires_at: null,
  });
  const again = ok(await as(person).put(path, { token: { regenerate: true } }));
  expect(again.visible_token).toHaveLength(64);
  ok(await as({ ...person, token: made.visible_token }).get('/users/self'), 401);
  ok(await as({ ...person, token: again.visible_token }).get('/users/self'));
  expect(ok(within(await as(person).del(path), 3)).workflow_state).toBe('deleted');
  ok(await as({ ...person, token: again.visible_token }).get('/users/self'), 401);
  ok(await as(person).get(path), 404);
});

test('a token needs a purpose and a future expiry', async () => {
  const person = await ground.person();
  expect(ok(await as(person).post('/users/self/tokens', { token: { purpose: ' ' } }), 400).errors.purpose[0].type).toBe('blank');
  ok(await as(person).post('/users/self/tokens'), 400);
  ok(await as(person).post('/users/self/tokens', { token: { purpose: 'x'.repeat(256) } }), 400);
  ok(await as(person).post('/users/self/tokens', { token: { purpose: 'x', scopes: ['x'.repeat(501)] } }), 400);
  ok(await as(person).post('/users/self/tokens', { token: { purpose: 'x', expires_at: '2001-01-01' } }), 400);
  const made = ok(await as(person).post('/users/self/tokens', { token: { purpose: 'x', expires_at: '2999-01-01' } }));
  await env.DB.prepare("update tokens set expires_at = '2020-01-01T00:00:00Z' where id = ?").bind(made.id).run();
  ok(await as({ ...person, token: made.visible_token }).get('/users/self'), 401);
  ok(await as(person).put(`/users/self/tokens/${made.id}`, { token: { regenerate: true } }), 400);
  ok(await as(person).put(`/users/self/tokens/${made.id}`, { token: { regenerate: true, expires_at: '2999-01-01' } }));
});

test('no one creates, sees or takes over the tokens of others', async () => {
  const [person, other, admin] = [await ground.person(), await ground.person(), await ground.admin()];
  const made = ok(await as(person).post('/users/self/tokens', { token: { purpose: 'x' } }));
  ok(await as(other).get(`/users/${person.id}/user_generated_tokens`), 401);
  ok(await as(other).post(`/users/${person.id}/tokens`, { token: { purpose: 'x' } }), 401);
  ok(await as(other).get(`/users/self/tokens/${made.id}`), 404);
  const pending = ok(await as(admin).post(`/users/${person.id}/tokens`, { token: { purpose: 'for you' } }));
  expect(pending.workflow_state).toBe('pending');
  ok(await as({ ...person, token: pending.visible_token }).get('/users/self'), 401);
  ok(await as(admin).post(`/users/${person.id}/tokens/${pending.id}/activate`), 401);
  ok(await as(admin).post(`/users/self/tokens/${pending.id}/activate`, { as_user_id: person.id }), 401);
  ok(await as(other).post(`/users/self/tokens/${pending.id}/activate`), 404);
  expect(ok(within(await as(person).post(`/users/self/tokens/${pending.id}/activate`), 3))).toMatchObject({
    workflow_state: 'active',
    visible_token: `${pending.visible_token.slice(0, 5)}...`,
  });
  ok(await as({ ...person, token: pending.visible_token }).get('/users/self'));
  ok(await as(admin).put(`/users/${person.id}/tokens/${made.id}`, { token: { regenerate: true } }), 401);
  ok(await as(admin).post('/users/self/tokens', { as_user_id: person.id, token: { purpose: 'back door' } }), 401);
  ok(await as(admin).del(`/users/${person.id}/tokens/${made.id}`));
});

test('the last use of a token is recorded, at most every ten minutes', async () => {
  const person = await ground.person();
  const used = () => env.DB.prepare('select last_used_at from tokens where user_id = ?').bind(person.id).first('last_used_at');
  const first = await as(person).get('/users/self');
  expect(first.cost.rows_written).toBe(0);
  await expect.poll(used).toMatch(/Z$/);
  await env.DB.prepare("update tokens set last_used_at = '2020-01-01T00:00:00Z' where user_id = ?").bind(person.id).run();
  ok(await as(person).get('/users/self'));
  await expect.poll(used).not.toMatch(/^2020/);
});

test('a list of 10,000 tokens costs as much as a list of ten', async () => {
  const person = await ground.person();
  const small = within(await as(person).get('/users/self/user_generated_tokens'), 2);
  await many(10_000, tokens, { user_id: person.id, token_hash: nth('h'), token_hint: 'h...' });
  const large = within(await as(person).get('/users/self/user_generated_tokens', { per_page: 100 }), 2);
  expect(ok(large)).toHaveLength(100);
  expect(large.cost.rows_read).toBeLessThan(3 * 100 + small.cost.rows_read + 100);
});
