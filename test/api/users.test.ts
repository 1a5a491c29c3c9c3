// Users: visibility and fields.

import { env } from 'cloudflare:test';
import { users } from '@carrel/worker/domains/users/table';
import { expect, test } from 'vitest';
import { as, ground, many, nth, ok, within } from '../support/api';
import { bookmarkAt } from '../support/bookmark';
import { aCourse, type Person } from '../support/ground';
import { upload } from '../support/upload';
import { finished } from '../support/watched_course';

test('users see themselves with private fields', async () => {
  const { student } = await aCourse(ground);
  const me = ok(within(await as(student).get('/users/self'), 2));
  expect(me).toMatchObject({
    id: student.id,
    name: 'Sam Student',
    short_name: 'Sam Student',
    sortable_name: 'Student, Sam',
    login_id: student.login,
    email: student.login,
    locale: null,
    effective_locale: 'en',
    permissions: { can_update_name: true, can_update_avatar: true, limit_parent_app_web_access: false },
  });
  expect(me.avatar_url).toMatch(/^https:/);
  expect(me).not.toHaveProperty('sis_user_id');
  expect(ok(await as(student).get(`/users/${student.id}`)).id).toBe(student.id);
  expect(ok(await as(student).get('/users/self', { include: ['uuid', 'last_login'] }))).toMatchObject({ last_login: null });
});

test('a user whom the caller may not see returns 404', async () => {
  const { student, student2, teacher, stranger } = await aCourse(ground);
  const admin = await ground.admin();
  ok(await as(student).get(`/users/${student2.id}`), 404);
  ok(await as(stranger).get(`/users/${student.id}`), 404);
  ok(await as(teacher).get(`/users/${stranger.id}`), 404);
  ok(await as(teacher).get('/users/999999'), 404);
  ok(await as().get(`/users/${student.id}`), 401);
  expect(ok(within(await as(teacher).get(`/users/${student.id}`), 2))).not.toHaveProperty('effective_locale');
  expect(ok(await as(admin).get(`/users/${student.id}`))).toMatchObject({ login_id: student.login, sis_user_id: null });
});

test('an administrator of a sub-account sees the users of its courses', async () => {
  const faculty = await ground.account();
  const { student } = await aCourse(ground, { account_id: faculty.id });
  const elsewhere = await aCourse(ground);
  const dean = await ground.admin({ account_id: faculty.id });
  ok(within(await as(dean).get(`/users/${student.id}`), 2));
  ok(await as(dean).get(`/users/${elsewhere.student.id}`), 404);
  const listed = ok(within(await as(dean).get(`/accounts/${faculty.id}/users`, { per_page: 100 }), 2));
  // Enrollments in other accounts do not count here.
  await ground.enroll(elsewhere.course, student, 'teacher');
  const teaching = ok(await as(dean).get(`/accounts/${faculty.id}/users`, { enrollment_type: 'teacher' }));
  expect(teaching.map((one: { name: string }) => one.name)).toEqual(['Tara Teacher']);
  expect(listed.map((one: { id: number }) => one.id)).toContain(student.id);
  expect(listed.map((one: { id: number }) => one.id)).not.toContain(elsewhere.student.id);
  ok(await as(dean).get('/accounts/1/users'), 401);
});

test('users are found by SIS id and login id', async () => {
  const admin = await ground.admin();
  const person = await ground.person({ sis_user_id: 'S/1 x', login: 'Sis.Person@example.edu' });
  expect(ok(await as(admin).get('/users/sis_user_id:S%2F1%20x')).id).toBe(person.id);
  expect(ok(await as(admin).get('/users/sis_login_id:sis.person@EXAMPLE.edu')).id).toBe(person.id);
  ok(await as(admin).get('/users/nonsense'), 404);
  const { uuid } = ok(await as(admin).get(`/users/${person.id}`, { include: ['uuid'] }));
  for (const prefix of ['uuid', 'lti_user_id', 'lti_context_id', 'lti_1_1_id', 'lti_1_3_id'])
    expect(ok(await as(admin).get(`/users/${prefix}:${uuid}`)).id).toBe(person.id);
});

