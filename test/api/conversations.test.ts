// Conversations: who may write to whom, read state, and batches.

import { conversation_participants, conversations } from '@carrel/worker/domains/conversations/table';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { as, ground, many, nth, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';
import { upload } from '../support/upload';

const write = (from: Person, to: Person[], given: object = {}, options = {}) =>
  as(from).post('/conversations', { recipients: to.map(({ id }) => id), body: 'Hello', ...given }, options);
const inbox = async (person: Person, query: object = {}) => ok(await as(person).get('/conversations', query));
const unread = async (person: Person) => ok(await as(person).get('/conversations/unread_count')).unread_count;
const bodies = (conversation: { messages: { body: string }[] }) => conversation.messages.map(({ body }) => body);

test('a message to one user starts a private conversation, and the next message joins it', async () => {
  const { course, student, teacher } = await aCourse(ground);
  const created = ok(within(await write(student, [teacher], { subject: 'Question', context_code: `course_${course.id}` }), 3), 201);
  expect(created).toHaveLength(1);
  const [thread] = created;
  expect(thread).toMatchObject({
    subject: 'Question',
    workflow_state: 'read',
    private: true,
    subscribed: true,
    starred: false,
    message_count: 1,
    last_message: null,
    last_message_at: null,
    last_authored_message: 'Hello',
    properties: ['last_author'],
    audience: [teacher.id],
    audience_contexts: { courses: { [course.id]: ['TeacherEnrollment'] }, groups: {} },
    context_code: `course_${course.id}`,
    visible: false,
  });
  expect(thread.participants).toMatchObject([
    { id: student.id, name: 'Sam Student' },
    { id: teacher.id, full_name: 'Tara Teacher', common_courses: { [course.id]: ['TeacherEnrollment'] } },
  ]);
  expect(thread.messages).toMatchObject([{ author_id: student.id, body: 'Hello', generated: false, attachments: [], media_comment: null }]);
  expect([...thread.messages[0].participating_user_ids].sort()).toEqual([student.id, teacher.id].sort());

  const again = within(await write(student, [teacher], { body: 'One more', subject: 'ignored' }), 3);
  expect(again.cost.object_calls).toBe(1);
  expect(ok(again, 201)).toMatchObject([{ id: thread.id, subject: 'Question', message_count: 2, messages: [{ body: 'One more' }] }]);
  expect(await inbox(student)).toEqual([]);
  expect(await inbox(student, { scope: 'sent' })).toMatchObject([{ id: thread.id, visible: true }]);
  expect(await inbox(teacher)).toMatchObject([
    { id: thread.id, workflow_state: 'unread', last_message: 'One more', context_name: course.name, message_count: 2 },
  ]);
  expect(await unread(teacher)).toBe('1');
});

test('opening a conversation marks it as read, unless told otherwise', async () => {
  const { student, teacher } = await aCourse(ground);
  const [{ id }] = ok(await write(student, [teacher]), 201);
  ok(within(await as(teacher).get(`/conversations/${id}`, { auto_mark_as_read: false }), 2));
  expect(await unread(teacher)).toBe('1');
  const opened = ok(within(await as(teacher).get(`/conversations/${id}`), 3));
  expect(opened).toMatchObject({ workflow_state: 'read', submissions: [], cannot_reply: false, visible: true });
  expect(opened.participants[0].avatar_url).toContain('http');
  expect(await unread(teacher)).toBe('0');
  ok(within(await as(teacher).get(`/conversations/${id}`), 2));
  ok(await as(student).get('/conversations/999999'), 404);
});

test('other users cannot access a conversation', async () => {
  const { student, student2, teacher } = await aCourse(ground);
  const [{ id }] = ok(await write(student, [teacher]), 201);
  ok(await as(student2).get(`/conversations/${id}`), 404);
  ok(await as(student2).put(`/conversations/${id}`, { conversation: { starred: true } }), 404);
  ok(await as(student2).post(`/conversations/${id}/add_message`, { body: 'Me too' }), 404);
  ok(await as(student2).del(`/conversations/${id}`), 404);
  ok(await as().get('/conversations'), 401);
  expect(await inbox(student2)).toEqual([]);
});

test('several recipients get a private conversation each; a group shares one', async () => {
  const { student, student2, teacher, ta } = await aCourse(ground);
  const [first] = ok(await write(teacher, [student]), 201);
  const each = ok(await write(teacher, [student, student2, ta], { body: 'To each' }), 201);
  expect(each).toHaveLength(3);
  expect(each.every((one: { messages?: unknown; private: boolean }) => one.messages === undefined && one.private)).toBe(true);
  expect(each.map((one: { id: number }) => one.id)).toContain(first.id);
  expect(bodies(ok(await as(student).get(`/conversations/${first.id}`)))).toEqual(['To each', 'Hello']);

  const [group] = ok(within(await write(teacher, [student, student2], { group_conversation: true, subject: 'Project' }), 3), 201);
  expect(group).toMatchObject({ private: false, subject: 'Project', messages: [{ body: 'Hello' }] });
  expect([...group.audience].sort()).toEqual([student.id, student2.id].sort());
  const [other] = ok(await write(teacher, [student, student2], { group_conversation: true }), 201);
  expect(other.id).not.toBe(group.id);
  const fresh = ok(await write(teacher, [student], { force_new: true }), 201);
  expect(fresh[0].id).not.toBe(first.id);
  expect(ok(await write(teacher, [student]), 201)[0].id).toBe(first.id);
});

test('a message that cannot be sent names the reason', async () => {
  const { course, student, teacher, stranger } = await aCourse(ground);
  const refused = async (from: Person, given: object, status = 400) => ok(await as(from).post('/conversations', given), status);
  expect(await refused(student, { body: 'x' })).toEqual([{ attribute: 'recipients', message: 'blank' }]);
  expect(await refused(student, { recipients: [stranger.id], body: 'x' })).toEqual([{ attribute: 'recipients', message: 'invalid' }]);
  expect(await refused(student, { recipients: [teacher.id], body: ' ' })).toEqual([{ attribute: 'body', message: 'blank' }]);
  expect(await refused(student, { recipients: [`course_${course.id}_students`], body: 'x' })).toEqual([
    { attribute: 'recipients', message: 'restricted by role' },
  ]);
  expect(await refused(student, { recipients: [teacher.id], body: 'x', context_code: 'course_99999' })).toEqual([
    { attribute: 'context_code', message: 'invalid' },
  ]);
  expect(ok(await as(student).get('/conversations', { filter_mode: 'xor' }), 400)).toEqual([
    { attribute: 'filter_mode', message: 'invalid' },
  ]);
  const sent = ok(await as(teacher).post('/conversations', { recipients: `course_${course.id}_students`, body: 'x' }), 201);
  expect(sent).toHaveLength(2);
  expect(ok(await write(student, [student], { body: 'Note to self' }), 201)).toMatchObject([{ audience: [student.id], private: true }]);
});

test('who may write to whom follows courses, sections, observers and rosters', async () => {
  const { course, student, student2, teacher, observer, stranger } = await aCourse(ground);
  const status = async (from: Person, to: Person) => (await write(from, [to])).status;
  expect(await status(observer, student)).toBe(201);
  expect(await status(observer, teacher)).toBe(201);
  expect(await status(observer, student2)).toBe(400);
  expect(await status(student2, observer)).toBe(400);
  expect(await status(student, observer)).toBe(201);
  expect(await status(teacher, observer)).toBe(201);
  expect(await status(await ground.admin(), stranger)).toBe(201);

  const section_id = await ground.section(course);
  const [limited, fellow] = [await ground.person({ name: 'Lim Limited' }), await ground.person({ name: 'Fay Fellow' })];
  await ground.enroll(course, limited, 'student', { section_id, limited: true });
  await ground.enroll(course, fellow, 'student', { section_id });
  expect(await status(limited, fellow)).toBe(201);
  expect(await status(limited, student)).toBe(400);
});

test('students cannot write in a course that has ended', async () => {
  const { course, student, teacher } = await aCourse(ground);
  const [{ id }] = ok(await write(teacher, [student], { context_code: `course_${course.id}` }), 201);
  ok(await as(await ground.admin()).del(`/courses/${course.id}`, { event: 'conclude' }));
  expect(ok(await as(student).get(`/conversations/${id}`)).cannot_reply).toBe(true);
  expect(ok(await as(student).post(`/conversations/${id}/add_message`, { body: 'But' }), 401)[0].attribute).toBe('workflow_state');
  ok(await as(teacher).post(`/conversations/${id}/add_message`, { body: 'Last word' }));
  // A new conversation, too, only reaches its teachers.
  const context_code = `course_${course.id}`;
  expect(ok(await write(student, [teacher], { context_code }), 400)[0].attribute).toBe('Course concluded');
  expect(ok(await write(teacher, [student], { context_code, force_new: true }), 201)).toHaveLength(1);
});

test('a reply marks the conversation as unread for its subscribers', async () => {
  const { student, student2, teacher } = await aCourse(ground);
  const [{ id }] = ok(await write(teacher, [student, student2], { group_conversation: true }), 201);
  expect(ok(within(await as(student).put(`/conversations/${id}`, { conversation: { subscribed: false } }), 3))).toMatchObject({
    id,
    subscribed: false,
    workflow_state: 'read',
  });
  ok(await as(student2).put(`/conversations/${id}`, { conversation: { workflow_state: 'archived', starred: true } }));
  expect(await inbox(student2)).toEqual([]);
  expect(await inbox(student2, { scope: 'archived' })).toMatchObject([{ id, starred: true }]);
  const said = ok(within(await as(teacher).post(`/conversations/${id}/add_message`, { body: 'News' }), 3));
  expect(said).toMatchObject({ id, message_count: 2, messages: [{ body: 'News' }], workflow_state: 'read' });
  expect(await inbox(student)).toMatchObject([{ id, workflow_state: 'read', message_count: 2 }]);
  expect(await inbox(student2, { scope: 'unread' })).toMatchObject([{ id, last_message: 'News' }]);
  expect(await inbox(student2, { scope: 'starred' })).toMatchObject([{ id }]);
  const [priv] = ok(await write(teacher, [student]), 201);
  expect(ok(await as(student).put(`/conversations/${priv.id}`, { conversation: { subscribed: false } })).subscribed).toBe(true);
  expect(ok(await as(teacher).post(`/conversations/${id}/add_message`, {}), 400)[0].attribute).toBe('empty_message');
  ok(await as(student).put(`/conversations/${id}`, { conversation: { workflow_state: 'lost' } }), 400);
});

test('a user added to a group conversation sees only the messages sent to everyone', async () => {
  const { student, student2, teacher, ta } = await aCourse(ground);
  const [{ id }] = ok(await write(teacher, [student, ta], { group_conversation: true, body: 'First' }), 201);
  ok(await as(teacher).post(`/conversations/${id}/add_message`, { body: 'Only for Tim', recipients: [ta.id] }));
  expect(bodies(ok(await as(student).get(`/conversations/${id}`)))).toEqual(['First']);
  const added = ok(within(await as(teacher).post(`/conversations/${id}/add_recipients`, { recipients: [student2.id] }), 3));
  expect(added.messages).toMatchObject([{ generated: true, body: 'Sue Student was added to the conversation by Tara Teacher' }]);
  const seen = ok(await as(student2).get(`/conversations/${id}`));
  expect(bodies(seen)).toEqual(['Sue Student was added to the conversation by Tara Teacher', 'First']);
  expect(seen.message_count).toBe(1);
  expect(ok(await as(teacher).post(`/conversations/${id}/add_recipients`, { recipients: [999999] }), 400)).toEqual({});
  const [priv] = ok(await write(teacher, [student]), 201);
  ok(await as(teacher).post(`/conversations/${priv.id}/add_recipients`, { recipients: [ta.id] }), 400);
});

test('a message may add recipients and include earlier messages', async () => {
  const { student, student2, teacher, ta } = await aCourse(ground);
  const [thread] = ok(await write(teacher, [student], { group_conversation: true, body: 'First' }), 201);
  const [message] = thread.messages;
  const elsewhere = ok(await write(teacher, [ta], { body: 'Elsewhere' }), 201)[0].messages[0];
  const say = (given: object) =>
    as(teacher).post(`/conversations/${thread.id}/add_message`, { body: 'Come in', recipients: [student2.id], ...given });
  expect(ok(await say({ included_messages: [elsewhere.id] }), 400)).toEqual([
    { attribute: 'included_messages', message: 'not for this conversation' },
  ]);
  ok(await say({ included_messages: [message.id] }));
  expect(bodies(ok(await as(student2).get(`/conversations/${thread.id}`)))).toEqual(['Come in', 'First']);
  expect(bodies(ok(await as(student).get(`/conversations/${thread.id}`)))).toEqual(['First']);
  ok(await as(teacher).post(`/conversations/${thread.id}/add_message`, { body: 'To myself', recipients: [teacher.id] }));
  expect(ok(await as(student2).get(`/conversations/${thread.id}`)).message_count).toBe(2);
});

test('a user deletes messages only for themselves, and a new one brings the conversation back', async () => {
  const { student, teacher } = await aCourse(ground);
  const [thread] = ok(await write(student, [teacher], { body: 'One' }), 201);
  ok(await as(student).post(`/conversations/${thread.id}/add_message`, { body: 'Two' }));
  const { messages } = ok(await as(teacher).get(`/conversations/${thread.id}`));
  const kept = ok(within(await as(teacher).post(`/conversations/${thread.id}/remove_messages`, { remove: messages[0].id }), 3));
  expect(kept).toMatchObject({ id: thread.id, message_count: 1, last_message: 'One' });
  expect(bodies(ok(await as(student).get(`/conversations/${thread.id}`)))).toEqual(['Two', 'One']);
  const gone = ok(within(await as(teacher).del(`/conversations/${thread.id}`), 3));
  expect(gone).toMatchObject({ id: thread.id, message_count: 0, last_message: null, starred: false, visible: false });
  ok(await as(teacher).get(`/conversations/${thread.id}`), 404);
  expect(await inbox(teacher)).toEqual([]);
  ok(await as(student).post(`/conversations/${thread.id}/add_message`, { body: 'Three' }));
  expect(await inbox(teacher)).toMatchObject([{ id: thread.id, message_count: 1, last_message: 'Three', workflow_state: 'unread' }]);
  expect(bodies(ok(await as(teacher).get(`/conversations/${thread.id}`)))).toEqual(['Three']);
});

test('a message to many conversations costs as much as one to new ones, and loses no simultaneous messages', async () => {
  const { course, teacher, student, student2, ta } = await aCourse(ground);
  const more = await Promise.all(Array.from({ length: 5 }, () => ground.person()));
  for (const person of more) await ground.enroll(course, person, 'student');
  const everybody = [student, student2, ta, ...more];
  const first = ok(within(await write(teacher, everybody.slice(1)), 3), 201);
  const second = within(await write(teacher, everybody, { body: 'Again' }), 3);
  expect(ok(second, 201)).toHaveLength(everybody.length);
  expect(second.cost.object_calls).toBe(0);
  expect(second.body.map((one: { id: number }) => one.id)).toEqual(expect.arrayContaining(first.map((one: { id: number }) => one.id)));
  expect(await unread(student2)).toBe('1');
  // Replies and more messages at once.
  const reader = (thread: { audience: number[] }) => everybody.find(({ id }) => thread.audience.includes(id));
  const answers = first.map((thread: { id: number; audience: number[] }, at: number) =>
    as(reader(thread)).post(`/conversations/${thread.id}/add_message`, { body: `Answer ${at}` }),
  );
  const messages = ['One', 'Two', 'Three'].map((body) => write(teacher, everybody, { body }));
  for (const answer of await Promise.all([...answers, ...messages])) expect(answer.status).toBeLessThan(300);
  for (const [at, thread] of (first as { id: number; audience: number[] }[]).entries()) {
    const said = bodies(ok(await as(reader(thread)).get(`/conversations/${thread.id}`)));
    expect([...said].sort()).toEqual(['Again', 'Hello', 'One', 'Three', 'Two', `Answer ${at}`].sort());
  }
});

test('many conversations are changed at once, with a progress', async () => {
  const { student, student2, teacher, ta } = await aCourse(ground);
  const ids = [];
  for (const from of [student, student2, ta]) ids.push(ok(await write(from, [teacher]), 201)[0].id);
  const change = (given: object) => as(teacher).put('/conversations', given);
  expect(ok(within(await change({ conversation_ids: [...ids, 999999], event: 'star' }), 3))).toMatchObject({
    tag: 'conversation_batch_update',
    context_type: 'User',
    workflow_state: 'completed',
    completion: 100,
    message: '3 conversations processed',
    results: { errors: { 999999: 'conversation not found' } },
  });
  expect(await inbox(teacher, { scope: 'starred' })).toHaveLength(3);
  ok(await change({ conversation_ids: [ids[0]], event: 'archive' }));
  expect(await unread(teacher)).toBe('2');
  ok(await change({ conversation_ids: [ids[1]], event: 'destroy' }));
  ok(await as(teacher).get(`/conversations/${ids[1]}`), 404);
  expect(ok(await as(teacher).post('/conversations/mark_all_as_read'))).toEqual({});
  expect(await unread(teacher)).toBe('0');
  expect(ok(await change({ event: 'star' }), 400)).toEqual({ message: 'conversation_ids not specified' });
  expect(ok(await change({ conversation_ids: ids }), 400)).toEqual({ message: 'event not specified' });
  expect(ok(await change({ conversation_ids: ids, event: 'burn' }), 400)).toEqual({ message: 'invalid event' });
  expect(ok(await change({ conversation_ids: Array.from({ length: 501 }, (_, at) => at + 1), event: 'star' }), 400)).toEqual({
    message: 'conversation batch size limit (500) exceeded',
  });
});

test('the inbox is filtered by users and courses, and returns all conversation ids on request', async () => {
  const { course, student, student2, teacher } = await aCourse(ground);
  const other = await aCourse(ground);
  await ground.enroll(other.course, teacher, 'teacher');
  const [a] = ok(await write(student, [teacher], { context_code: `course_${course.id}` }), 201);
  const [b] = ok(await write(student2, [teacher]), 201);
  const [c] = ok(await write(other.student, [teacher]), 201);
  const idsOf = async (query: object) => (await inbox(teacher, query)).map(({ id }: { id: number }) => id).sort();
  expect(await idsOf({ filter: [`course_${course.id}`] })).toEqual([a.id, b.id]);
  expect(await idsOf({ filter: `user_${other.student.id}` })).toEqual([c.id]);
  expect(await idsOf({ filter: [`user_${student.id}`, `user_${student2.id}`] })).toEqual([a.id, b.id]);
  expect(await idsOf({ filter: [`user_${student.id}`, `user_${student2.id}`], filter_mode: 'and' })).toEqual([]);
  const answer = within(await as(teacher).get('/conversations', { include_all_conversation_ids: true, per_page: 2 }), 2);
  expect(answer.body.conversations).toHaveLength(2);
  expect([...answer.body.conversation_ids].sort()).toEqual([a.id, b.id, c.id]);
  expect(answer.links.next).toContain('include_all_conversation_ids');
});

test('a message to many may be sent in the background', async () => {
  const { student, student2, teacher } = await aCourse(ground);
  const [first] = ok(await write(teacher, [student]), 201);
  const answer = await write(teacher, [student, student2], { body: 'Later', mode: 'async' });
  expect(ok(answer, 202)).toEqual([]);
  expect(Number(answer.headers.get('x-conversation-batch-id'))).toBeGreaterThan(0);
  await expect.poll(async () => ok(await as(teacher).get('/conversations/batches')), { timeout: 20_000 }).toEqual([]);
  expect(bodies(ok(await as(student).get(`/conversations/${first.id}`)))).toEqual(['Later', 'Hello']);
  expect(await inbox(student2)).toMatchObject([{ last_message: 'Later', message_count: 1 }]);
});

test('files uploaded for conversations are attached to a message', async () => {
  const { student, teacher } = await aCourse(ground);
  const aside = { name: 'plan.txt', parent_folder_path: 'conversation attachments' };
  const file = await upload(student, '/users/self/files', aside);
  const other = await upload(student, '/users/self/files', { name: 'private.txt' });
  const [thread] = ok(await write(student, [teacher], { attachment_ids: [file.id] }), 201);
  expect(thread.messages[0].attachments).toMatchObject([{ id: file.id, display_name: 'plan.txt' }]);
  expect(thread.properties).toEqual(['last_author', 'attachments']);
  const said = ok(await as(student).post(`/conversations/${thread.id}/add_message`, { body: 'Again', attachment_ids: [file.id] }));
  expect(said.messages[0].attachments).toHaveLength(1);
  expect(ok(await as(teacher).get(`/conversations/${thread.id}`)).messages[0].attachments[0].url).toContain('verifier');
  expect((await upload(student, '/users/self/files', aside)).display_name, 'another of that name').toBe('plan-1.txt');
  expect(ok(await as(teacher).get(`/conversations/${thread.id}`)).messages[1].attachments, 'an older letter').toHaveLength(1);
  const refused = await as(student).post(`/conversations/${thread.id}/add_message`, { body: 'x', attachment_ids: [other.id] });
  expect(ok(refused, 400)).toEqual([{ attribute: 'attachment_ids', message: 'invalid' }]);
});

test('two users who write to each other at once share one conversation', async () => {
  const { student, teacher } = await aCourse(ground);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => write(at % 2 ? student : teacher, [at % 2 ? teacher : student], { body: `${at}` })),
  );
  expect(new Set(answers.map((answer) => ok(answer, 201)[0].id)).size).toBe(1);
  const { messages, message_count } = ok(await as(student).get(`/conversations/${answers[0]?.body[0].id}`));
  expect(message_count).toBe(20);
  expect(new Set(messages.map(({ body }: { body: string }) => body)).size).toBe(20);
});

