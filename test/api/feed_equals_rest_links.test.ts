// The feed agrees with GET requests when users are linked, merged and separated.

import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { as, ground } from '../support/api';
import { aWatchedCourse, wrote } from '../support/watched_course';

test('observers linked to students, and unlinked', async () => {
  const scene = await aWatchedCourse(['teacher', 'student2', 'observer', 'stranger']);
  const { at, admin, teacher, student, student2, observer, stranger, course } = scene;
  await env.DB.prepare(
    "update authentication_providers set settings = json_set(settings, '$.self_registration', 'all') where id = 1",
  ).run();
  wrote(await as(teacher).post(`${at}/assignments`, { assignment: { name: 'Essay', points_possible: 1, published: true } }));
  await scene.agree('nothing');
  wrote(await as(admin).put(`/users/${observer.id}/observees/${student2.id}`));
  await scene.agree('a second student observed');
  const { code } = wrote(await as(student).post('/users/self/observer_pairing_codes'));
  wrote(await as(stranger).post('/users/self/observees', { pairing_code: code }));
  await scene.agree('a code used');
  expect(scene.seenBy('stranger').has(`course ${course.id}`)).toBe(true);
  wrote(await as(stranger).del(`/users/self/observees/${student.id}`));
  await scene.agree('observer unlinked');
  expect(scene.seenBy('stranger').has(`course ${course.id}`)).toBe(false);
});

test('users merged, and split again', async () => {
  const scene = await aWatchedCourse(['teacher', 'student2', 'observer', 'admin']);
  const { at, admin, teacher, student, student2, course } = scene;
  const other = await ground.course();
  await ground.enroll(other, student, 'student');
  await ground.enroll(other, teacher, 'teacher');
  scene.watchToo(other);
  const essay = wrote(
    await as(teacher).post(`${at}/assignments`, {
      assignment: { name: 'Essay', published: true, submission_types: ['online_text_entry'] },
    }),
  );
  wrote(await as(teacher).post(`/courses/${other.id}/assignments`, { assignment: { name: 'Lab', points_possible: 1, published: true } }));
  const handIn = (by: typeof student, body: string) =>
    as(by).post(`${at}/assignments/${essay.id}/submissions`, { submission: { submission_type: 'online_text_entry', body } });
  wrote(await handIn(student, 'by the one'));
  wrote(await as(student).post('/planner_notes', { title: 'Remember', todo_date: '2026-12-01T00:00:00Z' }));
  wrote(await as(student).post(`/users/self/favorites/courses/${other.id}`));
  wrote(await as(student).post('/conversations', { recipients: [teacher.id], body: 'Hello', context_code: `course_${course.id}` }));
  wrote(await as(teacher).post(`${at}/discussion_topics`, { title: 'Talk', message: 'x', published: true }));
  await scene.agree('nothing');
  wrote(await as(admin).put(`/users/${student.id}/merge_into/${student2.id}`));
  await scene.agree('a merge');
  expect(scene.seenBy('student2').has(`course ${other.id}`)).toBe(true);
  wrote(await as(admin).post(`/users/${student2.id}/split`));
  await scene.agree('a split');
  expect(scene.seenBy('student2').has(`course ${other.id}`)).toBe(false);
  wrote(await as(admin).put(`/users/${student.id}/merge_into/accounts/self/users/${student2.id}`));
  await scene.agree('another merge');
});