test('a profile is visible to the user, classmates and administrators', async () => {
  const { student, student2, stranger } = await aCourse(ground);
  const mine = ok(within(await as(student).get('/users/self/profile'), 2));
  expect(mine).toMatchObject({ id: student.id, primary_email: student.login, time_zone: 'Etc/UTC', bio: null });
  expect(mine.calendar.ics).toContain('.ics');
  const seen = ok(await as(student2).get(`/users/${student.id}/profile`));
  expect(seen).not.toHaveProperty('primary_email');
  expect(seen).not.toHaveProperty('calendar');
  ok(await as(stranger).get(`/users/${student.id}/profile`), 404);
  // It includes what its accounts have turned on or off.
  expect(mine).toMatchObject({ k5_user: false, use_classic_font_in_k5: false, avatar_url: expect.any(String) });
  const admin = await ground.admin();
  const faculty = await ground.account();
  const { student: pupil } = await aCourse(ground, { account_id: faculty.id });
  const young = { enable_as_k5_account: { value: true }, use_classic_font_in_k5: { value: true } };
  ok(await as(admin).put(`/accounts/${faculty.id}`, { account: { settings: young } }));
  ok(await as(admin).put('/accounts/1', { account: { services: { avatars: false } } }));
  const theirs = ok(within(await as(pupil).get('/users/self/profile'), 2));
  expect(theirs).toMatchObject({ k5_user: true, use_classic_font_in_k5: true });
  expect([theirs, ok(await as(pupil).get('/users/self'))].filter((one) => 'avatar_url' in one)).toEqual([]);
  ok(await as(admin).put('/accounts/1', { account: { services: { avatars: true } } }));
});

test('a search in a sub-account is paged, with any other filter', async () => {
  const admin = await ground.admin();
  const { id } = await ground.account();
  const later = await bookmarkAt(`/accounts/${id}/users`, ['a', 1]);
  for (const enrollment_type of ['teacher', 'student'])
    for (const more of [{ page: later }, { page: later, uuids: ['none'] }])
      expect(ok(await as(admin).get(`/accounts/${id}/users`, { search_term: 'ada lovelace', enrollment_type, ...more }))).toEqual([]);
});

test('users of a sub-account are found with all filters combined', async () => {
  const admin = await ground.admin();
  const { id } = await ground.account();
  const { teacher } = await aCourse(ground, { account_id: id });
  const uuid = ok(await as(admin).get(`/users/${teacher.id}`, { include: ['uuid'] })).uuid;
  const bookmark = await bookmarkAt(`/accounts/${id}/users`, ['A', 1]);
  const find = async (query: object) =>
    ok(within(await as(admin).get(`/accounts/${id}/users`, { enrollment_type: 'teacher', uuids: [uuid], page: bookmark, ...query }), 2));
  expect(await find({ search_term: String(teacher.id) })).toMatchObject([{ id: teacher.id }]);
  for (const search_term of ['99999999', 'äöü', '"^*(){}:', '\0\0\0', 'NOT OR', `${'x'.repeat(300)}`])
    expect(await find({ search_term })).toEqual([]);
});

