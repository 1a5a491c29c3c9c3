// Sections of courses, and cross-listing.

import { sections } from '@carrel/worker/domains/sections/table';
import { expect, test } from 'vitest';
import { as, ground, many, nth, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

const at = (course: { id: number }, rest = '') => `/courses/${course.id}/sections${rest}`;
const named = (sections: { name: string }[]) => sections.map((section) => section.name);

test('sections are listed by name, searched, and returned with their students', async () => {
  const { course, student, teacher } = await aCourse(ground, { name: 'Main' });
  await ground.section(course, { name: 'evening' });
  expect(named(ok(within(await as(student).get(at(course)), 2)))).toEqual(['evening', 'Main']);
  expect(named(ok(await as(student).get(at(course), { search_term: 'even' })))).toEqual(['evening']);
  ok(await as(student).get(at(course), { search_term: 'e' }), 400);
  const include = ['students', 'enrollments', 'total_students', 'permissions', 'passback_status'];
  const [empty, main] = ok(within(await as(teacher).get(at(course), { include, all: 1 }), 2));
  expect(empty).toMatchObject({ students: null, total_students: 0 });
  expect(main).toMatchObject({
    id: course.section_id,
    course_id: course.id,
    total_students: 2,
    nonxlist_course_id: null,
    restrict_enrollments_to_section_dates: null,
    permissions: { manage_calendar: true },
    students: [
      { id: student.id, sortable_name: 'Student, Sam', enrollments: [{ type: 'StudentEnrollment', user_id: student.id }] },
      { sortable_name: 'Student, Sue' },
    ],
  });
  expect(main).toHaveProperty('sis_section_id', null);
  expect(ok(await as(student).get(at(course)))[0]).not.toHaveProperty('sis_section_id');
});

test('a teacher creates, reads and edits a section', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const made = ok(
    within(
      await as(teacher).post(at(course), { course_section: { name: 'Lab', start_at: '2026-09-01T00:00:00Z', sis_section_id: 'X' } }),
      3,
    ),
  );
  expect(made).toMatchObject({ name: 'Lab', start_at: '2026-09-01T00:00:00Z', course_id: course.id });
  expect(ok(within(await as(student).get(`/sections/${made.id}`), 2))).toMatchObject({ id: made.id });
  expect(ok(await as(student).get(at(course, `/${made.id}`)))).toMatchObject({ id: made.id });
  const other = await ground.course();
  ok(await as(await ground.admin()).get(at(other, `/${made.id}`)), 404);
  const edited = ok(
    within(
      await as(teacher).put(`/sections/${made.id}`, {
        course_section: { name: 'Laboratory', restrict_enrollments_to_section_dates: true },
      }),
      3,
    ),
  );
  expect(edited).toMatchObject({ name: 'Laboratory', restrict_enrollments_to_section_dates: true, start_at: '2026-09-01T00:00:00Z' });
  expect(ok(await as(teacher).put(`/sections/${made.id}`, { course_section: { sis_section_id: 'X' } }), 401)).toHaveProperty('message');
  ok(await as(student).put(`/sections/${made.id}`, { course_section: { name: 'Mine' } }), 401);
  ok(await as(student).post(at(course), { course_section: { name: 'Mine' } }), 401);
  ok(await as(teacher).post(at(course), { course_section: { name: 'x'.repeat(256) } }), 400);
  ok(await as(teacher).post(at(course), { course_section: { start_at: 'never' } }), 400);
  expect(ok(await as(teacher).post(at(course))).name).toBe('Unnamed Section');
});

test('SIS ids of sections are unique, and restore a deleted section', async () => {
  const { course } = await aCourse(ground);
  const admin = await ground.admin();
  const section = { name: 'Lab', sis_section_id: 'SEC-1' };
  const made = ok(await as(admin).post(at(course), { course_section: section }));
  expect(made.sis_section_id).toBe('SEC-1');
  expect(ok(await as(admin).get('/sections/sis_section_id:SEC-1')).id).toBe(made.id);
  ok(await as(admin).post(at(course), { course_section: section }), 400);
  ok(within(await as(admin).del(`/sections/${made.id}`), 3));
  ok(await as(admin).get(`/sections/${made.id}`), 404);
  ok(await as(admin).post(at(course), { course_section: section }), 400);
  expect(
    ok(await as(admin).post(at(course), { course_section: { ...section, name: 'Again' }, enable_sis_reactivation: true })),
  ).toMatchObject({ id: made.id, name: 'Again' });
});

