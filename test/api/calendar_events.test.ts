// Calendar events of users, courses, sections and groups.

import { env } from 'cloudflare:test';
import { calendar_events } from '@carrel/worker/domains/calendar_events/table';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { as, ground, many, nth, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

type Event = { id: number | string; title: string; start_at: string };
const path = '/calendar_events';
const titles = (events: Event[]) => events.map((one) => one.title);

const assignment = (
  course: { id: number; assignment_group_id: number },
  name: string,
  due_at: string | null,
  rest: Parameters<typeof ground.assignment>[1] = {},
) => ground.assignment(course, { name, due_at, ...rest });

test('users have a calendar of their own', async () => {
  const { student, student2, observer } = await aCourse(ground);
  const given = {
    context_code: `user_${student.id}`,
    title: 'Dentist',
    start_at: '2030-05-01T10:00:00Z',
    end_at: '2030-05-01T11:00:00Z',
    description: '<b>ow</b><script>x</script>',
  };
  const made = ok(within(await as(student).post(path, { calendar_event: given }), 3), 201);
  expect(made).toMatchObject({
    title: 'Dentist',
    type: 'event',
    start_at: given.start_at,
    end_at: given.end_at,
    all_day: false,
    context_code: `user_${student.id}`,
    context_name: 'Sam Student',
    effective_context_code: null,
    description: '<b>ow</b>',
    child_events: [],
    duplicates: [],
    hidden: false,
    workflow_state: 'active',
  });
  const listed = within(await as(student).get(path, { start_date: '2030-05-01', end_date: '2030-05-02' }), 2);
  expect(ok(listed)).toEqual([made]);
  expect(ok(within(await as(student).get(`${path}/${made.id}`), 2))).toEqual(made);
  ok(await as(student2).get(`${path}/${made.id}`), 404);
  ok(await as(observer).get(`${path}/${made.id}`));
  ok(await as(observer).put(`${path}/${made.id}`, { calendar_event: { title: 'Mine' } }), 401);
  ok(await as(student).get(`${path}/999999`), 404);
  ok(await as(student).get(`${path}/nonsense`), 404);
  ok(await as().get(path), 401);
  ok(await as(student2).post(path, { calendar_event: given }), 401);

  const changed = ok(
    within(await as(student).put(`${path}/${made.id}`, { calendar_event: { title: 'Doctor', start_at: '2030-05-03T10:00:00Z' } }), 3),
  );
  expect(changed).toMatchObject({
    title: 'Doctor',
    start_at: '2030-05-03T10:00:00Z',
    end_at: '2030-05-03T10:00:00Z',
    description: '<b>ow</b>',
  });
  const gone = ok(within(await as(student).del(`${path}/${made.id}`, { cancel_reason: 'well again' }), 3));
  expect(gone.workflow_state).toBe('deleted');
  ok(await as(student).get(`${path}/${made.id}`), 404);
  expect(ok(await as(student).get(path, { all_events: true }))).toEqual([]);
});

test('an observer sees the calendar of their student, others do not', async () => {
  const { student, student2, observer } = await aCourse(ground);
  ok(
    await as(student).post(path, {
      calendar_event: { context_code: `user_${student.id}`, title: 'Chess', start_at: '2030-05-01T10:00:00Z' },
    }),
    201,
  );
  const seen = within(await as(observer).get(`/users/${student.id}/calendar_events`, { all_events: true }), 2);
  expect(titles(ok(seen))).toEqual(['Chess']);
  expect(titles(ok(await as(student).get('/users/self/calendar_events', { all_events: true })))).toEqual(['Chess']);
  const named = { context_codes: [`user_${student.id}`], all_events: true };
  expect(titles(ok(await as(observer).get(path, named)))).toEqual(['Chess']);
  ok(await as(student2).get(path, named), 401);
  ok(await as(student2).get(`/users/${student.id}/calendar_events`), 401);
});

test("a user who is only enrolled as an observer sees their student's calendar in the observed courses", async () => {
  const { course, student, observer, teacher } = await aCourse(ground);
  const other = await ground.course();
  await ground.enroll(other, student, 'student');
  await ground.enroll(other, observer, 'student');
  for (const place of [course, other]) {
    await assignment(place, `Essay ${place.id}`, '2030-05-02T10:00:00Z');
    const calendar_event = { context_code: `course_${place.id}`, title: `Trip ${place.id}`, start_at: '2030-05-01T10:00:00Z' };
    ok(await as(await ground.admin()).post(path, { calendar_event }), 201);
  }
  const own = { context_code: `user_${student.id}`, title: 'Chess', start_at: '2030-05-01T10:00:00Z' };
  ok(await as(student).post(path, { calendar_event: own }), 201);
  await env.DB.prepare('delete from observers where observer_id = ?').bind(observer.id).run();
  const theirs = `/users/${student.id}/calendar_events`;
  const all = { all_events: true, context_codes: [`course_${course.id}`, `course_${other.id}`, `user_${student.id}`] };
  expect(titles(ok(within(await as(observer).get(theirs, all), 2)))).toEqual([`Trip ${course.id}`]);
  expect(titles(ok(within(await as(observer).get(theirs, { ...all, type: 'assignment' }), 2)))).toEqual([`Essay ${course.id}`]);
  expect(ok(await as(observer).get(theirs, { all_events: true }))).toEqual([]);
  const closed = await ground.course();
  ok(await as(observer).get(theirs, { ...all, context_codes: [`course_${closed.id}`] }), 401);
  ok(await as(observer).get(`/users/${teacher.id}/calendar_events`, all), 401);
});

test('a teacher edits the calendar of a course, a student only reads it', async () => {
  const { course, student, teacher, stranger } = await aCourse(ground);
  const code = `course_${course.id}`;
  const made = ok(await as(teacher).post(path, { calendar_event: { context_code: code, start_at: '2030-05-01T10:00:00Z' } }), 201);
  expect(made).toMatchObject({ title: 'Course Event', context_name: course.name, all_context_codes: code, end_at: '2030-05-01T10:00:00Z' });
  const asked = { context_codes: [code], all_events: true };
  expect(titles(ok(within(await as(student).get(path, asked), 2)))).toEqual(['Course Event']);
  ok(await as(student).get(`${path}/${made.id}`));
  ok(await as(student).post(path, { calendar_event: { context_code: code } }), 401);
  ok(await as(student).put(`${path}/${made.id}`, { calendar_event: { title: 'x' } }), 401);
  ok(await as(student).del(`${path}/${made.id}`), 401);
  ok(await as(stranger).get(path, asked), 401);
  ok(await as(stranger).get(`${path}/${made.id}`), 404);
  ok(await as(student).get(path, { context_codes: [code, 'course_999999'] }), 401);
  ok(await as(teacher).post(path, { calendar_event: { context_code: 'course_999999' } }), 404);
  ok(await as(teacher).post(path, { calendar_event: { title: 'nowhere' } }), 404);
  ok(await as(teacher).post(path, { calendar_event: { context_code: code, start_at: 'someday' } }), 400);
  const rule = ok(await as(teacher).post(path, { calendar_event: { context_code: code, rrule: 'FREQ=DAILY;COUNT=3' } }), 400);
  expect(rule.errors[0].message).toContain('start_at');
  const admin = await ground.admin();
  expect(titles(ok(await as(admin).get(path, asked)))).toEqual(['Course Event']);
  ok(await as(student).put('/courses/self', {}), 404);
});

test("without dates, today's events are returned; requests for undated or all events ignore dates", async () => {
  const person = await ground.person();
  const code = `user_${person.id}`;
  const now = new Date();
  const make = (title: string, start_at?: string) => as(person).post(path, { calendar_event: { context_code: code, title, start_at } });
  ok(await make('Now', now.toISOString()), 201);
  ok(await make('Undated'), 201);
  ok(await make('Past', '2001-01-01T00:00:00Z'), 201);
  expect(titles(ok(await as(person).get(path)))).toEqual(['Now']);
  expect(titles(ok(await as(person).get(path, { undated: true })))).toEqual(['Undated']);
  expect(titles(ok(await as(person).get(path, { all_events: 1 })))).toEqual(['Undated', 'Past', 'Now']);
  expect(titles(ok(await as(person).get(path, { start_date: '2001-01-01' })))).toEqual(['Past', 'Now']);
  expect(titles(ok(await as(person).get(path, { start_date: '2001-01-01', end_date: '2000-01-01' })))).toEqual(['Past']);
  expect(ok(await as(person).get(path, { start_date: 'someday' }), 400).errors.start_date).toBeDefined();
});

test('an event from midnight to midnight is an all-day event, in its time zone', async () => {
  const person = await ground.person();
  const given = {
    context_code: `user_${person.id}`,
    start_at: '2030-05-01T22:00:00Z',
    end_at: '2030-05-01T22:00:00Z',
    time_zone_edited: 'Europe/Berlin',
  };
  expect(ok(await as(person).post(path, { calendar_event: given }), 201)).toMatchObject({ all_day: true, all_day_date: '2030-05-02' });
  expect(
    ok(await as(person).post(path, { calendar_event: { ...given, start_at: '2030-05-02T09:00:00Z', end_at: '', all_day: true } }), 201),
  ).toMatchObject({
    all_day: true,
    all_day_date: '2030-05-02',
    start_at: '2030-05-01T22:00:00Z',
  });
});

test('an event is repeated by duplicates that keep the local time', async () => {
  const person = await ground.person();
  const given = {
    context_code: `user_${person.id}`,
    title: 'Class',
    start_at: '2030-03-25T09:00:00Z',
    time_zone_edited: 'Europe/Berlin',
    duplicate: { count: 2, interval: 1, frequency: 'weekly', append_iterator: true },
  };
  const made = ok(within(await as(person).post(path, { calendar_event: given }), 3), 201);
  expect(made.title).toBe('Class 1');
  expect(made.duplicates.map(({ calendar_event: one }: { calendar_event: Event }) => [one.title, one.start_at])).toEqual([
    ['Class 2', '2030-04-01T08:00:00Z'],
    ['Class 3', '2030-04-08T08:00:00Z'],
  ]);
  expect(ok(await as(person).get(path, { all_events: true }))).toHaveLength(3);
  ok(await as(person).post(path, { calendar_event: { ...given, duplicate: { count: 201 } } }), 400);
  const monthly = ok(
    await as(person).post(path, {
      calendar_event: { ...given, start_at: '2030-01-31T12:00:00Z', duplicate: { count: 1, frequency: 'monthly' } },
    }),
    201,
  );
  expect(monthly.duplicates[0].calendar_event.start_at).toBe('2030-02-28T12:00:00Z');
});

test('a create sent twice with one Idempotency-Key happens once, duplicates included', async () => {
  const person = await ground.person();
  const headers = { 'Idempotency-Key': 'class' };
  const given = {
    calendar_event: { context_code: `user_${person.id}`, title: 'Class', start_at: '2030-03-25T09:00:00Z', duplicate: { count: 3 } },
  };
  const answers = await Promise.all([1, 2].map(() => as(person).post(path, given, { headers })));
  expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
  expect(ok(await as(person).get(path, { all_events: true }))).toHaveLength(4);
});

test('a course event has a child event for each section, visible to its members', async () => {
  const { course, student, student2, teacher } = await aCourse(ground);
  const other = await ground.section(course, { name: 'Evening' });
  await env.DB.prepare('update enrollments set course_section_id = ? where user_id = ?').bind(other, student2.id).run();
  const part = (section: number, day: string) => ({
    context_code: `course_section_${section}`,
    start_at: `2030-05-${day}T10:00:00Z`,
    end_at: `2030-05-${day}T11:00:00Z`,
  });
  const given = {
    context_code: `course_${course.id}`,
    title: 'Lab',
    child_event_data: { 0: part(course.section_id, '01'), 1: part(other, '03') },
  };
  const made = ok(within(await as(teacher).post(path, { calendar_event: given }), 3), 201);
  expect(made).toMatchObject({ hidden: true, child_events_count: 2, start_at: '2030-05-01T10:00:00Z', end_at: '2030-05-03T11:00:00Z' });
  expect(made.child_events.map((one: { context_code: string }) => one.context_code)).toEqual([
    `course_section_${course.section_id}`,
    `course_section_${other}`,
  ]);
  expect(made.child_events[0]).toMatchObject({ title: 'Lab', parent_event_id: made.id, effective_context_code: `course_${course.id}` });

  const asked = { context_codes: [`course_${course.id}`], all_events: true };
  const seen = ok(within(await as(student2).get(path, asked), 2));
  expect(seen.map((one: { context_code: string }) => one.context_code)).toEqual([`course_${course.id}`, `course_section_${other}`]);
  expect(seen[0].child_events).toHaveLength(1);
  expect(ok(await as(student2).get(path, { ...asked, excludes: ['child_events', 'description'] }))[0]).not.toHaveProperty('child_events');
  const [mine, theirs] = made.child_events;
  ok(await as(student).get(`${path}/${mine.id}`));
  ok(await as(student).get(`${path}/${theirs.id}`), 404);

  const moved = ok(
    within(
      await as(teacher).put(`${path}/${mine.id}`, { calendar_event: { start_at: '2030-04-20T10:00:00Z', end_at: '2030-04-20T12:00:00Z' } }),
      3,
    ),
  );
  expect(moved.start_at).toBe('2030-04-20T10:00:00Z');
  expect(ok(await as(teacher).get(`${path}/${made.id}`)).start_at).toBe('2030-04-20T10:00:00Z');
  const renamed = ok(
    within(
      await as(teacher).put(`${path}/${made.id}`, { calendar_event: { title: 'Laboratory', child_event_data: { 0: part(other, '05') } } }),
      3,
    ),
  );
  expect(renamed).toMatchObject({ title: 'Laboratory', child_events_count: 1, start_at: '2030-05-05T10:00:00Z' });
  expect(renamed.child_events[0]).toMatchObject({ title: 'Laboratory', id: theirs.id });
  ok(await as(teacher).put(`${path}/${made.id}`, { calendar_event: { context_code: `user_${teacher.id}` } }), 400);
  ok(await as(teacher).put(`${path}/${made.id}`, { calendar_event: { child_event_data: { 0: part(99_999, '05') } } }), 400);
  ok(
    await as(teacher).put(`${path}/${made.id}`, { calendar_event: { child_event_data: { 0: part(other, '05'), 1: part(other, '06') } } }),
    400,
  );
  expect(ok(await as(teacher).put(`${path}/${made.id}`, { calendar_event: { remove_child_events: true } })).child_events).toEqual([]);
  ok(await as(teacher).del(`${path}/${made.id}`));
  expect(ok(await as(teacher).get(path, asked))).toEqual([]);
});

test('an event moves to another calendar of its author', async () => {
  const { course, teacher } = await aCourse(ground);
  const made = ok(await as(teacher).post(path, { calendar_event: { context_code: `user_${teacher.id}`, title: 'Talk' } }), 201);
  const moved = ok(within(await as(teacher).put(`${path}/${made.id}`, { calendar_event: { context_code: `course_${course.id}` } }), 3));
  expect(moved.context_code).toBe(`course_${course.id}`);
  ok(await as(teacher).put(`${path}/${made.id}`, { which: 'some', calendar_event: {} }), 400);
});

test("assignments are in the calendar on the student's due date", async () => {
  const { course, student, student2, teacher, observer, stranger } = await aCourse(ground);
  const essay = await assignment(course, 'Essay', '2030-05-01T10:00:00Z');
  await assignment(course, 'Draft', '2030-05-01T10:00:00Z', { workflow_state: 'unpublished' });
  await assignment(course, 'Undated', null);
  const lab = await assignment(course, 'Lab', '2030-05-02T21:59:59Z');
  await ground.override({ course, assignment_id: lab, due_at: '2030-05-20T10:00:00Z' }, [student2]);
  const asked = { type: 'assignment', context_codes: [`course_${course.id}`], start_date: '2030-05-01', end_date: '2030-05-10' };
  const mine = ok(within(await as(student).get(path, asked), 2));
  expect(mine.map((one: Event) => [one.id, one.start_at])).toEqual([
    [`assignment_${essay}`, '2030-05-01T10:00:00Z'],
    [`assignment_${lab}`, '2030-05-02T21:59:59Z'],
  ]);
  expect(mine[0]).toMatchObject({
    type: 'assignment',
    title: 'Essay',
    context_code: `course_${course.id}`,
    context_name: course.name,
    assignment: { id: essay, due_at: '2030-05-01T10:00:00Z' },
  });
  expect(ok(await as(student).get(path, { ...asked, excludes: ['assignment'] }))[0]).not.toHaveProperty('assignment');
  expect(titles(ok(await as(student2).get(path, asked)))).toEqual(['Essay']);
  expect(titles(ok(await as(student2).get(path, { ...asked, end_date: '2030-05-30' })))).toEqual(['Essay', 'Lab']);
  expect(titles(ok(await as(teacher).get(path, { ...asked, end_date: '2030-05-30' })))).toEqual(['Essay', 'Draft', 'Lab', 'Lab']);
  expect(titles(ok(await as(student).get(path, { ...asked, undated: true })))).toEqual(['Undated']);
  ok(await as(observer).get(`/users/${student2.id}/calendar_events`, asked), 401);
  expect(titles(ok(await as(observer).get(`/users/${student.id}/calendar_events`, asked)))).toEqual(['Essay', 'Lab']);
  ok(await as(stranger).get(path, asked), 401);

  const pages = await as(teacher).pages(path, { ...asked, all_events: true, per_page: 2 });
  expect(titles(pages)).toEqual(['Undated', 'Essay', 'Draft', 'Lab', 'Lab']);
});

test('the due date of one assignment is read and changed by its assignment id', async () => {
  const { course, student, teacher, stranger } = await aCourse(ground);
  const essay = await assignment(course, 'Essay', '2030-05-01T10:00:00Z');
  const draft = await assignment(course, 'Draft', null, { workflow_state: 'unpublished' });
  expect(ok(within(await as(student).get(`${path}/assignment_${essay}`), 2))).toMatchObject({
    id: `assignment_${essay}`,
    end_at: '2030-05-01T10:00:00Z',
  });
  ok(await as(student).get(`${path}/assignment_${draft}`), 404);
  ok(await as(stranger).get(`${path}/assignment_${essay}`), 404);
  ok(await as(student).get(`${path}/assignment_999999`), 404);
  ok(await as(student).put(`${path}/assignment_${essay}`, { calendar_event: { start_at: '2031-01-01T00:00:00Z' } }), 401);
  const moved = ok(
    within(await as(teacher).put(`${path}/assignment_${essay}`, { calendar_event: { start_at: '2030-06-01T10:00:00Z' } }), 3),
  );
  expect(moved.start_at).toBe('2030-06-01T10:00:00Z');
});

test('a public course shows its calendar to everyone', async () => {
  const { course, teacher } = await aCourse(ground, { is_public: true });
  ok(await as(teacher).post(path, { calendar_event: { context_code: `course_${course.id}`, title: 'Open day' } }), 201);
  expect(titles(ok(await as().get(path, { context_codes: [`course_${course.id}`], all_events: true })))).toEqual(['Open day']);
});

test('the calendars of a user are their own and those of their courses', async () => {
  const { course, student } = await aCourse(ground);
  const { contexts } = ok(within(await as(student).get(`${path}/visible_contexts`), 2));
  expect(contexts.map((one: { asset_string: string }) => one.asset_string)).toEqual([`user_${student.id}`, `course_${course.id}`]);
});

test('an event without appointments has no participants', async () => {
  const person = await ground.person();
  const made = ok(await as(person).post(path, { calendar_event: { context_code: `user_${person.id}` } }), 201);
  expect(ok(await as(person).get(`${path}/${made.id}/participants`))).toEqual([]);
});

test('an administrator edits the calendar of an account', async () => {
  const faculty = await ground.account();
  const dean = await ground.admin({ account_id: faculty.id });
  const { teacher } = await aCourse(ground, { account_id: faculty.id });
  const code = `account_${faculty.id}`;
  const made = ok(within(await as(dean).post(path, { calendar_event: { context_code: code, title: 'Open house' } }), 3), 201);
  expect(made.context_name).toBe('Faculty');
  expect(titles(ok(await as(dean).get(path, { context_codes: [code], all_events: true })))).toEqual(['Open house']);
  ok(await as(teacher).post(path, { calendar_event: { context_code: code } }), 401);
  ok(await as(teacher).get(path, { context_codes: [code] }), 401);
  ok(await as(dean).post(path, { calendar_event: { context_code: 'account_1' } }), 401);
  ok(await as(dean).del(`${path}/${made.id}`));
});

test('a rule creates a series that keeps the local time, and is described in words', async () => {
  const person = await ground.person();
  const given = {
    context_code: `user_${person.id}`,
    title: 'Seminar',
    start_at: '2030-03-25T09:00:00Z',
    end_at: '2030-03-25T10:30:00Z',
    time_zone_edited: 'Europe/Berlin',
    rrule: 'FREQ=WEEKLY;BYDAY=MO,TH;COUNT=4',
  };
  const made = ok(within(await as(person).post(path, { calendar_event: given }), 3), 201);
  expect(made).toMatchObject({
    rrule: given.rrule,
    series_uuid: expect.any(String),
    series_natural_language: expect.stringContaining('week'),
  });
  expect(made.duplicates.map((one: { calendar_event: Event }) => one.calendar_event.start_at)).toEqual([
    '2030-03-28T09:00:00Z',
    '2030-04-01T08:00:00Z',
    '2030-04-04T08:00:00Z',
  ]);
  expect(made.duplicates[1].calendar_event).toMatchObject({ end_at: '2030-04-01T09:30:00Z', series_uuid: made.series_uuid });
  const [plain] = ok(await as(person).get(path, { all_events: true }));
  expect(plain).not.toHaveProperty('series_natural_language');
  const [result] = ok(await as(person).get(path, { all_events: true, include: ['series_natural_language'] }));
  expect(result.series_natural_language).toBe(made.series_natural_language);
  const whole = { ...given, end_at: given.start_at, all_day: true, rrule: 'RRULE:FREQ=YEARLY;UNTIL=20320325' };
  const years = ok(await as(person).post(path, { calendar_event: whole }), 201);
  expect(years.duplicates.map((one: { calendar_event: { all_day_date: string } }) => one.calendar_event.all_day_date)).toEqual([
    '2031-03-25',
    '2032-03-25',
  ]);
  for (const rrule of [
    'FREQ=DAILY',
    'FREQ=DAILY;COUNT=401',
    'FREQ=HOURLY;COUNT=3',
    'DAILY',
    'FREQ=DAILY;COUNT=2;UNTIL=20310101',
    'FREQ=DAILY;UNTIL=20990101',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=3',
    'FREQ=DAILY;COUNT=0',
    'FREQ=DAILY;COUNT=3;BYDAY=XX',
    'FREQ=DAILY;UNTIL=19990101',
    'COUNT=3',
  ])
    expect([rrule, (await as(person).post(path, { calendar_event: { ...given, rrule } })).status]).toEqual([rrule, 400]);
  expect(ok(await as(person).post(path, { calendar_event: { ...given, rrule: 'FREQ=DAILY;COUNT=400' } }), 201).duplicates).toHaveLength(
    399,
  );
});

test('one event of a series, the following ones, or all of them change', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const given = {
    context_code: `course_${course.id}`,
    title: 'Lab',
    start_at: '2030-05-01T09:00:00Z',
    end_at: '2030-05-01T10:00:00Z',
    rrule: 'FREQ=DAILY;COUNT=6',
  };
  const headers = { 'Idempotency-Key': 'series' };
  const made = ok(await as(teacher).post(path, { calendar_event: given }, { headers }), 201);
  expect(ok(await as(teacher).post(path, { calendar_event: given }, { headers }), 201).duplicates).toHaveLength(5);
  const ids = [made.id, ...made.duplicates.map((one: { calendar_event: Event }) => one.calendar_event.id)];
  const change = async (id: number, which: string, calendar_event: object, status = 200) =>
    ok(within(await as(teacher).put(`${path}/${id}`, { which, calendar_event }), 3), status);
  const asked = { context_codes: [given.context_code], all_events: true, per_page: 50 };
  const listed = async () => ok(await as(student).get(path, asked));
  ok(await as(student).put(`${path}/${ids[0]}`, { which: 'all', calendar_event: { title: 'Mine' } }), 401);

  expect(await change(ids[1], 'one', { title: 'Lab, in the yard' })).toMatchObject({ id: ids[1], series_uuid: made.series_uuid });
  await change(ids[1], 'one', { rrule: 'FREQ=DAILY;COUNT=2' }, 400);
  await change(ids[1], 'some', {}, 400);
  const renamed = await change(ids[1], 'all', { title: 'Laboratory', start_at: '2030-05-02T11:00:00Z', end_at: '2030-05-02T12:30:00Z' });
  expect(renamed.map(({ title, start_at }: Event) => `${title} ${start_at}`)).toEqual(
    [1, 2, 3, 4, 5, 6].map((day) => `Laboratory 2030-05-0${day}T11:00:00Z`),
  );
  expect(renamed[5].end_at).toBe('2030-05-06T12:30:00Z');
  await change(ids[1], 'all', { start_at: '2030-05-03T11:00:00Z', end_at: '2030-05-03T12:00:00Z' }, 400);
  const moved = await change(ids[0], 'all', { start_at: '2030-05-11T11:00:00Z', end_at: '2030-05-11T12:30:00Z' });
  expect(moved.map(({ start_at }: Event) => start_at.slice(8, 10))).toEqual(['11', '12', '13', '14', '15', '16']);

  const split = await change(ids[4], 'following', { start_at: '2030-05-15T15:00:00Z', end_at: '2030-05-15T16:00:00Z' });
  expect(split.map(({ id }: Event) => id)).toEqual([ids[4], ids[5]]);
  expect(split[0].series_uuid).not.toBe(made.series_uuid);
  expect(split[0].rrule).toBe('FREQ=DAILY;COUNT=2');
  expect(ok(await as(teacher).get(`${path}/${ids[0]}`)).rrule).toBe('FREQ=DAILY;COUNT=4');
  const longer = await change(ids[4], 'all', { rrule: 'FREQ=WEEKLY;COUNT=3' });
  expect(longer.map(({ start_at }: Event) => start_at)).toEqual(['2030-05-15T15:00:00Z', '2030-05-22T15:00:00Z', '2030-05-29T15:00:00Z']);
  expect(await listed()).toHaveLength(7);
  const single = await change(ids[4], 'all', { rrule: '' });
  expect(single).toMatchObject([{ id: ids[4], rrule: null, series_uuid: null }]);
  const grown = await change(ids[4], 'all', { rrule: 'FREQ=DAILY;COUNT=2' });
  expect(grown).toHaveLength(2);
  expect(await change(ids[4], 'one', { title: 'Alone' })).toMatchObject({ title: 'Alone' });

  const gone = ok(within(await as(teacher).del(`${path}/${ids[2]}`, { which: 'following' }), 3));
  expect(gone.map(({ id }: Event) => id)).toEqual([ids[2], ids[3]]);
  expect(ok(await as(teacher).get(`${path}/${ids[0]}`)).rrule).toBe('FREQ=DAILY;COUNT=2');
  expect(ok(await as(teacher).del(`${path}/${ids[0]}`, { which: 'one' })).workflow_state).toBe('deleted');
  expect(ok(await as(teacher).del(`${path}/${ids[1]}`, { which: 'all' }))).toHaveLength(1);
  expect(await listed()).toHaveLength(2);
});

