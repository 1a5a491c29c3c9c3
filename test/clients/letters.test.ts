// Messages: recipient search, private and group conversations, messages to a whole class in the background; collaborations and conferences.

import { expect, inject, test } from 'vitest';
import { type AnyJson, canvasApiFor, names, plainly } from './at';

const built = inject('started');
const cast = built.casts.letters;
const [teacher, student, student2, stranger] = [
  canvasApiFor(cast.teacher),
  canvasApiFor(cast.student),
  canvasApiFor(cast.student2),
  canvasApiFor(cast.stranger),
];
const learns = plainly(cast.student);
const here = `courses/${cast.course.id}`;
const ids = (list: readonly AnyJson[]) => names(list, 'id');

test('a student finds a teacher and writes; both organise their inbox', async () => {
  const found = await learns.get('search/recipients', { search: 'tara', context: `course_${cast.course.id}` });
  expect(found).toMatchObject([
    { id: cast.teacher.id, full_name: 'Tara Teacher', common_courses: { [cast.course.id]: ['TeacherEnrollment'] } },
  ]);
  expect(names(await learns.get('conversations/find_recipients', { search: 'tara' }))).toEqual(names(found));
  expect(await learns.get('search/recipients', { search: 'stranger', type: 'user' })).toEqual([]);
  const attached = await student.upload('users/self/files', {
    name: 'draft.txt',
    bytes: 'a draft',
    parent_folder_path: 'conversation attachments',
  });
  const [message] = await student.ask('POST', 'conversations', {
    recipients: [cast.teacher.id],
    subject: 'Monday',
    body: 'May I hand in on Monday?',
    attachment_ids: [attached.id],
    context_code: `course_${cast.course.id}`,
  });
  expect(message).toMatchObject({
    subject: 'Monday',
    audience: [cast.teacher.id],
    private: true,
    properties: expect.arrayContaining(['attachments']),
  });
  expect(await teacher.ask('GET', 'conversations/unread_count')).toEqual({ unread_count: '1' });
  expect(ids(await teacher.all('conversations', { scope: 'unread', filter: [`course_${cast.course.id}`] }))).toEqual([message.id]);
  const read = await teacher.ask('GET', `conversations/${message.id}`);
  expect(read.messages).toMatchObject([
    { author_id: cast.student.id, body: 'May I hand in on Monday?', attachments: [{ display_name: 'draft.txt' }] },
  ]);
  const answered = await teacher.ask('POST', `conversations/${message.id}/add_message`, { body: 'You may.' });
  expect(answered.messages).toMatchObject([{ body: 'You may.', author_id: cast.teacher.id }]);
  expect(await learns.put(`conversations/${message.id}`, { conversation: { starred: true, workflow_state: 'archived' } })).toMatchObject({
    starred: true,
    workflow_state: 'archived',
  });
  expect(await learns.get('conversations')).toEqual([]);
  expect(ids(await learns.get('conversations', { scope: 'archived' }))).toEqual([message.id]);
  const last = answered.messages[0].id;
  expect(await learns.post(`conversations/${message.id}/remove_messages`, { remove: [last] })).toMatchObject({ message_count: 1 });
  expect(await learns.delete(`conversations/${message.id}`)).toMatchObject({ id: message.id, message_count: 0 });
  expect(await student.refusal('GET', `conversations/${message.id}`)).toBe(404);
  expect((await teacher.ask('GET', `conversations/${message.id}`)).messages).toHaveLength(2);
  expect(await stranger.refusal('GET', `conversations/${message.id}`)).toBe(404);
  expect(await student.refusal('POST', 'conversations', { recipients: [cast.stranger.id], body: 'Hello' })).toBe(400);
});

