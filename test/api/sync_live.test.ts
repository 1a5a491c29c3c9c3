// The notify socket of the sync feed.

import { env, SELF } from 'cloudflare:test';
import { newMeter, open } from '@carrel/worker/database/open';
import { signalDueChanges } from '@carrel/worker/live/due_changes';
import { expect, test, vi } from 'vitest';
import { as, base, ground, ok } from '../support/api';
import { aCourse } from '../support/ground';
import { openSocket } from '../support/live_socket';

const liveUsers = async () =>
  (await env.DB.prepare('select user_id from live_users').all<{ user_id: number }>()).results.map((row) => row.user_id);

test('a write in a course notifies its connected members, and no one else', async () => {
  const { course, teacher, student, stranger } = await aCourse(ground);
  const [member, outsider] = [await openSocket(student), await openSocket(stranger)];
  // Changes are found by the second in which a write began, so the setup must not be in that second.
  await env.DB.prepare('delete from log_marks').run();
  ok(await as(teacher).post(`/courses/${course.id}/assignment_groups`, { name: 'Labs' }));
  await vi.waitFor(() => expect(member.heard).toContainEqual(expect.objectContaining({ type: 'changed' })), { timeout: 20_000 });
  expect(outsider.heard).toEqual([]);
});

test('values computed after a write notify, too', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const at = `/courses/${course.id}`;
  ok(await as(teacher).post(`${at}/pages`, { wiki_page: { title: 'Welcome', published: true } }));
  const module = ok(await as(teacher).post(`${at}/modules`, { module: { name: 'One' } }));
  const asked = { type: 'Page', page_url: 'welcome', completion_requirement: { type: 'must_view' } };
  const item = ok(await as(teacher).post(`${at}/modules/${module.id}/items`, { module_item: asked }));
  ok(await as(teacher).put(`${at}/modules/${module.id}`, { module: { published: true } }));
  await as(student).get(`${at}/modules`);
  const { heard } = await openSocket(student);
  await env.DB.prepare('delete from log_marks').run();
  ok(await as(student).post(`${at}/modules/${module.id}/items/${item.id}/mark_read`));
  await vi.waitFor(() => expect(heard).toContainEqual(expect.objectContaining({ type: 'changed' })), { timeout: 20_000 });
});

test('viewing a required page in another client notifies the connected one', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const at = `/courses/${course.id}`;
  ok(await as(teacher).post(`${at}/pages`, { wiki_page: { title: 'Welcome', published: true } }));
  const module = ok(await as(teacher).post(`${at}/modules`, { module: { name: 'One' } }));
  const asked = { type: 'Page', page_url: 'welcome', completion_requirement: { type: 'must_view' } };
  ok(await as(teacher).post(`${at}/modules/${module.id}/items`, { module_item: asked }));
  ok(await as(teacher).put(`${at}/modules/${module.id}`, { module: { published: true } }));
  await as(student).get(`${at}/modules`);
  await vi.waitFor(async () => expect(ok(await as(student).get(`${at}/modules`))[0].state).toBe('unlocked'), { timeout: 20_000 });
  const { heard } = await openSocket(student);
  await env.DB.prepare('delete from log_marks').run();
  ok(await as(student).get(`${at}/pages/welcome`));
  await vi.waitFor(() => expect(heard).toContainEqual(expect.objectContaining({ type: 'changed' })), { timeout: 20_000 });
  expect(ok(await as(student).get(`${at}/modules`))[0].state).toBe('completed');
});

test('what unlocks at a time notifies those who see it, once and without a write', async () => {
  const { course, teacher, student, stranger } = await aCourse(ground);
  const in2100 = (minute: number) => `2100-05-01T08:${minute}:00Z`;
  const give = (given: object) => as(teacher).post(`/courses/${course.id}/assignments`, { assignment: { published: true, ...given } });
  for (const minute of [30, 40]) ok(await give({ name: `Opens at ${minute}`, unlock_at: in2100(minute) }), 201);
  // Look-ups of these writes find nothing any more.
  await env.DB.prepare('delete from log_marks').run();
  const [member, outsider] = [await openSocket(student), await openSocket(stranger)];
  const tick = async (minute: number) => {
    await signalDueChanges({ env, db: open(env.DB, newMeter(), 'first-primary'), now: in2100(minute) });
    // At most one signal a second.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    return [member.heard.splice(0).length, outsider.heard.length];
  };
  await tick(20);
  expect([await tick(29), await tick(30), await tick(31), await tick(39), await tick(40)]).toEqual([
    [0, 0],
    [1, 0],
    [0, 0],
    [0, 0],
    [1, 0],
  ]);
});

test('a closed socket is removed, an open one answers a ping', async () => {
  const { student } = await aCourse(ground);
  const { socket, pongs } = await openSocket(student);
  expect(await liveUsers()).toContain(student.id);
  socket.send('ping');
  await vi.waitFor(() => expect(pongs).toEqual(['pong']), { timeout: 20_000 });
  socket.close(1000, 'done');
  await vi.waitFor(async () => expect(await liveUsers()).not.toContain(student.id), { timeout: 20_000 });
});

test('the socket requires a token', async () => {
  const answer = await SELF.fetch(`${base}/api/sync/v1/live`, { headers: { Upgrade: 'websocket' } });
  expect(answer.status).toBe(401);
});

test('a socket with a cookie opens only from a page of this host, with a token from any', async () => {
  const person = await ground.person();
  const cookie = `carrel_session=${await ground.session(person)}`;
  const open = async (headers: Record<string, string>, query = '') => {
    const answer = await SELF.fetch(`${base}/api/sync/v1/live${query}`, { headers: { Upgrade: 'websocket', ...headers } });
    answer.webSocket?.accept();
    answer.webSocket?.close();
    return answer.status;
  };
  expect(await open({ Cookie: cookie, Origin: 'https://evil.example' })).toBe(401);
  expect(await open({ Cookie: cookie, Origin: 'null' })).toBe(401);
  expect(await open({ Cookie: cookie, 'Sec-Fetch-Site': 'same-site', Origin: base })).toBe(401);
  expect(await open({ Cookie: cookie })).toBe(401);
  expect(await open({ Cookie: cookie, Origin: base })).toBe(101);
  expect(await open({ Origin: 'https://evil.example' }, `?access_token=${person.token}`)).toBe(101);
});