test('a section with users cannot be deleted', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const admin = await ground.admin();
  expect(ok(await as(admin).del(`/sections/${course.section_id}`), 400)).toHaveProperty('message');
  const empty = await ground.section(course, { name: 'Empty' });
  ok(await as(student).del(`/sections/${empty}`), 401);
  expect(ok(await as(admin).del(`/sections/${empty}`))).toMatchObject({ id: empty, name: 'Empty' });
  ok(await as(teacher).post(`/sections/${empty}/enrollments`, { enrollment: { user_id: student.id } }), 404);
});

test('cross-listing moves a section and its users to another course, and undoing it moves them back', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const admin = await ground.admin();
  const [other, third] = [await ground.course(), await ground.course()];
  const section = `/sections/${course.section_id}`;
  ok(await as(teacher).post(`${section}/crosslist/${other.id}`), 401);
  ok(await as(admin).post(`${section}/crosslist/999999`), 404);
  ok(await as(admin).del(`${section}/crosslist`), 400);
  const moved = within(await as(admin).post(`${section}/crosslist/${other.id}`), 3);
  expect(moved.cost.object_calls).toBe(1);
  expect(ok(moved)).toMatchObject({ id: course.section_id, course_id: other.id, nonxlist_course_id: course.id });
  ok(await as(student).get(`/courses/${course.id}`), 401);
  ok(await as(student).get(`/courses/${other.id}`));
  expect(ok(await as(admin).post(`${section}/crosslist/${third.id}`))).toMatchObject({
    course_id: third.id,
    nonxlist_course_id: course.id,
  });
  expect(ok(await as(admin).del(`${section}/crosslist`))).toMatchObject({ course_id: course.id, nonxlist_course_id: null });
  expect(ok(await as(teacher).get(`${section}/enrollments`))).toHaveLength(6);

  // Manually changed fields are kept if the caller asks for it.
  const gently = { override_sis_stickiness: false };
  expect(ok(await as(admin).post(`${section}/crosslist/${other.id}`, gently))).toMatchObject({ course_id: course.id });
  ok(await as(admin).put(section, { course_section: { name: 'By hand' } }));
  const dated = { name: 'By a machine', end_at: '2031-01-01T00:00:00Z' };
  expect(ok(await as(admin).put(section, { course_section: dated, ...gently }))).toMatchObject({ ...dated, name: 'By hand' });
  expect(ok(await as(admin).put(section, { course_section: { name: 'By a machine' } })).name).toBe('By a machine');
});

test('a section-restricted teacher enrolls users there', async () => {
  const { course, teacher, stranger } = await aCourse(ground);
  const lab = await ground.section(course, { name: 'Lab' });
  expect(
    ok(
      within(
        await as(teacher).post(`/sections/${lab}/enrollments`, {
          enrollment: { user_id: stranger.id, course_section_id: course.section_id },
        }),
        3,
      ),
    ),
  ).toMatchObject({
    course_section_id: lab,
    course_id: course.id,
  });
  expect(ok(within(await as(teacher).get(`/sections/${lab}/enrollments`), 2))).toHaveLength(1);
  ok(await as(stranger).get('/sections/999999'), 404);
});

test('ten thousand sections cost no more than ten', async () => {
  const { course, teacher } = await aCourse(ground);
  const small = within(await as(teacher).get(at(course)), 2);
  await many(10_000, sections, {
    course_id: course.id,
    name: nth('Section '),
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
  });
  let page = within(await as(teacher).get(at(course), { per_page: 100 }), 2);
  expect(ok(page)).toHaveLength(100);
  expect(page.cost.rows_read).toBeLessThan(3 * 100 + small.cost.rows_read);
  for (let n = 0; n < 3; n++) page = await as(teacher).get(page.links.next as string);
  expect(page.cost.rows_read).toBeLessThan(3 * 100 + small.cost.rows_read);
});