test('a calendar of 10,000 events costs as much as one of ten', async () => {
  const { course, student, teacher } = await aCourse(ground);
  const asked = { context_codes: [`course_${course.id}`, `user_${student.id}`], all_events: true, per_page: 100 };
  ok(await as(teacher).post(path, { calendar_event: { context_code: `course_${course.id}` } }), 201);
  const small = within(await as(student).get(path, asked), 2);
  await many(10_000, calendar_events, {
    context_code: `course_${course.id}`,
    title: nth('E'),
    start_at: sql`strftime('%Y-%m-%dT%H:%M:%SZ', 1900000000 + n * 3600, 'unixepoch')`,
    end_at: null,
  });
  const large = within(await as(student).get(path, asked), 2);
  expect(ok(large)).toHaveLength(100);
  expect(large.cost.rows_read).toBeLessThan(5 * 100 + small.cost.rows_read + 100);
  const next = within(await as(student).get(large.links.next as string), 2);
  expect(ok(next)[0].title).toBe('E100');
  const third = within(await as(student).get(next.links.next as string), 2);
  expect(third.cost.rows_read).toBeLessThan(5 * 100 + small.cost.rows_read + 100);
  expect(next.cost.rows_read).toBeLessThan(5 * 100 + small.cost.rows_read + 100);
});

