// Rank: no one acts on a user with more permissions, and no one grants or removes a permission that they lack.

import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';
import { csv, ending, sent, zipped } from '../support/sis';

const granted = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { explicit: true, enabled: true }]));
let made = 0;

/** An account role with exactly these permissions. */
async function roleWith(names: string[], account_id = 1, base_role_type = 'AccountMembership'): Promise<{ id: number; label: string }> {
  made += 1;
  const chief = await ground.admin();
  const given = { label: `Role ${made}`, base_role_type, permissions: granted(...names) };
  return ok(await as(chief).post(`/accounts/${account_id}/roles`, given));
}

const holderOf = async (names: string[], account_id = 1): Promise<Person> =>
  ground.admin({ name: names.join(' '), role_id: (await roleWith(names)).id, account_id });

const one = async <T>(text: string, ...values: unknown[]): Promise<T> =>
  (await env.DB.prepare(text)
    .bind(...values)
    .first<T>()) as T;

const rowsOf = (id: number): Promise<{ rows: string }> =>
  one(
    `select (select json_group_array(json_array(name, workflow_state, avatar_state)) from users where id = ?1)
      || (select json_group_array(json_array(unique_id, workflow_state, password_hash)) from logins where user_id = ?1)
      || (select json_group_array(json_array(address, workflow_state, position)) from communication_channels where user_id = ?1)
      || (select json_group_array(json_array(token_hash, workflow_state, expires_at)) from tokens where user_id = ?1)
      || (select json_group_array(session_hash) from sessions where user_id = ?1)
      || (select json_group_array(json_array(role_id, workflow_state)) from admins where user_id = ?1) as rows`,
    id,
  );

const loginOf = async ({ id }: Person): Promise<number> =>
  (await one<{ id: number }>('select min(id) as id from logins where user_id = ?', id)).id;

/** Attempts to take over or damage an account, ordered so that each still finds what it needs. */
async function attempts(target: Person): Promise<[method: 'post' | 'put' | 'del', path: string, body?: object][]> {
  const at = `/users/${target.id}`;
  const token = await one<{ id: number }>('select id from tokens where user_id = ?', target.id);
  const channel = await one<{ id: number }>('select id from communication_channels where user_id = ?', target.id);
  const login = await loginOf(target);
  const email = (address: string) => ({ communication_channel: { type: 'email', address }, skip_confirmation: true });
  return [
    [
      'post',
      '/accounts/1/logins',
      { user: { id: target.id }, login: { unique_id: `taken-${target.id}@example.edu`, password: 'long enough' } },
    ],
    ['post', '/accounts/1/logins', { user: { existing_user_id: target.id }, login: { unique_id: `again-${target.id}@example.edu` } }],
    ['put', `/accounts/1/logins/${login}`, { login: { unique_id: `renamed-${target.id}@example.edu` } }],
    ['put', `/accounts/1/logins/${login}`, { login: { password: 'long enough' } }],
    ['post', `${at}/communication_channels`, email(`mine-${target.id}@example.edu`)],
    ['post', `${at}/tokens`, { token: { purpose: 'mine' } }],
    ['put', `${at}/tokens/${token.id}`, { token: { purpose: 'changed' } }],
    ['put', at, { user: { email: `other-${target.id}@example.edu`, name: 'Other' } }],
    ['put', `${at}/settings`, { manual_mark_as_read: true }],
    ['del', `${at}/communication_channels/${channel.id}`],
    ['del', `${at}/communication_channels/email/${target.login}`],
    ['del', `${at}/tokens/${token.id}`],
    ['del', `${at}/logins/${login}`],
    ['del', `${at}/sessions`],
    ['put', at, { user: { event: 'suspend' } }],
    ['post', `${at}/split`],
    ['del', `/accounts/1/users/${target.id}`],
    ['del', '/accounts/1/users', { user_ids: [target.id] }],
  ];
}

