// Dates: events, series, timetables, appointments, the planner, to-do lists, activity, and calendar feeds in real calendar programs.

import ICAL from 'ical.js';
import { expect, inject, test } from 'vitest';
import { type AnyJson, canvasApiFor, names, plainly } from './at';

const built = inject('started');
const cast = built.casts.days;
const [admin, teacher, student, student2, observer] = [
  canvasApiFor(built.admin),
  canvasApiFor(cast.teacher),
  canvasApiFor(cast.student),
  canvasApiFor(cast.student2),
  canvasApiFor(cast.observer),
];
const learns = plainly(cast.student);
const here = `courses/${cast.course.id}`;
const code = `course_${cast.course.id}`;
const ids = (list: readonly AnyJson[]) => names(list, 'id');
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().replace(/\.\d+/, '');
const day = (at: string) => `2035-05-${at}:00:00Z`;

test('a teacher adds an event, a series and a timetable, and students see them', async () => {
  const { ask, refusal } = teacher;
  const put = (calendar_event: object, who = teacher) =>
    who.ask('POST', 'calendar_events', { calendar_event: { context_code: code, ...calendar_event } });
  const talk = await put({
    title: 'Guest talk',
    start_at: day('07T18'),
    end_at: day('07T20'),
    location_name: 'Hall',
    important_dates: true,
  });
  expect(await learns.get(`calendar_events/${talk.id}`)).toMatchObject({
    title: 'Guest talk',
    location_name: 'Hall',
    important_dates: true,
  });
  expect(await ask('PUT', `calendar_events/${talk.id}`, { calendar_event: { title: 'Great talk' } })).toMatchObject({
    title: 'Great talk',
  });
  const first = await put({ title: 'Seminar', start_at: day('08T10'), end_at: day('08T12'), rrule: 'FREQ=WEEKLY;COUNT=3' });
  const week = { context_codes: [code], start_date: '2035-05-01', end_date: '2035-06-01' };
  expect(names(await learns.get('calendar_events', week), 'title')).toEqual(['Great talk', 'Seminar', 'Seminar', 'Seminar']);
  const gone = await ask('DELETE', `calendar_events/${first.id}`, { which: 'following' });
  expect(names(gone, 'workflow_state')).toEqual(['deleted', 'deleted', 'deleted']);
  expect(ids(await observer.all('calendar_events', week))).toEqual([talk.id]);
  expect(ids(await student.all('users/self/calendar_events', week))).toEqual([talk.id]);
  expect((await learns.get('calendar_events/visible_contexts')).contexts).toContainEqual(expect.objectContaining({ asset_string: code }));
  const timetables = {
    all: [{ weekdays: 'Mon', start_time: '9:00 am', end_time: '10:00 am', course_start_at: '2035-07-02', course_end_at: '2035-07-15' }],
  };
  expect(await ask('POST', `${here}/calendar_events/timetable`, { timetables })).toEqual({ status: 'ok' });
  expect(await ask('GET', `${here}/calendar_events/timetable`)).toMatchObject({ all: [{ weekdays: 'Mon' }] });
  const july = { context_codes: [code], start_date: '2035-07-01', end_date: '2035-08-01' };
  expect(names(await learns.get('calendar_events', july), 'start_at')).toEqual(['2035-07-02T09:00:00Z', '2035-07-09T09:00:00Z']);
  const events = [{ start_at: '2035-07-20T09:00:00Z', end_at: '2035-07-20T10:00:00Z', title: 'Excursion' }];
  await ask('POST', `${here}/calendar_events/timetable_events`, { course_section_id: cast.course.section_id, events });
  expect(names(await learns.get('calendar_events', july), 'title')).toContain('Excursion');
  expect(await student.refusal('POST', 'calendar_events', { calendar_event: { context_code: code, title: 'Mine' } })).toBe(401);
  const own = await put(
    { context_code: `user_${cast.student.id}`, title: 'Dentist', start_at: day('09T08'), end_at: day('09T09') },
    student,
  );
  expect(await refusal('GET', `calendar_events/${own.id}`)).not.toBe(200);
  expect(await learns.delete(`calendar_events/${own.id}`)).toMatchObject({ workflow_state: 'deleted' });
});

