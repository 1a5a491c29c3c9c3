// Custom gradebook columns: teachers' columns, and the texts of their students in them.

import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import type { Client } from '../support/client';
import { aCourse, aCourseOfTwoSections, type Person } from '../support/ground';

type Scene = Awaited<ReturnType<typeof build>>;
let scene: Scene;
let teacher: Client;

async function build() {
  const one = await aCourseOfTwoSections(ground);
  const at = `/courses/${one.course.id}/custom_gradebook_columns`;
  return { ...one, at, bulk: `/courses/${one.course.id}/custom_gradebook_column_data` };
}

beforeAll(async () => {
  scene = await build();
  teacher = as(scene.teacher);
}, 60_000);

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Body = any;

const add = async (column: object): Promise<Body> => ok(within(await teacher.post(scene.at, { column }), 3));
const titles = async (query: object = {}) => ok(within(await teacher.get(scene.at, query), 2)).map(({ title }: Body) => title);
const clear = async () => {
  for (const { id } of ok(await teacher.get(scene.at, { include_hidden: true, per_page: 100 }))) ok(await teacher.del(`${scene.at}/${id}`));
};
const dataOf = async (client: Client, id: number) =>
  Object.fromEntries(ok(within(await client.get(`${scene.at}/${id}/data`), 2)).map(({ user_id, content }: Body) => [user_id, content]));

test('columns are created in place, changed, hidden, reordered and deleted', async () => {
  const first = await add({ title: 'First' });
  expect(first).toEqual({ id: expect.any(Number), title: 'First', position: 1, hidden: false, teacher_notes: false, read_only: false });
  const third = await add({ title: 'Third', read_only: true });
  const second = await add({ title: 'Second', position: 2 });
  expect(await titles()).toEqual(['First', 'Second', 'Third']);
  expect(ok(await teacher.put(`${scene.at}/${third.id}`, { column: { title: 'Last', hidden: true } }))).toMatchObject({
    title: 'Last',
    hidden: true,
    read_only: true,
  });
  expect(await titles()).toEqual(['First', 'Second']);
  expect(await titles({ include_hidden: true })).toEqual(['First', 'Second', 'Last']);
  const ids = [third.id, first.id];
  expect(ok(await teacher.post(`${scene.at}/reorder`, { order: ids.join(',') }))).toEqual({ reorder: true, order: [...ids, second.id] });
  expect(await titles({ include_hidden: true })).toEqual(['Last', 'First', 'Second']);
  ok(await teacher.post(`${scene.at}/reorder`, { order: [second.id, first.id, third.id] }));
  expect(await titles({ include_hidden: true })).toEqual(['Second', 'First', 'Last']);
  ok(await teacher.put(`${scene.at}/${second.id}`, { column: { position: 3 } }));
  expect((await titles({ include_hidden: true })).indexOf('Second')).toBeGreaterThan(0);
  expect(ok(await teacher.del(`${scene.at}/${first.id}`))).toMatchObject({ title: 'First' });
  ok(await teacher.del(`${scene.at}/${first.id}`), 404);
  ok(await teacher.put(`${scene.at}/${first.id}`, { column: { title: 'x', position: 1 } }), 404);
  ok(await teacher.post(`${scene.at}/reorder`, { order: [first.id] }), 400);
  for (const title of ['', 'x'.repeat(256)]) ok(await teacher.post(scene.at, { column: { title } }), 400);
  ok(await teacher.post(scene.at), 400);
  await clear();
});

test('a course has one column for notes', async () => {
  const notes = await add({ title: 'Notes', teacher_notes: true });
  const other = await add({ title: 'Other' });
  ok(await teacher.post(scene.at, { column: { title: 'More notes', teacher_notes: true } }), 400);
  ok(await teacher.put(`${scene.at}/${other.id}`, { column: { teacher_notes: true } }), 400);
  expect(await titles()).toEqual(['Notes', 'Other']);
  ok(await teacher.del(`${scene.at}/${notes.id}`));
  ok(await teacher.put(`${scene.at}/${other.id}`, { column: { teacher_notes: true } }));
  await clear();
});