test('a message repeated with its key is sent once, and gets the first response', async () => {
  const { student, student2, teacher } = await aCourse(ground);
  const headers = (key: string) => ({ headers: { 'Idempotency-Key': key } });
  const created = await Promise.all([1, 2, 3].map(() => write(student, [teacher], {}, headers('begin'))));
  const [{ id }] = ok(created[0] as never, 201);
  for (const answer of created) expect(ok(answer, 201)).toEqual(created[0]?.body);
  const say = () => as(student).post(`/conversations/${id}/add_message`, { body: 'Once' }, headers('say'));
  const said = await Promise.all([say(), say(), say()]);
  for (const answer of said) expect(ok(answer)).toEqual(said[0]?.body);
  expect(bodies(said[0]?.body)).toEqual(['Once']);
  const each = () => write(student, [teacher, student2], { body: 'To both' }, headers('each'));
  const sent = await Promise.all([each(), each()]);
  expect(ok(sent[0] as never, 201)).toEqual(ok(sent[1] as never, 201));
  expect(bodies(ok(await as(teacher).get(`/conversations/${id}`)))).toEqual(['To both', 'Once', 'Hello']);
  expect((await inbox(student2))[0].message_count).toBe(1);
});

test('a message interrupted halfway and repeated with its key is sent only where it is missing', async () => {
  const { student, student2, teacher } = await aCourse(ground);
  const [one] = ok(await write(teacher, [student]), 201);
  const [two] = ok(await write(teacher, [student2]), 201);
  const headers = (key: string) => ({ headers: { 'Idempotency-Key': key } });
  // How far the first attempt got: each conversation claims a part of the key.
  ok(await as(teacher).post(`/conversations/${one.id}/add_message`, { body: 'News' }, headers(`letter#${one.id}`)));
  const threads = ok(await write(teacher, [student, student2], { body: 'News' }, headers('letter')), 201);
  expect(threads.map(({ id }: { id: number }) => id)).toEqual([one.id, two.id]);
  for (const { id } of threads) expect(bodies(ok(await as(teacher).get(`/conversations/${id}`)))).toEqual(['News', 'Hello']);
  expect(ok(await write(teacher, [student, student2], { body: 'News' }, headers('letter')), 201)).toHaveLength(2);
  expect(bodies(ok(await as(teacher).get(`/conversations/${two.id}`)))).toEqual(['News', 'Hello']);
});

