// Feature flags, inherited and locked by accounts above.

import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';

let scene: Awaited<ReturnType<typeof aCourse>>;
let admin: Person;
let facultyAdmin: Person;
let faculty: number;

beforeAll(async () => {
  faculty = (await ground.account()).id;
  scene = await aCourse(ground, { account_id: faculty });
  admin = await ground.admin();
  facultyAdmin = await ground.admin({ account_id: faculty });
});

const named = (list: { feature: string }[]) => list.map((one) => one.feature);
const flag = (context: string, feature: string) => `${context}/features/flags/${feature}`;

test('an account lists its features, under both names and with their flags', async () => {
  const listed = ok(within(await as(admin).get('/accounts/1/features', { per_page: 100 }), 2));
  const one = listed.find((feature: { name: string }) => feature.name === 'epub_export');
  expect(one).toMatchObject({
    name: 'epub_export',
    feature: 'epub_export',
    applies_to: 'Course',
    type: 'feature_option',
    feature_flag: {
      feature: 'epub_export',
      state: 'allowed_on',
      locked: false,
      parent_state: 'allowed_on',
      transitions: { on: { locked: false } },
    },
  });
  expect(one.feature_flag).not.toHaveProperty('context_id');
  expect(await as(admin).pages('/accounts/1/features')).toEqual(listed);
  expect(ok(await as(admin).get('/accounts/1/features', { page: 2, per_page: 5 }))).toEqual(listed.slice(5, 10));
  ok(await as(scene.teacher).get('/accounts/1/features'), 401);
});

test('features of root accounts, courses or users are listed only there', async () => {
  const here = named(await as(facultyAdmin).pages(`/accounts/${faculty}/features`));
  expect(here).toContain('discussion_checkpoints');
  expect(here).not.toContain('mobile_offline_mode');
  const { course, student } = scene;
  const inCourse = named(ok(within(await as(student).get(`/courses/${course.id}/features`, { per_page: 100 }), 2)));
  expect(inCourse).toContain('epub_export');
  expect(inCourse).not.toContain('discussion_checkpoints');
  expect(named(await as(student).pages('/users/self/features'))).toContain('high_contrast');
  ok(await as(student).get(`/users/${scene.student2.id}/features`), 401);
  ok(await as(scene.stranger).get(`/courses/${course.id}/features`), 401);
  ok(await as(admin).get(flag('/accounts/1', 'nonsense')), 404);
  ok(await as(admin).get(flag(`/courses/${course.id}`, 'high_contrast')), 404);
});

test('a flag is set, inherited, locked by an account above and removed', async () => {
  const { course, teacher } = scene;
  const [atRoot, atFaculty, inCourse] = [`/accounts/1`, `/accounts/${faculty}`, `/courses/${course.id}`].map((at) =>
    flag(at, 'outcome_gradebook'),
  ) as [string, string, string];
  expect(ok(within(await as(facultyAdmin).put(inCourse, { state: 'on' }), 3))).toMatchObject({
    state: 'on',
    context_type: 'Course',
    context_id: course.id,
  });
  expect(ok(within(await as(teacher).get(`/courses/${course.id}/features/enabled`), 2))).toContain('outcome_gradebook');
  expect(ok(within(await as(admin).get('/accounts/1/features/enabled'), 2))).not.toContain('outcome_gradebook');
  expect(ok(await as(admin).put(atRoot, { state: 'off' }))).toMatchObject({
    state: 'off',
    context_type: 'Account',
    context_id: 1,
    parent_state: 'allowed',
  });
  expect(ok(await as(teacher).get(inCourse))).toMatchObject({ state: 'off', locked: true, context_type: 'Account', context_id: 1 });
  expect(ok(await as(teacher).get(`/courses/${course.id}/features/enabled`))).not.toContain('outcome_gradebook');
  ok(await as(facultyAdmin).put(atFaculty, { state: 'on' }), 403);
  ok(await as(facultyAdmin).del(inCourse), 403);
  expect(ok(within(await as(admin).del(atRoot), 3))).toMatchObject({ state: 'off', context_id: 1 });
  ok(await as(admin).del(atRoot), 404);
  expect(ok(await as(facultyAdmin).del(inCourse))).toMatchObject({ state: 'on', context_type: 'Course' });
  expect(ok(await as(teacher).get(inCourse))).toMatchObject({ state: 'allowed', locked: false });
});

