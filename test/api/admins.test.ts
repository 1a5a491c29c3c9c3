// Administrators: who appoints them, and which roles they may grant.

import { admins } from '@carrel/worker/domains/admins/table';
import { users } from '@carrel/worker/domains/users/table';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { as, ground, many, nth, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

const path = '/accounts/1/admins';

test('an administrator appoints another one, lists them and removes the role', async () => {
  const admin = await ground.admin();
  const person = await ground.person({ name: 'Nell Next', sis_user_id: 'nell' });
  const { teacher } = await aCourse(ground);
  ok(await as(person).get('/accounts/1/users'), 401);
  const made = ok(within(await as(admin).post(path, { user_id: 'sis_user_id:nell' }), 3));
  expect(made).toMatchObject({ role: 'AccountAdmin', role_id: 1, workflow_state: 'active', user: { id: person.id, name: 'Nell Next' } });
  expect(ok(await as(admin).post(path, { user_id: person.id })).id).toBe(made.id);
  ok(await as(person).get('/accounts/1/users'));
  expect(ok(within(await as(admin).get(path, { user_id: [person.id] }), 2)).map((one: { id: number }) => one.id)).toEqual([made.id]);
  expect(ok(await as(admin).get(path, { search_term: 'nell' }))).toHaveLength(1);
  ok(await as(admin).get(path, { search_term: 'n' }), 400);
  expect(ok(await as(person).get(`${path}/self`))[0].id).toBe(made.id);
  expect(ok(await as(teacher).get(`${path}/self`))).toEqual([]);
  expect(ok(within(await as(admin).del(`${path}/${person.id}`), 3)).workflow_state).toBe('deleted');
  ok(await as(admin).del(`${path}/${person.id}`), 404);
  ok(await as(person).get('/accounts/1/users'), 401);
  expect(ok(await as(admin).get(path, { user_id: [person.id], include_deleted: true }))).toHaveLength(1);
  expect(ok(await as(admin).post(path, { user_id: person.id })).id).toBe(made.id);
});

test('no one grants more permissions than they have', async () => {
  const admin = await ground.admin();
  const person = await ground.person();
  const { teacher } = await aCourse(ground);
  const role = ok(
    await as(admin).post('/accounts/1/roles', {
      label: 'Clerk',
      permissions: { manage_account_memberships: { explicit: true, enabled: true } },
    }),
  );
  const clerk = await ground.admin({ role_id: role.id });
  ok(await as(clerk).post(path, { user_id: person.id }), 401);
  expect(ok(await as(clerk).post(path, { user_id: person.id, role_id: role.id })).role).toBe('Clerk');
  expect(ok(await as(clerk).del(`${path}/${person.id}`, { role: 'Clerk' })).role_id).toBe(role.id);
  ok(await as(clerk).del(`${path}/${admin.id}`), 401);
  ok(await as(teacher).post(path, { user_id: person.id }), 401);
  ok(await as(admin).post(path, { user_id: 999_999 }), 404);
  ok(await as(admin).post(path), 400);
  ok(await as(admin).post(path, { user_id: person.id, role_id: 4 }), 400);
});

test('a list of 10,000 administrators costs as much as a list of ten', async () => {
  const admin = await ground.admin();
  const small = within(await as(admin).get(path, { per_page: 100 }), 2);
  await many(10_000, users, { name: nth('P'), sortable_name: nth('P'), short_name: nth('P'), uuid: nth('p') });
  await many(10_000, admins, { account_id: 1, user_id: sql`(select id from users where uuid = 'p' || n)`, role_id: 1 });
  const large = within(await as(admin).get(path), 2);
  expect(ok(large)).toHaveLength(10);
  expect(large.cost.rows_read).toBeLessThan(100 + 2 * small.cost.rows_read);
});
