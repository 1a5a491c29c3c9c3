// Read replicas that never catch up by themselves: what a person did is visible to them at once, from anywhere.

import { env, SELF } from 'cloudflare:test';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { as, base, ground, ok } from '../support/api';
import { aCourse, type Person } from '../support/ground';
import { lagBehind, noLag, readsAt, replicated } from '../support/lagging';
import { openSocket } from '../support/live_socket';
import { upload } from '../support/upload';

beforeAll(async () => {
  await lagBehind(Number.MAX_SAFE_INTEGER);
  env.READ_REPLICATION = 'on';
});
afterAll(() => {
  noLag();
  env.READ_REPLICATION = 'off';
});

/** A course that all replicas have. */
async function aKnownCourse() {
  const scene = await aCourse(ground);
  await replicated();
  return scene;
}

const groupsOf = async (person: Person, course: { id: number }, headers: Record<string, string> = {}) =>
  ok(await as(person).get(`/courses/${course.id}/assignment_groups`, {}, { headers })).flatMap(({ name }: { name: string }) =>
    name === 'Assignments' ? [] : [name],
  );

const addGroup = async (person: Person, course: { id: number }, name: string) => {
  const made = await as(person).post(`/courses/${course.id}/assignment_groups`, { name });
  ok(made);
  return made.headers.get('x-d1-bookmark') as string;
};

test('reads are answered by a replica, which may not have what others have just written', async () => {
  const { course, teacher, student } = await aKnownCourse();
  await addGroup(teacher, course, 'Essays');
  const before = readsAt.replica;
  expect(await groupsOf(student, course)).toEqual([]);
  expect(readsAt.replica).toBeGreaterThan(before);
  await replicated();
  expect(await groupsOf(student, course)).toEqual(['Essays']);
});

test('what a person did is visible to them at once, in each of their clients', async () => {
  const { course, teacher } = await aKnownCourse();
  const other = { ...teacher, token: ok(await as(teacher).post('/users/self/tokens', { token: { purpose: 'phone' } })).visible_token };
  await addGroup(teacher, course, 'Labs');
  expect(await groupsOf(teacher, course)).toEqual(['Labs']);
  expect(await groupsOf(other, course)).toEqual(['Labs']);
  await addGroup(other, course, 'Quizzes');
  expect(await groupsOf(teacher, course)).toEqual(['Labs', 'Quizzes']);
});

test('everyone with the bookmark of a write sees it', async () => {
  const { course, teacher, student } = await aKnownCourse();
  const bookmark = await addGroup(teacher, course, 'Essays');
  expect(await groupsOf(student, course, { 'X-D1-Bookmark': bookmark })).toEqual(['Essays']);
  await addGroup(teacher, course, 'Labs');
  expect(await groupsOf(student, course, { 'X-D1-Bookmark': 'no bookmark' })).toEqual([]);
});

test('a replica costs a call of an object, and a third trip only after a write that it does not have', async () => {
  const { course, teacher, student } = await aKnownCourse();
  const costs = async (person: Person, headers = {}) => {
    const { d1_trips, object_calls } = (await as(person).get(`/courses/${course.id}/assignment_groups`, {}, { headers })).cost;
    return { d1_trips, object_calls };
  };
  const bookmark = await addGroup(teacher, course, 'Essays');
  expect(await costs(student)).toEqual({ d1_trips: 2, object_calls: 1 });
  expect(await costs(teacher)).toEqual({ d1_trips: 3, object_calls: 1 });
  expect(await costs(teacher, { 'X-D1-Bookmark': bookmark })).toEqual({ d1_trips: 2, object_calls: 0 });
  await replicated();
  expect(await costs(teacher)).toEqual({ d1_trips: 2, object_calls: 1 });
});

test('a new token works at once', async () => {
  const { teacher } = await aKnownCourse();
  const { visible_token } = ok(await as(teacher).post('/users/self/tokens', { token: { purpose: 'script' } }));
  expect(ok(await as({ ...teacher, token: visible_token }).get('/users/self')).id).toBe(teacher.id);
});

test('a sign-in and a sign-out count at once', async () => {
  const person = await ground.person();
  const session = await ground.session(person);
  const self = () => SELF.fetch(`${base}/api/v1/users/self`, { headers: { Cookie: `carrel_session=${session}` } });
  const known = await self();
  expect(known.status).toBe(200);
  await known.text();
  await replicated();
  const left = await SELF.fetch(`${base}/logout`, {
    method: 'DELETE',
    redirect: 'manual',
    headers: { Cookie: `carrel_session=${session}`, Origin: base },
  });
  expect(left.status).toBeLessThan(400);
  expect((await self()).status).toBe(401);
});