test('a user who manages logins cannot take over a user with a permission that they lack, wherever it was granted', async () => {
  const chief = await ground.admin();
  ok(await as(chief).put('/accounts/1', { account: { settings: { admins_can_change_passwords: true } } }));
  const clerk = await holderOf(['manage_user_logins']);
  const branch = await ground.account();
  // Has more permissions only because a sub-account overrides the role.
  const widened = await roleWith(['manage_user_logins']);
  ok(await as(chief).put(`/accounts/${branch.id}/roles/${widened.id}`, { permissions: granted('manage_grades') }));
  const above = [
    chief,
    await ground.admin({ account_id: branch.id }),
    await holderOf(['read_roster'], branch.id),
    await ground.admin({ role_id: widened.id }),
  ];
  for (const target of above) {
    await ground.session(target);
    const before = await rowsOf(target.id);
    for (const [method, path, body] of await attempts(target)) {
      const answer = await as(clerk)[method](path, body);
      expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBe(401);
    }
    expect(await rowsOf(target.id)).toEqual(before);
    ok(await as(clerk).put(`/users/${clerk.id}/merge_into/${target.id}`), 401);
    ok(await as(clerk).put(`/users/${target.id}/merge_into/${clerk.id}`), 401);
  }
  const restored = await ground.admin();
  await env.DB.prepare("update users set workflow_state = 'deleted' where id = ?").bind(restored.id).run();
  ok(await as(clerk).put(`/accounts/1/users/${restored.id}/restore`), 401);
});

test('a user who manages logins can still help everyone with no more permissions', async () => {
  const clerk = await holderOf(['manage_user_logins']);
  const retired = await roleWith(['manage_grades']);
  const equals = [await ground.person(), await holderOf(['manage_user_logins']), await ground.admin({ role_id: retired.id })];
  ok(await as(await ground.admin()).del(`/accounts/1/roles/${retired.id}`));
  for (const target of equals) {
    ok(within(await as(clerk).post('/accounts/1/logins', { user: { id: target.id }, login: { unique_id: `new-${target.id}` } }), 3));
    ok(within(await as(clerk).put(`/accounts/1/logins/${await loginOf(target)}`, { login: { unique_id: `old-${target.id}` } }), 3));
    ok(within(await as(clerk).put(`/users/${target.id}`, { user: { name: 'Better Name' } }), 3));
    ok(within(await as(clerk).post(`/users/${target.id}/tokens`, { token: { purpose: 'help' } }), 3));
    ok(within(await as(clerk).del(`/users/${target.id}/sessions`), 3));
  }
});

test('a user who may masquerade cannot act as a user whose role a sub-account has extended', async () => {
  const chief = await ground.admin();
  const actor = await holderOf(['become_user', 'read_roster']);
  const branch = await ground.account();
  const role = await roleWith(['read_roster']);
  const target = await ground.admin({ role_id: role.id });
  ok(await as(actor).get('/users/self', { as_user_id: target.id }));
  ok(await as(chief).put(`/accounts/${branch.id}/roles/${role.id}`, { permissions: granted('manage_grades') }));
  ok(await as(actor).get('/users/self', { as_user_id: target.id }), 401);
  ok(await as(chief).get('/users/self', { as_user_id: target.id }));
});

test('no one grants a permission that they lack, removes one, or changes a role above their own', async () => {
  const chief = await ground.admin();
  const branch = await ground.account();
  const own = await roleWith(['manage_role_overrides', 'read_roster']);
  const partial = await ground.admin({ role_id: own.id });
  const below = await ground.admin({ role_id: own.id, account_id: branch.id });
  const strong = await roleWith(['manage_grades']);
  const teaching = await roleWith(['view_audit_trail'], 1, 'TeacherEnrollment');
  const grades = granted('manage_grades');
  for (const [person, account_id] of [[partial, 1] as const, [partial, branch.id] as const, [below, branch.id] as const]) {
    const at = `/accounts/${account_id}/roles`;
    ok(await as(person).put(`${at}/${own.id}`, { permissions: grades }), 401);
    ok(
      await as(person).put(`${at}/${own.id}`, { permissions: granted('become_user', 'manage_role_overrides') }),
      account_id === 1 ? 401 : 200,
    );
    ok(await as(person).put(`${at}/4`, { permissions: { manage_grades: { explicit: true, enabled: false } } }), 401);
    ok(await as(person).put(`${at}/4`, { permissions: { manage_assignments: { locked: true } } }), 401);
    ok(await as(person).put(`${at}/1`, { permissions: { read_roster: { explicit: true, enabled: false } } }), 401);
    ok(await as(person).put(`${at}/${strong.id}`, { permissions: granted('read_roster') }), 401);
    ok(await as(person).post(at, { label: `Grown ${person.id} ${account_id}`, permissions: grades }), 401);
    ok(
      await as(person).post(at, {
        label: `Clone ${person.id} ${account_id}`,
        base_role_type: 'TaEnrollment',
        permissions: granted('view_audit_trail', 'manage_sections'),
      }),
      401,
    );
    // They may grant what they have.
    ok(within(await as(person).post(at, { label: `Reader ${person.id} ${account_id}`, permissions: granted('read_roster') }), 3));
    ok(within(await as(person).put(`${at}/5`, { permissions: { read_roster: { explicit: true, enabled: false } } }), 3));
    ok(await as(person).put(`${at}/5`, { permissions: { read_roster: { explicit: false } } }));
  }
  ok(await as(partial).del(`/accounts/1/roles/${strong.id}`), 401);
  ok(await as(partial).del(`/accounts/1/roles/${teaching.id}`), 401);
  ok(within(await as(chief).del(`/accounts/1/roles/${strong.id}`), 3));
  ok(await as(chief).del(`/accounts/1/roles/${teaching.id}`));
  ok(await as(partial).post(`/accounts/1/roles/${strong.id}/activate`), 401);
  ok(await as(partial).post(`/accounts/1/roles/${teaching.id}/activate`), 401);
  ok(within(await as(chief).post(`/accounts/1/roles/${strong.id}/activate`), 3));
});

