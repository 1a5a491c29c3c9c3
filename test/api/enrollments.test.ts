import { expect, test } from 'vitest';
import { as, ground, many, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

const at = (course: { id: number }, rest = '') => `/courses/${course.id}/enrollments${rest}`;
const of = (person: { id: number }, rest: object = {}) => ({ enrollment: { user_id: person.id, ...rest } });

test('a teacher enrolls somebody, who is invited and accepts', async () => {
  const { course, teacher, stranger } = await aCourse(ground);
  const made = within(await as(teacher).post(at(course), of(stranger)), 3);
  expect(made.cost.object_calls).toBe(1);
  expect(ok(made)).toMatchObject({
    user_id: stranger.id,
    course_id: course.id,
    course_section_id: course.section_id,
    type: 'StudentEnrollment',
    role: 'StudentEnrollment',
    role_id: 3,
    enrollment_state: 'invited',
    associated_user_id: null,
    limit_privileges_to_course_section: false,
    grades: { current_score: null },
  });
  expect(made.body).not.toHaveProperty('user');
  const it = at(course, `/${made.body.id}`);
  ok(await as(teacher).post(`${it}/accept`), 401);
  expect(ok(within(await as(stranger).post(`${it}/accept`), 3))).toEqual({ success: true });
  expect(ok(await as(stranger).post(`${it}/accept`))).toEqual({ success: true });
  expect(ok(await as(stranger).post(`${it}/reject`), 400)).toEqual({ error: 'no current invitation' });
  expect(ok(await as(teacher).get(at(course), { user_id: stranger.id }))).toMatchObject([{ id: made.body.id, enrollment_state: 'active' }]);
});