test('an inbox of 10,000 conversations costs as much as one of ten', async () => {
  const { student, teacher } = await aCourse(ground);
  ok(await write(teacher, [student]), 201);
  const first = 1_000_000;
  await many(10_000, conversations, { id: sql`${first} + n`, uuid: nth('many'), private: true });
  for (const person of [student, teacher])
    await many(10_000, conversation_participants, {
      conversation_id: sql`${first} + n`,
      user_id: person.id,
      workflow_state: 'unread',
      message_count: 1,
      last_message: 'x',
      last_message_at: '2026-10-01T00:00:00Z',
      moved_at: '2026-10-01T00:00:00Z',
      joined_at: '',
    });
  for (const scope of ['inbox', 'unread']) {
    const page = within(await as(student).get('/conversations', { scope, per_page: 100 }), 2);
    expect(ok(page)).toHaveLength(100);
    // A hundred conversations, each with two users, their names, and the course that they share.
    expect(page.cost.rows_read, scope).toBeLessThan(3 * 600);
    const next = within(await as(student).get(page.links.next as string), 2);
    expect(ok(next)).toHaveLength(100);
    expect(next.cost.rows_read, scope).toBeLessThan(3 * 600);
  }
});

test('300 simultaneous messages of ten users: none lost, none doubled, one order for all readers, correct unread counts', {
  timeout: 120_000,
}, async () => {
  const course = await ground.course();
  const people: Person[] = [];
  for (let at = 0; at < 10; at += 1) {
    const person = await ground.person();
    await ground.enroll(course, person, at === 0 ? 'teacher' : 'student');
    people.push(person);
  }
  const [teacher, ...students] = people as [Person, ...Person[]];
  const [{ id }] = ok(await write(teacher, students, { group_conversation: true, body: 'Begin' }), 201);
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, at) => as(people[at % 10]).post(`/conversations/${id}/add_message`, { body: `message ${at}` })),
  );
  for (const answer of answers) ok(within(answer, 3));
  expect(new Set(answers.map(({ body }) => body.messages[0].id)).size).toBe(300);
  const readings = [];
  for (const person of people) {
    expect(await unread(person)).toMatch(/^[01]$/);
    readings.push(ok(await as(person).get(`/conversations/${id}`, { auto_mark_as_read: false })));
  }
  const [first] = readings;
  expect(first.messages).toHaveLength(301);
  expect(new Set(bodies(first)).size).toBe(301);
  const lastAuthor = first.messages[0].author_id;
  for (const [at, reading] of readings.entries()) {
    expect(reading.messages.map((one: { id: number }) => one.id)).toEqual(first.messages.map((one: { id: number }) => one.id));
    expect(reading).toMatchObject({ message_count: 301, last_message: bodies(first)[0] });
    const isLast = people[at]?.id === lastAuthor;
    expect(reading.workflow_state).toBe(isLast ? 'read' : 'unread');
    expect(reading.properties.includes('last_author')).toBe(isLast);
  }
  // Each of ten wrote 30; with the first one the teacher wrote 31.
  const audience = readings[1].audience as number[];
  expect(audience[0]).toBe(teacher.id);
});

