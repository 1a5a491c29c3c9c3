// For every role the feed agrees with GET requests while assignments, submissions and posts change.

import { expect, test } from 'vitest';
import { as, ok } from '../support/api';
import { aWatchedCourse } from '../support/watched_course';

test('assignments: published, moved by overrides, deleted', async () => {
  const scene = await aWatchedCourse();
  const { course, teacher, student } = scene;
  const at = `/courses/${course.id}`;
  await scene.agree('nothing');
  const essay = ok(
    await as(teacher).post(`${at}/assignments`, {
      assignment: { name: 'Essay', points_possible: 10, submission_types: ['online_text_entry'] },
    }),
    201,
  );
  await scene.agree('an unpublished assignment');
  expect(scene.seenBy('student').has(`assignment ${essay.id}`)).toBe(false);
  ok(await as(teacher).put(`${at}/assignments/${essay.id}`, { assignment: { published: true, due_at: '2026-12-01T12:00:00Z' } }));
  await scene.agree('publishing');
  expect(scene.seenBy('student').has(`assignment ${essay.id}`)).toBe(true);
  const override = ok(
    await as(teacher).post(`${at}/assignments/${essay.id}/overrides`, {
      assignment_override: { student_ids: [student.id], due_at: '2026-12-24T12:00:00Z' },
    }),
    201,
  );
  await scene.agree('an override');
  expect(scene.seenBy('student').get(`assignment ${essay.id}`)?.due_at).toBe('2026-12-24T12:00:00Z');
  expect(scene.seenBy('student2').get(`assignment ${essay.id}`)?.due_at).toBe('2026-12-01T12:00:00Z');
  ok(await as(teacher).put(`${at}/assignments/${essay.id}`, { assignment: { only_visible_to_overrides: true } }));
  await scene.agree('assigning it to one student only');
  expect(scene.seenBy('student2').has(`assignment ${essay.id}`)).toBe(false);
  ok(await as(teacher).del(`${at}/assignments/${essay.id}/overrides/${override.id}`));
  await scene.agree('deleting the override');
  ok(await as(teacher).post(`${at}/assignment_groups`, { name: 'Labs' }));
  ok(await as(teacher).del(`${at}/assignments/${essay.id}`));
  await scene.agree('deleting');
});

test('submissions: made, commented on, graded, read', async () => {
  const scene = await aWatchedCourse(['teacher', 'student', 'student2', 'observer']);
  const { course, teacher, student } = scene;
  const at = `/courses/${course.id}`;
  const essay = ok(
    await as(teacher).post(`${at}/assignments`, {
      assignment: { name: 'Essay', points_possible: 10, submission_types: ['online_text_entry'], published: true },
    }),
    201,
  );
  await scene.agree('an assignment');
  const one = `${at}/assignments/${essay.id}/submissions`;
  ok(await as(student).post(one, { submission: { submission_type: 'online_text_entry', body: '<p>Mine</p>' } }), 201);
  await scene.agree('a submission');
  ok(await as(teacher).put(`${one}/${student.id}`, { comment: { text_comment: 'Say more.' } }));
  await scene.agree('a comment');
  ok(await as(teacher).put(`${one}/${student.id}`, { submission: { posted_grade: '8' } }));
  await scene.agree('a grade');
  ok(await as(student).put(`${one}/${student.id}/read`), 204);
  await scene.agree('reading it');
});

test('posts: topics, announcements, entries, conversations', async () => {
  const scene = await aWatchedCourse(['teacher', 'student', 'student2', 'observer']);
  const { course, teacher, student, student2 } = scene;
  const topics = `/courses/${course.id}/discussion_topics`;
  await scene.agree('nothing');
  const topic = ok(await as(teacher).post(topics, { title: 'Life elsewhere', message: '<p>Argue.</p>' }));
  await scene.agree('an unpublished topic');
  ok(await as(teacher).put(`${topics}/${topic.id}`, { published: true }));
  await scene.agree('publishing');
  const entry = ok(await as(student).post(`${topics}/${topic.id}/entries`, { message: '<p>Yes</p>' }), 201);
  await scene.agree('an entry');
  ok(await as(student2).put(`${topics}/${topic.id}/entries/${entry.id}/read`), 204);
  await scene.agree('reading it');
  ok(await as(student2).put(`${topics}/${topic.id}/read_all`), 204);
  await scene.agree('reading all');
  const news = ok(await as(teacher).post(topics, { title: 'Clear skies', message: '<p>Friday.</p>', is_announcement: true }));
  await scene.agree('an announcement');
  ok(
    await as(teacher).post(topics, {
      title: 'Later',
      message: '<p>Soon.</p>',
      is_announcement: true,
      delayed_post_at: '2099-01-01T00:00:00Z',
    }),
  );
  await scene.agree('an announcement for later');
  ok(await as(teacher).del(`${topics}/${news.id}`));
  ok(await as(teacher).del(`${topics}/${topic.id}/entries/${entry.id}`));
  await scene.agree('deleting both');
  const [thread] = ok(await as(student).post('/conversations', { recipients: [teacher.id], body: 'A question' }), 201);
  await scene.agree('a message');
  ok(await as(teacher).post(`/conversations/${thread.id}/add_message`, { body: 'An answer' }));
  await scene.agree('its reply');
  ok(await as(student).put(`/conversations/${thread.id}`, { conversation: { workflow_state: 'archived', starred: true } }));
  await scene.agree('an archived conversation');
  ok(await as(student).del(`/conversations/${thread.id}`));
  await scene.agree('a deleted conversation');
});