test('a calendar program reads the events of a user and a course at an address that needs no token', async () => {
  const [starts, ends] = [inDays(7), inDays(7.1)];
  await teacher.ask('POST', `${here}/assignments`, {
    assignment: { name: 'Essay; with, marks', due_at: ends, submission_types: ['online_text_entry'], published: true },
  });
  await teacher.ask('POST', 'calendar_events', {
    calendar_event: {
      context_code: code,
      title: 'Great “talk”',
      description: '<p>Über <b>Sterne</b></p>',
      start_at: starts,
      end_at: ends,
      location_name: 'Hall',
    },
  });
  const { calendar } = await student.ask('GET', 'users/self/profile');
  const course = (await student.ask('GET', here)).calendar;
  for (const address of [calendar.ics, course.ics]) {
    const result = await student.whole('GET', address);
    expect(result.headers['content-type']).toContain('text/calendar');
    const component = new ICAL.Component(ICAL.parse(result.text));
    const events = component.getAllSubcomponents('vevent').map((one) => new ICAL.Event(one));
    const titles = events.map(({ summary }) => summary);
    expect(titles).toEqual(
      expect.arrayContaining([expect.stringContaining('Great “talk”'), expect.stringContaining('Essay; with, marks')]),
    );
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(events.length);
    for (const { uid } of events) expect(uid).toMatch(/^event-(assignment|assignment-override|calendar-event)-\d+$/);
    const talk = events.find(({ summary }) => summary.startsWith('Great “talk”'));
    expect(talk?.startDate.toJSDate().toISOString()).toBe(starts.replace('Z', '.000Z'));
    expect(talk?.location).toContain('Hall');
  }
});

test('appointments are offered, reserved, moved and cancelled, and never reserved twice', async () => {
  const offered = await teacher.ask('POST', 'appointment_groups', {
    appointment_group: {
      context_codes: [code],
      title: 'Office hours',
      publish: true,
      participants_per_appointment: 1,
      min_appointments_per_participant: 1,
      new_appointments: [
        [day('10T09'), day('10T10')],
        [day('10T10'), day('10T11')],
      ],
    },
  });
  const [first, second] = offered.new_appointments;
  const path = `appointment_groups/${offered.id}`;
  expect(await learns.get('appointment_groups', { scope: 'reservable' })).toMatchObject([{ id: offered.id, requiring_action: true }]);
  const held = await learns.post(`calendar_events/${first.id}/reservations`, {}, { comments: 'Chapter 3' });
  expect(held).toMatchObject({ parent_event_id: first.id, own_reservation: true, comments: 'Chapter 3' });
  expect(await student2.refusal('POST', `calendar_events/${first.id}/reservations`)).toBe(400);
  expect(names(await learns.get('appointment_groups/next_appointment'), 'id')).toEqual([held.id]);
  expect(await learns.get(path, { include: ['reserved_times', 'participant_count'] })).toMatchObject({
    participant_count: 1,
    reserved_times: [{ id: held.id }],
    requiring_action: false,
  });
  expect(ids(await teacher.all(`calendar_events/${first.id}/participants`))).toEqual([cast.student.id]);
  expect(ids(await teacher.all(`${path}/users`, { registration_status: 'unregistered' }))).toEqual([cast.student2.id]);
  expect(await teacher.all(`${path}/groups`)).toEqual([]);
  const moved = await learns.post(`calendar_events/${second.id}/reservations`, { cancel_existing: true });
  expect(moved.parent_event_id).toBe(second.id);
  expect(await teacher.ask('POST', `calendar_events/${first.id}/reservations/${cast.student2.id}`)).toMatchObject({
    context_code: `user_${cast.student2.id}`,
  });
  expect(await learns.delete(`calendar_events/${moved.id}`)).toMatchObject({ workflow_state: 'deleted' });
  expect(await teacher.ask('PUT', path, { appointment_group: { title: 'Orals' } })).toMatchObject({ title: 'Orals' });
  expect(await teacher.ask('DELETE', path, { cancel_reason: 'Ill' })).toMatchObject({ workflow_state: 'deleted' });
  expect(await learns.get('appointment_groups')).toEqual([]);
});