test('a timetable fills the calendar of a course and its sections, and updates it', async () => {
  const { course, student, teacher, stranger } = await aCourse(ground);
  const other = await ground.section(course, { name: 'Evening' });
  const at = `/courses/${course.id}/calendar_events/timetable`;
  const all = { weekdays: 'Mon,Wed', start_time: '9:00 am', end_time: '10:30 am', location_name: 'Hall' };
  const days = { course_start_at: '2030-04-01', course_end_at: '2030-04-14' };
  expect(ok(within(await as(teacher).get(at), 2))).toEqual({});
  const set = (timetables: object) => as(teacher).post(at, { timetables });
  expect(
    ok(
      within(
        await set({ all: [{ ...all, ...days }], [other]: [{ ...all, ...days, weekdays: 'friday', start_time: '18:00', end_time: '7pm' }] }),
        3,
      ),
    ),
  ).toEqual({ status: 'ok' });
  const seen = async (who: typeof student) =>
    ok(await as(who).get(path, { context_codes: [`course_${course.id}`], all_events: true, per_page: 50 })).map(
      (one: Event & { context_code: string }) => [one.start_at, one.context_code],
    );
  const whole = ['2030-04-01T09:00:00Z', '2030-04-03T09:00:00Z', '2030-04-08T09:00:00Z', '2030-04-10T09:00:00Z'].map((start) => [
    start,
    `course_${course.id}`,
  ]);
  const evening = ['2030-04-05T18:00:00Z', '2030-04-12T18:00:00Z'].map((start) => [start, `course_section_${other}`]);
  expect(await seen(student)).toEqual(whole);
  expect(await seen(teacher)).toEqual([...whole, ...evening].sort());
  const [first] = ok(await as(student).get(path, { context_codes: [`course_${course.id}`], all_events: true }));
  expect(first).toMatchObject({ title: course.name, location_name: 'Hall', end_at: '2030-04-01T10:30:00Z', all_day: false });
  expect(ok(await as(teacher).get(at))).toMatchObject({
    all: [{ weekdays: 'Mon,Wed', location_name: 'Hall' }],
    [other]: [{ weekdays: 'friday' }],
  });

  // Events still in the timetable keep their id, the others are deleted.
  ok(await set({ all: [{ ...all, ...days, weekdays: 'Monday', location_name: 'Aula' }] }));
  const [kept, next, ...rest] = ok(await as(teacher).get(path, { context_codes: [`course_${course.id}`], all_events: true }));
  expect([kept.id, kept.location_name, next.start_at, rest.length]).toEqual([first.id, 'Aula', '2030-04-08T09:00:00Z', 0]);

  const lessons = `${at}_events`;
  const event = { start_at: '2030-06-03T10:00:00Z', end_at: '2030-06-03T11:00:00Z' };
  const tell = (events: object[], more: object = { course_section_id: other }) => as(teacher).post(lessons, { events, ...more });
  expect(
    ok(
      within(
        await tell([
          { ...event, code: 'a', title: 'Exam' },
          { ...event, code: 'b' },
        ]),
        3,
      ),
    ),
  ).toEqual({ status: 'ok' });
  ok(await tell([{ start_at: '2030-06-04T10:00:00Z', end_at: '2030-06-04T11:00:00Z', code: 'a', title: 'Exam' }]));
  expect((await seen(teacher)).slice(2)).toEqual([['2030-06-04T10:00:00Z', `course_section_${other}`]]);
  ok(await tell([], {}));
  expect(await seen(student)).toEqual([]);

  const refused = async (answer: Promise<{ status: number; body: { errors: unknown } }>) => (await answer).body.errors;
  expect(await refused(set({ all: [{ ...days, weekdays: 'Mon,Someday', start_time: 'noon', end_time: '26:00' }] }))).toEqual([
    'invalid day(s) of the week: Someday',
    'invalid start_time',
    'invalid end_time',
  ]);
  expect(await refused(set({ all: [{ ...all, ...days, start_time: '11:00' }] }))).toEqual(['end_time is before start_time']);
  expect(await refused(set({ all: [{ ...all, course_start_at: '0001-01-01', course_end_at: '9999-12-31' }] }))).toEqual([
    expect.stringContaining('1000'),
  ]);
  expect(await refused(set({ 999999: [{ ...all, ...days }] }))).toEqual(['invalid section: 999999']);
  expect(await refused(tell([{ code: 'x' }]))).toEqual(['start_at and end_at are required']);
  expect(await refused(tell([{ start_at: event.end_at, end_at: event.start_at }]))).toEqual(['end_at is before start_at']);
  for (const who of [student, stranger]) {
    ok(await as(who).get(at), 401);
    ok(await as(who).post(at, { timetables: {} }), 401);
    ok(await as(who).post(lessons, { events: [] }), 401);
  }
});
