// Appointment groups: offered, reserved and cancelled.

import { beforeAll, expect, test } from 'vitest';
import { as, ground, manyStudents, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

type Scene = Awaited<ReturnType<typeof aCourse>>;
let scene: Scene;
const path = '/appointment_groups';
const hour = (at: number, day = '01') => `2035-05-${day}T${String(at).padStart(2, '0')}:00:00Z`;
const pair = (at: number, day?: string) => [hour(at, day), hour(at + 1, day)];
const code = () => `course_${scene.course.id}`;
const create = async (more: object = {}, status = 201) =>
  ok(
    within(
      await as(scene.teacher).post(path, {
        appointment_group: {
          context_codes: [code()],
          title: 'Talks',
          publish: true,
          new_appointments: { 0: pair(9), 1: pair(10) },
          ...more,
        },
      }),
      3,
    ),
    status,
  );
const reserve = (slot: { id: number }, who: Scene['student'], given: object = {}) =>
  as(who).post(`/calendar_events/${slot.id}/reservations`, given);

beforeAll(async () => {
  scene = await aCourse(ground);
});

test('a teacher offers appointments, and adds more; slots inherit the settings of their group', async () => {
  const { teacher, student, stranger } = scene;
  const made = await create({
    publish: false,
    location_name: 'Room 1',
    participants_per_appointment: 1,
    min_appointments_per_participant: 1,
  });
  expect(made).toMatchObject({
    title: 'Talks',
    workflow_state: 'pending',
    start_at: hour(9),
    end_at: hour(11),
    appointments_count: 2,
    context_codes: [code()],
    participant_type: 'User',
  });
  expect(made.new_appointments).toHaveLength(2);
  expect(made.new_appointments[0]).toMatchObject({
    title: 'Talks',
    location_name: 'Room 1',
    context_code: `appointment_group_${made.id}`,
    effective_context_code: code(),
    participants_per_appointment: 1,
    available_slots: 1,
    can_manage_appointment_group: true,
    reserve_url: expect.stringContaining('{{ id }}'),
  });
  ok(await as(student).get(`${path}/${made.id}`), 401);
  const changed = ok(
    within(
      await as(teacher).put(`${path}/${made.id}`, { appointment_group: { title: 'Orals', publish: true, new_appointments: [pair(14)] } }),
      3,
    ),
  );
  expect(changed).toMatchObject({ title: 'Orals', workflow_state: 'active', appointments_count: 3, end_at: hour(15) });
  expect(changed.new_appointments.map((slot: { start_at: string }) => slot.start_at)).toEqual([hour(14)]);
  expect(changed.appointments.every((slot: { title: string }) => slot.title === 'Orals')).toBe(true);
  ok(await as(teacher).put(`${path}/${made.id}`, { appointment_group: { new_appointments: [[hour(14), hour(16)]] } }), 400);
  ok(await as(teacher).put(`${path}/${made.id}`, { appointment_group: { new_appointments: [[hour(18), hour(17)]] } }), 400);
  ok(await as(teacher).put(`${path}/${made.id}`, { appointment_group: { new_appointments: 'soon' } }), 400);
  ok(await as(student).put(`${path}/${made.id}`, { appointment_group: {} }), 401);
  await create({ context_codes: ['course_999999'] }, 404);
  await create({ context_codes: [] }, 404);
  await create({ sub_context_codes: ['course_section_999999'] }, 400);
  await create({ participants_per_appointment: 0 }, 400);
  await create({ participant_visibility: 'public' }, 400);
  ok(await as(student).post(path, { appointment_group: { context_codes: [code()] } }), 401);

  const seen = ok(within(await as(student).get(`${path}/${made.id}`), 2));
  expect(seen).toMatchObject({ requiring_action: true, appointments: [{ reserved: false }, {}, {}] });
  expect(seen).not.toHaveProperty('new_appointments');
  ok(await as(stranger).get(`${path}/${made.id}`), 401);
  ok(await as(student).get(`${path}/999999`), 404);
  expect(
    ok(within(await as(student).get('/calendar_events', { context_codes: [`appointment_group_${made.id}`], all_events: true }), 2)),
  ).toHaveLength(3);
  ok(await as(stranger).get('/calendar_events', { context_codes: [`appointment_group_${made.id}`] }), 401);
  const [slot] = seen.appointments;
  expect(ok(within(await as(student).get(`/calendar_events/${slot.id}`), 2)).id).toBe(slot.id);
  ok(await as(stranger).get(`/calendar_events/${slot.id}`), 404);
  expect(
    ok(await as(teacher).put(`/calendar_events/${slot.id}`, { calendar_event: { title: 'x', description: 'Bring notes' } })),
  ).toMatchObject({ title: 'Orals', description: 'Bring notes' });
  for (const one of seen.appointments) ok(within(await as(teacher).del(`/calendar_events/${one.id}`), 3));
  ok(await as(teacher).get(`${path}/${made.id}`), 404);
});

test('appointment groups are listed for users who may reserve or manage', async () => {
  const own = await aCourse(ground);
  const make = (more: object) =>
    as(own.teacher).post(path, {
      appointment_group: { context_codes: [`course_${own.course.id}`], publish: true, new_appointments: [pair(9)], ...more },
    });
  const open = ok(await make({ title: 'Open' }), 201);
  const pending = ok(await make({ title: 'Pending', publish: false }), 201);
  const past = ok(await make({ title: 'Past', new_appointments: [['2020-01-01T09:00:00Z', '2020-01-01T10:00:00Z']] }), 201);
  const other = await ground.section(own.course, { name: 'Evening' });
  const evening = ok(await make({ title: 'Evening', sub_context_codes: [`course_section_${other}`] }), 201);
  const ids = async (who: Scene['student'], query: object = {}) =>
    ok(within(await as(who).get(path, query), 2)).map((one: { id: number }) => one.id);
  expect(await ids(own.student)).toEqual([open.id]);
  expect(await ids(own.student, { include_past_appointments: true })).toEqual([open.id, past.id]);
  expect(await ids(own.teacher)).toEqual([]);
  expect(await ids(own.teacher, { scope: 'manageable' })).toEqual([open.id, pending.id, evening.id]);
  expect(await ids(own.student, { scope: 'manageable' })).toEqual([]);
  expect(await ids(own.teacher, { scope: 'manageable', context_codes: ['course_999999'] })).toEqual([]);
  const include = ['appointments', 'child_events', 'participant_count', 'reserved_times', 'all_context_codes'];
  const [result] = ok(within(await as(own.teacher).get(path, { scope: 'manageable', include }), 2));
  expect(result).toMatchObject({
    appointments: [{ child_events: [] }],
    participant_count: 0,
    reserved_times: [],
    all_context_codes: [`course_${own.course.id}`],
  });
  expect(ok(await as(own.student).get(path))[0]).not.toHaveProperty('appointments');
});

test('a slot is reserved, and cancelled', async () => {
  const { student, student2, teacher, observer, stranger } = scene;
  const { id, new_appointments: slots } = await create({
    participants_per_appointment: 1,
    max_appointments_per_participant: 1,
    min_appointments_per_participant: 1,
  });
  const [first, second] = slots;
  const held = ok(within(await reserve(first, student, { comments: 'About chapter 3' }), 3));
  expect(held).toMatchObject({
    context_code: `user_${student.id}`,
    parent_event_id: first.id,
    workflow_state: 'locked',
    comments: 'About chapter 3',
    own_reservation: true,
    appointment_group_id: id,
    effective_context_code: code(),
  });
  expect(ok(await as(student).get(`${path}/${id}`, { include: ['reserved_times'] }))).toMatchObject({
    requiring_action: false,
    reserved_times: [{ id: held.id, start_at: first.start_at }],
  });
  expect(ok(await as(student).get('/calendar_events', { all_events: true })).map((one: { id: number }) => one.id)).toContain(held.id);
  expect(ok(within(await as(student).get(`${path}/next_appointment`, { appointment_group_ids: [id] }), 2))).toMatchObject([
    { id: held.id },
  ]);
  expect(ok(await as(student2).get(`${path}/next_appointment`, { appointment_group_ids: [id] }))).toEqual([]);
  const told = ok(await as(teacher).get(`/calendar_events/${first.id}`));
  expect(told).toMatchObject({
    workflow_state: 'locked',
    available_slots: 0,
    child_events_count: 1,
    child_events: [{ id: held.id, user: { id: student.id } }],
  });
  expect(ok(await as(student2).get(`/calendar_events/${first.id}`))).toMatchObject({ child_events_count: 1, child_events: [] });
  expect(ok(within(await as(teacher).get(`/calendar_events/${first.id}/participants`), 2))).toMatchObject([{ id: student.id }]);
  expect(ok(await as(student2).get(`/calendar_events/${first.id}/participants`))).toEqual([]);
  ok(await as(teacher).put(`/calendar_events/${held.id}`, { calendar_event: { start_at: hour(3) } }), 400);

  const refused = async (slot: { id: number }, who: Scene['student'], given: object = {}) =>
    ok(await reserve(slot, who, given), 400)[0].message;
  expect(await refused(first, student)).toBe('participant has already reserved this appointment');
  expect(await refused(second, student)).toBe('participant has met per-participant limit');
  expect(await refused(first, student2)).toBe('all slots filled');
  expect(await refused(second, student2, { participant_id: student.id })).toBe('invalid participant');
  expect(await refused(second, teacher)).toBe('ineligible participant');
  expect(await refused(second, teacher, { participant_id: stranger.id })).toBe('ineligible participant');
  const plain = ok(await as(student).post('/calendar_events', { calendar_event: { context_code: `user_${student.id}` } }), 201);
  expect(await refused(plain, student)).toBe('not an appointment');
  ok(await reserve(second, observer), 404);
  ok(await reserve(second, stranger), 404);
  ok(await reserve({ id: 999_999 }, student), 404);
  const body = ok(await reserve(second, student), 400);
  expect(body).toMatchObject([{ attribute: 'reservation', type: 'calendar_event', reservations: [{ id: held.id }] }]);

  const moved = ok(within(await reserve(second, student, { cancel_existing: true }), 3));
  expect(moved.parent_event_id).toBe(second.id);
  expect(ok(await as(student2).get(`/calendar_events/${first.id}`))).toMatchObject({ workflow_state: 'active', available_slots: 1 });
  const forOther = ok(await as(teacher).post(`/calendar_events/${first.id}/reservations/${student2.id}`, {}));
  expect(forOther.context_code).toBe(`user_${student2.id}`);
  ok(await as(student).del(`/calendar_events/${forOther.id}`), 404);
  ok(within(await as(teacher).del(`/calendar_events/${forOther.id}`, { cancel_reason: 'ill' }), 3));
  expect(ok(within(await as(student).del(`/calendar_events/${moved.id}`), 3)).workflow_state).toBe('deleted');
  expect(ok(await as(student).get(`/calendar_events/${second.id}`))).toMatchObject({ workflow_state: 'active', reserved: false });

  const registered = async (registration_status: string) =>
    ok(within(await as(teacher).get(`${path}/${id}/users`, { registration_status }), 2)).map((one: { id: number }) => one.id);
  ok(await reserve(first, student));
  expect(await registered('registered')).toEqual([student.id]);
  expect(await registered('unregistered')).toEqual([student2.id]);
  expect(await registered('all')).toEqual([student.id, student2.id]);
  expect(ok(within(await as(teacher).get(`${path}/${id}/groups`), 2))).toEqual([]);
  ok(await as(stranger).get(`${path}/${id}/users`), 401);
  ok(await as(student).del(`${path}/${id}`), 401);
  expect(ok(within(await as(teacher).del(`${path}/${id}`, { cancel_reason: 'over' }), 3)).workflow_state).toBe('deleted');
  expect(ok(await as(student).get(`${path}/next_appointment`))).toEqual([]);
});

test('only managers reserve past slots, and participants are visible where the group allows it', async () => {
  const { student, student2, teacher } = scene;
  const { new_appointments: past } = await create({ new_appointments: [['2020-01-01T09:00:00Z', '2020-01-01T10:00:00Z']] });
  expect(ok(await reserve(past[0], student), 403).message).toContain('past');
  ok(await reserve(past[0], teacher, { participant_id: student.id }));
  const { new_appointments: slots } = await create({ participant_visibility: 'protected' });
  ok(await reserve(slots[0], student));
  expect(ok(await as(student2).get(`/calendar_events/${slots[0].id}`)).child_events).toHaveLength(1);
});

test('when an appointment group is for a group category, a member reserves for their group', async () => {
  const { course, student, student2, teacher, stranger } = scene;
  const set = ok(await as(teacher).post(`/courses/${course.id}/group_categories`, { name: 'Project teams' }));
  const team = async (name: string, who: Scene['student']) => {
    const made = ok(await as(teacher).post(`/group_categories/${set.id}/groups`, { name }));
    ok(await as(teacher).post(`/groups/${made.id}/memberships`, { user_id: who.id }));
    return made.id as number;
  };
  const [red, blue] = [await team('Red', student), await team('Blue', student2)];
  const sub_context_codes = [`group_category_${set.id}`];
  await create({ sub_context_codes: ['group_category_999999'] }, 400);
  await create({ sub_context_codes: [...sub_context_codes, `course_section_${course.section_id}`] }, 400);
  const made = await create({
    sub_context_codes,
    participants_per_appointment: 1,
    min_appointments_per_participant: 1,
    max_appointments_per_participant: 1,
  });
  expect(made).toMatchObject({ participant_type: 'Group', sub_context_codes });
  const [first, second] = made.new_appointments;
  const held = ok(within(await reserve(first, student, { comments: 'All of us' }), 3));
  expect(held).toMatchObject({
    context_code: `group_${red}`,
    context_name: 'Red',
    participant_type: 'Group',
    own_reservation: true,
    group: { id: red, name: 'Red' },
    comments: 'All of us',
  });
  expect(ok(within(await as(student).get(`/calendar_events/${first.id}`), 2))).toMatchObject({
    reserved: true,
    reserve_comments: 'All of us',
    reserve_url: expect.stringContaining(`/reservations/${red}`),
    available_slots: 0,
  });
  expect(ok(await as(student2).get(`/calendar_events/${first.id}`))).toMatchObject({ reserved: false, child_events: [] });
  expect(ok(await reserve(second, student), 400)[0].message).toBe('participant has met per-participant limit');
  expect(ok(await reserve(first, student2), 400)[0].message).toBe('all slots filled');
  expect(ok(await reserve(second, student2, { participant_id: red }), 400)[0].message).toBe('invalid participant');
  expect(ok(await reserve(second, teacher, { participant_id: student.id + 1_000_000 }), 400)[0].message).toBe('ineligible participant');
  ok(await reserve(second, stranger), 404);
  ok(await as(teacher).post(`/calendar_events/${second.id}/reservations/${blue}`, {}));
  expect(ok(await as(student2).get(`${path}/${made.id}`, { include: ['reserved_times'] })).reserved_times).toHaveLength(1);
  expect(ok(await as(student).get(`${path}/next_appointment`, { appointment_group_ids: [made.id] }))).toMatchObject([{ id: held.id }]);
  const names = async (registration_status: string) =>
    ok(within(await as(teacher).get(`${path}/${made.id}/groups`, { registration_status }), 2)).map((one: { name: string }) => one.name);
  expect(await names('all')).toEqual(['Blue', 'Red']);
  expect(await names('registered')).toEqual(['Blue', 'Red']);
  ok(within(await as(student).del(`/calendar_events/${held.id}`), 3));
  expect(await names('unregistered')).toEqual(['Red']);
  expect(ok(await as(teacher).get(`${path}/${made.id}/users`))).toEqual([]);
  expect(ok(await as(teacher).get(`/calendar_events/${second.id}/participants`))).toMatchObject([{ id: student2.id }]);

  // The course calendar shows the slots and the caller's reservations.
  const listed = ok(
    within(
      await as(student2).get('/calendar_events', {
        context_codes: [code()],
        start_date: '2035-05-01',
        end_date: '2035-05-02',
        per_page: 100,
      }),
      2,
    ),
  );
  const codes = listed.map((one: { context_code: string }) => one.context_code);
  expect(codes).toContain(`appointment_group_${made.id}`);
  expect(codes).toContain(`group_${blue}`);
  expect(codes).not.toContain(`group_${red}`);
  ok(await as(stranger).get('/calendar_events', { context_codes: [code()] }), 401);

  const slot = `/calendar_events/${first.id}`;
  expect(ok(await as(teacher).put(slot, { calendar_event: { participants_per_appointment: 3 } }))).toMatchObject({ available_slots: 3 });
  ok(await as(teacher).put(slot, { calendar_event: { participants_per_appointment: 0 } }), 400);
  expect(ok(await as(teacher).put(slot, { calendar_event: { context_code: code() } }), 400).message).toMatch(/^Cannot move/);
  expect(ok(await as(teacher).put(slot, { calendar_event: { participants_per_appointment: '' } }))).toMatchObject({ available_slots: 1 });
  ok(await as(teacher).put(`${path}/${made.id}`, { appointment_group: { title: 'Reviews' } }));
  expect(ok(await as(teacher).get(`/calendar_events/${second.id}`)).child_events).toMatchObject([
    { title: 'Reviews', group: { id: blue } },
  ]);
});

test('a slot is never overbooked, even by two hundred simultaneous requests', async () => {
  const { course, teacher } = scene;
  const { new_appointments: slots } = await create({ participants_per_appointment: 5 });
  const first = 5_000_000;
  await manyStudents(200, course, first, 'P');
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, at) => as(teacher).post(`/calendar_events/${slots[0].id}/reservations/${first + at + 1}`, {})),
  );
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(5);
  expect(answers.filter((answer) => answer.status === 400 && answer.body[0].message === 'all slots filled')).toHaveLength(195);
  expect(ok(await as(teacher).get(`/calendar_events/${slots[0].id}`))).toMatchObject({ available_slots: 0, child_events_count: 5 });
  const again = await Promise.all(Array.from({ length: 20 }, () => reserve(slots[1], scene.student)));
  expect(again.filter((answer) => answer.status === 200)).toHaveLength(1);
});
