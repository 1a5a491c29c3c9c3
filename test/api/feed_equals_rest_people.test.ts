// For every role the feed agrees with GET requests while enrollments change.

import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { as, base, ok } from '../support/api';
import { aWatchedCourse } from '../support/watched_course';

test('initially', async () => {
  const scene = await aWatchedCourse(['teacher', 'ta', 'designer', 'student', 'student2', 'observer', 'stranger']);
  await scene.agree('nothing');
  expect(scene.seenBy('student').has(`course ${scene.course.id}`)).toBe(true);
  expect(scene.seenBy('stranger').has(`course ${scene.course.id}`)).toBe(false);
});

test('courses and enrollments: unpublished, concluded, dropped, invited', async () => {
  const scene = await aWatchedCourse();
  const { course, teacher, student, student2, stranger, admin, enrollment_ids } = scene;
  const at = `/courses/${course.id}`;
  await scene.agree('nothing');
  ok(await as(teacher).put(at, { course: { event: 'claim' } }));
  await scene.agree('unpublishing');
  expect(scene.seenBy('student').has(`course ${course.id}`)).toBe(false);
  ok(await as(teacher).put(at, { course: { event: 'offer', name: 'Renamed' } }));
  await scene.agree('publishing again');
  expect(scene.seenBy('student').get(`course ${course.id}`)?.name).toBe('Renamed');
  const invited = ok(await as(teacher).post(`${at}/enrollments`, { enrollment: { user_id: stranger.id, type: 'StudentEnrollment' } }));
  await scene.agree('an invitation');
  ok(await as(stranger).post(`${at}/enrollments/${invited.id}/accept`));
  await scene.agree('its acceptance');
  expect(scene.seenBy('stranger').has(`course ${course.id}`)).toBe(true);
  ok(await as(teacher).del(`${at}/enrollments/${invited.id}`, { task: 'delete' }));
  await scene.agree('a drop');
  expect(scene.seenBy('stranger').has(`course ${course.id}`)).toBe(false);
  ok(await as(teacher).del(`${at}/enrollments/${enrollment_ids.student2}`, { task: 'deactivate' }));
  await scene.agree('a deactivation');
  ok(await as(teacher).put(`${at}/enrollments/${enrollment_ids.student2}/reactivate`));
  ok(await as(admin).put(at, { course: { self_enrollment: true } }));
  const self_enrollment_code = await env.DB.prepare('select self_enrollment_code from courses where id = ?')
    .bind(course.id)
    .first('self_enrollment_code');
  const joined = { enrollment: { user_id: 'self', self_enrollment_code } };
  ok(await as(stranger).post(`${at}/enrollments`, joined));
  const [{ uuid }] = ok(await as(stranger).get(`${at}/enrollments`, { user_id: 'self', include: ['uuid'] }));
  ok(await as(stranger).post(`${base}/courses/${course.id}/self_unenrollment/${uuid}`));
  await scene.agree('a reactivation, and a self-enrolled user who left');
  ok(await as(student).put(`/users/self/course_nicknames/${course.id}`, { nickname: 'Stars' }));
  await scene.agree('a nickname');
  expect(scene.seenBy('student').get(`course ${course.id}`)?.name).toBe('Stars');
  ok(await as(student2).post(`/users/self/favorites/courses/${course.id}`));
  await scene.agree('a favorite');
  ok(await as(teacher).del(at, { event: 'conclude' }));
  await scene.agree('the end of the course');
  ok(await as(admin).del(at, { event: 'delete' }));
  await scene.agree('its deletion');
});

test('an observer sees who is observed, with the name that the student has now', async () => {
  const scene = await aWatchedCourse();
  const { student, enrollment_ids } = scene;
  const shown = () => scene.seenBy('observer').get(`enrollment ${enrollment_ids.observer}`);
  await scene.agree('nothing');
  expect(shown()).toMatchObject({ associated_user_id: student.id, observed_user: { id: student.id, name: 'Sam Student' } });
  expect(shown()?.observed_user).not.toHaveProperty('enrollments');
  expect(scene.seenBy('student').get(`enrollment ${enrollment_ids.student}`)).not.toHaveProperty('observed_user');
  ok(await as(student).put('/users/self', { user: { name: 'Sam Scholar' } }));
  await scene.agree('a new name of the student');
  expect(shown()).toMatchObject({ observed_user: { name: 'Sam Scholar' } });
});