test('an account lists its users by sortable name, filtered, searched and sorted', async () => {
  const { teacher } = await aCourse(ground);
  const admin = await ground.admin();
  const zoe = await ground.person({ name: 'Zoe Aardvark', login: 'zoe@zoo.example', sis_user_id: 'zoo-1' });
  const path = '/accounts/1/users';
  const all = await as(admin).pages(path, { per_page: 50 });
  const names = all.map((one) => one.sortable_name.toLowerCase());
  expect(names).toEqual([...names].sort());
  const find = async (query: object) => ok(within(await as(admin).get(path, query), 2)).map((one: { id: number }) => one.id);
  expect(await find({ search_term: 'zoo.example' })).toEqual([zoe.id]);
  expect(await find({ search_term: 'zoo-1' })).toEqual([zoe.id]);
  expect(await find({ search_term: String(zoe.id) })).toEqual([zoe.id]);
  expect(await find({ enrollment_type: 'teacher', search_term: 'Tara', per_page: 100 })).toContain(teacher.id);
  expect(await find({ enrollment_type: 'student', search_term: 'Tara', per_page: 100 })).toEqual([]);
  expect(ok(await as(admin).get(path, { search_term: 'z' }), 400).errors[0].code).toBe('invalid');
  expect((await find({ sort: 'id', order: 'desc', per_page: 1 }))[0]).toBe(zoe.id);
  expect((await find({ sort: 'sis_id', order: 'desc', per_page: 1 }))[0]).toBe(zoe.id);
  for (const sort of ['email', 'integration_id', 'last_login']) expect(await as(admin).pages(path, { sort })).toHaveLength(all.length);
  expect(
    ok(await as(admin).get(path, { search_term: 'zoo', include: ['email', 'uuid', 'avatar_url', 'last_login', 'time_zone'] }))[0],
  ).toMatchObject({
    email: 'zoe@zoo.example',
    time_zone: 'Etc/UTC',
  });
  ok(await as(teacher).get(path), 401);
});

test('an administrator creates a user who can sign in', async () => {
  const admin = await ground.admin();
  const { student } = await aCourse(ground);
  const path = '/accounts/self/users';
  const given = {
    user: { name: 'Nora New', terms_of_use: true, time_zone: 'Eastern Time (US & Canada)' },
    pseudonym: { unique_id: 'nora@example.edu', password: 'correct horse', sis_user_id: 'N-1' },
    communication_channel: { skip_confirmation: true },
  };
  const nora = ok(within(await as(admin).post(path, given), 3));
  expect(nora).toMatchObject({
    name: 'Nora New',
    sortable_name: 'New, Nora',
    login_id: 'nora@example.edu',
    sis_user_id: 'N-1',
    locale: null,
    terms_of_use: true,
  });
  const taken = ok(await as(admin).post(path, { ...given, pseudonym: { unique_id: 'NORA@example.edu' } }), 400);
  expect(taken.errors.pseudonym.unique_id[0].type).toBe('taken');
  expect(
    ok(await as(admin).post(path, { pseudonym: { unique_id: 'other', sis_user_id: 'N-1' } }), 400).errors.pseudonym.sis_user_id[0].type,
  ).toBe('taken');
  expect(ok(await as(admin).post(path, { user: { name: 'x' } }), 400).errors.pseudonym.unique_id[0].type).toBe('blank');
  expect(
    ok(await as(admin).post(path, { pseudonym: { unique_id: 'short', password: 'short' } }), 400).errors.pseudonym.password[0].type,
  ).toBe('too_short');
  expect(
    ok(await as(admin).post(path, { user: { time_zone: 'Nowhere/Land' }, pseudonym: { unique_id: 'zone' } }), 400).errors.user.time_zone[0]
      .type,
  ).toBe('invalid');
  ok(await as(student).post(path, given), 403);
  ok(await as().post(path, given), 401);
  const found = ok(await as(admin).get('/accounts/1/users', { search_term: 'nora@example.edu' }));
  expect(found).toHaveLength(1);
});

test('a create sent twice with one Idempotency-Key creates one user', async () => {
  const admin = await ground.admin();
  const headers = { 'Idempotency-Key': 'nina' };
  const answers = await Promise.all(
    [1, 2, 3].map(() => as(admin).post('/accounts/1/users', { pseudonym: { unique_id: 'nina@example.edu' } }, { headers })),
  );
  expect(new Set(answers.map((answer) => ok(answer).id)).size).toBe(1);
});

