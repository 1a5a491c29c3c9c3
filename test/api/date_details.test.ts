// The dates of assignments, separate from the assignments.

import { expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

const at = (course: { id: number }, rest = '') => `/courses/${course.id}/assignments${rest}`;

async function anEssay() {
  const scene = await aCourse(ground);
  const { course, teacher, student } = scene;
  const assignment = {
    name: 'Essay',
    published: true,
    due_at: '2026-10-10T10:00:00Z',
    assignment_overrides: [{ student_ids: [student.id], due_at: '2026-10-12T10:00:00Z', lock_at: '2026-10-20T10:00:00Z' }],
  };
  const essay = ok(await as(teacher).post(at(course), { assignment }), 201) as { id: number };
  const details = at(course, `/${essay.id}/date_details`);
  const [override] = ok(await as(teacher).get(details)).overrides as { id: number }[];
  return { ...scene, essay, details, override: override as { id: number } };
}

test('the dates of an assignment are returned with the users of its overrides, and can be changed separately', async () => {
  const { course, teacher, student, student2, essay, details, override } = await anEssay();
  expect(ok(within(await as(teacher).get(details), 2))).toMatchObject({
    id: essay.id,
    due_at: '2026-10-10T10:00:00Z',
    lock_at: null,
    only_visible_to_overrides: false,
    visible_to_everyone: true,
    graded: true,
    overrides: [{ id: override.id, students: [{ id: student.id, name: student.name }] }],
  });
  const change = {
    only_visible_to_overrides: true,
    lock_at: '2026-11-01T10:00:00Z',
    assignment_overrides: [{ student_ids: [student2.id] }],
  };
  ok(within(await as(teacher).put(details, change), 3), 204);
  expect(ok(await as(teacher).get(details))).toMatchObject({
    due_at: '2026-10-10T10:00:00Z',
    lock_at: '2026-11-01T10:00:00Z',
    only_visible_to_overrides: true,
    overrides: [{ student_ids: [student2.id] }],
  });
  ok(await as(student).get(at(course, `/${essay.id}`)), 401);
  ok(await as(teacher).put(details, { lock_at: '2026-10-01T10:00:00Z' }), 400);
  ok(await as(student).get(details), 401);
  ok(await as(student).put(details, {}), 401);
  ok(await as(teacher).get(at(course, '/999999/date_details')), 404);
});

test('the dates of many assignments change together', async () => {
  const { course, teacher, essay, details, override } = await anEssay();
  const bulk = at(course, '/bulk_update');
  const send = (body: unknown, person = teacher) => as(person).put(bulk, body as object, { json: true });
  const all_dates = [
    { base: true, due_at: '2026-10-11T10:00:00Z' },
    { id: override.id, due_at: null },
  ];
  const done = ok(within(await send([{ id: essay.id, all_dates }]), 3));
  expect(done).toMatchObject({ tag: 'assignment_bulk_update', workflow_state: 'completed', results: { updated_count: 2 } });
  const result = ok(await as(teacher).get(details));
  expect(result).toMatchObject({ due_at: '2026-10-11T10:00:00Z', overrides: [{ due_at: null }] });
  expect(result.overrides[0]).not.toHaveProperty('lock_at');
  const wrong = ok(
    await send([{ id: essay.id, all_dates: [{ base: true, due_at: '2026-12-01T10:00:00Z', lock_at: '2026-11-01T10:00:00Z' }] }]),
  );
  expect(wrong).toMatchObject({ workflow_state: 'failed', results: [{ assignment_id: essay.id, due_at: ['must be before lock date'] }] });
  expect(ok(await as(teacher).get(details)).due_at).toBe('2026-10-11T10:00:00Z');
  expect(ok(await send({ id: essay.id }), 400)).toEqual({ message: 'expected array' });
  expect(ok(await send([{ all_dates }]), 400)).toEqual({ message: 'missing assignment id' });
  ok(await send([{ id: 999999, all_dates }]), 404);
  ok(await send([{ id: essay.id, all_dates: [{ base: true, due_at: 'soon' }] }]), 400);
  ok(await send([], (await anEssay()).student), 401);
});

test('without groups, a student is listed as a group of one', async () => {
  const { course, teacher, student, essay } = await anEssay();
  const members = at(course, `/${essay.id}/users/${student.id}/group_members`);
  expect(ok(within(await as(teacher).get(members), 2))).toEqual([{ id: student.id, name: student.name }]);
  ok(await as(student).get(members), 401);
});

test('overrides of the modules of an assignment are among its overrides, and stay when the list is sent back', async () => {
  const { course, teacher, student, student2, essay, details, override } = await anEssay();
  const module = ok(await as(teacher).post(`/courses/${course.id}/modules`, { module: { name: 'Extra' } }));
  const modules = `/courses/${course.id}/modules/${module.id}`;
  for (let twice = 0; twice < 2; twice += 1)
    ok(await as(teacher).post(`${modules}/items`, { module_item: { type: 'Assignment', content_id: essay.id } }));
  const overrides = [{ course_section_id: course.section_id }, { title: 'Some', student_ids: [student2.id] }];
  ok(await as(teacher).put(`${modules}/assignment_overrides`, { overrides }, { json: true }), 204);
  // An unpublished module restricts no one.
  expect(ok(await as(teacher).get(details)).overrides).toHaveLength(1);
  ok(await as(teacher).put(modules, { module: { published: true } }));
  const shown = ok(within(await as(teacher).get(details), 2)).overrides;
  const ofModule = { assignment_id: essay.id, unassign_item: false, context_module_id: module.id, context_module_name: 'Extra' };
  expect(shown).toEqual([
    expect.objectContaining({ id: override.id, student_ids: [student.id] }),
    { ...ofModule, id: expect.any(Number), title: expect.any(String), course_section_id: course.section_id },
    {
      ...ofModule,
      id: expect.any(Number),
      title: 'Some',
      student_ids: [student2.id],
      students: [{ id: student2.id, name: student2.name }],
    },
  ]);
  expect(shown[0]).not.toHaveProperty('context_module_id');

  const other = ok(await as(teacher).post(`/courses/${course.id}/sections`, { course_section: { name: 'Other' } }));
  const limited = await ground.person({ name: 'Tess' });
  const enrollment = { user_id: limited.id, type: 'TaEnrollment', enrollment_state: 'active', limit_privileges_to_course_section: true };
  ok(await as(await ground.admin()).post(`/sections/${other.id}/enrollments`, { enrollment }));
  expect(ok(await as(limited).get(details)).overrides).toEqual([]);

  ok(within(await as(teacher).put(details, { assignment_overrides: shown }), 3), 204);
  expect(ok(await as(teacher).get(details)).overrides).toEqual(shown);
  ok(await as(teacher).put(details, { assignment_overrides: shown.slice(1) }), 204);
  expect(ok(await as(teacher).get(details)).overrides).toEqual(shown.slice(1));
});