test("an account admin grants the role's default permissions; in a sub-account, nothing that an account above has turned off", async () => {
  const chief = await ground.admin();
  const branch = await ground.account();
  const dean = await ground.admin({ account_id: branch.id });
  const at = `/accounts/${branch.id}/roles`;
  ok(await as(dean).put(`${at}/5`, { permissions: granted('proxy_assignment_submission', 'manage_sections') }));
  ok(await as(chief).put('/accounts/1/roles/1', { permissions: { manage_grades: { explicit: true, enabled: false } } }));
  ok(await as(dean).put(`${at}/1`, { permissions: granted('manage_grades') }), 401);
  ok(await as(dean).put(`${at}/1`, { permissions: granted('read_roster') }));
  ok(await as(chief).put('/accounts/1/roles/1', { permissions: { manage_grades: { explicit: false } } }));
  ok(await as(chief).put('/accounts/1/roles/1', { permissions: granted('proxy_assignment_submission') }));
  ok(await as(chief).put('/accounts/1/roles/1', { permissions: { proxy_assignment_submission: { explicit: false } } }));
});

test('no one appoints an administrator with more permissions, in that account or below it', async () => {
  const chief = await ground.admin();
  const branch = await ground.account();
  const clerk = await holderOf(['manage_account_memberships']);
  const friend = await ground.person();
  const role = await roleWith(['manage_account_memberships']);
  const give = (account_id: number, role_id: number) => as(clerk).post(`/accounts/${account_id}/admins`, { user_id: friend.id, role_id });
  ok(within(await give(1, role.id), 3));
  ok(await give(branch.id, 1), 401);
  ok(await as(chief).put(`/accounts/${branch.id}/roles/${role.id}`, { permissions: granted('manage_grades') }));
  ok(await give(branch.id, role.id), 401);
  ok(await give(1, role.id), 401);
  ok(await as(clerk).del(`/accounts/1/admins/${friend.id}`, { role_id: role.id }), 401);
  // An administrator of another account may still get, and lose, a role of this one.
  const dean = await ground.admin({ account_id: branch.id });
  const elsewhere = await ground.account();
  ok(await as(dean).post(`/accounts/${branch.id}/admins`, { user_id: chief.id }));
  ok(within(await as(dean).del(`/accounts/${branch.id}/admins/${chief.id}`), 3));
  ok(await as(dean).post(`/accounts/${elsewhere.id}/admins`, { user_id: friend.id }), 401);
});

test('a permission of the root account is not granted by a role of a sub-account', async () => {
  const branch = await ground.account();
  const role = await roleWith(['read_roster']);
  const dean = await ground.admin({ account_id: branch.id });
  await ground.appoint(dean, { role_id: role.id });
  expect(
    ok(await as(dean).get(`/accounts/${branch.id}/permissions`, { permissions: ['become_user', 'manage_grades', 'manage_sis'] })),
  ).toEqual({
    become_user: false,
    manage_grades: true,
    manage_sis: false,
  });
});

