// Roles and their overrides.

import { roles } from '@carrel/worker/domains/roles/table';
import { expect, test } from 'vitest';
import { as, ground, many, nth, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

const path = '/accounts/1/roles';
type Named = { id: number; label: string; role: string };

test('an account lists the built-in roles and its own, each with the permissions that apply', async () => {
  const admin = await ground.admin();
  const { teacher } = await aCourse(ground);
  const listed = ok(within(await as(admin).get(path), 2));
  expect(listed.map((one: Named) => one.label)).toEqual(['Account Admin', 'Student', 'Teacher', 'TA', 'Designer', 'Observer']);
  expect(listed[0]).toMatchObject({ role: 'AccountAdmin', is_account_role: true, workflow_state: 'built_in' });
  expect(listed[0].permissions.manage_role_overrides).toMatchObject({ enabled: true, readonly: true, explicit: false });
  expect(listed[1].permissions.post_to_forum).toMatchObject({ enabled: true, applies_to_self: true });
  expect(listed[1].permissions).not.toHaveProperty('manage_grades');
  expect(listed[2].permissions.manage_wiki_create.group).toBe('manage_wiki');
  expect(ok(await as(admin).get(`${path}/4`)).label).toBe('Teacher');
  expect(ok(await as(admin).get(`${path}/TeacherEnrollment`)).id).toBe(4);
  expect(ok(await as(admin).get(`${path}/999`), 404)).toEqual({ message: 'role not found' });
  ok(await as(teacher).get(path), 401);
});

test('a custom role is created, renamed, deactivated and activated', async () => {
  const admin = await ground.admin();
  const permissions = {
    read_reports: { explicit: true, enabled: true },
    manage_wiki: { explicit: 1, enabled: 1, locked: 1 },
    nonsense: { explicit: true, enabled: true },
  };
  const made = ok(within(await as(admin).post(path, { label: 'Librarian', permissions }), 3));
  expect(made).toMatchObject({
    label: 'Librarian',
    base_role_type: 'AccountMembership',
    workflow_state: 'active',
    account: { id: 1 },
    base_role_type_label: 'Account Membership',
  });
  expect(made.permissions.read_reports).toEqual({
    enabled: true,
    locked: false,
    readonly: false,
    explicit: true,
    prior_default: false,
    applies_to_self: true,
    applies_to_descendants: true,
  });
  expect(made.permissions.manage_wiki_update).toMatchObject({ enabled: true, locked: true });
  expect(made.permissions.manage_grades).toMatchObject({ enabled: false, explicit: false });
  const one = `${path}/${made.id}`;
  expect(ok(within(await as(admin).put(one, { label: 'Archivist', permissions: { read_reports: { explicit: false } } }), 3))).toMatchObject(
    {
      label: 'Archivist',
      permissions: { read_reports: { enabled: false, explicit: false } },
    },
  );
  expect(ok(await as(admin).post(path, { label: 'archivist' }), 400).message).toBeDefined();
  expect(ok(await as(admin).post(path, { label: 'Teacher' }), 400).message).toBeDefined();
  expect(ok(await as(admin).post(path, { label: ' ' }), 400).message).toBeDefined();
  ok(await as(admin).post(path, { label: 'X', base_role_type: 'NoSuch' }), 400);
  ok(
    await as(admin).post(path, { label: 'X', permissions: { read_reports: { applies_to_self: false, applies_to_descendants: false } } }),
    400,
  );
  ok(await as(admin).post(path, { label: 'X', permissions: { manage_wiki_create: { locked: true } } }), 400);
  ok(await as(admin).put(`${path}/4`, { label: 'Professor' }), 400);
  ok(await as(admin).post(`${one}/activate`), 400);
  expect(ok(within(await as(admin).del(one), 3)).workflow_state).toBe('inactive');
  ok(await as(admin).del(one), 400);
  ok(await as(admin).del(`${path}/4`), 400);
  expect(ok(await as(admin).get(path, { state: ['inactive'] })).map((role: Named) => role.id)).toEqual([made.id]);
  expect(ok(within(await as(admin).post(`${one}/activate`), 3)).workflow_state).toBe('active');
});

test('overrides of a role apply to its users and in sub-accounts', async () => {
  const admin = await ground.admin();
  const faculty = await ground.account();
  const { course, teacher } = await aCourse(ground, { account_id: faculty.id });
  ok(await as(teacher).post(`/courses/${course.id}/assignment_groups`, { name: 'Before' }));
  const off = { manage_assignments: { explicit: true, enabled: false, locked: true } };
  ok(within(await as(admin).put(`${path}/4`, { permissions: off }), 3));
  ok(await as(teacher).post(`/courses/${course.id}/assignment_groups`, { name: 'After' }), 401);
  const below = ok(await as(admin).get(`/accounts/${faculty.id}/roles/4`));
  expect(below.permissions.manage_assignments_add).toMatchObject({ enabled: false, locked: true, readonly: true, explicit: false });
  ok(await as(admin).put(`/accounts/${faculty.id}/roles/4`, { permissions: { manage_assignments: { explicit: true, enabled: true } } }));
  ok(await as(teacher).post(`/courses/${course.id}/assignment_groups`, { name: 'Still' }), 401);
  ok(await as(admin).put(`${path}/4`, { permissions: { manage_assignments: { explicit: false } } }));
  ok(await as(teacher).post(`/courses/${course.id}/assignment_groups`, { name: 'Again' }));
});

test('older permission names set their replacements', async () => {
  const admin = await ground.admin();
  const set = { explicit: true, enabled: false };
  const changed = ok(
    await as(admin).put(`${path}/5`, { permissions: { manage_courses: set, change_course_state: set, manage_admin_users: set } }),
  );
  for (const name of ['manage_courses_publish', 'manage_courses_conclude', 'add_observer_to_course', 'add_teacher_to_course'])
    expect(changed.permissions[name]).toMatchObject({ enabled: false, explicit: true });
  expect(ok(await as(admin).get('/accounts/1/permissions', { permissions: ['read_messages', 'manage_jobs'] }))).toEqual({
    read_messages: true,
    manage_jobs: true,
  });
  ok(await as(admin).put(`${path}/5`, { permissions: { manage_courses: { explicit: false }, manage_admin_users: { explicit: false } } }));
});

test('roles are inherited only by sub-accounts', async () => {
  const admin = await ground.admin();
  const faculty = await ground.account();
  const made = ok(await as(admin).post(path, { label: 'Registrar' }));
  const here = `/accounts/${faculty.id}/roles`;
  expect((await as(admin).pages(here, { per_page: 100 })).map((one) => one.id)).not.toContain(made.id);
  expect((await as(admin).pages(here, { show_inherited: true, per_page: 100 })).map((one) => one.id)).toContain(made.id);
  ok(await as(admin).del(`${here}/${made.id}`), 404);
  ok(await as(admin).post(here, { label: 'Registrar' }), 400);
});

test('permissions are listed with the role types that may have them', async () => {
  const admin = await ground.admin();
  const { student } = await aCourse(ground);
  const listed = ok(await as(admin).get(`${path}/permissions`, { search_term: 'wiki' }));
  expect(listed.map((one: { key: string }) => one.key).sort()).toEqual(['manage_wiki_create', 'manage_wiki_delete', 'manage_wiki_update']);
  expect(listed[0]).toMatchObject({
    group: 'manage_wiki',
    available_to: expect.arrayContaining(['TeacherEnrollment', 'AccountMembership']),
  });
  ok(await as(student).get(`${path}/permissions`), 401);
  const named = async (key: string) => ok(await as(admin).get(`${path}/permissions`, { search_term: key }))[0];
  expect((await named('proxy_assignment_submission')).true_for).toEqual([]);
  expect((await named('manage_sis')).true_for).toEqual(['AccountAdmin']);
  // The permission to read messages of others exists only where the root account allows it.
  const toldOf = async () => [await named('view_notifications'), ok(await as(admin).get(`${path}/1`)).permissions.view_notifications];
  expect(await toldOf()).toEqual([undefined, undefined]);
  ok(await as(admin).put('/accounts/1', { account: { settings: { admins_can_view_notifications: true } } }));
  expect(await toldOf()).toEqual([
    expect.objectContaining({ true_for: [], available_to: ['AccountMembership', 'AccountAdmin'] }),
    expect.objectContaining({ enabled: false }),
  ]);
});

test('a list of 10,000 roles costs as many trips as a list of ten', async () => {
  const admin = await ground.admin();
  await many(10_000, roles, { account_id: 1, name: nth('R'), base_role_type: 'StudentEnrollment' });
  const answer = within(await as(admin).get(path, { per_page: 100 }), 2);
  expect(ok(answer)).toHaveLength(100);
});
