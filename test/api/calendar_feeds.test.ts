// Calendar feeds and podcasts at addresses that need no session.

import { env, SELF } from 'cloudflare:test';
import { parseFeed } from '@carrel/worker/domains/external_feeds/parse';
import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import { as, base, ground, noteRoute, ok, within } from '../support/api';
import { aCourse } from '../support/ground';
import { upload } from '../support/upload';

const inDays = (days: number, hour = 9) =>
  `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T${String(hour).padStart(2, '0')}:00:00Z`;
const read = async (url: string, headers: Record<string, string> = {}) => {
  const response = await SELF.fetch(`${base}${new URL(url).pathname}`, { headers });
  noteRoute(response.headers, response.status);
  const d1_trips = Number(/d1_trips;dur=(\d+)/.exec(response.headers.get('server-timing') ?? '')?.[1]);
  return { status: response.status, text: await response.text(), headers: response.headers, cost: { d1_trips } };
};
/** Parsed as a calendar program would. */
const eventsIn = (text: string) => new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((event) => new ICAL.Event(event));

test('a user subscribes to their calendar in another program, at a secret address', async () => {
  const { course, student, teacher } = await aCourse(ground);
  const write = (who: typeof student, calendar_event: object) => as(who).post('/calendar_events', { calendar_event });
  const title = 'Séminaire; «tout, sur» les étoiles \\ et les planètes, dit très longuement pour qu’une ligne ne suffise pas 🌌🌌🌌';
  const own = ok(
    await write(student, {
      context_code: `user_${student.id}`,
      title,
      description: '<p>One &amp; two</p><p>three</p>',
      location_name: 'Room 1',
      start_at: inDays(3),
      end_at: inDays(3, 11),
    }),
    201,
  );
  ok(
    await write(student, {
      context_code: `user_${student.id}`,
      title: 'Holiday',
      start_at: `${inDays(5).slice(0, 10)}T23:00:00Z`,
      all_day: true,
      time_zone_edited: 'Europe/Berlin',
    }),
    201,
  );
  ok(await write(student, { context_code: `user_${student.id}`, title: 'Undated' }), 201);
  const lab = ok(
    await write(teacher, {
      context_code: `course_${course.id}`,
      title: 'Lab',
      start_at: inDays(1),
      end_at: inDays(1, 10),
      rrule: 'FREQ=DAILY;COUNT=3',
    }),
    201,
  );
  ok(await write(teacher, { context_code: `user_${teacher.id}`, title: 'Secret', start_at: inDays(1) }), 201);

  const url = ok(await as(student).get('/users/self/profile')).calendar.ics as string;
  expect(url).toMatch(new RegExp(`/feeds/calendars/user_${student.id}-[0-9a-f]{40}\\.ics$`));
  expect(ok(await as(teacher).get(`/users/${student.id}/profile`))).not.toHaveProperty('calendar');
  const feed = await read(url);
  expect(feed.status).toBe(200);
  expect(feed.headers.get('content-type')).toContain('text/calendar');
  const lines = feed.text.split('\r\n');
  expect(lines.every((line) => new TextEncoder().encode(line).length <= 75 && !line.includes('\n'))).toBe(true);
  const events = eventsIn(feed.text);
  expect(events.map((event) => event.summary).sort()).toEqual([title, 'Holiday', ...Array(3).fill(`Lab [${course.name}]`)].sort());
  const seminar = events.find((event) => event.summary === title);
  expect(seminar).toMatchObject({ description: 'One & two\nthree', location: 'Room 1' });
  expect(seminar?.uid).toBe(`event-calendar-event-${own.id}`);
  expect(seminar?.startDate.toJSDate().toISOString().slice(0, 19)).toBe(inDays(3).slice(0, 19));
  expect(seminar?.endDate.toJSDate().toISOString().slice(11, 19)).toBe('11:00:00');
  const holiday = events.find((event) => event.summary === 'Holiday');
  expect([holiday?.startDate.isDate, holiday?.startDate.toString(), holiday?.duration.toString()]).toEqual([
    true,
    inDays(6).slice(0, 10),
    'P1D',
  ]);
  expect(
    events.filter((event) => event.summary.startsWith('Lab')).map((event) => event.startDate.toJSDate().toISOString().slice(0, 10)),
  ).toEqual([1, 2, 3].map((days) => inDays(days).slice(0, 10)));
  expect(new Set(events.map((event) => event.uid)).size).toBe(5);

  expect(feed.cost.d1_trips).toBe(2);
  const etag = feed.headers.get('etag') as string;
  expect((await read(url, { 'If-None-Match': etag })).status).toBe(304);
  ok(await as(teacher).del(`/calendar_events/${lab.id}`, { which: 'all' }));
  const later = await read(url, { 'If-None-Match': etag });
  expect([later.status, eventsIn(later.text).length]).toEqual([200, 2]);

  // A new feed code invalidates every address made with the old one.
  await env.DB.prepare('update users set feed_code = ? where id = ?').bind('another', student.id).run();
  expect((await read(url)).status).toBe(404);
  const changed = ok(await as(student).get('/users/self/profile')).calendar.ics as string;
  expect(changed).not.toBe(url);
  expect((await read(changed)).status).toBe(200);
  expect((await read(changed.replace(/-[0-9a-f]/, (start) => (start === '-0' ? '-1' : '-0')))).status).toBe(404);
  expect((await read(changed.replace(`user_${student.id}`, `user_${teacher.id}`))).status).toBe(404);
  await env.DB.prepare("update logins set workflow_state = 'suspended' where user_id = ?").bind(student.id).run();
  expect((await read(changed)).status).toBe(404);
});

