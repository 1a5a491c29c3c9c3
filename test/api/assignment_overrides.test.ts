// Assignment overrides: dates for students, sections and groups.

import { assignment_overrides } from '@carrel/worker/domains/assignments/table';
import { expect, test } from 'vitest';
import { as, ground, many, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

type Scene = Awaited<ReturnType<typeof aCourse>>;
const at = (course: { id: number }, rest = '') => `/courses/${course.id}/assignments${rest}`;

async function anEssay({ course, teacher }: Scene, more: object = {}) {
  const assignment = { name: 'Essay', published: true, due_at: '2026-10-10T10:00:00Z', ...more };
  return ok(await as(teacher).post(at(course), { assignment }), 201) as { id: number };
}

const override = (scene: Scene, essay: { id: number }, assignment_override: object) =>
  as(scene.teacher).post(at(scene.course, `/${essay.id}/overrides`), { assignment_override });

test('an override has one kind of target and returns only the dates that it overrides', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student, student2 } = scene;
  const essay = await anEssay(scene);
  const adhoc = ok(
    within(await override(scene, essay, { student_ids: [student.id, student2.id], due_at: '2026-10-12T23:59:00Z', lock_at: '' }), 3),
    201,
  );
  expect(adhoc).toEqual({
    id: adhoc.id,
    assignment_id: essay.id,
    title: '2 students',
    unassign_item: false,
    student_ids: [student.id, student2.id],
    due_at: '2026-10-12T23:59:00Z',
    all_day: true,
    all_day_date: '2026-10-12',
    lock_at: null,
  });
  const section = ok(await override(scene, essay, { course_section_id: course.section_id, unlock_at: '2026-10-01' }), 201);
  expect(section).toMatchObject({ course_section_id: course.section_id, title: course.name, unlock_at: '2026-10-01T00:00:00Z' });
  expect(section).not.toHaveProperty('due_at');
  expect(ok(await override(scene, essay, { course_id: course.id }), 201)).toMatchObject({ course_id: course.id });
  expect(ok(within(await as(teacher).get(at(course, `/${essay.id}/overrides`)), 2))).toHaveLength(3);
  expect(ok(within(await as(teacher).get(at(course, `/${essay.id}/overrides/${adhoc.id}`)), 2))).toEqual(adhoc);
  expect(ok(await as(teacher).get(`/sections/${course.section_id}/assignments/${essay.id}/override`))).toEqual(section);
});

test('an invalid target is refused with its reason', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student, stranger } = scene;
  const other = await ground.course();
  const essay = await anEssay(scene);
  const refuse = async (given: object) => ok(await override(scene, essay, given), 400);
  expect((await refuse({ title: 'Nobody' })).errors).toHaveLength(1);
  await refuse({ student_ids: [stranger.id] });
  await refuse({ student_ids: [''] });
  await refuse({ course_section_id: other.section_id });
  await refuse({ course_id: other.id });
  await refuse({ group_id: 1 });
  await refuse({ course_section_id: course.section_id, due_at: 'soon' });
  expect(await refuse({ course_section_id: course.section_id, lock_at: '2026-10-01T10:00:00Z' })).toHaveProperty('errors.due_at');
  ok(await override(scene, essay, { student_ids: [student.id] }), 201);
  await refuse({ student_ids: [student.id] });
  ok(await override(scene, essay, { course_section_id: course.section_id }), 201);
  await refuse({ course_section_id: course.section_id });
  ok(await override(scene, { id: 999999 }, { student_ids: [student.id] }), 404);
  ok(await as(student).post(at(course, `/${essay.id}/overrides`), { assignment_override: { student_ids: [student.id] } }), 401);
  ok(await as(teacher).get(at(course, '/999999/overrides')), 404);
});

test('an update replaces the dates, keeps the students and cannot change the target', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student, student2 } = scene;
  const essay = await anEssay(scene);
  const made = ok(await override(scene, essay, { student_ids: [student.id], due_at: '2026-10-12T10:00:00Z' }), 201);
  const path = at(course, `/${essay.id}/overrides/${made.id}`);
  const changed = ok(within(await as(teacher).put(path, { assignment_override: { lock_at: '2026-10-20T10:00:00Z' } }), 3));
  expect(changed).toMatchObject({ student_ids: [student.id], lock_at: '2026-10-20T10:00:00Z' });
  expect(changed).not.toHaveProperty('due_at');
  const renamed = ok(await as(teacher).put(path, { assignment_override: { student_ids: [student.id, student2.id], title: 'Both' } }));
  expect(renamed).toMatchObject({ student_ids: [student.id, student2.id], title: 'Both' });
  ok(await as(teacher).put(path, { assignment_override: { student_ids: [course.id + 999_999] } }), 400);
  ok(await as(student).put(path, { assignment_override: {} }), 401);
  ok(await as(student).del(path), 401);
  expect(ok(within(await as(teacher).del(path), 3))).toEqual(renamed);
  ok(await as(teacher).get(path), 404);
  ok(await as(teacher).del(path), 404);
  ok(await override(scene, essay, { student_ids: [student.id] }), 201);
});

