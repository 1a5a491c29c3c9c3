// Logins, passwords and user settings.

import { env, SELF } from 'cloudflare:test';
import { logins } from '@carrel/worker/domains/users/table';
import { tick } from '@carrel/worker/schedule';
import { expect, test } from 'vitest';
import { as, base, ground, many, noteRoute, nth, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

type Login = { id: number; unique_id: string };
const path = '/accounts/1/logins';

test('users see their own logins, and administrators see them, too', async () => {
  const { student, student2, teacher } = await aCourse(ground);
  const admin = await ground.admin();
  const mine = ok(within(await as(student).get('/users/self/logins'), 2));
  expect(mine).toMatchObject([{ user_id: student.id, account_id: 1, unique_id: student.login, workflow_state: 'active' }]);
  expect(mine[0]).not.toHaveProperty('sis_user_id');
  expect(JSON.stringify(mine)).not.toContain('password');
  expect(ok(await as(student).get(path))).toEqual(mine);
  expect(ok(within(await as(admin).get(path, { user: { id: student.id } }), 2))[0]).toMatchObject({ id: mine[0].id, sis_user_id: null });
  ok(await as(student2).get(`/users/${student.id}/logins`), 401);
  ok(await as(student2).get(path, { user: { id: student.id } }), 401);
  ok(await as(teacher).get(`/users/${student.id}/logins`), 401);
});

test('an administrator creates, changes and deletes logins', async () => {
  const admin = await ground.admin();
  const person = await ground.person({ login: 'first@example.edu' });
  const other = await ground.person();
  const faculty = await ground.account();
  const make = (login: object, account: string | number = 1) =>
    as(admin).post(`/accounts/${account}/logins`, { user: { id: person.id }, login });
  const made = ok(within(await make({ unique_id: 'second', sis_user_id: 'S2', declared_user_type: 'staff', password: 'long enough' }), 3));
  expect(made).toMatchObject({ unique_id: 'second', sis_user_id: 'S2', declared_user_type: 'staff', user_id: person.id });
  expect(ok(await make({ unique_id: 'FIRST@example.edu' }), 400).errors.unique_id[0].type).toBe('taken');
  expect(ok(await make({ unique_id: 'third', sis_user_id: 'S2' }), 400).errors.sis_user_id[0].type).toBe('taken');
  expect(ok(await make({ unique_id: ' ' }), 400).errors.unique_id[0].type).toBe('blank');
  expect(ok(await make({ unique_id: 'x', password: 'short' }), 400).errors.password[0].type).toBe('too_short');
  ok(await make({ unique_id: 'x' }, faculty.id), 400);
  ok(await as(person).post(path, { user: { id: person.id }, login: { unique_id: 'mine' } }), 401);
  ok(await as(admin).post(path, { user: { id: 999_999 }, login: { unique_id: 'x' } }), 404);

  const at = `${path}/${made.id}`;
  expect(
    ok(within(await as(admin).put(at, { login: { unique_id: 'renamed', sis_user_id: '', workflow_state: 'suspended' } }), 3)),
  ).toMatchObject({
    unique_id: 'renamed',
    sis_user_id: null,
    workflow_state: 'suspended',
  });
  const again = { login: { unique_id: 'from elsewhere', declared_user_type: 'teacher' } };
  expect(ok(await as(admin).put(at, { ...again, override_sis_stickiness: false }))).toMatchObject({
    unique_id: 'renamed',
    declared_user_type: 'teacher',
  });
  expect(ok(await as(admin).put(at, {}), 400)).toBeNull();
  ok(await as(admin).put(at, { login: { workflow_state: 'gone' } }), 400);
  ok(await as(person).put(at, { login: { unique_id: 'mine' } }), 401);
  ok(await as(other).put(at, { login: { password: 'long enough' } }), 401);
  ok(await as(admin).put(at, { login: { password: 'long enough' } }), 401);

  ok(await as(admin).del(`/users/${other.id}/logins/${made.id}`), 404);
  expect(ok(within(await as(admin).del(`/users/${person.id}/logins/${made.id}`), 3)).workflow_state).toBe('deleted');
  const [last] = ok(await as(person).get('/users/self/logins'));
  expect(ok(await as(person).del(`/users/self/logins/${last.id}`), 400).errors.base).toBeDefined();
});

test('users change their password by giving the old one', async () => {
  const person = await ground.person({ password: 'the old one' });
  const [login] = ok(await as(person).get('/users/self/logins')) as Login[];
  const at = `${path}/${login?.id}`;
  ok(await as(person).put(at, { login: { password: 'the new one', old_password: 'a guess' } }), 401);
  ok(await as(person).put(at, { login: { password: 'short', old_password: 'the old one' } }), 400);
  ok(await as(person).put(at, { login: { password: 'the new one', old_password: 'the old one' } }));
  ok(await as(person).put(at, { login: { password: 'another one', old_password: 'the old one' } }), 401);
});

test('password attempts with a token are throttled like sign-ins', async () => {
  const person = await ground.person({ password: 'the old one' });
  const [login] = ok(await as(person).get('/users/self/logins')) as Login[];
  const change = (old_password: string) => as(person).put(`${path}/${login?.id}`, { login: { password: 'the new one', old_password } });
  for (let guess = 0; guess < 10; guess += 1) ok(await change(`guess ${guess}`), 401);
  expect(ok(await change('the old one'), 429).message).toBeDefined();
});

test("a password reset request returns nothing; the reader of the user's email sets a new password once", async () => {
  const person = await ground.person({ login: 'Forgetful@example.edu', password: 'gone with the wind' });
  const admin = await ground.admin();
  const ask = (unique_id_forgot: string) => as().post('/users/reset_password', { pseudonym_session: { unique_id_forgot } });
  const [known, unknown] = [await ask('forgetful@EXAMPLE.edu'), await ask('nobody@example.edu')];
  expect([ok(within(known, 3)), ok(within(unknown, 3))]).toEqual([{ requested: true }, { requested: true }]);
  const browse = async (address: string, form?: Record<string, string>) => {
    const response = await SELF.fetch(`${base}${address}`, {
      ...(form && { method: 'POST', body: new URLSearchParams(form), headers: { Origin: base } }),
      redirect: 'manual',
    } as never);
    noteRoute(response.headers, response.status);
    return { status: response.status, text: await response.text() };
  };
  const shown = await browse('/login/forgotten?unique_id=%22%3E');
  expect([shown.status, shown.text.includes('value="&#34;&#62;"')]).toEqual([200, true]);
  const asked = { 'pseudonym_session[unique_id_forgot]': person.login };
  expect((await browse('/login/forgotten', asked)).text).toBe((await browse('/login/forgotten', { ...asked, x: '1' })).text);
  await tick(env as never, Date.now() + 60_000);
  const messages = await env.DB.prepare('select user_id, "to", body from comm_messages').all<{
    user_id: number;
    to: string;
    body: string;
  }>();
  expect(messages.results).toEqual([{ user_id: person.id, to: person.login, body: expect.stringMatching(/\/login\/forgotten\/\w{40}$/) }]);
  // Reading a stored email does not give access.
  expect(ok(await as(admin).get('/comm_messages', { user_id: person.id }))).toEqual([]);

  const link = /\/login\/forgotten\/\w{40}/.exec(messages.results[0]?.body ?? '')?.[0] ?? '';
  const choose = (password: string, again = password) => browse(link, { password, again });
  expect((await browse(link)).text).toContain('autocomplete="new-password"');
  expect((await browse(`${link}x`)).status).toBe(404);
  expect([(await choose('short')).status, (await choose('long enough', 'not the same')).status]).toEqual([400, 400]);
  const saved = await Promise.all([choose('frankly my dear'), choose('frankly my dear')]);
  expect(saved.map(({ status }) => status).sort()).toEqual([200, 404]);
  expect((await browse(link)).status).toBe(404);
  const [login] = ok(await as(person).get('/users/self/logins')) as Login[];
  const old = (old_password: string) => as(person).put(`${path}/${login?.id}`, { login: { password: 'another one', old_password } });
  ok(await old('gone with the wind'), 401);
  ok(await old('frankly my dear'));
  // Repeated requests send no further emails.
  for (let times = 0; times < 12; times += 1) ok(await ask(person.login));
  await env.DB.prepare("update password_resets set code = 'kept'").run();
  ok(await ask(person.login));
  expect(await env.DB.prepare('select code from password_resets').first('code')).toBe('kept');
});

test('users keep settings, colours and the positions of their course cards', async () => {
  const { course, student, student2 } = await aCourse(ground);
  expect(ok(await as(student).get('/users/self/settings')).collapse_global_nav).toBe(false);
  expect(ok(within(await as(student).put('/users/self/settings', { collapse_global_nav: true }), 3))).toMatchObject({
    collapse_global_nav: true,
    manual_mark_as_read: false,
  });
  ok(await as(student).put('/users/self/settings', { manual_mark_as_read: true }));
  expect(ok(await as(student).get('/users/self/settings'))).toMatchObject({ collapse_global_nav: true, manual_mark_as_read: true });
  ok(await as(student2).put(`/users/${student.id}/settings`, { collapse_global_nav: false }), 401);

  const code = `course_${course.id}`;
  ok(await as(student).get(`/users/self/colors/${code}`), 404);
  expect(ok(await as(student).put(`/users/self/colors/${code}`, { hexcode: 'abc123' }))).toEqual({ hexcode: '#abc123' });
  expect(ok(await as(student).get(`/users/self/colors/${code}`))).toEqual({ hexcode: '#abc123' });
  expect(ok(await as(student).get('/dashboard/dashboard_cards'))[0].color).toBe('#abc123');
  expect(ok(await as(student).get('/users/self/colors'))).toEqual({ custom_colors: { [code]: '#abc123' } });
  ok(await as(student).put(`/users/self/colors/${code}`, { hexcode: 'blue' }), 400);
  ok(await as(student2).get(`/users/${student.id}/colors`), 401);

  expect(ok(await as(student).put('/users/self/dashboard_positions', { dashboard_positions: { [code]: 2 } }))).toEqual({
    dashboard_positions: { [code]: 2 },
  });
  expect(ok(await as(student).get('/users/self/dashboard_positions'))).toEqual({ dashboard_positions: { [code]: 2 } });
  ok(await as(student).put('/users/self/dashboard_positions', { dashboard_positions: { [code]: 2000 } }), 400);
  expect(ok(await as(student).get('/users/self/avatars'))[0].type).toBe('no_pic');
});

test('a list of 10,000 logins costs as much as a list of ten', async () => {
  const person = await ground.person();
  const admin = await ground.admin();
  const list = `/users/${person.id}/logins`;
  const small = within(await as(admin).get(list), 2);
  await many(10_000, logins, { user_id: person.id, account_id: 1, unique_id: nth('many') });
  const large = within(await as(admin).get(list, { per_page: 100 }), 2);
  expect(ok(large)).toHaveLength(100);
  expect(large.cost.rows_read).toBeLessThan(3 * 100 + small.cost.rows_read + 100);
});
