// Communication channels and notification preferences.

import { communication_channels } from '@carrel/worker/domains/users/table';
import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { as, base, ground, many, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';

let scene: Awaited<ReturnType<typeof aCourse>>;
let admin: Person;
const own = '/users/self/communication_channels';

beforeAll(async () => {
  scene = await aCourse(ground);
  admin = await ground.admin();
});

const add = (person: Person, type: string, address: string, more: object = {}, path = own) =>
  as(person).post(path, { communication_channel: { type, address }, ...more });

test('a user lists, adds and removes communication channels', async () => {
  const { student, teacher } = scene;
  const [first] = ok(within(await as(student).get(own), 2));
  expect(first).toEqual({
    id: first.id,
    address: student.login,
    type: 'email',
    position: 1,
    user_id: student.id,
    workflow_state: 'active',
    created_at: expect.any(String),
  });
  const made = ok(within(await add(student, 'email', 'Sam@home.example'), 3));
  expect(made).toMatchObject({
    address: 'Sam@home.example',
    type: 'email',
    position: 2,
    workflow_state: 'unconfirmed',
    user_id: student.id,
  });
  expect(ok(await add(student, 'email', 'sam@HOME.example'), 400).errors.address[0].type).toBe('taken');
  expect(ok(await add(student, 'email', 'nowhere'), 400).errors.address[0].type).toBe('invalid');
  expect(ok(await add(student, 'email', ''), 400).errors.address[0].type).toBe('blank');
  ok(await add(student, 'sms', '+46 70 123 45 67'));
  ok(await add(student, 'pigeon', 'x'), 400);
  ok(await as(student).post(own), 400);
  ok(await as(teacher).get(`/users/${student.id}/communication_channels`), 401);
  ok(await add(teacher, 'email', 'not@mine.example', {}, `/users/${student.id}/communication_channels`), 401);
  expect(ok(await as(student).get(own)).map((one: { type: string }) => one.type)).toEqual(['email', 'email', 'sms']);
  expect(ok(within(await as(student).del(`${own}/${made.id}`), 3))).toMatchObject({ id: made.id, workflow_state: 'deleted' });
  ok(await as(student).del(`${own}/${made.id}`), 404);
  expect(ok(await as(student).del(`${own}/sms/${encodeURIComponent('+46 70 123 45 67')}`)).workflow_state).toBe('deleted');
  ok(await as(student).del(`${own}/sms/nobody`), 404);
  expect(ok(await as(student).get(own))).toHaveLength(1);
  ok(await add(student, 'email', 'Sam@home.example'));
});

test('a user who manages logins adds confirmed addresses, and sees which ones bounce', async () => {
  const { student2 } = scene;
  const theirs = `/users/${student2.id}/communication_channels`;
  expect(ok(await add(admin, 'email', 'sue@home.example', { skip_confirmation: true }, theirs))).toMatchObject({
    workflow_state: 'active',
    bouncing: false,
    bounce_count: 0,
    last_bounce_at: null,
  });
  expect(ok(await add(student2, 'email', 'sue@work.example', { skip_confirmation: true })).workflow_state).toBe('unconfirmed');
});

test('only the institution can remove an address that it has set', async () => {
  const { stranger } = scene;
  const [{ id }] = ok(await as(stranger).get(own));
  const { env } = await import('cloudflare:test');
  await env.DB.prepare('update logins set sis_communication_channel_id = ? where user_id = ?').bind(id, stranger.id).run();
  ok(await as(stranger).del(`${own}/${id}`), 403);
  expect(ok(await as(admin).del(`/users/${stranger.id}/communication_channels/${id}`)).workflow_state).toBe('deleted');
});

test('no one has more than fifty addresses', async () => {
  const person = await ground.person();
  await many(50, communication_channels, { user_id: person.id, address: sql`'a' || n || '@x.example'` });
  ok(await add(person, 'email', 'one@too.many'), 400);
});

test('one address added twice at once is added once', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => add(scene.ta, 'email', 'tim@home.example')));
  expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true);
  expect(ok(await as(scene.ta).get(own)).filter((one: { address: string }) => one.address === 'tim@home.example')).toHaveLength(1);
});

test('devices are one channel, and each is removed by its token', async () => {
  const { designer } = scene;
  const push = (token?: string) => as(designer).post(own, { communication_channel: { type: 'push', address: 'ignored', token } });
  ok(await push(), 400);
  const made = ok(await push('device-1'));
  expect(made).toMatchObject({ type: 'push', address: 'push', workflow_state: 'active' });
  expect(ok(await push('device-2')).id).toBe(made.id);
  expect(ok(within(await as(designer).del(`${own}/push`, { push_token: 'device-1' }), 3))).toEqual({ success: true });
});

test('an address is confirmed once, by the code sent to it', async () => {
  const { observer } = scene;
  const { env } = await import('cloudflare:test');
  const made = ok(await add(observer, 'email', 'olive@home.example'));
  const code = await env.DB.prepare('select confirmation_code from communication_channels where id = ?')
    .bind(made.id)
    .first<string>('confirmation_code');
  const at = `${base}/register/${code}`;
  expect((await as().get(at)).body).toContain('Confirm');
  const channels = async () => ok(await as(observer).get(own)) as { id: number; workflow_state: string }[];
  const state = async () => (await channels()).find((one) => one.id === made.id)?.workflow_state;
  expect(await state()).toBe('unconfirmed');
  expect((await as().post(at)).status).toBe(200);
  expect(await state()).toBe('active');
  expect((await as().post(at)).status).toBe(404);
  expect((await as().get(at)).status).toBe(404);
});