test('users change their own profile, and not that of others', async () => {
  const { student, student2 } = await aCourse(ground);
  const admin = await ground.admin();
  const changed = ok(
    within(
      await as(student).put('/users/self', {
        user: { name: 'Samuel Student', time_zone: 'Europe/Berlin', email: 'new@example.edu', bio: 'Hello', locale: 'de' },
      }),
      3,
    ),
  );
  expect(changed).toMatchObject({
    name: 'Samuel Student',
    sortable_name: 'Student, Samuel',
    time_zone: 'Europe/Berlin',
    email: 'new@example.edu',
    bio: 'Hello',
    locale: 'de',
  });
  expect(ok(await as(student).put(`/users/${student.id}`, { user: { email: student.login } })).email).toBe(student.login);
  ok(await as(student2).put(`/users/${student.id}`, { user: { name: 'Mine' } }), 401);
  expect(ok(await as(student).put('/users/self', { user: { name: ' ' } }), 400).errors.name[0].type).toBe('blank');
  // A blank short or sortable name is derived from the name.
  ok(await as(student).put('/users/self', { user: { short_name: 'Sam', sortable_name: 'Zz' } }));
  const derived = { name: 'Sam Q. Student', short_name: 'Sam Q. Student', sortable_name: 'Student, Sam Q.' };
  expect(ok(await as(student).put('/users/self', { user: { name: derived.name, short_name: '', sortable_name: ' ' } }))).toMatchObject(
    derived,
  );
  ok(await as(student).put('/users/self', { user: { locale: '!!' } }), 400);
  ok(await as(student).put('/users/self', { user: { event: 'suspend' } }), 401);
  ok(await as(admin).put(`/users/${student2.id}`, { user: { event: 'suspend' } }));
  ok(await as(student2).get('/users/self'), 401);
  ok(await as(admin).put(`/users/${student2.id}`, { user: { event: 'unsuspend' } }));
  ok(await as(student2).get('/users/self'));
});

test('a deleted user loses access at once, and can be restored', async () => {
  const { course, student, student2, teacher } = await aCourse(ground);
  const admin = await ground.admin();
  ok(await as(teacher).del(`/accounts/1/users/${student.id}`), 401);
  ok(within(await as(admin).del(`/accounts/1/users/${student.id}`), 3));
  ok(await as(student).get('/users/self'), 401);
  ok(await as(admin).get(`/users/${student.id}`), 404);
  const back = ok(within(await as(admin).put(`/accounts/1/users/${student.id}/restore`), 3));
  expect(back.id).toBe(student.id);
  ok(await as(student).get('/users/self'));
  ok(await as(student).get(`/courses/${course.id}/assignment_groups`), 401);
  ok(await as(admin).put(`/accounts/1/users/${student.id}/restore`), 400);
  ok(await as(student2).del(`/accounts/1/users/${student2.id}`));
  ok(await as(student2).get('/users/self'), 401);
});

test('an administrator acts as a user, but not as one with more permissions', async () => {
  const { student, teacher } = await aCourse(ground);
  const admin = await ground.admin();
  expect(ok(await as(admin).get('/users/self', { as_user_id: student.id })).id).toBe(student.id);
  expect(ok(await as(teacher).get('/users/self', { as_user_id: student.id }), 401).errors).toBe('Invalid as_user_id');
});

test('a list of 10,000 people costs as much as a list of ten', async () => {
  const admin = await ground.admin();
  const small = within(await as(admin).get('/accounts/1/users', { per_page: 100 }), 2);
  await many(10_000, users, { name: nth('Person '), sortable_name: nth('Person '), short_name: nth('Person '), uuid: nth('many') });
  const large = within(await as(admin).get('/accounts/1/users', { per_page: 100 }), 2);
  expect(ok(large)).toHaveLength(100);
  expect(large.cost.rows_read).toBeLessThan(3 * 100 + small.cost.rows_read + 100);
  const later = within(await as(admin).get(large.links.next as string), 2);
  expect(later.cost.rows_read).toBeLessThan(3 * 100 + small.cost.rows_read + 100);
});

test('an unknown sort order is ignored, whatever it is', async () => {
  const admin = await ground.admin();
  for (const sort of ['constructor', '__proto__', 'nonsense'])
    ok(await as(admin).get('/accounts/1/users', { sort, enrollment_type: sort }));
});