test('invalid changes are refused', async () => {
  const inCourse = flag(`/courses/${scene.course.id}`, 'smart_search');
  ok(await as(scene.teacher).put(inCourse, { state: 'on' }), 401);
  expect(ok(await as(admin).put(flag('/accounts/1', 'nonsense'), { state: 'on' }), 400).message).toBeDefined();
  ok(await as(admin).put(flag('/accounts/1', 'smart_search')), 400);
  ok(await as(admin).put(flag('/accounts/1', 'smart_search'), { state: 'perhaps' }), 400);
  ok(await as(admin).put(inCourse, { state: 'on' }), 403);
  ok(await as(admin).put(flag('/accounts/1', 'smart_search'), { state: 'allowed_on' }));
  expect(ok(await as(admin).put(inCourse, { state: 'allowed' }), 400).errors.state[0].type).toBe('invalid');
  expect(ok(await as(admin).get(inCourse))).toMatchObject({ state: 'allowed_on', locked: false });
  const held = flag(`/courses/${scene.course.id}`, 'usage_rights_discussion_topics');
  ok(await as(admin).put(held, { state: 'on' }));
  expect(ok(await as(admin).put(held, { state: 'off' }), 403).message).toMatch(/usage rights/);
});

test('features that are locked on above can be left out of the list', async () => {
  const inCourse = `/courses/${scene.course.id}/features`;
  expect(named(await as(scene.teacher).pages(inCourse))).toContain('new_gradebook');
  expect(named(await as(scene.teacher).pages(inCourse, { hide_inherited_enabled: true }))).not.toContain('new_gradebook');
});

test('hidden features are visible to site administrators until they enable them', async () => {
  const { course, teacher } = scene;
  expect(ok(await as(admin).get(flag('/accounts/1', 'block_editor')))).toMatchObject({ state: 'hidden', hidden: true });
  ok(await as(facultyAdmin).get(flag(`/accounts/${faculty}`, 'block_editor')), 404);
  ok(await as(teacher).get(flag(`/courses/${course.id}`, 'block_editor')), 404);
  ok(await as(admin).put(flag('/accounts/1', 'block_editor'), { state: 'allowed' }));
  const opened = ok(await as(teacher).get(flag(`/courses/${course.id}`, 'block_editor')));
  expect(opened).toMatchObject({ state: 'allowed' });
  expect(opened).not.toHaveProperty('hidden');
});

test('users choose for themselves, and for no one else', async () => {
  const { student, student2 } = scene;
  expect(ok(within(await as(student).put(flag('/users/self', 'high_contrast'), { state: 'on' }), 3))).toMatchObject({
    context_type: 'User',
    context_id: student.id,
    transitions: { off: { locked: false } },
  });
  expect(ok(await as(student).get('/users/self/features/enabled'))).toEqual(['high_contrast']);
  expect(ok(await as(student).get(flag('/users/self', 'high_contrast'))).state).toBe('on');
  ok(await as(student).put(flag(`/users/${student2.id}`, 'high_contrast'), { state: 'on' }), 401);
  ok(await as(admin).put(flag(`/users/${student.id}`, 'high_contrast'), { state: 'off' }), 401);
  expect(ok(within(await as(student).del(flag('/users/self', 'high_contrast')), 3)).state).toBe('on');
  ok(await as(student).del(flag('/users/self', 'high_contrast')), 404);
  // Site administrators may decide for everyone.
  ok(await as(facultyAdmin).get(flag('/accounts/1', 'underline_all_links')), 401);
  ok(await as(facultyAdmin).put(flag(`/accounts/${faculty}`, 'underline_all_links'), { state: 'on' }), 400);
  ok(await as(admin).put(flag('/accounts/1', 'underline_all_links'), { state: 'on' }));
  expect(ok(await as(student2).get('/users/self/features/enabled'))).toEqual(['underline_all_links']);
  ok(await as(student2).put(flag('/users/self', 'underline_all_links'), { state: 'off' }), 403);
  ok(await as(admin).del(flag('/accounts/1', 'underline_all_links')));
});

test('clients can read their environment', async () => {
  expect(ok(within(await as(scene.student).get('/features/environment'), 2))).toMatchObject({
    mobile_offline_mode: true,
    instui_nav: false,
  });
});