test('an address that replaces the first one can be confirmed', async () => {
  const { observer } = scene;
  ok(await as(admin).put(`/users/${observer.id}`, { user: { email: 'olive@new.example' } }));
  const { env } = await import('cloudflare:test');
  const code = await env.DB.prepare(
    "select confirmation_code from communication_channels where address = 'olive@new.example'",
  ).first<string>('confirmation_code');
  expect((await as().post(`${base}/register/${code}`)).status).toBe(200);
  const channels = ok(await as(observer).get(own)) as { address: string; workflow_state: string }[];
  expect(channels.find(({ address }) => address === 'olive@new.example')?.workflow_state).toBe('active');
});

test('every notification has a category and a default frequency', async () => {
  const { student } = scene;
  const [{ id }] = ok(await as(student).get(own));
  const listed = ok(within(await as(student).get(`${own}/${id}/notification_preferences`), 2)).notification_preferences;
  const of = (name: string) => listed.find((one: { notification: string }) => one.notification === name);
  expect(of('new_announcement')).toEqual({
    href: `${base}/api/v1/users/${student.id}/communication_channels/${id}/notification_preferences/new_announcement`,
    notification: 'new_announcement',
    category: 'announcement',
    frequency: 'immediately',
  });
  expect(of('assignment_created')).toMatchObject({ category: 'due_date', frequency: 'weekly' });
  expect(of('new_discussion_entry').frequency).toBe('daily');
  expect(of('new_file_added').frequency).toBe('never');
  const categories = ok(within(await as(student).get(`${own}/${id}/notification_preference_categories`), 2)).categories;
  expect(categories).toContain('announcement');
  expect(new Set(listed.map((one: { category: string }) => one.category))).toEqual(new Set(categories));
  ok(await as(scene.teacher).get(`/users/${student.id}/communication_channels/${id}/notification_preferences`), 401);
  ok(await as(admin).get(`/users/${student.id}/communication_channels/${id}/notification_preferences`));
  const byAddress = ok(await as(student).get(`${own}/email/${encodeURIComponent(student.login)}/notification_preferences`));
  expect(byAddress.notification_preferences).toEqual(listed);
});

test('the frequency of a channel is set one by one, together, or by category', async () => {
  const { student2 } = scene;
  const [{ id }] = ok(await as(student2).get(own));
  const at = `${own}/${id}`;
  const chosen = { notification_preferences: { frequency: 'weekly' } };
  expect(
    ok(within(await as(student2).put(`${at}/notification_preferences/new_announcement`, chosen), 3)).notification_preferences,
  ).toMatchObject([{ notification: 'new_announcement', frequency: 'weekly' }]);
  expect(
    ok(within(await as(student2).get(`${at}/notification_preferences/new_announcement`), 2)).notification_preferences[0].frequency,
  ).toBe('weekly');
  const many = {
    notification_preferences: {
      new_file_added: { frequency: 'daily' },
      submission_graded: { frequency: 'never' },
      nonsense: { frequency: 'daily' },
    },
  };
  const changed = ok(within(await as(student2).put(`${at}/notification_preferences`, many), 3)).notification_preferences;
  expect(changed.map((one: { notification: string; frequency: string }) => [one.notification, one.frequency])).toEqual([
    ['new_file_added', 'daily'],
    ['submission_graded', 'never'],
  ]);
  const category = ok(
    within(await as(student2).put(`${at}/notification_preference_categories/grading`, chosen), 3),
  ).notification_preferences;
  expect(new Set(category.map((one: { category: string; frequency: string }) => `${one.category} ${one.frequency}`))).toEqual(
    new Set(['grading weekly']),
  );
  const address = encodeURIComponent(student2.login);
  ok(
    await as(student2).put(`${own}/email/${address}/notification_preferences/new_file_added`, {
      notification_preferences: { frequency: 'never' },
    }),
  );
  ok(await as(student2).put(`${own}/email/${address}/notification_preferences`, many));
  expect(
    ok(await as(student2).get(`${own}/email/${address}/notification_preferences/new_file_added`)).notification_preferences[0].frequency,
  ).toBe('daily');
  ok(await as(student2).put(`${at}/notification_preferences/new_announcement`, { notification_preferences: { frequency: 'hourly' } }), 400);
  ok(await as(student2).put(`${at}/notification_preferences/new_announcement`), 400);
  ok(await as(student2).put(`${at}/notification_preferences/nonsense`, chosen), 404);
  ok(await as(student2).put(`${at}/notification_preference_categories/constructor`, chosen), 404);
  ok(await as(student2).put(`${own}/999999/notification_preferences/new_announcement`, chosen), 404);
  ok(await as(admin).put(`/users/${student2.id}/communication_channels/${id}/notification_preferences/new_announcement`, chosen), 401);
});
