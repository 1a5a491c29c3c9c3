// Account announcements.

import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';

let scene: Awaited<ReturnType<typeof aCourse>>;
let admin: Person;
let faculty: number;
let other: number;

const path = (account: number) => `/accounts/${account}/account_notifications`;
const mine = (account: number) => `/accounts/${account}/users/self/account_notifications`;
const during = { start_at: '2020-01-01T00:00:00Z', end_at: '2090-01-01T00:00:00Z' };
const subjects = (list: { subject: string }[]) => list.map((one) => one.subject);
const announce = async (account: number, subject: string, more: object = {}, rest: object = {}) =>
  ok(await as(admin).post(path(account), { account_notification: { subject, message: subject, ...during, ...more }, ...rest }));

beforeAll(async () => {
  faculty = (await ground.account()).id;
  other = (await ground.account()).id;
  scene = await aCourse(ground, { account_id: faculty });
  admin = await ground.admin();
});

test('an announcement is created, edited, shown to the users of the account, and deleted', async () => {
  const { student, teacher, stranger } = scene;
  const made = ok(
    within(
      await as(admin).post(path(faculty), {
        account_notification: { subject: 'Closed', message: '<b>Monday</b><script>x</script>', ...during, icon: 'calendar' },
      }),
      3,
    ),
  );
  expect(made).toMatchObject({
    subject: 'Closed',
    message: '<b>Monday</b>',
    icon: 'calendar',
    roles: [],
    role_ids: [],
    author: { id: admin.id },
  });
  expect(made).not.toHaveProperty('closed');
  const changed = ok(within(await as(admin).put(`${path(faculty)}/${made.id}`, { account_notification: { subject: 'Shut' } }), 3));
  expect(changed).toMatchObject({ subject: 'Shut', icon: 'calendar', ...during });
  expect(subjects(ok(within(await as(student).get(mine(faculty)), 2)))).toEqual(['Shut']);
  expect(subjects(ok(await as(student).get(mine(1))))).toEqual(['Shut']);
  expect(ok(await as(stranger).get(mine(1)))).toEqual([]);
  expect(ok(await as(student).get(`${mine(faculty)}/${made.id}`)).subject).toBe('Shut');
  expect(ok(within(await as(student).get(`${path(faculty)}/${made.id}`), 2))).toMatchObject({ id: made.id, subject: 'Shut' });
  ok(await as(stranger).get(`${path(faculty)}/${made.id}`), 404);
  ok(await as(student).get(`/accounts/1/users/${teacher.id}/account_notifications`), 401);
  ok(await as(student).del(`${path(faculty)}/${made.id}`, { remove: true }), 401);
  expect(ok(within(await as(admin).del(`${path(faculty)}/${made.id}`, { remove: true }), 3)).id).toBe(made.id);
  ok(await as(admin).get(`${path(faculty)}/${made.id}`), 404);
});

test('a user who has closed it no longer sees it, unless requested', async () => {
  const { student, student2 } = scene;
  const made = await announce(faculty, 'Once');
  expect(ok(within(await as(student).del(`${mine(faculty)}/${made.id}`), 3)).id).toBe(made.id);
  expect(subjects(ok(await as(student).get(mine(faculty))))).not.toContain('Once');
  ok(await as(student).get(`${mine(faculty)}/${made.id}`), 404);
  ok(await as(student).del(`${mine(faculty)}/${made.id}`), 404);
  const all = ok(await as(student).get(path(faculty), { show_is_closed: true }));
  expect(all.find((one: { id: number }) => one.id === made.id)).toMatchObject({ closed: true });
  expect(subjects(ok(await as(student2).get(mine(faculty))))).toContain('Once');
  ok(await as(admin).del(`${path(faculty)}/${made.id}`, { remove: true }));
});

test('sub-accounts show announcements of accounts above; role announcements only reach users with the role there', async () => {
  const { student, teacher } = scene;
  const elsewhere = await ground.course({ account_id: other });
  await ground.enroll(elsewhere, scene.student, 'teacher');
  const made = await announce(1, 'For teachers', {}, { account_notification_roles: ['TeacherEnrollment', '5'] });
  expect(made).toMatchObject({ role_ids: [4, 5], roles: ['TeacherEnrollment', 'TaEnrollment'] });
  await announce(faculty, 'For teachers of the faculty', {}, { account_notification_roles: ['TeacherEnrollment'] });
  await announce(other, 'For the others');
  expect(subjects(ok(await as(teacher).get(mine(faculty)))).sort()).toEqual(['For teachers', 'For teachers of the faculty']);
  expect(subjects(ok(await as(scene.ta).get(mine(faculty))))).toEqual(['For teachers']);
  expect(subjects(ok(await as(student).get(mine(1)))).sort()).toEqual(['For teachers', 'For the others']);
  expect(subjects(ok(await as(student).get(mine(faculty))))).toEqual(['For teachers']);
  expect(subjects(ok(await as(admin).get(path(faculty), { include_all: true })))).toContain('For teachers of the faculty');
  ok(await as(teacher).get(path(faculty), { include_all: true }), 401);
});

test('only current announcements are listed, past ones on request', async () => {
  const { student2 } = scene;
  await announce(faculty, 'Past', { end_at: '2021-01-01T00:00:00Z' });
  await announce(faculty, 'To come', { start_at: '2089-01-01T00:00:00Z' });
  const now = subjects(ok(await as(student2).get(mine(faculty))));
  expect(now).not.toContain('Past');
  expect(now).not.toContain('To come');
  expect(subjects(await as(student2).pages(mine(faculty), { include_past: true }))).toContain('Past');
});

test('an invalid announcement is refused', async () => {
  const given = { subject: 'S', message: 'M', ...during };
  for (const field of ['subject', 'message', 'start_at', 'end_at']) {
    const { [field as 'subject']: _, ...rest } = given;
    expect(ok(await as(admin).post(path(1), { account_notification: rest }), 400).errors[field][0].type).toBe('blank');
  }
  ok(await as(admin).post(path(1)), 400);
  ok(await as(admin).post(path(1), { account_notification: { ...given, end_at: '2019-01-01T00:00:00Z' } }), 400);
  ok(await as(admin).post(path(1), { account_notification: { ...given, icon: 'smiley' } }), 400);
  ok(await as(admin).post(path(1), { account_notification: given, account_notification_roles: ['Nobody'] }), 400);
  ok(await as(scene.teacher).post(path(faculty), { account_notification: given }), 401);
  const made = await announce(1, 'Right');
  ok(await as(admin).put(`${path(1)}/${made.id}`, { account_notification: { end_at: '2019-01-01T00:00:00Z' } }), 400);
  ok(await as(admin).put(`${path(faculty)}/${made.id}`, { account_notification: { subject: 'Elsewhere' } }), 404);
});
