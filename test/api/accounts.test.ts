// Accounts, their settings and their sub-accounts.

import { accounts } from '@carrel/worker/domains/accounts/table';
import { expect, test } from 'vitest';
import { as, ground, many, n, nth, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';

type Named = { id: number; name: string };

test('the accounts of the caller are those in which they have a role', async () => {
  const { teacher } = await aCourse(ground);
  const faculty = await ground.account({ name: 'Faculty of Letters' });
  const admin = await ground.admin();
  const dean = await ground.admin({ account_id: faculty.id });
  expect(ok(await as(teacher).get('/accounts'))).toEqual([]);
  expect(ok(within(await as(admin).get('/accounts'), 2)).map((one: Named) => one.id)).toEqual([1]);
  const [theirs] = ok(await as(dean).get('/accounts', { include: ['course_count', 'sub_account_count', 'lti_guid'] }));
  expect(theirs).toMatchObject({
    id: faculty.id,
    parent_account_id: 1,
    root_account_id: 1,
    course_count: 0,
    sub_account_count: 0,
    default_storage_quota_mb: 500,
  });
});

test('an account is shown in full to its managers, by name to its teachers, and not to others', async () => {
  const faculty = await ground.account({ sis_account_id: 'letters' });
  const { teacher, student } = await aCourse(ground, { account_id: faculty.id });
  const admin = await ground.admin();
  expect(ok(within(await as(admin).get('/accounts/self', { include: ['registration_settings', 'services'] }), 2))).toMatchObject({
    id: 1,
    parent_account_id: null,
    root_account_id: null,
    registration_settings: { require_email: false },
    services: {},
  });
  expect(ok(await as(admin).get('/accounts/sis_account_id:letters'))).toMatchObject({ id: faculty.id, sis_account_id: 'letters' });
  const seen = ok(await as(teacher).get(`/accounts/${faculty.id}`));
  expect(seen.name).toBe('Faculty');
  expect(seen).not.toHaveProperty('uuid');
  ok(await as(student).get(`/accounts/${faculty.id}`), 401);
  ok(await as(admin).get('/accounts/99999'), 404);
  expect(ok(within(await as(teacher).get('/course_accounts'), 2)).map((one: Named) => one.id)).toEqual([faculty.id]);
  expect(ok(await as(student).get('/course_accounts'))).toEqual([]);
});

test('a manager creates, lists and deletes sub-accounts', async () => {
  const admin = await ground.admin();
  const made = ok(within(await as(admin).post('/accounts/1/sub_accounts', { account: { name: 'Science', sis_account_id: 'sci' } }), 3));
  expect(made).toMatchObject({
    name: 'Science',
    parent_account_id: 1,
    root_account_id: 1,
    sis_account_id: 'sci',
    workflow_state: 'active',
  });
  const below = ok(await as(admin).post(`/accounts/${made.id}/sub_accounts`, { account: 'Physics' }));
  expect(below.name).toBe('Physics');
  const taken = ok(await as(admin).post('/accounts/1/sub_accounts', { account: { name: 'Twin', sis_account_id: 'sci' } }), 400);
  expect(taken.errors.sis_account_id[0].type).toBe('taken');
  expect(ok(await as(admin).post('/accounts/1/sub_accounts', { account: { name: '' } }), 400).errors.name[0].type).toBe('blank');

  const direct = await as(admin).pages('/accounts/1/sub_accounts', { per_page: 100 });
  expect(direct.map((one) => one.id)).toContain(made.id);
  expect(direct.map((one) => one.id)).not.toContain(below.id);
  const tree = await as(admin).pages('/accounts/1/sub_accounts', { recursive: true, per_page: 100 });
  expect(tree.map((one) => one.id)).toContain(below.id);
  expect(ok(await as(admin).get('/accounts/1/sub_accounts', { order: 'name', include: ['course_count'] }))[0].course_count).toBeDefined();

  expect(ok(await as(admin).del(`/accounts/1/sub_accounts/${made.id}`), 409).message).toBeDefined();
  expect(ok(await as(admin).del('/accounts/1/sub_accounts/1'), 401).message).toBeDefined();
  ok(await as(admin).del(`/accounts/${below.id}/sub_accounts/${made.id}`), 404);
  expect(ok(within(await as(admin).del(`/accounts/1/sub_accounts/${below.id}`), 3)).workflow_state).toBe('deleted');
  expect(ok(await as(admin).del('/accounts/1/sub_accounts/sis_account_id:sci')).workflow_state).toBe('deleted');
  ok(await as(admin).get(`/accounts/${made.id}`), 404);
  // A caller without access cannot tell whether the account exists.
  const { teacher } = await aCourse(ground);
  for (const path of ['', '/permissions', '/roles', '/terms', '/users'])
    expect(ok(await as(teacher).get(`/accounts/${made.id}${path}`), 401)).toEqual(
      ok(await as(teacher).get(`/accounts/${(await ground.account()).id}${path}`), 401),
    );
});

test('an account with a course cannot be deleted', async () => {
  const admin = await ground.admin();
  const faculty = await ground.account();
  await ground.course({ account_id: faculty.id });
  ok(await as(admin).del(`/accounts/1/sub_accounts/${faculty.id}`), 409);
});

test('an account is changed field by field, each with its permission', async () => {
  const admin = await ground.admin();
  const faculty = await ground.account();
  const other = await ground.account({ name: 'Other' });
  const dean = await ground.admin({ account_id: faculty.id });
  const path = `/accounts/${faculty.id}`;
  const given = {
    name: 'Arts',
    default_time_zone: 'Mountain Time (US & Canada)',
    default_storage_quota_mb: 700,
    settings: { restrict_student_future_view: { value: true, locked: true } },
  };
  expect(ok(within(await as(admin).put(path, { account: given }), 3))).toMatchObject({
    name: 'Arts',
    default_time_zone: 'America/Denver',
    default_storage_quota_mb: 700,
  });
  ok(await as(admin).put(path, { account: { settings: { microsoft_sync_enabled: true, microsoft_sync_tenant: 'example.edu' } } }));
  expect(ok(await as(admin).get(`${path}/settings`))).toMatchObject({
    restrict_student_future_view: { value: true, locked: true },
    microsoft_sync_enabled: true,
    microsoft_sync_tenant: 'example.edu',
    microsoft_sync_remote_attribute: null,
  });
  expect(ok(await as(dean).put(path, { account: { name: 'Fine Arts', sis_account_id: 'x' } }), 401).errors.sis_account_id).toBeDefined();
  expect(ok(await as(dean).put(path, { account: { name: 'Fine Arts' } })).name).toBe('Fine Arts');
  ok(await as(dean).put('/accounts/1', { account: { name: 'Mine' } }), 401);
  ok(await as(admin).put(path, { account: { default_time_zone: 'Nowhere' } }), 400);
  ok(await as(admin).put(path, { account: { default_storage_quota_mb: -1 } }), 400);
  const below = ok(await as(admin).post(`${path}/sub_accounts`, { account: { name: 'Dance' } }));
  ok(await as(admin).put(path, { account: { parent_account_id: below.id } }), 400);
  ok(await as(dean).put(`/accounts/${below.id}`, { account: { parent_account_id: other.id } }), 401);
  expect(ok(await as(admin).put(`/accounts/${below.id}`, { account: { parent_account_id: other.id } })).parent_account_id).toBe(other.id);
  expect(ok(await as(admin).get(`/accounts/${below.id}`)).default_storage_quota_mb).toBe(500);
});

test('a caller gets their permissions in an account', async () => {
  const { teacher, student } = await aCourse(ground);
  const admin = await ground.admin();
  expect(ok(await as(admin).get('/accounts/1/permissions', { permissions: ['manage_sis', 'proxy_assignment_submission'] }))).toEqual({
    manage_sis: true,
    proxy_assignment_submission: false,
  });
  expect(ok(await as(teacher).get('/accounts/1/permissions', { permissions: ['manage_sis'] }))).toEqual({ manage_sis: false });
  ok(await as(student).get('/accounts/1/permissions'), 401);
  expect(ok(await as().get('/accounts/search', { name: 'new inst' }))[0].name).toBe('New Institution');
  ok(await as(student).get('/settings/environment'));
  ok(await as(student).get('/accounts/1/help_links'));
  ok(await as().get('/accounts/1/terms_of_service'));
  expect(ok(await as(admin).get('/manageable_accounts')).length).toBeGreaterThan(0);
  expect(ok(await as(admin).get('/course_creation_accounts')).length).toBeGreaterThan(0);
  expect(ok(await as(teacher).get('/manageable_accounts'))).toEqual([]);
});

test('a list of 10,000 sub-accounts costs as much as a list of ten', async () => {
  const admin = await ground.admin();
  const parent = await ground.account();
  const path = `/accounts/${parent.id}/sub_accounts`;
  const small = within(await as(admin).get(path), 2);
  await many(10_000, accounts, { name: nth('A'), parent_account_id: parent.id, root_account_id: 1, uuid: n });
  const large = within(await as(admin).get(path, { per_page: 100 }), 2);
  expect(ok(large)).toHaveLength(100);
  expect(large.cost.rows_read).toBeLessThan(5 * 100 + small.cost.rows_read + 100);
});

test('the account tree and its courses follow moves, renames and deletions', async () => {
  const admin = await ground.admin();
  const top = await ground.account({ name: 'Top' });
  const [left, right] = [
    await ground.account({ name: 'Left', parent_account_id: top.id }),
    await ground.account({ name: 'Right', parent_account_id: top.id }),
  ];
  const leaf = await ground.account({ name: 'Leaf', parent_account_id: left.id });
  const course = await ground.course({ account_id: leaf.id, name: 'Growing trees' });
  const below = async (id: number) =>
    ok(await as(admin).get(`/accounts/${id}/sub_accounts`, { recursive: true })).map((one: { id: number }) => one.id);
  const courses = async (id: number, query: object = {}) =>
    ok(await as(admin).get(`/accounts/${id}/courses`, query)).map((one: { id: number }) => one.id);
  expect([await below(top.id), await below(left.id), await below(right.id)]).toEqual([[left.id, right.id, leaf.id], [leaf.id], []]);
  expect([await courses(top.id), await courses(left.id), await courses(right.id)]).toEqual([[course.id], [course.id], []]);
  ok(await as(admin).put(`/accounts/${leaf.id}`, { account: { parent_account_id: right.id } }));
  expect([await below(top.id), await below(left.id), await below(right.id)]).toEqual([[left.id, right.id, leaf.id], [], [leaf.id]]);
  expect([await courses(left.id), await courses(right.id, { search_term: 'ing TR' })]).toEqual([[], [course.id]]);
  const other = await ground.course({ account_id: right.id, name: 'Aspens' });
  expect(await courses(top.id, { sort: 'account_name', order: 'desc' })).toEqual([other.id, course.id]);
  ok(await as(admin).put(`/accounts/${leaf.id}`, { account: { name: 'Twig' } }));
  expect(await courses(top.id, { sort: 'account_name', order: 'desc' })).toEqual([course.id, other.id]);
  const [first, second] = [await ground.person({ name: 'Abe Zorn' }), await ground.person({ name: 'Zoe Adams' })];
  await ground.enroll(course, first, 'teacher');
  await ground.enroll(other, second, 'teacher');
  expect(await courses(top.id, { sort: 'teacher' })).toEqual([other.id, course.id]);
  ok(await as(admin).put(`/users/${first.id}`, { user: { sortable_name: 'Aaron, Abe' } }));
  expect(await courses(top.id, { sort: 'teacher' })).toEqual([course.id, other.id]);
  // Both are in the default term; a course in a term with an earlier name comes before them.
  const early = await ground.course({
    account_id: right.id,
    name: 'Birches',
    enrollment_term_id: (await ground.term({ name: 'Autumn' })).id,
  });
  expect(await courses(top.id, { sort: 'term' })).toEqual([early.id, course.id, other.id]);
  expect(await courses(top.id, { sort: 'term', order: 'desc' })).toEqual([other.id, course.id, early.id]);
  expect(await courses(top.id, { search_term: 'zorn', search_by: 'teacher' })).toEqual([course.id]);
  ok(await as(admin).del(`/accounts/${top.id}/sub_accounts/${left.id}`));
  expect(await below(top.id)).toEqual([right.id, leaf.id]);
  const dean = await ground.admin({ account_id: right.id });
  await ground.appoint(dean, { account_id: leaf.id });
  expect(ok(await as(dean).get('/manageable_accounts')).map((one: { id: number }) => one.id)).toEqual([right.id, leaf.id]);
});

test('a site administrator creates root accounts, which are returned without a parent', async () => {
  const admin = await ground.admin();
  const dean = await ground.admin({ account_id: (await ground.account()).id });
  const made = ok(within(await as(admin).post('/accounts', { account: { name: 'Another school', default_storage_quota_mb: 900 } }), 3));
  expect(made).toMatchObject({ name: 'Another school', parent_account_id: null, root_account_id: null, default_storage_quota_mb: 900 });
  expect(ok(await as(admin).get(`/accounts/${made.id}`)).parent_account_id).toBeNull();
  expect(ok(await as(admin).post('/accounts/1/root_accounts', { account: { name: 'A third' } })).root_account_id).toBeNull();
  expect(ok(await as(admin).post('/accounts'), 400).errors.name[0].type).toBe('blank');
  ok(await as(dean).post('/accounts', { account: { name: 'Mine' } }), 401);
  ok(await as(admin).del(`/accounts/1/sub_accounts/${made.id}`), 401);
  ok(await as(admin).put(`/accounts/${made.id}`, { account: { parent_account_id: 1 } }), 400);
  const theirs = await ground.admin({ account_id: made.id });
  ok(await as(theirs).get('/accounts/1'), 401);
  ok(await as(theirs).post(`/accounts/${made.id}/users`, { pseudonym: { unique_id: 'x' } }), 403);
});

test('a setting is inherited until a sub-account overrides it, unless it is locked', async () => {
  const admin = await ground.admin();
  const [faculty, past] = [await ground.account(), { start_at: '2020-01-01T00:00:00Z', end_at: '2021-01-01T00:00:00Z' }];
  const institute = await ground.account({ parent_account_id: faculty.id });
  const term = await ground.term(past);
  const { course, student } = await aCourse(ground, { account_id: institute.id, enrollment_term_id: term.id });
  const name = 'restrict_student_past_view';
  const put = (account: { id: number }, setting: object) =>
    as(admin).put(`/accounts/${account.id}`, { account: { settings: { [name]: setting } } });
  const at = async (account: { id: number }) => ok(await as(admin).get(`/accounts/${account.id}/settings`))[name];
  const sees = async () => {
    const [shown, listed] = await Promise.all([
      as(student).get(`/courses/${course.id}`),
      as(student).get('/calendar_events', { context_codes: [`course_${course.id}`] }),
    ]);
    expect(listed.status).toBe(shown.status);
    return shown.status;
  };
  expect(await at(institute)).toEqual({ value: false, locked: false });
  expect(await sees()).toBe(200);
  ok(await put(faculty, { value: true }));
  expect(await at(institute)).toEqual({ value: true, locked: false, inherited: true });
  expect(await sees()).toBe(401);
  ok(await put(institute, { value: false }));
  expect(await at(institute)).toEqual({ value: false, locked: false });
  expect(await sees()).toBe(200);
  ok(await put(faculty, { locked: true }));
  expect(await at(institute)).toEqual({ value: true, locked: true, inherited: true });
  expect(await sees()).toBe(401);
  ok(await put(institute, { value: false, locked: true }));
  ok(await as(admin).put(`/courses/${course.id}/settings`, { [name]: false }));
  expect(await sees()).toBe(401);
  ok(await put(faculty, { value: false, locked: false }));
  expect(await sees()).toBe(200);
});

test('an account returns its features, terms of service and branding', async () => {
  const admin = await ground.admin();
  const faculty = await ground.account();
  const put = (account: object, more: object = {}) => as(admin).put('/accounts/1', { account, ...more });
  ok(await put({ services: { avatars: true, skype: false }, course_template_id: 0 }));
  expect(ok(await as(admin).get('/accounts/1', { include: ['services', 'registration_settings', 'lti_guid'] }))).toMatchObject({
    services: { avatars: true, skype: false },
    course_template_id: 0,
    registration_settings: { require_email: false },
    terms_required: false,
    lti_guid: expect.any(String),
  });
  expect(ok(await as().get('/accounts/1/terms_of_service'))).toMatchObject({ terms_type: 'no_terms', passive: true, content: null });
  ok(await put({ terms_of_service: { terms_type: 'custom', content: '<p>Be kind</p><script>x</script>', passive: false } }));
  expect(ok(await as().get(`/accounts/1/terms_of_service`))).toMatchObject({
    terms_type: 'custom',
    content: '<p>Be kind</p>',
    passive: false,
  });
  ok(await put({ settings: { brand_variables: { 'ic-brand-primary': '#102030' } } }));
  expect(ok(await as().get('/brand_variables'))).toMatchObject({
    'ic-brand-primary': '#102030',
    'ic-brand-primary-lightened-10': '#283645',
  });
  // Members of one sub-account see its own branding; members of several see that of the account they share.
  const { student, teacher } = await aCourse(ground, { account_id: faculty.id });
  const colour = async (person?: Person) => ok(within(await as(person).get('/brand_variables'), 2))['ic-brand-primary'];
  ok(await as(admin).put(`/accounts/${faculty.id}`, { account: { settings: { brand_variables: { 'ic-brand-primary': '#AABBCC' } } } }));
  const elsewhere = await ground.course();
  await ground.enroll(elsewhere, teacher, 'teacher');
  expect([await colour(student), await colour(teacher), await colour(admin), await colour()]).toEqual([
    '#AABBCC',
    '#102030',
    '#102030',
    '#102030',
  ]);
  ok(await put({ settings: { brand_variables: { 'ic-brand-primary': 'red; } body {' } } }), 400);
  ok(await put({ settings: { brand_variables: { nonsense: '#102030' } } }), 400);
  ok(await put({ services: { avatars: true } }, { override_sis_stickiness: 'false' }));
  ok(await as(admin).put(`/accounts/${faculty.id}`, { account: { name: 'By hand' } }));
  expect(ok(await as(admin).put(`/accounts/${faculty.id}`, { account: { name: 'Again' }, override_sis_stickiness: false })).name).toBe(
    'By hand',
  );
  expect(ok(await as(admin).put(`/accounts/${faculty.id}`, { account: { name: 'Again' } })).name).toBe('Again');
});

test('manually created courses have their own account, created on first request', async () => {
  const admin = await ground.admin();
  const { teacher } = await aCourse(ground);
  const path = '/manually_created_courses_account';
  const [first, second] = await Promise.all([1, 2].map(() => as(admin).get(path)));
  expect(ok(first as never)).toMatchObject({ name: 'Manually-Created Courses', parent_account_id: 1 });
  expect(ok(second as never).id).toBe(ok(within(await as(admin).get(path), 2)).id);
  ok(await as(teacher).get(path), 401);
});

test('many users are removed in the background', async () => {
  const admin = await ground.admin();
  const registrar = await ground.person({ name: 'Registrar' });
  const role = ok(
    await as(admin).post('/accounts/1/roles', { label: 'Remover', permissions: { manage_user_logins: { explicit: true, enabled: true } } }),
  );
  ok(await as(admin).post('/accounts/1/admins', { user_id: registrar.id, role_id: role.id }));
  const [one, two] = [await ground.person(), await ground.person({ sis_user_id: 'FROM-SIS' })];
  const finished = async (progress: { id: number; workflow_state: string }) => {
    let now = progress;
    for (let turn = 0; turn < 300 && now.workflow_state !== 'completed'; turn++) {
      await new Promise((done) => setTimeout(done, 100));
      now = ok(await as(registrar).get(`/progress/${progress.id}`));
    }
    return now;
  };
  const begun = ok(within(await as(registrar).del('/accounts/1/users', { user_ids: [one.id, two.id, 999_999] }), 3));
  expect(begun).toMatchObject({ context_type: 'Account', context_id: 1, tag: 'remove_users' });
  expect(await finished(begun)).toMatchObject({ completion: 100, message: '1 users removed, 1 managed by SIS' });
  ok(await as(one).get('/users/self'), 401);
  ok(await as(two).get('/users/self'));
  ok(await as(admin).del('/accounts/1/users'), 400);
  ok(await as(admin).del('/accounts/1/users', { user_ids: ['x'] }), 400);
  ok(await as(two).del('/accounts/1/users', { user_ids: [registrar.id] }), 401);
});