test('a message with an unknown mode is not sent', async () => {
  const { teacher, student } = await aCourse(ground);
  const [{ id }] = ok(await as(student).post('/conversations', { recipients: [teacher.id], body: 'Hello' }), 201);
  for (const path of ['add_message', 'remove_messages', 'add_recipients']) {
    const refused = await as(student).post(`/conversations/${id}/${path}`, {
      body: 'Again',
      remove: [1],
      recipients: [teacher.id],
      filter_mode: 'nor',
    });
    ok(refused, 400);
    expect(refused.cost.rows_written).toBe(0);
  }
  ok(await as(student).put('/conversations', { conversation_ids: [id], event: 'constructor' }), 400);
  expect(ok(await as(student).get(`/conversations/${id}`)).messages).toHaveLength(1);
});

test('a group can be messaged, and its members can message each other', async () => {
  const { course, teacher, student, student2, stranger } = await aCourse(ground);
  const admin = await ground.admin();
  const communities = ok(await as(admin).post('/accounts/1/group_categories', { name: `Clubs of ${course.id}` }));
  const club = ok(await as(admin).post(`/group_categories/${communities.id}/groups`, { name: 'Chess' }));
  for (const { id } of [student, stranger]) ok(await as(admin).post(`/groups/${club.id}/memberships`, { user_id: id }));
  const set = ok(await as(teacher).post(`/courses/${course.id}/group_categories`, { name: 'Teams' }));
  const team = ok(await as(teacher).post(`/group_categories/${set.id}/groups`, { name: 'Red' }));
  for (const { id } of [student, student2]) ok(await as(teacher).post(`/groups/${team.id}/memberships`, { user_id: id }));
  const write = (who: typeof student, recipients: (number | string)[], more: object = {}) =>
    as(who).post('/conversations', { recipients, body: 'Hello', ...more });

  const [met] = ok(within(await write(student, [stranger.id]), 3), 201);
  expect(met).toMatchObject({ audience: [stranger.id], audience_contexts: { courses: {}, groups: { [club.id]: ['Member'] } } });
  expect(met.participants[1].common_groups).toEqual({ [club.id]: ['Member'] });
  ok(await write(student2, [stranger.id]), 400);

  const [thread] = ok(within(await write(student, [`group_${team.id}`], { group_conversation: true, subject: 'Plan' }), 3), 201);
  expect(thread).toMatchObject({ audience: [student2.id], context_code: `group_${team.id}`, context_name: 'Red' });
  const [named] = ok(await write(student, [student2.id], { context_code: `group_${team.id}`, force_new: true }), 201);
  expect(named.context_code).toBe(`group_${team.id}`);
  expect(ok(await write(student2, [student.id], { context_code: `group_${club.id}` }), 400)[0].attribute).toBe('context_code');

  const ids = async (who: typeof student, query: object) =>
    ok(within(await as(who).get('/conversations', { scope: 'sent', ...query }), 2)).map((one: { id: number }) => one.id);
  expect((await ids(student, { filter: [`group_${team.id}`] })).sort()).toEqual([thread.id, named.id].sort());
  expect(await ids(student, { filter: [`group_${club.id}`] })).toEqual([met.id]);
  const shown = (code: string) => as(student).get(`/conversations/${met.id}`, { scope: 'sent', filter: [code] });
  expect([ok(await shown(`group_${club.id}`)).visible, ok(await shown(`group_${team.id}`)).visible]).toEqual([true, false]);

  const found = async (query: object) =>
    ok(within(await as(student).get('/search/recipients', { per_page: 50, ...query }), 2)) as {
      id: unknown;
      name: string;
      user_count?: number;
    }[];
  expect(
    (await found({ context: `group_${club.id}` }))
      .filter(({ id }) => typeof id === 'number')
      .map(({ id }) => id)
      .sort(),
  ).toEqual([student.id, stranger.id].sort());
  expect((await found({ search: '', type: 'user' })).map(({ id }) => id)).toContain(stranger.id);
  expect((await found({ search: 'chess', type: 'group' }))[0]).toMatchObject({ id: `group_${club.id}`, user_count: 2 });
  expect((await found({ user_id: stranger.id }))[0]).toMatchObject({ common_groups: { [club.id]: ['Member'] } });
  expect((await found({ context: `course_${course.id}`, type: 'context' })).map(({ id }) => id)).toEqual([`group_${team.id}`]);
});