test('students see their own overrides; section-restricted teachers see those of their section', async () => {
  const scene = await aCourse(ground);
  const { course, student, student2 } = scene;
  const evening = await ground.section(course, { name: 'Evening' });
  const late = await ground.person({ name: 'Lea Late' });
  await ground.enroll(course, late, 'student', { section_id: evening });
  const tutor = await ground.person({ name: 'Tom Tutor' });
  await ground.enroll(course, tutor, 'ta', { section_id: evening, limited: true });
  const essay = await anEssay(scene);
  ok(await override(scene, essay, { student_ids: [student.id], due_at: '2026-10-12T10:00:00Z' }), 201);
  ok(await override(scene, essay, { course_section_id: evening, due_at: '2026-10-13T10:00:00Z' }), 201);
  const count = async (person: typeof student) => ok(await as(person).get(at(course, `/${essay.id}/overrides`))).length;
  expect(await count(student)).toBe(1);
  expect(await count(student2)).toBe(0);
  expect(await count(late)).toBe(1);
  expect(await count(tutor)).toBe(1);
});

test('many overrides are created, read and updated at once, or none of them', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student, student2 } = scene;
  const essay = await anEssay(scene);
  const poem = await anEssay(scene, { name: 'Poem' });
  const batch = at(course, '/overrides');
  const given = [
    { assignment_id: essay.id, student_ids: [student.id], due_at: '2026-10-12T10:00:00Z' },
    { assignment_id: poem.id, course_section_id: course.section_id, due_at: '2026-10-13T10:00:00Z' },
  ];
  const wrong = ok(await as(teacher).post(batch, { assignment_overrides: [given[0], { ...given[1], assignment_id: 999999 }] }), 400);
  expect(wrong).toEqual({ errors: [null, ['assignment not found']] });
  ok(await as(teacher).post(batch, { assignment_overrides: [{ ...given[0], id: 5 }] }), 400);
  const made = ok(within(await as(teacher).post(batch, { assignment_overrides: given }), 3));
  expect(made).toMatchObject([{ student_ids: [student.id] }, { course_section_id: course.section_id }]);
  const pairs = [
    { id: made[1].id, assignment_id: poem.id },
    { id: made[0].id, assignment_id: poem.id },
    { id: made[0].id, assignment_id: essay.id },
  ];
  expect(ok(within(await as(teacher).get(batch, { assignment_overrides: pairs }), 2))).toEqual([made[1], null, made[0]]);
  expect(ok(await as(student2).get(batch, { assignment_overrides: pairs }))).toEqual([made[1], null, null]);
  ok(await as(teacher).get(batch, { assignment_overrides: [{ id: 1 }] }), 400);
  const change = (id: number, assignment_id: number) => ({ id, assignment_id, lock_at: '2026-11-01T10:00:00Z' });
  const changed = ok(
    within(await as(teacher).put(batch, { assignment_overrides: [change(made[1].id, poem.id), change(made[0].id, essay.id)] }), 3),
  );
  expect(changed).toMatchObject([{ id: made[1].id, lock_at: '2026-11-01T10:00:00Z' }, { id: made[0].id }]);
  ok(await as(teacher).put(batch, { assignment_overrides: [change(made[1].id, poem.id), { assignment_id: poem.id }] }), 400);
  ok(await as(student).post(batch, { assignment_overrides: given }), 401);
});

