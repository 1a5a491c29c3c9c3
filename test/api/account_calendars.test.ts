// Account calendars: who makes them visible, and who sees them.

import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';

let scene: Awaited<ReturnType<typeof aCourse>>;
let admin: Person;
let faculty: number;
let institute: number;
let other: number;

beforeAll(async () => {
  faculty = (await ground.account({ name: 'Faculty of Arts' })).id;
  institute = (await ground.account({ name: 'Institute of Dance', parent_account_id: faculty })).id;
  other = (await ground.account({ name: 'Faculty of Law' })).id;
  scene = await aCourse(ground, { account_id: institute });
  admin = await ground.admin();
});

const ids = (list: { id: number }[]) => list.map((one) => one.id);

test('an account calendar is hidden until it is made visible to the users of the account', async () => {
  const { student, stranger } = scene;
  expect(ok(within(await as(student).get('/account_calendars'), 2))).toEqual([]);
  ok(await as(student).get(`/account_calendars/${faculty}`), 401);
  ok(await as(student).get('/calendar_events', { context_codes: [`account_${faculty}`], all_events: true }), 401);
  const shown = ok(within(await as(admin).put(`/account_calendars/${faculty}`, { visible: true, auto_subscribe: true }), 3));
  expect(shown).toMatchObject({
    id: faculty,
    name: 'Faculty of Arts',
    parent_account_id: 1,
    root_account_id: 1,
    visible: true,
    auto_subscribe: true,
    sub_account_count: 1,
    asset_string: `account_${faculty}`,
    type: 'account',
    calendar_event_url: `/accounts/${faculty}/calendar_events/{{ id }}`,
    can_create_calendar_events: true,
  });
  expect(ok(await as(student).get('/account_calendars'))).toMatchObject([{ id: faculty, can_create_calendar_events: false }]);
  expect(ok(await as(student).get('/account_calendars', { search_term: 'ARTS' }))).toHaveLength(1);
  expect(ok(await as(student).get('/account_calendars', { search_term: 'law' }))).toEqual([]);
  ok(await as(student).get('/account_calendars', { search_term: 'a' }), 400);
  expect(ok(within(await as(student).get(`/account_calendars/${faculty}`), 2)).visible).toBe(true);
  ok(await as(stranger).get(`/account_calendars/${faculty}`), 401);
  expect(ok(await as(admin).get('/account_calendars/1'))).toMatchObject({ root_account_id: 0, parent_account_id: null, visible: false });
  const event = ok(
    await as(admin).post('/calendar_events', {
      calendar_event: { context_code: `account_${faculty}`, title: 'Open day', start_at: '2026-12-01T10:00:00Z' },
    }),
    201,
  );
  const seen = ok(await as(student).get('/calendar_events', { context_codes: [`account_${faculty}`], all_events: true }));
  expect(ids(seen)).toEqual([event.id]);
  expect(ok(await as(student).get(`/calendar_events/${event.id}`)).title).toBe('Open day');
  ok(await as(stranger).get(`/calendar_events/${event.id}`), 404);
  const span = { start_date: '2026-11-30', end_date: '2026-12-02' };
  expect(ok(await as(student).get('/planner/items', span))).toEqual([]);
  expect(ok(within(await as(student).get('/planner/items', { ...span, include: ['account_calendars'] }), 2))).toMatchObject([
    { plannable_id: event.id, context_type: 'Account', account_id: faculty, context_name: 'Faculty of Arts' },
  ]);
  expect(ok(await as(student).get('/planner/items', { ...span, context_codes: [`account_${faculty}`] }))).toHaveLength(1);
  expect(ok(await as(stranger).get('/planner/items', { ...span, include: ['account_calendars'] }))).toEqual([]);
  ok(await as(stranger).get('/planner/items', { ...span, context_codes: [`account_${faculty}`] }), 401);
  ok(await as(student).put(`/calendar_events/${event.id}`, { calendar_event: { title: 'Mine' } }), 401);
});

test('only users with the permission change visibility, and choose which calendars', async () => {
  ok(await as(scene.teacher).put(`/account_calendars/${institute}`, { visible: true }), 401);
  ok(await as(admin).put(`/account_calendars/${institute}`), 400);
  ok(await as(scene.teacher).get(`/accounts/${institute}/account_calendars`), 401);
});

test('an account lists its calendar and those of its direct sub-accounts, or searches all below', async () => {
  const listed = within(await as(admin).get('/accounts/1/account_calendars'), 2);
  expect(ids(ok(listed))).toEqual([1, faculty, other]);
  expect(ids(await as(admin).pages('/accounts/1/account_calendars', { per_page: 1 }))).toEqual([1, faculty, other]);
  expect(ids(ok(await as(admin).get('/accounts/1/account_calendars', { page: 2, per_page: 2 })))).toEqual([other]);
  expect(ids(ok(await as(admin).get('/accounts/1/account_calendars', { search_term: 'dance' })))).toEqual([institute]);
  expect(ids(ok(await as(admin).get('/accounts/1/account_calendars', { filter: 'visible' })))).toEqual([faculty]);
  expect(ids(ok(await as(admin).get(`/accounts/${faculty}/account_calendars`, { filter: 'hidden' })))).toEqual([institute]);
});

test('many calendars change at once, with a JSON array or a form', async () => {
  const path = `/accounts/${faculty}/account_calendars`;
  const count = async () => ok(within(await as(admin).get(`/accounts/${faculty}/visible_calendars_count`), 2)).count;
  const changed = ok(
    within(
      await as(admin).put(
        path,
        [
          { id: institute, visible: true, auto_subscribe: true },
          { id: faculty, visible: false },
        ],
        { json: true },
      ),
      3,
    ),
  );
  expect(changed).toMatchObject({ id: institute, visible: true, auto_subscribe: true, message: 'Updated 2 accounts' });
  expect(await count()).toBe(1);
  expect(ok(await as(admin).get(`/account_calendars/${faculty}`))).toMatchObject({ visible: false, auto_subscribe: true });
  ok(
    await as(admin).put(path, {
      account_calendars: [
        { id: faculty, visible: true },
        { id: institute, auto_subscribe: false },
      ],
    }),
  );
  expect(await count()).toBe(2);
  expect(ok(await as(admin).put(`${path}?[][id]=${institute}&[][visible]=false&[][id]=${faculty}&[][visible]=false`))).toMatchObject({
    id: institute,
    visible: false,
    auto_subscribe: false,
  });
  expect(await count()).toBe(0);
  ok(await as(admin).put(path, [{ id: other, visible: true }], { json: true }), 401);
  ok(
    await as(admin).put(
      path,
      [
        { id: faculty, visible: true },
        { id: faculty, visible: false },
      ],
      { json: true },
    ),
    400,
  );
  ok(await as(admin).put(path), 400);
  ok(await as(admin).put(path, { account_calendars: 'all' }), 400);
  ok(await as(admin).put(path, [{ id: 'x' }], { json: true }), 400);
});
