// Observers: links to students, and what they see.

import { env } from 'cloudflare:test';
import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';

const ids = (people: { id: number }[]) => people.map((one) => one.id);
const openTo = (who: string) =>
  env.DB.prepare("update authentication_providers set settings = json_set(settings, '$.self_registration', ?) where id = 1")
    .bind(who)
    .run();
const codeOf = async (student: Person) => ok(await as(student).post('/users/self/observer_pairing_codes')).code as string;
const observe = (by: Person, body: object, options = {}) => as(by).post('/users/self/observees', body, options);

let admin: Person;
beforeAll(async () => {
  admin = await ground.admin();
  await openTo('observer');
});

test('a student creates a pairing code of six characters that is valid for a week', async () => {
  const { student, teacher } = await aCourse(ground);
  const code = ok(within(await as(student).post('/users/self/observer_pairing_codes'), 2));
  expect(code).toEqual({
    user_id: student.id,
    code: expect.stringMatching(/^[A-Za-z0-9]{6}$/),
    expires_at: code.expires_at,
    workflow_state: 'active',
  });
  const life = Date.parse(code.expires_at) - Date.now();
  expect(life / 86_400_000).toBeGreaterThan(6.99);
  expect(life / 86_400_000).toBeLessThanOrEqual(7);
  ok(within(await as(admin).post(`/users/${student.id}/observer_pairing_codes`), 3));
  ok(await as(teacher).post(`/users/${student.id}/observer_pairing_codes`), 401);
  ok(await as().post(`/users/${student.id}/observer_pairing_codes`), 401);
  ok(await as(admin).put('/accounts/1/roles/4', { permissions: { generate_observer_pairing_code: { explicit: true, enabled: true } } }));
  ok(within(await as(teacher).post(`/users/${student.id}/observer_pairing_codes`), 3));
  ok(await as(teacher).post(`/users/${(await ground.person()).id}/observer_pairing_codes`), 401);
  await openTo('none');
  ok(await as(student).post('/users/self/observer_pairing_codes'), 401);
  await openTo('all');
  ok(await as(student).post('/users/self/observer_pairing_codes'));
});

test("a code links one observer once, and enrolls them in the student's courses", async () => {
  const { course, student, stranger } = await aCourse(ground);
  const late = await ground.person();
  const code = await codeOf(student);
  const linked = ok(within(await observe(stranger, { pairing_code: code, root_account_id: 'all' }), 3));
  expect(linked).toMatchObject({ id: student.id, name: 'Sam Student' });
  expect(ok(await observe(late, { pairing_code: code }), 422).errors[0].message).toBe('Invalid pairing code.');
  ok(await observe(late, { pairing_code: '' }), 422);
  ok(await observe(late, { pairing_code: 'nonsense', root_account_id: '99' }), 404);
  expect(ok(await as(stranger).get('/users/self/enrollments'))).toMatchObject([
    { course_id: course.id, type: 'ObserverEnrollment', associated_user_id: student.id, enrollment_state: 'active' },
  ]);
  const other = await ground.course();
  ok(await as(admin).post(`/courses/${other.id}/enrollments`, { enrollment: { user_id: student.id, enrollment_state: 'active' } }));
  expect(ids(ok(await as(stranger).get('/courses')))).toEqual([course.id, other.id]);
});

test('of several simultaneous uses of a code one succeeds', async () => {
  const { student } = await aCourse(ground);
  const code = await codeOf(student);
  const comers = await Promise.all([1, 2, 3, 4].map(() => ground.person()));
  const answers = await Promise.all(comers.map((one) => observe(one, { pairing_code: code })));
  expect(answers.map((one) => one.status).sort()).toEqual([200, 422, 422, 422]);
  expect(ok(await as(student).get('/users/self/observers')).filter((one: { id: number }) => ids(comers).includes(one.id))).toHaveLength(1);
});

test('an expired code links no one', async () => {
  const { student, stranger } = await aCourse(ground);
  const code = await codeOf(student);
  await env.DB.prepare("update observer_pairing_codes set expires_at = '2026-01-01T00:00:00Z' where code = ?").bind(code).run();
  ok(await observe(stranger, { pairing_code: code }), 422);
});

test('the name and password of the student, or their token, link as well; a user cannot observe themselves', async () => {
  const student = await ground.person({ login: 'Pupil@example.edu', password: 'a long secret' });
  const [first, second] = [await ground.person(), await ground.person()];
  ok(await observe(first, { observee: { unique_id: student.login, password: 'wrong' } }), 422);
  ok(await observe(first, { observee: { unique_id: 'nobody@example.edu', password: 'wrong' } }), 422);
  // Another identity provider may use the same login for someone else: its logins have no password here.
  const namesake = await ground.person({ password: 'a long secret' });
  await env.DB.prepare('update logins set unique_id = ?, authentication_provider_id = 77 where user_id = ?')
    .bind(student.login, namesake.id)
    .run();
  expect(ok(within(await observe(first, { observee: { unique_id: 'pupil@EXAMPLE.edu', password: 'a long secret' } }), 3)).id).toBe(
    student.id,
  );
  // Success resets the counter of wrong attempts.
  expect(await env.DB.prepare("select count(*) as n from login_throttles where key like 'name:%'").first('n')).toBe(1);
  expect(ok(within(await observe(second, { access_token: student.token }), 3)).id).toBe(student.id);
  ok(await observe(second, { access_token: 'nonsense' }), 422);
  ok(await observe(student, { access_token: student.token }), 422);
  ok(await observe(first, {}), 422);
  // Without a header the token identifies the caller.
  ok(await as().post('/users/self/observees', { access_token: student.token }), 422);
  expect(ids(ok(await as(student).get('/users/self/observers')))).toEqual([first.id, second.id]);
});

