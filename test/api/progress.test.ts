// The progress of background jobs.

import { expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

const queued = (
  context_type: string,
  context_id: number,
  user_id: number | null = null,
  workflow_state: 'queued' | 'completed' = 'queued',
) => ground.progress({ context_type, context_id, user_id, tag: 'course_batch_update', workflow_state });

test('users who may read its context see the progress of a job', async () => {
  const { course, student, stranger, teacher } = await aCourse(ground);
  const admin = await ground.admin();
  const ofCourse = await queued('Course', course.id);
  const ofAccount = await queued('Account', 1);
  const ofUser = await queued('User', student.id);
  const mine = await queued('ContentMigration', 1, teacher.id);
  const shown = ok(within(await as(student).get(`/progress/${ofCourse}`), 2));
  expect(shown).toMatchObject({
    id: ofCourse,
    context_type: 'Course',
    context_id: course.id,
    workflow_state: 'queued',
    completion: null,
    results: null,
  });
  expect(shown.url).toMatch(new RegExp(`/api/v1/progress/${ofCourse}$`));
  ok(await as(student).post(`/progress/${ofCourse}/cancel`), 401);
  ok(await as(stranger).get(`/progress/${ofCourse}`), 404);
  ok(await as(student).get(`/progress/${ofAccount}`), 404);
  ok(await as(admin).get(`/progress/${ofAccount}`));
  ok(await as(student).get(`/progress/${ofUser}`));
  ok(await as(teacher).get(`/progress/${ofUser}`), 404);
  ok(await as(teacher).get(`/progress/${mine}`));
  ok(await as(student).get('/progress/999999'), 404);
});

test('a running job can be cancelled', async () => {
  const { course, teacher, stranger } = await aCourse(ground);
  const id = await queued('Course', course.id);
  ok(await as(stranger).post(`/progress/${id}/cancel`), 404);
  expect(ok(within(await as(teacher).post(`/progress/${id}/cancel`, { message: 'never mind' }), 3))).toMatchObject({
    workflow_state: 'failed',
    message: 'never mind',
  });
  ok(await as(teacher).post(`/progress/${id}/cancel`), 400);
});