test('each date of a student is taken separately from the overrides that apply to them', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student, student2, observer } = scene;
  const evening = await ground.section(course, { name: 'Evening' });
  await ground.enroll(course, student2, 'student', { section_id: evening });
  const essay = await anEssay(scene, { unlock_at: '2026-10-01T10:00:00Z', lock_at: '2099-12-01T10:00:00Z' });
  const dates = async (person: typeof student) => {
    const { due_at, unlock_at, lock_at } = ok(await as(person).get(at(course, `/${essay.id}`)));
    return { due_at, unlock_at, lock_at };
  };
  const base = { due_at: '2026-10-10T10:00:00Z', unlock_at: '2026-10-01T10:00:00Z', lock_at: '2099-12-01T10:00:00Z' };
  expect(await dates(student2)).toEqual(base);
  // Sections: the latest due date and the earliest opening; the base dates do not count.
  ok(
    await override(scene, essay, {
      course_section_id: course.section_id,
      due_at: '2026-10-05T10:00:00Z',
      unlock_at: '2026-09-20T10:00:00Z',
    }),
    201,
  );
  expect(await dates(student)).toEqual({ ...base, due_at: '2026-10-05T10:00:00Z', unlock_at: '2026-09-20T10:00:00Z' });
  ok(await override(scene, essay, { course_section_id: evening, due_at: '2026-10-07T10:00:00Z', unlock_at: '2026-09-25T10:00:00Z' }), 201);
  expect(await dates(student2)).toEqual({ ...base, due_at: '2026-10-07T10:00:00Z', unlock_at: '2026-09-20T10:00:00Z' });
  // No date is later than any date.
  const all = ok(await override(scene, essay, { course_id: course.id, lock_at: '' }), 201);
  expect(await dates(student2)).toMatchObject({ lock_at: null, due_at: '2026-10-07T10:00:00Z' });
  // An override that names the student takes precedence, even with an earlier date.
  ok(await override(scene, essay, { student_ids: [student2.id], due_at: '2026-10-02T10:00:00Z' }), 201);
  expect(await dates(student2)).toMatchObject({ lock_at: null, due_at: '2026-10-02T10:00:00Z' });
  expect(await dates(observer)).toEqual(await dates(student));
  ok(await as(teacher).del(at(course, `/${essay.id}/overrides/${all.id}`)));
  expect((await dates(student)).lock_at).toBe(base.lock_at);
});

test('an override may remove the assignment from its targets', async () => {
  const scene = await aCourse(ground);
  const { course, student, student2 } = scene;
  const essay = await anEssay(scene);
  ok(await override(scene, essay, { course_section_id: course.section_id, unassign_item: true }), 201);
  ok(await as(student).get(at(course, `/${essay.id}`)), 401);
  ok(await override(scene, essay, { student_ids: [student.id] }), 201);
  ok(await as(student).get(at(course, `/${essay.id}`)));
  ok(await as(student2).get(at(course, `/${essay.id}`)), 401);
});

test('a list of 10,000 overrides costs as much as a list of ten', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student } = scene;
  const essay = await anEssay(scene);
  await many(10_000, assignment_overrides, { assignment_id: essay.id, course_id: course.id, set_type: 'ADHOC', title: 'Nobody' });
  const large = within(await as(teacher).get(at(course, `/${essay.id}/overrides`), { per_page: 100 }), 2);
  expect(ok(large)).toHaveLength(100);
  expect(large.cost.rows_read).toBeLessThan(3 * 100 + 200);
  const own = within(await as(student).get(at(course, `/${essay.id}`)), 2);
  expect(own.cost.rows_read).toBeLessThan(200);
});

test('a due date without a time is the end of that day where the teacher is, whatever the zone of the course', async () => {
  const scene = await aCourse(ground, { time_zone: 'Europe/Berlin' });
  const { course, teacher, student, student2 } = scene;
  ok(await as(teacher).put('/users/self', { user: { time_zone: 'America/New_York' } }));
  const days = { due_at: '2026-01-31', unlock_at: '2026-01-30', lock_at: '2026-02-01' };
  const ends = { due_at: '2026-02-01T04:59:59Z', unlock_at: '2026-01-30T05:00:00Z', lock_at: '2026-02-02T04:59:59Z' };
  const essay = await anEssay(scene, { due_at: null });
  const made = ok(await override(scene, essay, { student_ids: [student.id], ...days }), 201);
  expect(made).toMatchObject({ ...ends, all_day_date: '2026-02-01' });
  const batch = { assignment_overrides: [{ assignment_id: essay.id, student_ids: [student2.id], ...days }] };
  expect(ok(await as(teacher).post(at(course, '/overrides'), batch))).toMatchObject([ends]);
  expect(ok(await as(teacher).put(at(course, `/${essay.id}`), { assignment: days }))).toMatchObject(ends);
  ok(await as(teacher).put(at(course, `/${essay.id}/date_details`), { ...days, lock_at: '2026-02-03' }), 204);
  expect(ok(await as(teacher).get(at(course, `/${essay.id}?override_assignment_dates=false`)))).toMatchObject({
    ...ends,
    lock_at: '2026-02-04T04:59:59Z',
  });
});
