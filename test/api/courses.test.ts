import { expect, test } from 'vitest';
import { as, ground, many, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

const names = (courses: { name: string }[]) => courses.map((course) => course.name);

test("a person's courses are listed by name with that person's enrollments", async () => {
  const { course, student, teacher } = await aCourse(ground, { name: 'Botany' });
  const astronomy = await ground.course({ name: 'astronomy' });
  await ground.enroll(astronomy, student, 'student', { enrollment_state: 'invited' });
  const listed = ok(within(await as(student).get('/courses'), 2));
  expect(names(listed)).toEqual(['astronomy', 'Botany']);
  expect(listed[1]).toMatchObject({
    id: course.id,
    workflow_state: 'available',
    time_zone: 'Etc/UTC',
    storage_quota_mb: 500,
    default_view: 'modules',
    blueprint: false,
    enrollments: [{ type: 'student', role: 'StudentEnrollment', role_id: 3, user_id: student.id, enrollment_state: 'active' }],
  });
  expect(listed[1]).not.toHaveProperty('sis_course_id');
  expect(ok(await as(teacher).get('/courses'))).toHaveLength(1);
  ok(await as().get('/courses'), 401);
});

test('one course is shown to those who may read it', async () => {
  const { course, student, stranger } = await aCourse(ground);
  const shown = ok(
    within(await as(student).get(`/courses/${course.id}`, { include: ['term', 'teachers', 'total_students', 'permissions'] }), 2),
  );
  expect(shown).toMatchObject({
    id: course.id,
    term: { id: 1, name: 'Default Term' },
    total_students: 2,
    teachers: [{ display_name: 'Tara Teacher' }],
    permissions: { create_discussion_topic: true, create_announcement: false },
  });
  ok(await as(stranger).get(`/courses/${course.id}`), 401);
  ok(await as(student).get('/courses/999999'), 404);
});
