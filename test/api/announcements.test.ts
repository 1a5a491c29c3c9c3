// Announcements: when they are posted, and for whom.

import { discussion_topics } from '@carrel/worker/domains/discussion_topics/table';
import { expect, test } from 'vitest';
import { as, ground, many, nth, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';

const at = (course: { id: number }, rest = '') => `/courses/${course.id}/discussion_topics${rest}`;
const announce = async (person: Person, course: { id: number }, given: object = {}) =>
  ok(await as(person).post(at(course), { title: 'News', message: 'Hear', is_announcement: true, ...given }));
const titles = (topics: { title: string }[]) => topics.map(({ title }) => title);
const soon = '2099-01-01T00:00:00Z';

test('an announcement is posted at once, closed for comments, and listed apart from topics', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const news = await announce(teacher, course, { published: false });
  expect(news).toMatchObject({
    is_announcement: true,
    published: true,
    locked: true,
    subscribed: false,
    subscription_hold: 'topic_is_announcement',
  });
  expect(ok(await as(student).get(at(course)))).toEqual([]);
  expect(titles(ok(within(await as(student).get(at(course), { only_announcements: true }), 2)))).toEqual(['News']);
  ok(await as(student).post(at(course, `/${news.id}/entries`), { message: 'x' }), 401);
  const open = await announce(teacher, course, { locked: false });
  ok(await as(student).post(at(course, `/${open.id}/entries`), { message: 'x' }), 201);
  expect(await announce(student, course, {})).toMatchObject({ is_announcement: false });
  expect((await as(student).put(at(course, `/${news.id}/subscribed`))).status).toBe(403);
});

test('a delayed announcement is hidden before its time', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const later = await announce(teacher, course, { title: 'Later', delayed_post_at: soon });
  expect(later.published).toBe(false);
  ok(await as(student).get(at(course, `/${later.id}`)), 401);
  expect(ok(await as(student).get(at(course), { only_announcements: true }))).toEqual([]);
  const query = { context_codes: [`course_${course.id}`], end_date: '2100-01-01' };
  expect(ok(await as(student).get('/announcements', query))).toEqual([]);
  expect(titles(ok(await as(teacher).get('/announcements', query)))).toEqual(['Later']);
  expect(ok(await as(teacher).get('/announcements', { ...query, active_only: true }))).toEqual([]);
});

test('announcements of several courses are listed newest first, with their course code', async () => {
  const one = await aCourse(ground);
  const two = await aCourse(ground);
  await ground.enroll(two.course, one.student, 'student');
  await announce(one.teacher, one.course, { title: 'First' });
  await announce(two.teacher, two.course, { title: 'Second' });
  const codes = [`course_${one.course.id}`, String(two.course.id)];
  const listed = ok(within(await as(one.student).get('/announcements', { context_codes: codes }), 2));
  expect(titles(listed)).toEqual(['Second', 'First']);
  expect(listed.map((topic: { context_code: string }) => topic.context_code)).toEqual([
    `course_${two.course.id}`,
    `course_${one.course.id}`,
  ]);
  expect(listed[0].assignment).toBeUndefined();
  await announce(one.teacher, one.course, { title: 'Third' });
  expect(titles(ok(await as(one.student).get('/announcements', { context_codes: codes, latest_only: true })))).toEqual(['Third', 'Second']);
  expect(
    ok(await as(one.student).get('/announcements', { context_codes: codes, start_date: '2020-01-01', end_date: '2020-02-01' })),
  ).toEqual([]);
  ok(await as(one.student2).get('/announcements', { context_codes: codes }), 401);
});

test("the dates of a request for announcements are in the caller's time zone, and texts come without tags on request", async () => {
  const { course, teacher, student } = await aCourse(ground);
  ok(await as(student).put('/users/self', { user: { time_zone: 'America/Los_Angeles' } }));
  const news = await announce(teacher, course, { message: '<p>Hear <b>this</b></p>', delayed_post_at: '2020-06-02T02:00:00Z' });
  const on = async (date: string, more: object = {}) => {
    const query = { context_codes: [`course_${course.id}`], start_date: date, end_date: date, ...more };
    return ok(await as(student).get('/announcements', query));
  };
  expect(await on('2020-06-02')).toEqual([]);
  expect(await on('2020-06-01', { text_only: true })).toMatchObject([{ id: news.id, message: 'Hear this' }]);
});

test('a request for announcements needs readable courses and valid dates', async () => {
  const { course, student } = await aCourse(ground);
  const refused = async (query: object) => ok(await as(student).get('/announcements', query), 400);
  expect(await refused({})).toEqual({ message: 'Missing context_codes' });
  expect(await refused({ context_codes: ['group_1'] })).toEqual({ message: 'Invalid context_codes; only `course` codes are supported' });
  expect(await refused({ context_codes: [`course_${course.id}`], start_date: 'soon' })).toEqual({ message: 'Invalid start_date' });
  expect(await refused({ context_codes: [`course_${course.id}`], end_date: 'later' })).toEqual({ message: 'Invalid end_date' });
  ok(await as().get('/announcements', { context_codes: [`course_${course.id}`] }), 401);
});

test('an announcement for a section is hidden from other sections', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const section_id = await ground.section(course);
  const late = await ground.person();
  await ground.enroll(course, late, 'student', { section_id });
  await announce(teacher, course, { specific_sections: String(section_id) });
  const query = { context_codes: [`course_${course.id}`] };
  expect(ok(await as(student).get('/announcements', query))).toEqual([]);
  expect(ok(await as(late).get('/announcements', query))).toHaveLength(1);
  expect(ok(await as(teacher).get('/announcements', query))).toHaveLength(1);
});

test('10,000 announcements cost as much as one page', async () => {
  const { course, teacher, student } = await aCourse(ground);
  await many(10_000, discussion_topics, {
    context_type: 'Course',
    context_id: course.id,
    title: nth('News '),
    user_id: teacher.id,
    is_announcement: true,
    workflow_state: 'active',
    posted_at: '2026-11-01T00:00:00Z',
    last_reply_at: '2026-11-01T00:00:00Z',
    created_at: '2026-11-01T00:00:00Z',
  });
  const query = { context_codes: [`course_${course.id}`], start_date: '2026-10-01', end_date: '2026-12-31', per_page: 100 };
  const page = within(await as(student).get('/announcements', query), 2);
  expect(ok(page)).toHaveLength(100);
  const next = within(await as(student).get(page.links.next as string), 2);
  expect(ok(next)).toHaveLength(100);
  expect(next.cost.rows_read).toBeLessThan(3 * 100 * 4);
  const own = within(await as(student).get(at(course), { only_announcements: true, per_page: 100 }), 2);
  expect(own.cost.rows_read).toBeLessThan(3 * 100 * 4);
});