test('both sides list the link, each with its root accounts', async () => {
  const { student, observer, student2, stranger } = await aCourse(ground);
  ok(await as(admin).put(`/users/${observer.id}/observees/${student2.id}`));
  const seen = ok(within(await as(observer).get('/users/self/observees', { include: ['avatar_url'] }), 2));
  expect(ids(seen)).toEqual([student.id, student2.id]);
  expect(seen[0]).toMatchObject({ observation_link_root_account_ids: [1], avatar_url: expect.any(String) });
  expect(ok(await as(observer).get('/users/self/observees'))[0]).not.toHaveProperty('avatar_url');
  expect(ids(ok(await as(observer).get('/users/self/observees', { per_page: 1 })))).toEqual([student.id]);
  expect(ids(await as(observer).pages('/users/self/observees', { per_page: 1 }))).toEqual([student.id, student2.id]);
  expect(ids(ok(within(await as(student).get('/users/self/observers'), 2)))).toEqual([observer.id]);
  expect(ids(ok(await as(admin).get(`/users/${student.id}/observers`)))).toEqual([observer.id]);
  expect(ok(await as(student).get(`/users/self/observers/${observer.id}`)).id).toBe(observer.id);
  ok(await as(student).get(`/users/self/observers/${stranger.id}`), 404);
  expect(ok(within(await as(observer).get(`/users/self/observees/${student.id}`), 2)).id).toBe(student.id);
  ok(await as(observer).get(`/users/self/observees/${stranger.id}`), 404);
  ok(await as(observer).get('/users/self/observees/nonsense'), 404);
  ok(await as(stranger).get(`/users/${observer.id}/observees`), 401);
  ok(await as(stranger).get('/users/999999/observees'), 401);
  ok(await as(admin).get('/users/999999/observees'), 404);
});

test('users who manage observers link any two users, idempotently', async () => {
  const { course, student, stranger, teacher } = await aCourse(ground);
  const path = `/users/${stranger.id}/observees/${student.id}`;
  ok(await as(stranger).put(path), 401);
  ok(await as(teacher).put(path), 401);
  for (let time = 0; time < 2; time++) expect(ok(within(await as(admin).put(path, { root_account_id: 1 }), 3)).id).toBe(student.id);
  ok(await as(admin).put(`/users/${stranger.id}/observees/${stranger.id}`), 422);
  ok(await as(admin).put(`/users/${stranger.id}/observees/999999`), 404);
  expect(ids(ok(await as(stranger).get('/courses')))).toEqual([course.id]);
});

test("ending a link removes the observer's enrollments", async () => {
  const { student, observer, teacher, course } = await aCourse(ground);
  const path = `/users/${observer.id}/observees/${student.id}`;
  ok(await as(teacher).del(path), 401);
  ok(await as(student).del(path), 401);
  expect(ok(within(await as(observer).del(path), 3)).id).toBe(student.id);
  ok(await as(observer).del(path), 404);
  ok(await as(observer).get(`/courses/${course.id}`), 401);
  expect(ok(await as(student).get('/users/self/observers'))).toEqual([]);
});

test('links created and ended during enrollments leave no observer behind', async () => {
  const { student, stranger } = await aCourse(ground);
  const courses = await Promise.all([1, 2, 3].map(() => ground.course()));
  const enroll = (course: { id: number }) =>
    as(admin).post(`/courses/${course.id}/enrollments`, { enrollment: { user_id: student.id, enrollment_state: 'active' } });
  const path = `/users/${stranger.id}/observees/${student.id}`;
  const all = await Promise.all([...courses.map(enroll), as(admin).put(path)]);
  for (const answer of all) ok(answer);
  expect(ok(await as(stranger).get('/users/self/enrollments'))).toHaveLength(4);
  const after = await Promise.all([as(admin).del(path), ...courses.map(enroll)]);
  for (const answer of after) ok(answer);
  expect(ok(await as(stranger).get('/users/self/enrollments'))).toEqual([]);
});

test("an observer registers with a student's code, where the institution allows it", async () => {
  const { course, student } = await aCourse(ground);
  const given = (more: object) => ({
    user: { name: 'Pat Parent', terms_of_use: true },
    pseudonym: { unique_id: `pat-${student.id}@example.edu`, password: 'a long secret' },
    initial_enrollment_type: 'observer',
    ...more,
  });
  const path = '/accounts/1/users';
  await openTo('none');
  ok(await as().post(path, given({})), 401);
  ok(await as(student).post(path, given({})), 403);
  await openTo('observer');
  const code = await codeOf(student);
  const broken = ok(await as().post(path, given({ pairing_code: { code: 'nonsense' } })), 400);
  expect(broken.errors.pairing_code.code[0]).toEqual({ attribute: 'code', type: 'invalid', message: 'invalid' });
  ok(await as().post(path, given({})), 400);
  ok(await as().post(path, { ...given({ pairing_code: { code } }), initial_enrollment_type: 'student' }), 401);
  const pat = ok(within(await as().post(path, given({ pairing_code: { code } })), 3));
  expect(pat).toMatchObject({ name: 'Pat Parent', terms_of_use: true });
  expect(ids(ok(await as(student).get('/users/self/observers')))).toContain(pat.id);
  const enrolled = ok(await as(admin).get(`/users/${pat.id}/enrollments`));
  expect(enrolled).toMatchObject([{ course_id: course.id, type: 'ObserverEnrollment', associated_user_id: student.id }]);
  ok(await as().post(path, { ...given({ pairing_code: { code } }), pseudonym: { unique_id: 'second@example.edu' } }), 400);
});
