// Favorite courses and groups, and nicknames.

import { course_nicknames, courses } from '@carrel/worker/domains/courses/table';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { as, ground, many, nth, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

const all = '/users/self/favorites/courses';
const names = (courses: { name: string }[]) => courses.map((course) => course.name);

async function aStudent() {
  const student = await ground.person();
  const courses = await Promise.all(['Cooking', 'baking', 'Archery'].map((name) => ground.course({ name })));
  for (const course of courses) await ground.enroll(course, student, 'student');
  return { student, courses, at: (n: number) => `${all}/${courses[n]?.id}` };
}

test('without favorites the current courses are listed', async () => {
  const { student } = await aStudent();
  const past = await ground.course({ enrollment_term_id: (await ground.term({ end_at: '2026-01-31T00:00:00Z' })).id });
  await ground.enroll(past, student, 'student');
  await ground.enroll(await ground.course({ workflow_state: 'claimed' }), student, 'teacher');
  expect(names(ok(within(await as(student).get(all), 2)))).toEqual(['Archery', 'baking', 'Cooking']);
  const [first] = ok(await as(student).get(all, { include: ['favorites'], exclude: ['enrollments'] }));
  expect(first).toMatchObject({ is_favorite: false });
  expect(first).not.toHaveProperty('enrollments');
  ok(await as().get(all), 401);
});

test('a course becomes a favorite once, and stops being one', async () => {
  const { student, courses, at } = await aStudent();
  const favorite = { context_id: courses[1]?.id, context_type: 'Course' };
  expect(ok(within(await as(student).post(at(1)), 3))).toEqual(favorite);
  expect(ok(await as(student).post(at(1)))).toEqual(favorite);
  expect(names(ok(await as(student).get(all)))).toEqual(['baking']);
  expect(ok(await as(student).get(`/courses/${courses[1]?.id}`, { include: ['favorites'] })).is_favorite).toBe(true);
  expect(ok(await as(student).del(at(0)))).toEqual({});
  expect(ok(within(await as(student).del(at(1)), 3))).toEqual(favorite);
  ok(await as(student).post(`${all}/999999`), 404);
  ok(await as(await ground.person()).post(at(1)), 401);
});

test('removing one course from the default list keeps the others', async () => {
  const { student, at } = await aStudent();
  expect(ok(await as(student).del(at(2)))).toMatchObject({ context_type: 'Course' });
  expect(names(ok(await as(student).get(all)))).toEqual(['baking', 'Cooking']);
  expect(ok(within(await as(student).del(all), 3))).toEqual({ status: 'ok', message: 'OK' });
  expect(ok(await as(student).get(all))).toHaveLength(3);
});

test('favorites that have ended are not listed', async () => {
  const { student, courses, at } = await aStudent();
  const admin = await ground.admin();
  for (const n of [0, 1, 2]) ok(await as(student).post(at(n)));
  ok(await as(admin).del(`/courses/${courses[0]?.id}`, { event: 'conclude' }));
  ok(await as(admin).del(`/courses/${courses[1]?.id}`, { event: 'delete' }));
  expect(names(ok(await as(student).get(all)))).toEqual(['Archery']);
});

test('all groups count as favorites until one is added or removed', async () => {
  const { course, teacher, student, stranger } = await aCourse(ground);
  const make = async (name: string) => {
    const { id } = ok(await as(teacher).post(`/courses/${course.id}/group_categories`, { name }));
    const made = ok(await as(teacher).post(`/group_categories/${id}/groups`, { name }));
    return ok(await as(teacher).put(`/groups/${made.id}`, { members: [student.id] })).id as number;
  };
  const [first, second] = [await make('One'), await make('Two')];
  const names = async () => ok(within(await as(student).get('/users/self/favorites/groups'), 2)).map((one: { name: string }) => one.name);
  expect(await names()).toEqual(['One', 'Two']);
  const favorite = (id: number) => `/users/self/favorites/groups/${id}`;
  expect(ok(within(await as(student).del(favorite(first)), 3))).toEqual({ context_id: first, context_type: 'Group' });
  expect(await names()).toEqual(['Two']);
  expect(ok(within(await as(student).post(favorite(first)), 3))).toEqual({ context_id: first, context_type: 'Group' });
  expect(await names()).toEqual(['One', 'Two']);
  expect(ok(await as(student).get(`/groups/${second}`, { include: ['favorites'] }))).toMatchObject({ is_favorite: true });
  ok(await as(stranger).post(favorite(first)), 401);
  ok(await as(student).post(favorite(999_999)), 404);
  expect(ok(await as(student).del('/users/self/favorites/groups'))).toEqual({ status: 'ok', message: 'OK' });
});

test('a nickname is the course name for the user who set it', async () => {
  const { course, student, teacher } = await aCourse(ground, { name: 'Zoology' });
  const other = await ground.course({ name: 'Mechanics' });
  await ground.enroll(other, student, 'student');
  const at = `/users/self/course_nicknames/${course.id}`;
  expect(ok(within(await as(student).get(at), 2))).toEqual({ course_id: course.id, name: 'Zoology', nickname: 'Zoology' });
  expect(ok(await as(student).put(at), 400)).toEqual({ message: 'missing nickname' });
  ok(await as(student).put(at, { nickname: 'x'.repeat(60) }), 400);
  expect(ok(within(await as(student).put(at, { nickname: 'Animals' }), 3))).toEqual({
    course_id: course.id,
    name: 'Zoology',
    nickname: 'Animals',
  });
  expect(ok(await as(student).get('/courses'))).toMatchObject([{ name: 'Animals', original_name: 'Zoology' }, { name: 'Mechanics' }]);
  expect(names(await as(student).pages('/courses', { per_page: 1 }))).toEqual(['Animals', 'Mechanics']);
  expect(ok(await as(teacher).get(`/courses/${course.id}`)).name).toBe('Zoology');
  expect(ok(within(await as(student).get('/users/self/course_nicknames'), 2))).toEqual([
    { course_id: course.id, name: 'Zoology', nickname: 'Animals' },
  ]);
  expect(ok(within(await as(student).del(at), 3))).toEqual({ course_id: course.id, name: 'Zoology', nickname: 'Zoology' });
  expect(ok(await as(student).del(at), 404)).toHaveProperty('message');
  ok(await as(student).put(at, { nickname: 'Animals' }));
  expect(ok(await as(student).del('/users/self/course_nicknames'))).toEqual({ message: 'OK' });
  expect(ok(await as(student).get('/users/self/course_nicknames'))).toEqual([]);
  ok(await as(await ground.person()).get(at), 401);
});

test('an administrator sees their nicknames in the list of an account, each on its own course', async () => {
  const admin = await ground.admin();
  const [first, second] = [await ground.course({ name: 'First' }), await ground.course({ name: 'Second' })];
  ok(await as(admin).put(`/users/self/course_nicknames/${second.id}`, { nickname: 'Two' }));
  const listed = await as(admin).pages('/accounts/1/courses', { per_page: 100 });
  expect(names(listed.filter((one) => one.id === first.id || one.id === second.id))).toEqual(['First', 'Two']);
});

test('ten thousand nicknames cost no more than ten', async () => {
  const { course, student } = await aCourse(ground);
  ok(await as(student).put(`/users/self/course_nicknames/${course.id}`, { nickname: 'One' }));
  const small = within(await as(student).get('/users/self/course_nicknames'), 2);
  await many(10_000, courses, {
    id: sql`100000 + n`,
    account_id: 1,
    root_account_id: 1,
    enrollment_term_id: 1,
    name: 'Course',
    uuid: nth('uuid'),
  });
  await many(10_000, course_nicknames, { user_id: student.id, course_id: sql`100000 + n`, nickname: nth('Nick ') });
  let page = within(await as(student).get('/users/self/course_nicknames', { per_page: 100 }), 2);
  expect(ok(page)).toHaveLength(100);
  expect(page.cost.rows_read).toBeLessThan(3 * 100 + small.cost.rows_read);
  for (let n = 0; n < 3; n++) page = await as(student).get(page.links.next as string);
  expect(page.cost.rows_read).toBeLessThan(3 * 100 + small.cost.rows_read);
});
