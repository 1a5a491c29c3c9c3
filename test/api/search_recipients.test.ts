// The search for message recipients.

import { expect, test } from 'vitest';
import { as, ground, manyStudents, nth, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';

const names = (body: { name: string }[]) => body.map(({ name }) => name);

test('a search returns courses first, then users, matching each word anywhere in the name', async () => {
  const { course, student, student2, teacher } = await aCourse(ground, { name: 'Saddle making' });
  const found = ok(within(await as(student).get('/search/recipients', { search: 'sa' }), 2));
  expect(found).toMatchObject([
    { id: `course_${course.id}`, name: 'Saddle making', type: 'context', user_count: 6, permissions: {} },
    { id: student.id, name: 'Sam Student', common_courses: { [course.id]: ['StudentEnrollment'] }, common_groups: {} },
  ]);
  expect(names(ok(await as(student).get('/search/recipients', { search: 'stud su' })))).toEqual(['Sue Student']);
  expect(names(ok(await as(student).get('/search/recipients', { search: ' ', type: 'user' })))).not.toContain('Stan Stranger');
  expect(names(ok(await as(student2).get('/search/recipients', { search: ' ', type: 'user' })))).not.toContain('Olive Observer');
  expect(ok(await as(student).get('/search/recipients'))).toEqual([]);
  expect(ok(await as(student).get('/search/recipients', { user_id: teacher.id }))).toMatchObject([
    { id: teacher.id, full_name: 'Tara Teacher' },
  ]);
  ok(await as().get('/search/recipients', { search: ' ' }), 401);
});

test('a context lists its members, on request with its sections and groups first; an unknown one is ignored', async () => {
  const { course, student, teacher, ta } = await aCourse(ground);
  const at = '/conversations/find_recipients';
  expect(names(ok(within(await as(student).get(at, { context: `course_${course.id}_teachers` }), 2)))).toEqual(['Tara Teacher']);
  const all = ok(await as(teacher).get(at, { context: `course_${course.id}`, synthetic_contexts: true, per_page: 100 }));
  expect(all.slice(0, 2)).toMatchObject([
    { id: `course_${course.id}_students`, name: 'Students', user_count: 2 },
    { id: `course_${course.id}_teachers`, user_count: 1 },
  ]);
  expect(names(all)).toContain('Olive Observer');
  const excluded = ok(await as(teacher).get(at, { context: `course_${course.id}`, exclude: [ta.id] }));
  expect(names(excluded)).not.toContain('Tim Assistant');
  ok(await as(teacher).get(at, { context: 'nonsense', search: 'sam' }));
  expect(ok(await as(teacher).get(at, { search: course.name, permissions: ['send_messages_all'] }))[0].permissions).toEqual({
    send_messages_all: true,
  });
});

test('a course returns its sections and groups as one entry each, and lists them when that entry is requested', async () => {
  const { course, student, teacher } = await aCourse(ground);
  await ground.section(course, { name: 'Lab' });
  const set = ok(await as(teacher).post(`/courses/${course.id}/group_categories`, { name: 'Teams' }));
  for (const name of ['Red', 'Blue']) ok(await as(teacher).post(`/group_categories/${set.id}/groups`, { name }));
  const code = `course_${course.id}`;
  const find = async (person: Person, query: object) =>
    ok(within(await as(person).get('/search/recipients', { per_page: 100, ...query }), 2));
  const lists = (await find(teacher, { context: code, synthetic_contexts: true })).filter((one: { item_count?: number }) => one.item_count);
  expect(lists).toMatchObject([
    { id: `${code}_sections`, name: 'Course Sections', type: 'context', item_count: 2 },
    { id: `${code}_groups`, name: 'Student Groups', type: 'context', item_count: 2 },
  ]);
  expect(names(await find(teacher, { context: `${code}_groups` }))).toEqual(['Blue', 'Red']);
  expect(names(await find(teacher, { context: `${code}_sections`, search: 'lab' }))).toEqual(['Lab']);
  expect(await find(student, { context: `${code}_groups` })).toEqual([]);
});

test('with permission checks requested, contexts that cannot be messaged are left out', async () => {
  const { course, student } = await aCourse(ground);
  const admin = await ground.admin();
  const find = async (more: object) => ok(await as(student).get('/search/recipients', { search: course.name, type: 'context', ...more }));
  expect(await find({ messageable_only: true })).toHaveLength(1);
  const roles = ok(await as(admin).get('/accounts/1/roles', { per_page: 50 })) as { id: number; role: string }[];
  const { id } = roles.find(({ role }) => role === 'StudentEnrollment') ?? { id: 0 };
  ok(await as(admin).put(`/accounts/1/roles/${id}`, { permissions: { send_messages: { enabled: false, explicit: true } } }));
  expect(await find({ messageable_only: true })).toEqual([]);
  expect(await find({})).toHaveLength(1);
  ok(await as(admin).put(`/accounts/1/roles/${id}`, { permissions: { send_messages: { enabled: true, explicit: true } } }));
});

test('a course counts each current user once, whatever their roles', async () => {
  const { course, teacher, student2 } = await aCourse(ground);
  const evening = ok(await as(teacher).post(`/courses/${course.id}/sections`, { course_section: { name: 'Evening' } }));
  const counts = async () => {
    const found = ok(await as(teacher).get('/search/recipients', { search: ' ', type: 'context', per_page: 100 }));
    return found.map(({ name, user_count }: { name: string; user_count: number }) => [name, user_count]);
  };
  expect(await counts()).toEqual([
    [course.name, 6],
    [course.name, 6],
    ['Evening', 0],
  ]);
  const enrollment = { user_id: student2.id, enrollment_state: 'active', course_section_id: evening.id };
  const again = ok(
    await as(teacher).post(`/courses/${course.id}/enrollments`, { enrollment: { ...enrollment, type: 'StudentEnrollment' } }),
  );
  const assistant = ok(
    await as(teacher).post(`/courses/${course.id}/enrollments`, { enrollment: { ...enrollment, type: 'TaEnrollment' } }),
  );
  expect(await counts()).toEqual([
    [course.name, 6],
    [course.name, 6],
    ['Evening', 1],
  ]);
  expect(ok(await as(teacher).get(`/courses/${course.id}`, { include: ['total_students'] })).total_students).toBe(2);
  for (const { id } of [again, assistant]) ok(await as(teacher).del(`/courses/${course.id}/enrollments/${id}`, { task: 'delete' }));
  expect(await counts()).toEqual([
    [course.name, 6],
    [course.name, 6],
    ['Evening', 0],
  ]);
  const [only] = ok(await as(teacher).get(`/courses/${course.id}/enrollments`, { user_id: student2.id }));
  ok(await as(teacher).del(`/courses/${course.id}/enrollments/${only.id}`, { task: 'conclude' }));
  expect(await counts()).toEqual([
    [course.name, 5],
    [course.name, 5],
    ['Evening', 0],
  ]);
});

test('the pages of a search contain every course, section and user once', async () => {
  const { course, teacher, student } = await aCourse(ground);
  for (const name of ['evening', 'Morning']) ok(await as(teacher).post(`/courses/${course.id}/sections`, { course_section: { name } }));
  const parts = { context: `course_${course.id}`, synthetic_contexts: true, per_page: 2 };
  const inParts = await as(teacher).pages('/search/recipients', parts);
  expect(inParts.map(({ id }) => id)).toEqual([...new Set(inParts.map(({ id }) => id))]);
  expect(inParts).toEqual(ok(await as(teacher).get('/search/recipients', { ...parts, per_page: 100 })));
  const all = await as(student).pages('/search/recipients', { search: ' ', per_page: 2 });
  expect(names(all).slice(0, 4)).toEqual([course.name, course.name, 'evening', 'Morning']);
  const whole = ok(await as(student).get('/search/recipients', { search: ' ', per_page: 100 }));
  expect(all.map(({ id }) => id)).toEqual(whole.map(({ id }: { id: unknown }) => id));
  expect(ok(await as(student).get('/search/recipients', { search: ' ', per_page: 2, page: 2 }))).toEqual(whole.slice(2, 4));
});

test('a roster of 10,000 is listed at the cost of one page', async () => {
  const { course, teacher } = await aCourse(ground);
  const first = 5_000_000;
  await manyStudents(10_000, course, first, nth('P'));
  const query = { context: `course_${course.id}`, type: 'user', per_page: 100 };
  const page = within(await as(teacher).get('/search/recipients', query), 2);
  expect(ok(page)).toHaveLength(100);
  const next = within(await as(teacher).get(page.links.next as string), 2);
  expect(ok(next)).toHaveLength(100);
  // Each user needs a name, an enrollment, and the course, section and enrollment that the two share.
  expect(next.cost.rows_read).toBeLessThan(3 * 100 * 5 + 600);
});

test('outsiders do not see how many users a course has, nor do students of an unpublished one', async () => {
  const { course, stranger, teacher, student } = await aCourse(ground);
  const synthetic = { context: `course_${course.id}`, synthetic_contexts: true };
  expect(ok(await as(stranger).get('/search/recipients', synthetic))).toEqual([]);
  expect(ok(await as(teacher).get('/search/recipients', synthetic)).length).toBeGreaterThan(0);
  const prepared = await ground.course({ name: 'Prepared in secret', workflow_state: 'claimed' });
  await ground.enroll(prepared, student, 'student');
  await ground.enroll(prepared, teacher, 'teacher');
  const found = async (person: Person) => ok(await as(person).get('/search/recipients', { search: 'Prepared in', type: 'context' })).length;
  expect([await found(student), await found(teacher)]).toEqual([0, 1]);
});

test('an administrator sees the rosters of their account and its sub-accounts, and of no others', async () => {
  const faculty = await ground.account();
  const department = await ground.account({ parent_account_id: faculty.id });
  const beside = await ground.account({ name: 'Another faculty' });
  const dean = await ground.admin({ account_id: faculty.id });
  const rosterIn = async (account_id: number) => {
    const { course } = await aCourse(ground, { account_id });
    return Promise.all(
      [`course_${course.id}`, `course_${course.id}_students`, `section_${course.section_id}`].map(async (context) =>
        names(ok(within(await as(dean).get('/search/recipients', { context, type: 'user', per_page: 100 }), 2))),
      ),
    );
  };
  for (const account of [faculty, department]) for (const found of await rosterIn(account.id)) expect(found).toContain('Sam Student');
  for (const id of [beside.id, 1]) expect(await rosterIn(id)).toEqual([[], [], []]);
});
