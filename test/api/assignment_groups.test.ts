// Assignment groups: the example of a domain's tests.

import { assignment_groups } from '@carrel/worker/domains/assignment_groups/table';
import { assignments } from '@carrel/worker/domains/assignments/table';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { as, ground, many, n, nth, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

const at = (course: { id: number }, rest = '') => `/courses/${course.id}/assignment_groups${rest}`;

test('a course lists its assignment groups by position', async () => {
  const { course, student, teacher } = await aCourse(ground);
  const labs = ok(within(await as(teacher).post(at(course), { name: 'Labs', group_weight: '40' }), 3));
  expect(labs).toMatchObject({ name: 'Labs', position: 2, group_weight: 40, rules: {}, integration_data: {}, course_id: course.id });
  ok(await as(teacher).post(at(course), { name: 'First', position: 1 }));
  const listed = ok(within(await as(student).get(at(course)), 2));
  expect(listed.map((group: { name: string; position: number }) => [group.name, group.position])).toEqual([
    ['First', 1],
    ['Assignments', 2],
    ['Labs', 3],
  ]);
});

test('an unchanged list returns 304 without a body, and the full list for another ETag', async () => {
  const { course, student, teacher } = await aCourse(ground);
  const first = await as(student).get(at(course), { per_page: 1 });
  const etag = first.headers.get('etag') ?? '';
  expect([etag, first.headers.get('cache-control')]).toEqual([
    expect.stringMatching(/^W\/"[0-9a-f]{32}"$/),
    'max-age=0, private, must-revalidate',
  ]);
  const again = () => as(student).get(at(course), { per_page: 1 }, { headers: { 'If-None-Match': etag } });
  const known = within(await again(), 2);
  expect([known.status, known.body, known.headers.get('link')]).toEqual([304, '', first.headers.get('link')]);
  ok(await as(teacher).post(at(course), { name: 'First', position: 1 }));
  expect(ok(await again())).toMatchObject([{ name: 'First' }]);
});

test('a student sees a group but cannot create, edit or delete one', async () => {
  const { course, student, stranger } = await aCourse(ground);
  const [group] = ok(await as(student).get(at(course)));
  ok(await as(student).get(at(course, `/${group.id}`)));
  ok(await as(student).post(at(course), { name: 'Mine' }), 401);
  ok(await as(student).put(at(course, `/${group.id}`), { name: 'Mine' }), 401);
  ok(await as(student).del(at(course, `/${group.id}`)), 401);
  ok(await as(stranger).get(at(course)), 401);
  ok(await as().get(at(course)), 401);
});

test('a malformed value is refused by name, and nothing changes', async () => {
  const { course, teacher } = await aCourse(ground);
  const answer = await as(teacher).post(at(course), { name: 'Labs', group_weight: 'heavy' });
  expect(ok(answer, 400)).toEqual({ errors: [{ message: 'group_weight is not a number' }] });
  expect(ok(await as(teacher).get(at(course)))).toHaveLength(1);
  ok(await as(teacher).post(at(course), { rules: { drop_lowest: 2 } }), 400);
  ok(await as(teacher).get(at(course, '/999999')), 404);
  ok(await as(teacher).get(at(course, '/letters')), 404);
});

test('a group is edited, and deleting it deletes or moves its assignments', async () => {
  const { course, teacher } = await aCourse(ground);
  const labs = ok(await as(teacher).post(at(course), { name: 'Labs' }));
  const essays = ok(await as(teacher).post(at(course), { name: 'Essays' }));
  expect(ok(within(await as(teacher).put(at(course, `/${labs.id}`), { name: 'Laboratories', group_weight: 25.5 }), 3))).toMatchObject({
    name: 'Laboratories',
    group_weight: 25.5,
  });
  await many(3, assignments, { course_id: course.id, assignment_group_id: labs.id, name: nth('Lab '), position: n, lti_context_id: 'x' });
  ok(within(await as(teacher).del(at(course, `/${labs.id}`), { move_assignments_to: essays.id }), 3));
  const listed = ok(await as(teacher).get(at(course), { include: ['assignments'] }));
  expect(listed.map((group: { name: string; assignments: unknown[] }) => [group.name, group.assignments.length])).toEqual([
    ['Assignments', 0],
    ['Essays', 3],
  ]);
});

test('the assignments of a deleted group come after those of the group that takes them over', async () => {
  const { course, teacher } = await aCourse(ground);
  const there = `/courses/${course.id}/assignment_groups`;
  const add = async (group: number, ...given: string[]) => {
    for (const name of given)
      ok(await as(teacher).post(`/courses/${course.id}/assignments`, { assignment: { name, assignment_group_id: group } }), 201);
  };
  const [kept, gone] = [ok(await as(teacher).post(there, { name: 'Kept' })), ok(await as(teacher).post(there, { name: 'Gone' }))];
  await add(kept.id, 'One', 'Two');
  await add(gone.id, 'Three', 'Four');
  ok(await as(teacher).del(`${there}/${gone.id}`, { move_assignments_to: kept.id }));
  const { assignments } = ok(await as(teacher).get(`${there}/${kept.id}`, { include: ['assignments'] }));
  const placed = assignments.map(({ name, position }: { name: string; position: number }) => [name, position]);
  expect(placed).toEqual(Object.entries({ One: 1, Two: 2, Three: 3, Four: 4 }));
});

test('deleting a group in favour of itself is refused, and its assignments stay in it', async () => {
  const { course, teacher } = await aCourse(ground);
  const [only] = ok(await as(teacher).get(at(course)));
  ok(await as(teacher).post(`/courses/${course.id}/assignments`, { assignment: { name: 'Essay', assignment_group_id: only.id } }), 201);
  for (const name of ['move_assignments_to', 'move_assignment_to'])
    ok(await as(teacher).del(at(course, `/${only.id}`), { [name]: only.id }), 400);
  expect(ok(await as(teacher).get(at(course), { include: ['assignments'] }))).toMatchObject([
    { id: only.id, assignments: [{ name: 'Essay' }] },
  ]);
});

test('a group that is moved beyond either end of the list comes to that end', async () => {
  const { course, teacher } = await aCourse(ground);
  const labs = ok(await as(teacher).post(at(course), { name: 'Labs' }));
  const essays = ok(await as(teacher).post(at(course), { name: 'Essays' }));
  const move = async (group: { id: number }, position: number) =>
    ok(within(await as(teacher).put(at(course, `/${group.id}`), { position }), 3)).position;
  const names = async () => ok(await as(teacher).get(at(course))).map((group: { name: string }) => group.name);
  expect(await move(essays, 99)).toBe(3);
  expect(await move(labs, 99)).toBe(4);
  expect(await names()).toEqual(['Assignments', 'Essays', 'Labs']);
  expect(await move(labs, -5)).toBe(1);
  expect(await names()).toEqual(['Labs', 'Assignments', 'Essays']);
  expect(await move(essays, 0)).toBe(1);
  expect(await names()).toEqual(['Essays', 'Labs', 'Assignments']);
});

test('the assignments of groups are filtered, and returned with their own includes', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const create = async (name: string, ...submission_types: string[]) =>
    ok(await as(teacher).post(`/courses/${course.id}/assignments`, { assignment: { name, published: true, submission_types } }), 201);
  const essay = await create('Essay', 'online_text_entry');
  await create('Tool', 'external_tool');
  const names = async (more: object) =>
    ok(within(await as(student).get(at(course), { include: ['assignments'], ...more }), 2))[0].assignments.map(
      (one: { name: string }) => one.name,
    );
  expect(await names({})).toEqual(['Essay', 'Tool']);
  expect(await names({ assignment_ids: [essay.id] })).toEqual(['Essay']);
  expect(await names({ exclude_assignment_submission_types: ['external_tool'] })).toEqual(['Essay']);
  const include = [
    'assignments',
    'all_dates',
    'overrides',
    'submission',
    'can_edit',
    'assignment_visibility',
    'module_ids',
    'grades_published',
  ];
  const [group] = ok(within(await as(teacher).get(at(course), { include, exclude_response_fields: ['description'] }), 2));
  expect(group).toMatchObject({ any_assignment_in_closed_grading_period: false });
  expect(group.assignments[0]).toMatchObject({
    all_dates: [{ base: true, title: 'Everyone' }],
    overrides: [],
    can_edit: true,
    assignment_visibility: expect.arrayContaining([String(student.id)]),
    module_ids: [],
    grades_published: true,
  });
  expect(group.assignments[0]).not.toHaveProperty('description');
});