test('a student adds notes, completes and hides planner items, and an observer sees upcoming events', async () => {
  const essay = await teacher.ask('POST', `${here}/assignments`, {
    assignment: { name: 'Report', due_at: day('21T10'), submission_types: ['online_text_entry'], published: true },
  });
  const note = await learns.post('planner_notes', {}, { title: 'Read on', todo_date: day('20T12'), course_id: cast.course.id });
  expect(await learns.get('planner_notes', { context_codes: [code] })).toMatchObject([{ id: note.id, title: 'Read on' }]);
  expect(await learns.put(`planner_notes/${note.id}`, { title: 'Read chapter 4' })).toMatchObject({ title: 'Read chapter 4' });
  expect((await learns.get(`planner_notes/${note.id}`)).title).toBe('Read chapter 4');
  const override = await learns.post('planner/overrides', { plannable_type: 'assignment', plannable_id: essay.id });
  expect(await learns.put(`planner/overrides/${override.id}`, { marked_complete: true })).toMatchObject({ marked_complete: true });
  const window = { start_date: '2035-05-19', end_date: '2035-05-22' };
  const ahead = await learns.get('planner/items', window);
  expect(ahead.map(({ plannable_type, plannable }: AnyJson) => [plannable_type, plannable.title])).toEqual([
    ['planner_note', 'Read chapter 4'],
    ['assignment', 'Report'],
  ]);
  expect(ahead[1].planner_override).toMatchObject({ id: override.id, marked_complete: true });
  expect(names(await learns.get('planner/items', { ...window, filter: 'complete_items' }), 'plannable_id')).toEqual([essay.id]);
  const watched = await observer.all(`users/${cast.student.id}/planner/items`, window);
  expect(names(watched, 'plannable_type')).toEqual(['assignment']);
  expect(await learns.get(`planner/overrides/${override.id}`)).toMatchObject({ plannable_id: essay.id });
  expect(ids(await learns.get('planner/overrides'))).toEqual([override.id]);
  expect(await learns.delete(`planner/overrides/${override.id}`)).toMatchObject({ workflow_state: 'deleted' });
  expect(await learns.delete(`planner_notes/${note.id}`)).toMatchObject({ workflow_state: 'deleted' });
  expect(await student2.refusal('GET', `planner_notes/${note.id}`)).toBe(404);
});

test('to-do items, upcoming and missing assignments and activity are listed for the right users', async () => {
  const assign = (name: string, due_at: string) =>
    teacher.ask('POST', `${here}/assignments`, {
      assignment: { name, due_at, submission_types: ['online_text_entry'], published: true },
    });
  const [late, next] = [await assign('Late', '2026-01-01T10:00:00Z'), await assign('Next', inDays(3))];
  expect(names((await learns.get('users/self/todo')).map((one: AnyJson) => one.assignment))).toContain('Next');
  expect(await learns.get('users/self/todo_item_count')).toMatchObject({ assignments_needing_submitting: expect.any(Number) });
  expect(names(await learns.get('users/self/upcoming_events'), 'title')).toContain('Next');
  expect(ids(await observer.all(`users/${cast.student.id}/missing_submissions`))).toEqual([late.id]);
  await student.ask('POST', `${here}/assignments/${next.id}/submissions`, {
    submission: { submission_type: 'online_text_entry', body: 'Done' },
  });
  expect((await teacher.all(`${here}/todo`)).map((one) => [one.type, one.assignment.id, one.needs_grading_count])).toEqual([
    ['grading', next.id, 1],
  ]);
  expect(await teacher.ask('DELETE', `users/self/todo/assignment_${next.id}/grading`, { permanent: 1 })).toEqual({ ignored: true });
  expect(await teacher.all(`${here}/todo`)).toEqual([]);
  await teacher.ask('POST', `${here}/discussion_topics`, { title: 'Moved to room 3', is_announcement: true });
  const [item] = await learns.get(`${here}/activity_stream`);
  expect(item).toMatchObject({ type: 'Announcement', title: 'Moved to room 3', read_state: false });
  for (const path of ['users/self/activity_stream', 'users/activity_stream']) expect(ids(await student.all(path))).toContain(item.id);
  for (const path of [`${here}/activity_stream/summary`, 'users/self/activity_stream/summary'])
    expect(await learns.get(path)).toContainEqual(expect.objectContaining({ type: 'Announcement', count: 1, unread_count: 1 }));
  expect(await learns.delete(`users/self/activity_stream/${item.id}`)).toEqual({ hidden: true });
  expect(ids(await learns.get('users/self/activity_stream'))).not.toContain(item.id);
  expect(await learns.delete('users/self/activity_stream')).toEqual({ hidden: true });
  expect(await learns.get('users/self/activity_stream')).toEqual([]);
});

test('every user has bookmarks in their own order', async () => {
  const keep = (name: string, more: object = {}) => learns.post('users/self/bookmarks', { name, url: `/${here}/pages/${name}`, ...more });
  const [first, second] = [await keep('start'), await keep('stars', { position: 1 })];
  expect(ids(await learns.get('users/self/bookmarks'))).toEqual([second.id, first.id]);
  expect(await learns.put(`users/self/bookmarks/${first.id}`, { name: 'Start here' })).toMatchObject({ name: 'Start here', position: 2 });
  expect(await learns.get(`users/self/bookmarks/${first.id}`)).toMatchObject({ url: `/${here}/pages/start` });
  expect(await learns.delete(`users/self/bookmarks/${second.id}`)).toMatchObject({ id: second.id });
  expect(names(await learns.get('users/self/bookmarks'), 'position')).toEqual([1]);
  expect(await admin.refusal('GET', `users/self/bookmarks/${first.id}`)).toBe(404);
});