test('a search matches any part of visible fields, in any case, and follows changes', async () => {
  const admin = await ground.admin();
  const { course, teacher } = await aCourse(ground);
  const person = await ground.person({
    name: 'Zoë Quillfeather',
    login: 'zq-77@example.edu',
    email: 'Plume@example.org',
    sis_user_id: 'SIS-4711',
  });
  await ground.enroll(course, person, 'student');
  const found = async (search_term: string) =>
    ok(within(await as(admin).get('/accounts/1/users', { search_term }), 2)).map((one: { id: number }) => one.id);
  for (const term of ['UILLF', 'zoË', 'Zq-7', 'plume@', 'sis-4711', 'uillfeather, Z', String(person.id)])
    expect(await found(term), term).toEqual([person.id]);
  expect(await found('zq')).toContain(person.id);
  for (const term of ['Quillfeatherx', '""', "l'; --", '{name} : (', 'qx*', '\u0000\u0001q', `${'quillfeather'.repeat(40)}`])
    expect(await found(term), term).toEqual([]);
  ok(await as(admin).get('/accounts/1/users', { search_term: 'z' }), 400);
  const inCourse = async (search_term: string) =>
    ok(within(await as(teacher).get(`/courses/${course.id}/users`, { search_term }), 2)).map((one: { id: number }) => one.id);
  expect(await inCourse('illfea')).toEqual([person.id]);
  expect(await inCourse(String(person.id))).toContain(person.id);
  expect(await inCourse('plume@')).toEqual([]);
  ok(await as(admin).put(`/users/${person.id}`, { user: { name: 'Zoë Inkwell', email: 'ink@example.org' } }));
  expect([await found('illfea'), await found('inkwe'), await found('ink@ex')]).toEqual([[], [person.id], [person.id]]);
  ok(await as(admin).del(`/accounts/1/users/${person.id}`));
  expect(await found('inkwe')).toEqual([]);
});

test('the orders of an account and of a course follow addresses and SIS ids', async () => {
  const admin = await ground.admin();
  const { course, teacher } = await aCourse(ground);
  const people: Person[] = [];
  for (const [email, sis_user_id] of [
    ['b@order.example', 'o1'],
    ['C@order.example', 'o3'],
    ['a@order.example', 'o2'],
  ])
    people.push(await ground.person({ name: 'Orderly Person', email, sis_user_id }));
  for (const person of people) await ground.enroll(course, person, 'student');
  const ids = async (path: string, query: object) =>
    (await as(admin).pages(path, { search_term: 'Orderly P', per_page: 2, ...query })).map(({ id }) =>
      people.findIndex((one) => one.id === id),
    );
  for (const path of ['/accounts/1/users', `/courses/${course.id}/users`]) {
    expect(await ids(path, { sort: 'email' })).toEqual([2, 0, 1]);
    expect(await ids(path, { sort: 'sis_id', order: 'desc' })).toEqual([1, 2, 0]);
  }
  ok(await as(admin).put(`/users/${people[1]?.id}`, { user: { email: '0@order.example' } }));
  for (const path of ['/accounts/1/users', `/courses/${course.id}/users`]) expect(await ids(path, { sort: 'email' })).toEqual([1, 2, 0]);
  expect(ok(await as(teacher).get(`/courses/${course.id}/users`, { sort: 'email', per_page: 1 }))).toHaveLength(1);
});

