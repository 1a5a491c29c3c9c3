import { admins } from '@carrel/worker/domains/admins/table';
import { expect, test } from 'vitest';
import { as, ground, many, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

type Named = { id: number; name: string };

test('the accounts of the caller are those in which they hold a role', async () => {
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

test('an account is shown whole to its managers, by name to its teachers, to others not at all', async () => {
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

test('a manager makes, lists and deletes sub-accounts', async () => {
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
  expect(ok(await as(admin).del(`/accounts/1/sub_accounts/${made.id}`)).workflow_state).toBe('deleted');
  ok(await as(admin).get(`/accounts/${made.id}`), 404);
});

test('an account with a course is not deleted', async () => {
  const admin = await ground.admin();
  const faculty = await ground.account();
  await ground.course({ account_id: faculty.id });
  ok(await as(admin).del(`/accounts/1/sub_accounts/${faculty.id}`), 409);
});

test('an account is changed field by field, each with its right', async () => {
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
  expect(ok(await as(admin).get(`${path}/settings`)).restrict_student_future_view).toEqual({ value: true, locked: true });
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

test('a caller is told what they may do in an account', async () => {
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
  await many(
    10_000,
    'accounts',
    'name, parent_account_id, root_account_id, uuid, created_at, updated_at',
    `'A' || n, ${parent.id}, 1, n, '', ''`,
  );
  const large = within(await as(admin).get(path, { per_page: 100 }), 2);
  expect(ok(large)).toHaveLength(100);
  expect(large.cost.rows_read).toBeLessThan(5 * 100 + small.cost.rows_read + 100);
});

test('the tree of accounts, and the courses in it, follow moves, names and deletions', async () => {
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
  expect(await courses(top.id, { search_term: 'zorn', search_by: 'teacher' })).toEqual([course.id]);
  ok(await as(admin).del(`/accounts/${top.id}/sub_accounts/${left.id}`));
  expect(await below(top.id)).toEqual([right.id, leaf.id]);
  const dean = await ground.admin({ account_id: right.id });
  await ground.db.insert(admins).values({ account_id: leaf.id, user_id: dean.id, role_id: 1, created_at: '', updated_at: '' });
  expect(ok(await as(dean).get('/manageable_accounts')).map((one: { id: number }) => one.id)).toEqual([right.id, leaf.id]);
});
