// The activity stream of a user, a course and a group.

import { env } from 'cloudflare:test';
import { discussion_topics } from '@carrel/worker/domains/discussion_topics/table';
import { expect, test } from 'vitest';
import { as, ground, many, nth, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

const when = '2026-09-01T08:00:00Z';
const at = (minutes: number) => `${new Date(Date.now() + minutes * 60_000).toISOString().slice(0, 19)}Z`;
type Item = { id: number; type: string; title: string };
const path = '/users/self/activity_stream';

const topic = (course: { id: number }, title: string, last_reply_at: string, rest: Parameters<typeof ground.topic>[1] = {}) =>
  ground.topic(course, { title, message: `<p>${title}</p>`, posted_at: last_reply_at, last_reply_at, ...rest });

async function aWeek() {
  const made = await aCourse(ground);
  const { course, student, student2, teacher } = made;
  const discussion = await topic(course, 'Debate', at(-50));
  const entry = await ground.entry(discussion, student2, { message: 'Aye' });
  const announcement = await topic(course, 'Welcome', at(-40), { is_announcement: true });
  await topic(course, 'Secret', at(-40), { workflow_state: 'unpublished' });
  await topic(course, 'Old', when);
  const essay = await ground.assignment(course, { name: 'Essay' });
  const submission = await ground.submission(course, essay, student, {
    score: 8,
    grade: '8',
    graded_at: at(-30),
    posted_at: at(-30),
    grader_id: teacher.id,
    workflow_state: 'graded',
  });
  await ground.comment(submission, teacher, { comment: 'Fine', created_at: at(-30) });
  await ground.unreadGrade(submission, student, at(-30));
  const [thread] = ok(await as(teacher).post('/conversations', { recipients: [student.id], subject: 'A word', body: 'Hello' }), 201);
  return { ...made, discussion, entry, announcement, essay, submission, thread };
}

test('activity is listed newest first, each type with its own fields', async () => {
  const { course, student, student2, discussion, announcement, essay, submission, thread } = await aWeek();
  const items = ok(within(await as(student).get(path), 2));
  expect(items.map((one: Item) => [one.type, one.title])).toEqual([
    ['Conversation', 'A word'],
    ['Submission', 'Essay'],
    ['Announcement', 'Welcome'],
    ['DiscussionTopic', 'Debate'],
  ]);
  const [message, work, news, debate] = items;
  expect(message).toMatchObject({
    conversation_id: thread.id,
    participant_count: 2,
    read_state: false,
    message: 'Hello',
    latest_messages: [{ message: 'Hello' }],
  });
  expect(message).not.toHaveProperty('course_id');
  expect(work).toMatchObject({
    submission_id: submission,
    score: 8,
    read_state: false,
    course_id: course.id,
    assignment: { id: essay, title: 'Essay' },
    user: { id: student.id },
    submission_comments: [{ comment: 'Fine', body: 'Fine' }],
  });
  expect(news).toMatchObject({
    announcement_id: announcement,
    context_type: 'Course',
    course_id: course.id,
    message: '<p>Welcome</p>',
    read_state: false,
  });
  expect(debate).toMatchObject({
    discussion_topic_id: discussion,
    total_root_discussion_entries: 1,
    require_initial_post: false,
    user_has_posted: null,
    root_discussion_entries: [{ user: { user_id: student2.id, user_name: 'Sue Student' }, message: 'Aye' }],
  });
  expect(new Set(items.map((one: Item) => one.id)).size).toBe(4);
  expect(ok(await as(student).get('/users/activity_stream'))).toEqual(items);
  expect(await as(student).pages(path, { per_page: 1 })).toEqual(items);
  expect(ok(await as(student).get(path, { asset_type: 'Announcement' }))).toHaveLength(1);
  expect(ok(await as(student).get(path, { context_code: `course_${course.id}`, only_active_courses: true }))).toHaveLength(3);
  ok(await as().get(path), 401);
});

test('an observer sees the activity of their students, or of one of them', async () => {
  const { course, student, student2, observer, teacher, essay, submission } = await aWeek();
  const works = async (who: typeof student, more: object = {}) =>
    ok(within(await as(who).get(path, { asset_type: 'Submission', ...more }), 2));
  const [result, ...others] = await works(observer);
  expect(others).toEqual([]);
  const html_url = `https://carrel.test/courses/${course.id}/assignments/${essay}/submissions/${student.id}`;
  expect(result).toMatchObject({ type: 'Submission', title: 'Essay', submission_id: submission, user_id: student.id, score: 8, html_url });
  expect(result.submission_comments).toMatchObject([{ body: 'Fine' }]);
  const [own] = await works(student, { submission_user_id: 'self' });
  expect(own.id).not.toBe(result.id);
  expect(await works(observer, { submission_user_id: student.id })).toEqual([result]);
  expect(await works(observer, { submission_user_id: student2.id })).toEqual([]);
  expect(await works(student2, { submission_user_id: student.id })).toEqual([]);
  expect(await works(student, { submission_user_id: student.id })).toEqual([own]);
  const inCourse = ok(await as(observer).get(`/courses/${course.id}/activity_stream`, { submission_user_id: student.id }));
  expect(inCourse.map((one: Item) => one.type)).toEqual(['Submission']);
  ok(await as(observer).del(`${path}/${result.id}`));
  expect(await works(observer)).toEqual([]);
  // Unposted grades appear to no one.
  await env.DB.prepare('update submissions set posted_at = null where id = ?').bind(submission).run();
  expect([await works(student), await works(teacher)]).toEqual([[], []]);
});

test('content of a module, and work graded for others, appears only to its students', async () => {
  const { course, student, student2, observer, teacher, discussion } = await aWeek();
  const graded = await ground.assignment(course, {
    name: 'Panel',
    position: 2,
    submission_types: ['discussion_topic'],
    only_visible_to_overrides: true,
  });
  await topic(course, 'Panel', at(-45), { assignment_id: graded });
  const override = { student_ids: [student2.id], title: 'Some' };
  ok(await as(teacher).post(`/courses/${course.id}/assignments/${graded}/overrides`, { assignment_override: override }), 201);
  const modules = `/courses/${course.id}/modules`;
  const { id } = ok(await as(teacher).post(modules, { module: { name: 'For some' } }));
  ok(await as(teacher).post(`${modules}/${id}/items`, { module_item: { type: 'Discussion', content_id: discussion } }));
  ok(await as(teacher).put(`${modules}/${id}/assignment_overrides`, { overrides: [{ student_ids: [student2.id] }] }), 204);
  const seen = async (who: typeof student, where = path) =>
    ok(await as(who).get(where, { asset_type: 'DiscussionTopic' })).map((one: Item) => one.title);
  for (const where of [path, `/courses/${course.id}/activity_stream`]) {
    expect([await seen(student, where), await seen(observer, where)]).toEqual([[], []]);
    expect([await seen(student2, where), await seen(teacher, where)]).toEqual([
      ['Panel', 'Debate'],
      ['Panel', 'Debate'],
    ]);
  }
  // The same as the list of discussions, page by page.
  const admin = await ground.admin();
  const whole: Item[] = [];
  for (let next: string | undefined = `/courses/${course.id}/activity_stream?per_page=1`; next; ) {
    const answer = await as(admin).get(next);
    whole.push(...ok(answer));
    next = answer.links.next;
  }
  expect(whole.filter((one) => one.type === 'DiscussionTopic').map((one) => one.title)).toEqual(['Panel', 'Debate']);
  const filtered = await as(student2).pages(path, { per_page: 1, asset_type: 'DiscussionTopic' });
  expect(filtered.map((one) => (one as Item).title)).toEqual(['Panel', 'Debate']);
  const counted = ok(await as(student).get(`${path}/summary`)).map((one: Item) => one.type);
  expect(counted).toEqual(['Announcement', 'Conversation', 'Submission']);
});

test('a stream is summarised by type', async () => {
  const { student, course, stranger } = await aWeek();
  expect(ok(within(await as(student).get(`${path}/summary`), 2))).toEqual([
    { type: 'Announcement', notification_category: null, count: 1, unread_count: 1 },
    { type: 'Conversation', notification_category: null, count: 1, unread_count: 1 },
    { type: 'DiscussionTopic', notification_category: null, count: 1, unread_count: 1 },
    { type: 'Submission', notification_category: null, count: 1, unread_count: 1 },
  ]);
  expect(ok(within(await as(student).get(`/courses/${course.id}/activity_stream/summary`), 2))).toHaveLength(3);
  ok(await as(stranger).get(`/courses/${course.id}/activity_stream/summary`), 401);
  expect(ok(await as(stranger).get(`${path}/summary`))).toEqual([]);
});

test('a course has its own stream', async () => {
  const { student, student2, course, stranger } = await aWeek();
  const types = async (person: typeof student) =>
    ok(within(await as(person).get(`/courses/${course.id}/activity_stream`), 2)).map((one: Item) => one.type);
  expect(await types(student)).toEqual(['Submission', 'Announcement', 'DiscussionTopic']);
  expect(await types(student2)).toEqual(['Announcement', 'DiscussionTopic']);
  ok(await as(stranger).get(`/courses/${course.id}/activity_stream`), 401);
});

test('groups, messages about assignments and collaborations are included', async () => {
  const { student, student2, teacher, course, stranger } = await aWeek();
  const set = ok(await as(teacher).post(`/courses/${course.id}/group_categories`, { name: 'Teams' }));
  const group = ok(await as(teacher).post(`/group_categories/${set.id}/groups`, { name: 'Red' }));
  ok(await as(teacher).post(`/groups/${group.id}/memberships`, { user_id: student.id }));
  const talk = await topic(course, 'In the group', at(-20), { context_type: 'Group', context_id: group.id });
  const document = await ground.collaboration({ type: 'Course', id: course.id }, teacher, {
    title: 'Notes',
    description: 'Ours',
    created_at: at(-10),
    updated_at: at(-10),
    members: [{ user_id: student.id }],
  });
  const message = (communication_channel_id: number, notification: string) =>
    ground.message(student, {
      communication_channel_id,
      notification,
      subject: 'A date has changed',
      body: `See https://example.edu/essay now`,
      created_at: at(-5),
    });
  const told = await message(1, 'assignment_due_date_changed');
  await message(2, 'assignment_due_date_changed');
  await message(1, 'new_announcement');
  const items = ok(within(await as(student).get(path), 2));
  expect(items.slice(0, 4).map((one: Item) => one.type)).toEqual(['Conversation', 'Message', 'Collaboration', 'DiscussionTopic']);
  items.shift();
  expect(items[0]).toMatchObject({
    message_id: told,
    title: 'A date has changed',
    notification_category: 'Due Date',
    url: 'https://example.edu/essay',
    html_url: 'https://example.edu/essay',
  });
  expect(items[1]).toMatchObject({
    collaboration_id: document,
    title: 'Notes',
    message: 'Ours',
    context_type: 'Course',
    course_id: course.id,
  });
  expect(items[2]).toMatchObject({
    discussion_topic_id: talk,
    context_type: 'Group',
    group_id: group.id,
    html_url: expect.stringContaining(`/groups/${group.id}/discussion_topics/${talk}`),
  });
  expect(ok(await as(student).get(path, { context_code: `group_${group.id}` })).map((one: Item) => one.title)).toEqual(['In the group']);
  expect(ok(await as(student2).get(path)).map((one: Item) => one.title)).not.toContain('Notes');
  expect(ok(within(await as(student).get(`/groups/${group.id}/activity_stream`), 2)).map((one: Item) => one.title)).toEqual([
    'In the group',
  ]);
  const counts = ok(within(await as(student).get(`${path}/summary`), 2));
  expect(counts.map((one: { type: string; count: number }) => [one.type, one.count])).toEqual([
    ['Announcement', 1],
    ['Collaboration', 1],
    ['Conversation', 1],
    ['DiscussionTopic', 2],
    ['Message', 1],
    ['Submission', 1],
  ]);
  expect(counts[4].notification_category).toBe('Due Date');
  expect(ok(within(await as(student).get(`/groups/${group.id}/activity_stream/summary`), 2))).toMatchObject([
    { type: 'DiscussionTopic', count: 1 },
  ]);
  ok(await as(stranger).get(`/groups/${group.id}/activity_stream`), 401);
  ok(await as(stranger).get(`/groups/${group.id}/activity_stream/summary`), 401);
  ok(await as(student).del(`${path}/${items[0].id}`));
  expect(ok(await as(student).get(path))[1].type).toBe('Collaboration');
});

test('a user hides one item, or all of them', async () => {
  const { student, course } = await aWeek();
  const [first] = ok(await as(student).get(path));
  expect(ok(within(await as(student).del(`${path}/${first.id}`), 3))).toEqual({ hidden: true });
  expect(ok(await as(student).get(path)).map((one: Item) => one.id)).not.toContain(first.id);
  ok(await as(student).del(`${path}/letters`), 404);
  ok(await as(student).del(path));
  expect(ok(await as(student).get(path))).toEqual([]);
  await topic(course, 'Newer', at(5));
  expect(ok(await as(student).get(path))).toHaveLength(1);
});

test('a user who must post first sees no earlier entries', async () => {
  const { student, student2, discussion } = await aWeek();
  await env.DB.prepare('update discussion_topics set require_initial_post = 1 where id = ?').bind(discussion).run();
  const seen = async (person: typeof student) => ok(await as(person).get(path, { asset_type: 'DiscussionTopic' }))[0];
  expect(await seen(student)).toMatchObject({ user_has_posted: false, root_discussion_entries: [] });
  expect((await seen(student2)).user_has_posted).toBe(true);
  // In an anonymous discussion the stream names no one either.
  await env.DB.prepare("update discussion_topics set require_initial_post = 0, anonymous_state = 'full_anonymity' where id = ?")
    .bind(discussion)
    .run();
  expect((await seen(student)).root_discussion_entries).toEqual([{ user: {}, message: 'Aye' }]);
});

test('10,000 old discussions cost the same as ten', async () => {
  const { student, course } = await aWeek();
  const small = within(await as(student).get(path), 2);
  await many(10_000, discussion_topics, {
    context_type: 'Course',
    context_id: course.id,
    title: nth('T'),
    workflow_state: 'active',
    last_reply_at: '2020-01-01T00:00:00Z',
  });
  const large = within(await as(student).get(path), 2);
  expect(ok(large)).toHaveLength(4);
  expect(large.cost.rows_read).toBeLessThan(small.cost.rows_read + 100);
});