test('users register with name, email address and consent, where the institution allows it', async () => {
  const path = '/accounts/1/users';
  await env.DB.prepare(
    "update authentication_providers set settings = json_set(settings, '$.self_registration', 'all') where id = 1",
  ).run();
  const user = { name: 'Self Made', terms_of_use: true };
  const refusedFor = async (given: object) =>
    Object.entries(ok(await as().post(path, given), 400).errors).filter(([, value]) => Object.keys(value as object).length > 0);
  const pseudonym = { unique_id: 'self@example.edu' };
  expect(await refusedFor({ user, pseudonym: { unique_id: 'no address' } })).toMatchObject([
    ['pseudonym', { unique_id: [{ type: 'invalid' }] }],
  ]);
  expect(await refusedFor({ user: { terms_of_use: true }, pseudonym })).toMatchObject([['user', { name: [{ type: 'blank' }] }]]);
  expect(await refusedFor({ user: { name: 'Self' }, pseudonym })).toMatchObject([['user', { terms_of_use: [{ type: 'accepted' }] }]]);
  const made = ok(
    within(
      await as().post(path, {
        user: { ...user, skip_registration: true },
        pseudonym: { ...pseudonym, sis_user_id: 'mine' },
        communication_channel: { skip_confirmation: true, address: 'somebody.else@example.edu' },
      }),
      3,
    ),
  );
  const rows = await env.DB.prepare(
    "select u.workflow_state || ' ' || c.workflow_state || ' ' || c.address || ' ' || coalesce(l.sis_user_id, 'none') as told from users u join communication_channels c on c.user_id = u.id join logins l on l.user_id = u.id where u.id = ?",
  )
    .bind(made.id)
    .first<string>('told');
  expect(rows, 'nobody vouches for themselves').toBe('pre_registered unconfirmed self@example.edu none');
  await env.DB.prepare("update authentication_providers set settings = '{}' where id = 1").run();
  ok(await as().post('/accounts/999/users', { user, pseudonym: { unique_id: 'other@example.edu' } }), 401);
});

test('registration checks are the same for administrators; invalid values are named', async () => {
  const admin = await ground.admin();
  const faculty = await ground.account();
  const path = '/accounts/1/users';
  const pseudonym = { unique_id: 'strict@example.edu' };
  expect(ok(await as(admin).post(path, { pseudonym, force_validations: true }), 400).errors.user.name[0].type).toBe('blank');
  expect(ok(await as(admin).post(path, { pseudonym, user: { birthdate: 'long ago' } }), 400).errors.user.birthdate[0].type).toBe('invalid');
  expect(
    ok(await as(admin).post(path, { pseudonym, communication_channel: { type: 'email', address: 'nowhere' } }), 400).errors.user
      .communication_channels[0].type,
  ).toBe('invalid');
  const waiting = ok(
    await as(admin).post(path, { pseudonym: { unique_id: 'waiting@example.edu' }, communication_channel: { confirmation_url: true } }),
  );
  ok(await as().post(waiting.confirmation_url));
  expect(
    await env.DB.prepare('select workflow_state from communication_channels where user_id = ?').bind(waiting.id).first('workflow_state'),
  ).toBe('active');
  ok(await as(admin).post(path, { pseudonym: { ...pseudonym, authentication_provider_id: 'saml' } }), 400);
  expect(ok(await as(admin).post(`/accounts/${faculty.id}/users`, { pseudonym }), 400).message).toMatch(/root account/);
  ok(await as(admin).post(path, { pseudonym: { ...pseudonym, authentication_provider_id: 'canvas' }, user: { birthdate: '2001-02-03' } }));
});

test('a deleted user is restored by SIS id, with the new values', async () => {
  const admin = await ground.admin();
  const person = await ground.person({ name: 'Ray Returning', sis_user_id: 'ray-1' });
  ok(await as(admin).del(`/accounts/1/users/${person.id}`));
  const given = { user: { name: 'Ray Returned' }, pseudonym: { unique_id: 'ray@example.edu', sis_user_id: 'ray-1' } };
  const back = ok(within(await as(admin).post('/accounts/1/users', { ...given, enable_sis_reactivation: true }), 3));
  expect(back).toMatchObject({ id: person.id, name: 'Ray Returned', login_id: 'ray@example.edu', sis_user_id: 'ray-1' });
  expect(ok(await as(person).get('/users/self')).id).toBe(person.id);
  ok(await as(admin).post('/accounts/1/users', { ...given, enable_sis_reactivation: true }), 400);
});