test('what a colleague has just published is found by its address', async () => {
  const { course, teacher, student } = await aKnownCourse();
  const { id } = ok(await as(teacher).post(`/courses/${course.id}/assignments`, { assignment: { name: 'Essay', published: true } }), 201);
  expect(ok(await as(student).get(`/courses/${course.id}/assignments/${id}`)).name).toBe('Essay');
  ok(await as(student).get(`/courses/${course.id}/assignments/${id + 1000}`), 404);
});

test('a user who was enrolled a moment ago may enter the course', async () => {
  const { course, stranger } = await aKnownCourse();
  await ground.enroll(course, stranger, 'student');
  expect(ok(await as(stranger).get(`/courses/${course.id}`)).id).toBe(course.id);
});

test('a message is in the conversation of the person who sent it', async () => {
  const { course, teacher, student } = await aKnownCourse();
  const [thread] = ok(
    await as(teacher).post('/conversations', {
      recipients: [`${student.id}`],
      subject: 'Hello',
      body: 'One',
      context_code: `course_${course.id}`,
    }),
    201,
  );
  ok(await as(teacher).post(`/conversations/${thread.id}/add_message`, { body: 'Two' }));
  const seen = ok(await as(teacher).get(`/conversations/${thread.id}`));
  expect(seen.messages.map(({ body }: { body: string }) => body)).toEqual(['Two', 'One']);
});

test('an uploaded file is listed at once', async () => {
  const { course, teacher } = await aKnownCourse();
  await upload(teacher, `/courses/${course.id}/files`, { name: 'syllabus.txt' });
  expect(ok(await as(teacher).get(`/courses/${course.id}/files`)).map((file: { display_name: string }) => file.display_name)).toEqual([
    'syllabus.txt',
  ]);
});

test('the results of a job are there when it is reported as completed', async () => {
  const { course } = await aKnownCourse();
  const admin = await ground.admin();
  await replicated();
  const { id } = ok(await as(admin).put('/accounts/1/courses', { event: 'conclude', course_ids: [course.id] }));
  await vi.waitFor(async () => expect(ok(await as(admin).get(`/progress/${id}`)).workflow_state).toBe('completed'), { timeout: 20_000 });
  expect(ok(await as(admin).get(`/courses/${course.id}`)).workflow_state).toBe('completed');
});

test('the feed reports own changes at once, and a replica behind the cursor is no reason to start over', async () => {
  const { course, teacher, student } = await aKnownCourse();
  const feed = async (person: Person, given: object, headers = {}) => ok(await as(person).get('/api/sync/v1/changes', given, { headers }));
  const start = await feed(teacher, {});
  const bookmark = await addGroup(teacher, course, 'Essays');
  const next = await feed(teacher, { cursor: start.cursor });
  expect(next.changes).toContainEqual(expect.objectContaining({ kind: 'assignment_group', op: 'upsert' }));
  const ahead = await feed(student, {}, { 'X-D1-Bookmark': bookmark });
  const behind = await feed(student, { cursor: ahead.cursor });
  expect(behind.changes).toEqual([]);
});

test('what a signal announces is visible to the read that it causes', async () => {
  const { course, teacher, student } = await aKnownCourse();
  const { heard } = await openSocket(student);
  await addGroup(teacher, course, 'Essays');
  expect(await groupsOf(student, course)).toEqual([]);
  await vi.waitFor(() => expect(heard.length).toBeGreaterThan(0), { timeout: 20_000 });
  expect(await groupsOf(student, course, { 'X-D1-Bookmark': heard[0]?.bookmark as string })).toEqual(['Essays']);
});

test('a page that was viewed counts at once', async () => {
  const { course, teacher, student } = await aKnownCourse();
  const at = `/courses/${course.id}`;
  ok(await as(teacher).post(`${at}/pages`, { wiki_page: { title: 'Welcome', published: true } }));
  const module = ok(await as(teacher).post(`${at}/modules`, { module: { name: 'One' } }));
  const asked = { type: 'Page', page_url: 'welcome', completion_requirement: { type: 'must_view' } };
  ok(await as(teacher).post(`${at}/modules/${module.id}/items`, { module_item: asked }));
  ok(await as(teacher).put(`${at}/modules/${module.id}`, { module: { published: true } }));
  await replicated();
  ok(await as(student).get(`${at}/modules`));
  ok(await as(student).get(`${at}/pages/welcome`));
  await vi.waitFor(async () => expect(ok(await as(student).get(`${at}/modules`))[0].state).toBe('completed'), { timeout: 20_000 });
});