test('a text is written, changed and deleted, and lists have students with texts only', async () => {
  const { student, student2, stranger, at } = scene;
  const { id } = await add({ title: 'Seat' });
  const write = (user: Person, column_data: unknown) => teacher.put(`${at}/${id}/data/${user.id}`, { column_data });
  expect(ok(within(await write(student, { content: 'A1' }), 3))).toEqual({ user_id: student.id, content: 'A1' });
  ok(await write(student2, 'B2'));
  ok(await write(student, { content: 'A2' }));
  expect(await dataOf(teacher, id)).toEqual({ [student.id]: 'A2', [student2.id]: 'B2' });
  expect(ok(await write(student2, { content: ' ' }))).toEqual({ user_id: student2.id, content: null });
  expect(await dataOf(teacher, id)).toEqual({ [student.id]: 'A2' });
  for (const one of [stranger, scene.teacher]) ok(await write(one, { content: 'x' }), 404);
  ok(await teacher.put(`${at}/${id}`, { column: { hidden: true } }));
  ok(await teacher.get(`${at}/${id}/data`), 404);
  expect(ok(await teacher.get(`${at}/${id}/data`, { include_hidden: true }))).toHaveLength(1);
  const elsewhere = await aCourse(ground);
  ok(await as(elsewhere.teacher).get(`/courses/${elsewhere.course.id}/custom_gradebook_columns/${id}/data`), 404);
  ok(
    await as(elsewhere.teacher).put(`/courses/${elsewhere.course.id}/custom_gradebook_columns/${id}/data/${elsewhere.student.id}`, {
      column_data: 'x',
    }),
    404,
  );
  await clear();
});

test('many texts are written with a progress that lists what was refused', async () => {
  const { student, student2, stranger, bulk } = scene;
  const [seat, room] = [await add({ title: 'Seat' }), await add({ title: 'Room' })];
  const entry = (column: Body, user: Person, content: string | null) => ({ column_id: column.id, user_id: user.id, content });
  const done = ok(
    within(
      await teacher.put(bulk, {
        column_data: [entry(seat, student, 'A1'), entry(room, student, 'R'), entry(seat, student2, 'B2'), entry(seat, student2, 'B3')],
      }),
      3,
    ),
  );
  expect(done).toMatchObject({
    workflow_state: 'completed',
    tag: 'custom_columns_submissions_update',
    context_type: 'Course',
    message: null,
  });
  expect(await dataOf(teacher, seat.id)).toEqual({ [student.id]: 'A1', [student2.id]: 'B3' });
  const partial = ok(
    await teacher.put(bulk, {
      column_data: [entry(seat, student, null), entry(seat, stranger, 'x'), entry({ id: 999_999 }, student, 'x')],
    }),
  );
  expect(partial.results.errors).toEqual([
    { column_id: seat.id, user_id: stranger.id, message: 'does not exist' },
    { column_id: 999_999, user_id: student.id, message: 'does not exist' },
  ]);
  expect(await dataOf(teacher, seat.id)).toEqual({ [student2.id]: 'B3' });
  ok(await teacher.put(bulk, {}), 400);
  ok(await teacher.put(bulk, { column_data: [{ user_id: student.id, content: 'x' }] }), 400);
  await clear();
});

test('section-restricted graders read and write the texts of their students only', async () => {
  const { limited, sid, student, at, bulk } = scene;
  const { id } = await add({ title: 'Seat' });
  const entries = [student, sid].map((user) => ({ column_id: id, user_id: user.id, content: 'theirs' }));
  ok(await teacher.put(bulk, { column_data: entries }));
  const ta = as(limited);
  expect(await dataOf(ta, id)).toEqual({ [sid.id]: 'theirs' });
  ok(await ta.put(`${at}/${id}/data/${student.id}`, { column_data: 'mine' }), 404);
  ok(await ta.put(`${at}/${id}/data/${sid.id}`, { column_data: 'mine' }));
  const done = ok(await ta.put(bulk, { column_data: entries.map((one) => ({ ...one, content: 'bulk' })) }));
  expect(done.results.errors).toMatchObject([{ user_id: student.id }]);
  expect(await dataOf(teacher, id)).toEqual({ [student.id]: 'theirs', [sid.id]: 'bulk' });
  await clear();
});

test('texts follow a user who is merged into another', async () => {
  const { course } = scene;
  const [from, into] = [await ground.person(), await ground.person()];
  await ground.enroll(course, from, 'student');
  const { id } = await add({ title: 'Seat' });
  ok(await teacher.put(`${scene.at}/${id}/data/${from.id}`, { column_data: 'A1' }));
  ok(await as(await ground.admin()).put(`/users/${from.id}/merge_into/${into.id}`));
  expect(await dataOf(teacher, id)).toEqual({ [into.id]: 'A1' });
  await clear();
});

test('students, designers and strangers see no custom columns, and readers of grades change none', async () => {
  const { student, observer, stranger, at } = scene;
  const { id } = await add({ title: 'Secret' });
  for (const one of [student, observer, stranger]) {
    ok(await as(one).get(at), 401);
    ok(await as(one).get(`${at}/${id}/data`), 401);
    ok(await as(one).post(at, { column: { title: 'x' } }), 401);
  }
  await clear();
});