test('an SIS-managed user is deleted only by users who manage SIS; no one deletes or changes a user with more permissions', async () => {
  const admin = await ground.admin();
  const role = ok(
    await as(admin).post('/accounts/1/roles', {
      label: 'Registrar',
      permissions: { manage_user_logins: { explicit: true, enabled: true } },
    }),
  );
  const registrar = await ground.admin({ role_id: role.id });
  const bySis = await ground.person({ sis_user_id: 'kept' });
  ok(await as(bySis).del(`/accounts/1/users/${bySis.id}`), 401);
  ok(await as(registrar).del(`/accounts/1/users/${bySis.id}`), 401);
  ok(await as(registrar).del(`/accounts/1/users/${admin.id}`), 401);
  ok(await as(registrar).put(`/users/${admin.id}`, { user: { email: 'mine@example.edu' } }), 401);
  ok(await as(registrar).put(`/users/${bySis.id}`, { user: { short_name: 'Kept' } }));
  const [one, two, three] = [await ground.person(), await ground.person(), await ground.person()];
  ok(await as(one).del('/accounts/1/users', { user_ids: [one.id] }), 401);
  ok(await as(registrar).del('/accounts/1/users', {}), 400);
  const work = ok(within(await as(registrar).del('/accounts/1/users', { user_ids: [one.id, two.id] }), 3));
  ok(await as(registrar).del('/accounts/1/users', { user_ids: [two.id, admin.id] }), 401);
  await finished(registrar, work);
  for (const gone of [one, two]) ok(await as(gone).get('/users/self'), 401);
  ok(await as(three).get('/users/self'));
});

test("an avatar is chosen by its token from the user's own", async () => {
  const { student, student2 } = await aCourse(ground);
  const admin = await ground.admin();
  const picture = await upload(student, '/users/self/files', { name: 'me.png', parent_folder_path: 'profile pictures' } as never);
  await upload(student, '/users/self/files', { name: 'notes.txt', parent_folder_path: 'profile pictures' } as never);
  const mine = ok(within(await as(student).get('/users/self/avatars'), 2));
  expect(mine.map((one: { type: string }) => one.type)).toEqual(['attachment', 'no_pic']);
  expect(mine[0]).toMatchObject({ id: picture.id, filename: 'me.png', 'content-type': 'image/png', display_name: 'me.png' });
  expect(mine[0].token).not.toBe(ok(await as(student2).get('/users/self/avatars'))[0].token);
  ok(await as(student2).put('/users/self', { user: { avatar: { token: mine[0].token } } }), 400);
  const chosen = ok(
    within(await as(student).put('/users/self', { user: { avatar: { token: mine[0].token, url: 'https://example.edu/other.png' } } }), 3),
  );
  expect(chosen.avatar_url).toBe(mine[0].url);
  ok(await as().get(mine[0].url));
  ok(await as(student).put('/users/self', { user: { avatar: { state: 'approved' } } }), 401);
  ok(await as(admin).put(`/users/${student.id}`, { user: { avatar: { state: 'nonsense' } } }), 400);
  ok(await as(admin).put(`/users/${student.id}`, { user: { avatar: { state: 'locked' } } }));
  expect(ok(await as(admin).get(`/users/${student.id}`, { include: ['avatar_state'] })).avatar_state).toBe('locked');
  expect(ok(await as(student).get('/users/self', { include: ['avatar_state'] }))).toMatchObject({
    permissions: { can_update_avatar: false },
  });
  ok(await as(student).put('/users/self', { user: { avatar: { url: 'https://example.edu/other.png' } } }), 401);
  ok(await as(admin).put(`/users/${student.id}`, { user: { avatar: { state: 'none' } } }));
  const none = mine.find((one: { type: string }) => one.type === 'no_pic');
  expect(ok(await as(student).put('/users/self', { user: { avatar: { token: none.token } } })).avatar_url).toBe(none.url);
});