test("a user's feed includes the calendars of observed students and the auto-subscribed account calendars", async () => {
  const { course, student, student2, observer, teacher } = await aCourse(ground);
  const at = `/courses/${course.id}/assignments`;
  const essay = ok(await as(teacher).post(at, { assignment: { name: 'Essay', due_at: inDays(2), published: true } }), 201);
  const other = ok(await as(teacher).post(at, { assignment: { name: 'Resit', published: true, only_visible_to_overrides: true } }), 201);
  const moved = { assignment_override: { student_ids: [student.id], due_at: inDays(4) } };
  for (const { id } of [essay, other]) ok(await as(teacher).post(`${at}/${id}/overrides`, moved), 201);
  ok(
    await as(student).post('/calendar_events', {
      calendar_event: { context_code: `user_${student.id}`, title: 'Dentist', start_at: inDays(1) },
    }),
    201,
  );
  const admin = await ground.admin();
  ok(await as(admin).put('/account_calendars/1', { visible: true, auto_subscribe: true }));
  ok(
    await as(admin).post('/calendar_events', { calendar_event: { context_code: 'account_1', title: 'Open day', start_at: inDays(3) } }),
    201,
  );
  const daysOf = async (who: typeof student) =>
    eventsIn((await read(ok(await as(who).get('/users/self/profile')).calendar.ics)).text).map((event) => [
      event.summary.replace(/ \[.*/, ''),
      event.startDate.toJSDate().toISOString().slice(0, 10),
    ]);
  const on = (days: number) => inDays(days).slice(0, 10);
  const theirs = [
    ['Dentist', on(1)],
    ['Open day', on(3)],
    ['Essay', on(4)],
    ['Resit', on(4)],
  ];
  expect(await daysOf(student)).toEqual(theirs);
  expect(await daysOf(observer)).toEqual(theirs);
  expect(await daysOf(student2)).toEqual([
    ['Open day', on(3)],
    ['Essay', on(2)],
  ]);
  ok(await as(admin).put('/account_calendars/1', { visible: true, auto_subscribe: false }));
  expect(await daysOf(student2)).toEqual([['Essay', on(2)]]);
  const asked = { type: 'assignment', context_codes: [`course_${course.id}`], all_events: true };
  expect(ok(within(await as(observer).get('/calendar_events', asked), 2)).map((one: { start_at: string }) => one.start_at)).toEqual([
    inDays(4),
    inDays(4),
  ]);
});

test('Canvas clients find course, assignment and event in a feed', async () => {
  const { course, student, student2, teacher } = await aCourse(ground);
  const at = `/courses/${course.id}/assignments`;
  ok(await as(teacher).put(`/courses/${course.id}`, { course: { course_code: 'BIO 101' } }));
  const create = async (name: string, days: number) =>
    ok(await as(teacher).post(at, { assignment: { name, due_at: inDays(days), published: true } }), 201) as { id: number };
  const [essay, report] = [await create('Essay', 2), await create('Report', 3)];
  const override = ok(
    await as(teacher).post(`${at}/${report.id}/overrides`, { assignment_override: { student_ids: [student.id], due_at: inDays(4) } }),
    201,
  );
  const context_code = `course_${course.id}`;
  const event = (more: object) => as(teacher).post('/calendar_events', { calendar_event: { context_code, start_at: inDays(1), ...more } });
  const trip = ok(await event({ title: 'Trip', end_at: inDays(1, 10) }), 201);
  const section = { context_code: `course_section_${course.section_id}`, start_at: inDays(1), end_at: inDays(1, 12) };
  const parts = ok(await event({ title: 'Lab', child_event_data: [section] }), 201);
  const urlOf = (days: number, fragment: string) =>
    `${base}/calendar?include_contexts=${context_code}&month=${inDays(days).slice(5, 7)}&year=${inDays(days).slice(0, 4)}#${fragment}`;
  const seen = async (who: typeof student, path: string) =>
    eventsIn((await read(ok(await as(who).get(path)).calendar.ics)).text).map((one) => ({
      uid: one.uid,
      summary: one.summary,
      url: one.component.getFirstPropertyValue('url'),
      lasts: Number(one.endDate.toJSDate()) - Number(one.startDate.toJSDate()),
    }));
  const entry = (uid: string, title: string, url: string, lasts = 0) => ({ uid, summary: `${title} [BIO 101]`, url, lasts });
  const part = parts.child_events[0].id as number;
  const events = [
    entry(`event-calendar-event-${trip.id}`, 'Trip', urlOf(1, `calendar_event_${trip.id}`), 3_600_000),
    entry(`event-calendar-event-${part}`, 'Lab', urlOf(1, `calendar_event_${part}`), 3 * 3_600_000),
  ];
  const essays = entry(`event-assignment-${essay.id}`, 'Essay', urlOf(2, `assignment_${essay.id}`));
  const reportAt = (days: number, uid: string) => entry(uid, 'Report', urlOf(days, `assignment_${report.id}`));
  const [own, moved] = [reportAt(3, `event-assignment-${report.id}`), reportAt(4, `event-assignment-override-${override.id}`)];
  for (const path of ['/users/self/profile', `/courses/${course.id}`]) {
    expect(await seen(student, path)).toEqual([...events, essays, moved]);
    expect(await seen(student2, path)).toEqual([...events, essays, own]);
    expect(await seen(teacher, path)).toEqual([...events, essays, own, moved]);
  }
  // The calendar itself names the override, too.
  const days = { type: 'assignment', context_codes: [context_code], all_events: true };
  const overrides = [undefined, [expect.objectContaining({ id: override.id, assignment_id: report.id })]];
  const result = ok(within(await as(student).get('/calendar_events', days), 2)) as { assignment_overrides?: unknown }[];
  expect(result.map((one) => one.assignment_overrides)).toEqual(overrides);
});

test('the audio files of a topic are a podcast for users who may read it', async () => {
  const { course, student, student2, teacher } = await aCourse(ground);
  const send = (who: typeof student, name: string, content_type: string) =>
    upload(who, `/courses/${course.id}/files`, { name, content_type } as never, 'sound');
  const lecture = await send(teacher, 'lecture <1> & more.mp3', 'audio/mpeg');
  const notes = await send(teacher, 'notes.txt', 'text/plain');
  const film = await send(teacher, 'film.mp4', 'video/mp4');
  const shown = (file: { id: number }) => `<p><a href="/courses/${course.id}/files/${file.id}/download">Hear</a></p>`;
  const topics = `/courses/${course.id}/discussion_topics`;
  const topic = ok(
    await as(teacher).post(topics, {
      title: 'Talks </title><script>',
      message: `${shown(lecture)}${shown(notes)}`,
      published: true,
      podcast_enabled: true,
    }),
  );
  ok(await as(student).post(`${topics}/${topic.id}/entries`, { message: `My take ${shown(film)}` }), 201);
  const urlOf = async (who: typeof student) => ok(await as(who).get(`${topics}/${topic.id}`)).podcast_url as string;
  const url = await urlOf(student);
  expect(url).toMatch(new RegExp(`/feeds/topics/${topic.id}/enrollment_${student.id}-[0-9a-f]{40}\\.rss$`));
  expect(await urlOf(student2)).not.toBe(url);
  const feed = await read(url);
  expect([feed.status, feed.headers.get('content-type'), feed.cost.d1_trips]).toEqual([200, 'application/rss+xml; charset=utf-8', 2]);
  const titlesIn = (text: string) => parseFeed(text, url).entries.map((entry) => entry.title);
  expect(parseFeed(feed.text, url).title).toBe('Talks </title><script>');
  expect(titlesIn(feed.text)).toEqual(['lecture <1> & more.mp3']);
  const [, address = '', length, type] = /<enclosure url="([^"]*)" length="(\d+)" type="([^"]*)"/.exec(feed.text) ?? [];
  expect([length, type]).toEqual(['5', 'audio/mpeg']);
  const sound = await SELF.fetch(address);
  expect([sound.status, await sound.text()]).toEqual([200, 'sound']);
  expect((await read(url, { 'If-None-Match': feed.headers.get('etag') as string })).status).toBe(304);
  // Replies of students are included where the topic allows it.
  ok(await as(teacher).put(`${topics}/${topic.id}`, { podcast_has_student_posts: true }));
  expect(titlesIn((await read(url)).text)).toEqual(['film.mp4', 'lecture <1> & more.mp3']);
  expect((await read(url.replace(/-[0-9a-f]/, (start) => (start === '-0' ? '-1' : '-0')))).status).toBe(404);
  expect((await read(url.replace(`enrollment_${student.id}`, `enrollment_${student2.id}`))).status).toBe(404);
  ok(await as(teacher).put(`${topics}/${topic.id}`, { delayed_post_at: inDays(1) }));
  expect((await read(url)).status).toBe(404);
  ok(await as(teacher).put(`${topics}/${topic.id}`, { delayed_post_at: '', podcast_enabled: false }));
  expect((await read(url)).status).toBe(404);
});

test('each user has their own feed address for a course, which returns what that user may see', async () => {
  const { course, student, student2, teacher } = await aCourse(ground);
  ok(
    await as(teacher).post('/calendar_events', {
      calendar_event: { context_code: `course_${course.id}`, title: 'Trip', start_at: inDays(1) },
    }),
    201,
  );
  ok(
    await as(teacher).post(`/courses/${course.id}/assignments`, { assignment: { name: 'Essay', due_at: inDays(2), published: true } }),
    201,
  );
  ok(await as(teacher).post(`/courses/${course.id}/assignments`, { assignment: { name: 'Draft', due_at: inDays(2) } }), 201);
  const icsOf = async (who: typeof student | undefined, path: string) => ok(await as(who).get(path)).calendar.ics as string;
  const url = await icsOf(student, `/courses/${course.id}`);
  expect(await icsOf(student2, `/courses/${course.id}`)).not.toBe(url);
  const feed = await read(url);
  expect(feed.cost.d1_trips).toBe(2);
  expect(eventsIn(feed.text).map((event) => event.summary)).toEqual([`Trip [${course.name}]`, `Essay [${course.name}]`]);
  expect(eventsIn((await read(await icsOf(await ground.admin(), `/courses/${course.id}`))).text)).toHaveLength(2);
  expect((await read(`${base}/feeds/calendars/course_guess.ics`)).status).toBe(404);
  expect((await read(url.replace('course_', 'group_'))).status).toBe(404);

  // Public events of a course have an address for everyone.
  const open = `${base}/feeds/calendars/course_${ok(await as(student).get(`/courses/${course.id}`)).uuid}.ics`;
  expect((await read(open)).status).toBe(404);
  ok(await as(teacher).put(`/courses/${course.id}`, { course: { is_public: true } }));
  expect(eventsIn((await read(open)).text).map((event) => event.summary)).toContain(`Trip [${course.name}]`);

  const set = ok(await as(teacher).post(`/courses/${course.id}/group_categories`, { name: 'Teams' }));
  const team = ok(await as(teacher).post(`/group_categories/${set.id}/groups`, { name: 'Red' }));
  ok(await as(teacher).post(`/groups/${team.id}/memberships`, { user_id: student.id }));
  ok(
    await as(student).post('/calendar_events', {
      calendar_event: { context_code: `group_${team.id}`, title: 'Meet', start_at: inDays(1) },
    }),
    201,
  );
  const ofGroup = await icsOf(student, `/groups/${team.id}`);
  expect(eventsIn((await read(ofGroup)).text).map((event) => event.summary)).toEqual(['Meet [Red]']);
  expect(eventsIn((await read(await icsOf(student, '/users/self/profile'))).text)).toHaveLength(3);
  expect(eventsIn((await read(await icsOf(student2, '/users/self/profile'))).text)).toHaveLength(2);
  ok(await as(teacher).del(`/groups/${team.id}`));
  expect((await read(ofGroup)).status).toBe(404);
  await env.DB.prepare("update enrollments set enrollment_state = 'deleted' where user_id = ?").bind(student.id).run();
  ok(await as(teacher).put(`/courses/${course.id}`, { course: { is_public: false } }));
  expect((await read(url)).status).toBe(404);
});