test('no one takes a course role that gives them more permissions', async () => {
  const { course, student, teacher, ta } = await aCourse(ground);
  const clerk = await holderOf(['add_teacher_to_course', 'add_student_to_course', 'remove_teacher_from_course', 'manage_user_logins']);
  const other = await ground.person();
  const enrolls = (person: Person, user_id: number | string, type: string) =>
    as(person).post(`/courses/${course.id}/enrollments`, { enrollment: { user_id, type, enrollment_state: 'active' } });
  ok(await enrolls(clerk, clerk.id, 'TeacherEnrollment'), 401);
  ok(await enrolls(clerk, 'self', 'StudentEnrollment'), 401);
  ok(await enrolls(clerk, other.id, 'TeacherEnrollment'));
  ok(within(await enrolls(teacher, teacher.id, 'StudentEnrollment'), 3));
  const chief = await ground.admin();
  ok(await enrolls(chief, chief.id, 'TeacherEnrollment'));
  // Nor do they reactivate an enrollment of their own.
  const put = await ground.enroll(course, clerk, 'teacher', { enrollment_state: 'inactive' });
  ok(await as(clerk).put(`/courses/${course.id}/enrollments/${put}/reactivate`), 401);
  ok(await as(clerk).put(`/users/${student.id}/merge_into/${clerk.id}`), 401);
  ok(await as(clerk).put(`/users/${clerk.id}/merge_into/${ta.id}`), 401);
  const bulk = ok(
    await as(clerk).post('/accounts/1/bulk_enrollment', {
      user_ids: [clerk.id, other.id],
      course_ids: [course.id],
      enrollment_type: 'StudentEnrollment',
    }),
  );
  await expect.poll(async () => (await as(clerk).get(`/progress/${bulk.id}`)).body.workflow_state).toBe('completed');
  expect(
    (
      await one<{ count: number }>(
        'select count(*) as count from enrollments where user_id = ? and type = ?',
        clerk.id,
        'StudentEnrollment',
      )
    ).count,
  ).toBe(0);
  expect(
    (
      await one<{ count: number }>(
        'select count(*) as count from enrollments where user_id = ? and type = ?',
        other.id,
        'StudentEnrollment',
      )
    ).count,
  ).toBe(1);
});

test('no one starts observing a user they may not manage, nor makes a user with more permissions an observer', async () => {
  const registrar = await holderOf(['manage_user_observers']);
  const chief = await ground.admin();
  const [parent, child] = [await ground.person(), await ground.person()];
  ok(await as(registrar).put(`/users/self/observees/${child.id}`), 401);
  ok(await as(registrar).put(`/users/${parent.id}/observees/${chief.id}`), 401);
  ok(await as(registrar).put(`/users/${chief.id}/observees/${child.id}`), 401);
  ok(within(await as(registrar).put(`/users/${parent.id}/observees/${child.id}`), 3));
});

test('no one moves a course, section or account to where they have more permissions in it', async () => {
  const [mine, theirs] = [await ground.account(), await ground.account()];
  const partial = await roleWith(['manage_courses_admin', 'manage_account_settings', 'manage_sections_edit']);
  const dean = await ground.admin({ account_id: mine.id });
  await ground.appoint(dean, { account_id: theirs.id, role_id: partial.id });
  const course = await ground.course({ account_id: theirs.id });
  ok(await as(dean).put(`/courses/${course.id}`, { course: { account_id: mine.id } }), 401);
  ok(await as(dean).put(`/accounts/${theirs.id}`, { account: { parent_account_id: mine.id } }), 401);
  const own = await ground.course({ account_id: mine.id });
  ok(within(await as(dean).put(`/courses/${own.id}`, { course: { account_id: theirs.id } }), 3));
  const leaf = await ground.account({ parent_account_id: mine.id });
  ok(within(await as(dean).put(`/accounts/${leaf.id}`, { account: { parent_account_id: theirs.id } }), 3));
  // A teacher of a section would teach in the course it is moved to.
  const taught = await ground.course({ account_id: mine.id });
  await ground.enroll(taught, dean, 'teacher');
  const section = await ground.section(taught);
  await ground.enroll(taught, dean, 'teacher', { section_id: section });
  ok(await as(dean).post(`/sections/${section}/crosslist/${course.id}`), 401);
});

