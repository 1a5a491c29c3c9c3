// The feed agrees with GET requests during discussions and conversations.

import { expect, test } from 'vitest';
import { as } from '../support/api';
import { aWatchedCourse, wrote } from '../support/watched_course';

test('discussions: replied to, rated, edited, subscribed, read, reordered, duplicated', async () => {
  const scene = await aWatchedCourse(['teacher', 'student', 'student2', 'observer']);
  const { at, teacher, student, student2 } = scene;
  const topics = `${at}/discussion_topics`;
  const open = async (title: string, given: object = {}) =>
    wrote(await as(teacher).post(topics, { title, message: '<p>Argue.</p>', published: true, allow_rating: true, ...given }));
  const one = await open('One', { pinned: true });
  const two = await open('Two', { pinned: true });
  const here = `${topics}/${one.id}`;
  const first = wrote(await as(student).post(`${here}/entries`, { message: 'Yes' }));
  await scene.agree('two topics and an entry');
  wrote(await as(student2).post(`${here}/entries/${first.id}/replies`, { message: 'No' }));
  await scene.agree('a reply');
  wrote(await as(student2).post(`${here}/entries/${first.id}/rating`, { rating: 1 }));
  wrote(await as(student).put(`${here}/entries/${first.id}`, { message: 'Yes!' }));
  await scene.agree('a rating and an edit');
  wrote(await as(teacher).put(`${here}/entries/${first.id}/read`));
  wrote(await as(teacher).del(`${here}/entries/${first.id}/read`));
  wrote(await as(student).put(`${here}/read`));
  wrote(await as(student2).put(`${here}/read_all`));
  await scene.agree('read marks');
  wrote(await as(student).del(`${here}/read`));
  wrote(await as(student2).del(`${here}/read_all`));
  await scene.agree('read marks removed');
  wrote(await as(teacher).put(`${here}/subscribed`));
  wrote(await as(student).del(`${here}/subscribed`));
  await scene.agree('subscribed, and unsubscribed');
  wrote(await as(teacher).post(`${topics}/reorder`, { order: `${two.id},${one.id}` }));
  await scene.agree('another order');
  const copy = wrote(await as(teacher).post(`${here}/duplicate`));
  await scene.agree('a copy');
  expect(scene.seenBy('teacher').has(`discussion_topic ${copy.id}`)).toBe(true);
  wrote(await as(teacher).put(`${topics}/${two.id}`, { assignment: { points_possible: 5 }, title: 'Graded' }));
  await scene.agree('a topic graded');
  wrote(await as(student2).post(`${topics}/${two.id}/entries`, { message: 'For the grade' }));
  await scene.agree('an entry as submission');
  wrote(await as(student).put(`${topics}/${one.id}/entries/${first.id}/read`));
});

test('discussions that require a post first, for a section, closed', async () => {
  const scene = await aWatchedCourse(['teacher', 'student', 'student2', 'observer']);
  const { at, teacher, student, course } = scene;
  const topics = `${at}/discussion_topics`;
  const topic = wrote(await as(teacher).post(topics, { title: 'Post first', message: 'x', published: true, require_initial_post: true }));
  wrote(await as(teacher).post(`${topics}/${topic.id}/entries`, { message: 'Hidden at first' }));
  await scene.agree('a topic that requires a post first');
  wrote(await as(student).post(`${topics}/${topic.id}/entries`, { message: 'Posted' }));
  await scene.agree('the post');
  const section = wrote(await as(teacher).post(`${at}/sections`, { course_section: { name: 'Evening' } }));
  wrote(await as(teacher).put(`${topics}/${topic.id}`, { specific_sections: String(section.id) }));
  await scene.agree('a topic of another section');
  wrote(await as(teacher).put(`${topics}/${topic.id}`, { specific_sections: String(course.section_id), locked: true }));
  await scene.agree('a closed topic of this section');
  wrote(await as(teacher).put(`${at}/settings`, { allow_student_forum_attachments: false, lock_all_announcements: true }));
  await scene.agree('settings of the forum');
});

test('conversations: more participants, fewer messages, batches', async () => {
  const scene = await aWatchedCourse(['teacher', 'student', 'student2', 'stranger']);
  const { teacher, student, student2, ta, course } = scene;
  const [thread] = wrote(
    await as(teacher).post('/conversations', {
      recipients: [student.id, ta.id],
      body: 'Hello',
      subject: 'All',
      group_conversation: true,
      context_code: `course_${course.id}`,
    }),
  );
  await scene.agree('a conversation');
  const said = wrote(await as(student).post(`/conversations/${thread.id}/add_message`, { body: 'Hello to you' }));
  await scene.agree('a reply');
  wrote(await as(teacher).post(`/conversations/${thread.id}/add_recipients`, { recipients: [student2.id] }));
  await scene.agree('another participant');
  wrote(await as(teacher).post(`/conversations/${thread.id}/remove_messages`, { remove: [said.messages[0].id] }));
  await scene.agree('a message removed');
  wrote(await as(student2).post('/conversations/mark_all_as_read'));
  await scene.agree('all read');
  wrote(await as(teacher).put('/conversations', { conversation_ids: [thread.id], event: 'star' }));
  wrote(await as(student).put('/conversations', { conversation_ids: [thread.id], event: 'archive' }));
  await scene.agree('many conversations changed');
  wrote(
    await as(teacher).post('/conversations', { recipients: [student.id, student2.id], body: 'To each', bulk_message: true, mode: 'sync' }),
  );
  await scene.agree('a message to each');
  wrote(await as(student2).get(`/conversations/${thread.id}`));
  await scene.agree('a conversation read');
});