test("pronouns come from the institution's list, links are web addresses, and SIS names stay on request", async () => {
  const { student } = await aCourse(ground);
  const admin = await ground.admin();
  expect(ok(await as(student).put('/users/self', { user: { pronouns: 'they/them' } })).pronouns).toBe('They/Them');
  ok(await as(student).put('/users/self', { user: { pronouns: 'nonsense' } }), 400);
  expect(ok(await as(student).put('/users/self', { user: { pronouns: '' } }))).not.toHaveProperty('pronouns');
  const links = [{ url: 'https://example.edu/me', title: 'Me' }];
  ok(await as(student).put('/users/self', { user: { links } }, { json: true }));
  expect(ok(await as(student).get('/users/self/profile', { include: ['links'] })).links).toEqual(links);
  ok(await as(student).put('/users/self', { user: { links: [{ url: 'javascript:alert(1)' }] } }, { json: true }), 400);
  ok(await as(admin).put(`/users/${student.id}`, { user: { short_name: 'Sammy' } }));
  const kept = ok(
    await as(admin).put(`/users/${student.id}`, { user: { short_name: 'Samuel', title: 'Dr' }, override_sis_stickiness: false }),
  );
  expect(kept).toMatchObject({ short_name: 'Sammy', title: 'Dr' });
});

test('applications store custom data of a user, each in its namespace', async () => {
  const { student, teacher } = await aCourse(ground);
  const path = '/users/self/custom_data';
  const json = { json: true };
  const ns = 'com.example.shop';
  ok(await as(student).get(path, { ns }), 404);
  ok(await as(student).get(path), 400);
  ok(await as(student).put(path, { ns }), 400);
  expect(ok(within(await as(student).put(`${path}/fruits/apple`, { ns, data: { red: 3 } }, json), 3), 201)).toEqual({ data: { red: 3 } });
  ok(await as(student).put(`${path}/fruits/pear`, { ns, data: 'green' }), 201);
  expect(ok(within(await as(student).get(path, { ns }), 2))).toEqual({ data: { fruits: { apple: { red: 3 }, pear: 'green' } } });
  ok(await as(student).put(`${path}/fruits/apple`, { ns, data: { green: 1 } }, json));
  expect(ok(await as(student).get(`${path}/fruits/apple/green`, { ns }))).toEqual({ data: 1 });
  ok(await as(student).put(`${path}/fruits/pear/colour`, { ns, data: 'x' }), 409);
  ok(await as(student).get(path, { ns: 'another' }), 404);
  const [one, two] = await Promise.all(['one', 'two'].map((name) => as(student).put(`${path}/counts/${name}`, { ns, data: name })));
  expect([one?.status, two?.status]).toEqual([201, 201]);
  expect(ok(await as(student).get(`${path}/counts`, { ns })).data).toEqual({ one: 'one', two: 'two' });
  expect(ok(within(await as(student).del(`${path}/fruits/pear`, { ns }), 3))).toEqual({ data: 'green' });
  ok(await as(student).get(`${path}/fruits/pear`, { ns }), 404);
  ok(await as(student).put(path, { ns, data: { all: 'new' } }, json));
  expect(ok(await as(student).del(path, { ns }))).toEqual({ data: { all: 'new' } });
  ok(await as(student).get(path, { ns }), 404);
  ok(await as(teacher).get(`/users/${student.id}/custom_data`, { ns }), 401);
});

test("colours are for the user's own courses and groups", async () => {
  const { student, stranger, course } = await aCourse(ground);
  const path = `/users/self/colors/course_${course.id}`;
  expect(ok(within(await as(student).put(path, { hexcode: 'abc' }), 3))).toEqual({ hexcode: '#abc' });
  expect(ok(await as(student).get(path))).toEqual({ hexcode: '#abc' });
  expect(ok(await as(student).get('/users/self/colors'))).toEqual({ custom_colors: { [`course_${course.id}`]: '#abc' } });
  ok(await as(student).put(path, { hexcode: 'abcde' }), 400);
  ok(await as(stranger).put(path, { hexcode: 'abc' }), 404);
  ok(await as(stranger).get(path), 404);
  ok(await as(student).put(`/users/self/colors/user_${student.id}`, { hexcode: '#ABCDEF12' }));
  ok(await as(student).put(`/users/self/colors/user_${stranger.id}`, { hexcode: 'abc' }), 404);
  ok(await as(student).put('/users/self/colors/account_1', { hexcode: 'abc' }), 404);
});