test('a user who manages identity providers cannot change one used by a user with more permissions', async () => {
  const chief = await ground.admin();
  const clerk = await holderOf(['manage_account_settings']);
  const at = '/accounts/1/authentication_providers';
  const provider = ok(
    await as(clerk).post(at, {
      auth_type: 'openid_connect',
      client_id: 'x',
      authorize_url: 'https://id.example.edu/a',
      token_url: 'https://id.example.edu/t',
    }),
  );
  ok(within(await as(clerk).put(`${at}/${provider.id}`, { client_id: 'y' }), 3));
  ok(
    await as(chief).post('/accounts/1/logins', {
      user: { id: chief.id },
      login: { unique_id: 'chief', authentication_provider_id: provider.id },
    }),
  );
  ok(await as(clerk).put(`${at}/${provider.id}`, { token_url: 'https://mine.example.edu/t' }), 401);
  ok(await as(clerk).del(`${at}/${provider.id}`), 401);
  ok(await as(clerk).del(`${at}/canvas`), 401);
  ok(within(await as(clerk).put(`${at}/canvas`, { self_registration: 'observer' }), 3));
  ok(within(await as(chief).del(`${at}/${provider.id}`), 3));
  ok(await as(clerk).put(`${at}/${provider.id}/restore`), 401);
  ok(within(await as(chief).put(`${at}/${provider.id}/restore`), 3));
  // Nor turn on a feature that extends the permissions of others.
  ok(await as(clerk).put('/accounts/1', { account: { settings: { admins_can_view_notifications: true } } }), 401);
});

test('an import changes no user with more permissions than its sender, and makes no administrator stronger', async () => {
  const clerk = as(await holderOf(['import_sis', 'manage_sis']));
  const chief = await ground.person({ name: 'Cora Chief', sis_user_id: 'chief' });
  await ground.person({ name: 'Cleo Clerk', sis_user_id: 'friend' });
  ok(await as(await ground.admin()).post('/accounts/1/admins', { user_id: chief.id }));
  const weak = await roleWith(['import_sis']);
  const before = await rowsOf(chief.id);
  const people = 'user_id,login_id,full_name,email,password,status';
  const files = {
    'users.csv': csv(
      people,
      ['chief', chief.login, 'Mine', 'mine@example.edu', 'long enough', 'active'],
      ['friend', 'friend', 'Renamed', '', '', 'active'],
    ),
    'logins.csv': csv('user_id,login_id,password,existing_user_id', ['chief2', 'chief2', 'long enough', 'chief']),
    'admins.csv': csv('user_id,account_id,role_id,status', ['friend', '', 1, 'active'], ['friend', '', weak.id, 'active']),
    'change_sis_id.csv': csv('old_id,new_id,type', ['chief', 'mine', 'user']),
  };
  const { id } = await sent(clerk, zipped(files));
  expect((await ending(clerk, id)).workflow_state).toBe('imported_with_messages');
  expect(await rowsOf(chief.id)).toEqual(before);
  const messages = (await clerk.get(`/accounts/1/sis_imports/${id}/errors`)).body.sis_import_errors.map(
    (result: { message: string }) => result.message,
  );
  expect(messages.filter((message: string) => message.includes('more permissions'))).toHaveLength(4);
  const friend = await one<{ id: number; name: string }>("select id, name from users where name = 'Renamed'");
  const links = await env.DB.prepare("select role_id from admins where user_id = ? and workflow_state = 'active'").bind(friend.id).all();
  expect(links.results).toEqual([{ role_id: weak.id }]);
  // Nor does restoring an import bring such a role back.
  const chiefly = as(await ground.admin());
  const row = (status: string) => csv('user_id,account_id,role_id,status', ['friend', '', 1, status]);
  await ending(chiefly, (await sent(chiefly, zipped({ 'admins.csv': row('active') }))).id);
  const ends = await ending(chiefly, (await sent(chiefly, zipped({ 'admins.csv': row('deleted') }))).id);
  const undone = ok(await clerk.put(`/accounts/1/sis_imports/${ends.id}/restore_states`));
  await expect.poll(async () => (await clerk.get(`/progress/${undone.id}`)).body.workflow_state).toBe('completed');
  const roles = await env.DB.prepare("select role_id from admins where user_id = ? and workflow_state = 'active'").bind(friend.id).all();
  expect(roles.results).toEqual([{ role_id: weak.id }]);
});