test('a group conversation receives messages and new participants', async () => {
  const [thread] = await teacher.ask('POST', 'conversations', {
    recipients: [cast.student.id, cast.student2.id],
    subject: 'Project',
    body: 'Choose a star',
    group_conversation: true,
  });
  expect(thread).toMatchObject({ private: false, audience: expect.arrayContaining([cast.student.id, cast.student2.id]) });
  expect(await teacher.ask('POST', `conversations/${thread.id}/add_recipients`, { recipients: [cast.ta.id] })).toMatchObject({
    messages: [{ generated: true }],
  });
  expect(names((await canvasApiFor(cast.ta).ask('GET', `conversations/${thread.id}`)).messages, 'body')).toContain('Choose a star');
  expect(await student2.ask('POST', 'conversations/mark_all_as_read')).toEqual({});
  expect(await student2.ask('GET', 'conversations/unread_count')).toEqual({ unread_count: '0' });
});

test('a whole class is messaged in the background, and many conversations are changed at once', async () => {
  const sent = await teacher.whole('POST', 'conversations', {
    recipients: [`course_${cast.course.id}_students`],
    subject: 'Exam',
    body: 'On Friday',
    mode: 'async',
    bulk_message: true,
    group_conversation: true,
  });
  expect([sent.statusCode, sent.json]).toEqual([202, []]);
  expect(Number(sent.headers['x-conversation-batch-id'])).toBeGreaterThan(0);
  await teacher.ended('conversations/batches', (batches) => batches.length === 0);
  const [mine] = await learns.get('conversations', { scope: 'unread' });
  expect(mine).toMatchObject({ subject: 'Exam', last_message: 'On Friday' });
  const all = ids(await teacher.all('conversations', { scope: 'sent' }));
  const { id } = await teacher.ask('PUT', 'conversations', { conversation_ids: [...all, 999_999], event: 'star' });
  expect(await teacher.ended(`progress/${id}`)).toMatchObject({ tag: 'conversation_batch_update', completion: 100 });
  expect(ids(await teacher.all('conversations', { scope: 'starred' })).sort()).toEqual([...all].sort());
  const many = { conversation_ids: Array.from({ length: 501 }, (_, at) => at + 1), event: 'star' };
  expect(await teacher.refusal('PUT', 'conversations', many)).toBe(400);
});

test('collaborations are listed for their members; the list of conferences is empty', async () => {
  const { collaborations } = await learns.get(`${here}/collaborations`);
  expect(collaborations).toMatchObject([{ id: built.collaboration_id, title: 'Minutes', user_name: 'Tara Teacher' }]);
  expect(await student2.ask('GET', `${here}/collaborations`)).toEqual({ collaborations: [] });
  expect((await learns.get(`collaborations/${built.collaboration_id}/members`)).collaborators).toMatchObject([
    { id: cast.student.id, type: 'user' },
  ]);
  expect(await student2.refusal('GET', `collaborations/${built.collaboration_id}/members`)).toBe(404);
  expect(ids(await learns.get(`${here}/potential_collaborators`))).toContain(cast.teacher.id);
  for (const path of [`${here}/conferences`, 'conferences']) expect(await learns.get(path)).toEqual({ conferences: [] });
  expect(await stranger.refusal('GET', `${here}/collaborations`)).toBe(401);
});

test('a student starts a collaboration with classmates, renames it, and deletes it', async () => {
  const made = await learns.post(`${here}/collaborations`, { collaboration: { title: 'Protocol' }, user: [cast.student2.id] });
  expect(made).toMatchObject({ title: 'Protocol', user_id: cast.student.id });
  expect((await learns.get(`collaborations/${made.id}/members`)).collaborators).toHaveLength(2);
  const changed = await learns.put(`${here}/collaborations/${made.id}`, { collaboration: { title: 'Minutes' } });
  expect(changed).toMatchObject({ id: made.id, title: 'Minutes' });
  expect(await student2.refusal('DELETE', `${here}/collaborations/${made.id}`)).toBe(401);
  expect(await learns.delete(`${here}/collaborations/${made.id}`)).toMatchObject({ id: made.id });
  expect((await student2.ask('GET', `${here}/collaborations`)).collaborations).toEqual([]);
});