test('a create sent twice with one Idempotency-Key happens once', async () => {
  const { course, teacher } = await aCourse(ground);
  const headers = { 'Idempotency-Key': 'labs-1' };
  const answers = await Promise.all([1, 2, 3].map(() => as(teacher).post(at(course), { name: 'Labs' }, { headers })));
  expect(new Set(answers.map((answer) => ok(answer).id)).size).toBe(1);
  expect(ok(await as(teacher).get(at(course)))).toHaveLength(2);
  ok(await as(teacher).post(at(course), { name: 'Other' }, { headers }), 422);
});

test('a list of 10,000 groups costs as much as a list of ten', async () => {
  const { course, student } = await aCourse(ground);
  const small = within(await as(student).get(at(course), { include: ['assignments'] }), 2);
  await many(10_000, assignment_groups, { course_id: course.id, name: nth('Group '), position: sql`n + 1` });
  const large = within(await as(student).get(at(course), { include: ['assignments'], per_page: 100 }), 2);
  expect(ok(large)).toHaveLength(100);
  expect(large.cost.rows_read).toBeLessThan(3 * 100 + small.cost.rows_read + 100);
  const later = await as(student).get(large.links.next as string);
  expect(ok(later)[0].position).toBe(101);
  expect(later.cost.rows_read).toBeLessThan(3 * 100 + small.cost.rows_read + 100);
});
