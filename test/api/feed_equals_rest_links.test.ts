// The feed moves as the GETs do when people are linked and parted.

import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { as } from '../support/api';
import { aWatchedCourse, wrote } from '../support/watched_course';

test('observers linked to students, and parted from them', async () => {
  const scene = await aWatchedCourse(['teacher', 'student2', 'observer', 'stranger']);
  const { at, admin, teacher, student, student2, observer, stranger, course } = scene;
  await env.DB.prepare("update accounts set settings = json_set(settings, '$.self_registration', 'all') where id = 1").run();
  wrote(await as(teacher).post(`${at}/assignments`, { assignment: { name: 'Essay', points_possible: 1, published: true } }));
  await scene.agree('nothing');
  wrote(await as(admin).put(`/users/${observer.id}/observees/${student2.id}`));
  await scene.agree('a second student observed');
  const { code } = wrote(await as(student).post('/users/self/observer_pairing_codes'));
  wrote(await as(stranger).post('/users/self/observees', { pairing_code: code }));
  await scene.agree('a code used');
  expect(scene.seenBy('stranger').has(`course ${course.id}`)).toBe(true);
  wrote(await as(stranger).del(`/users/self/observees/${student.id}`));
  await scene.agree('observing ended');
  expect(scene.seenBy('stranger').has(`course ${course.id}`)).toBe(false);
});
