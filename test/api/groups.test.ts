// Groups, group categories and memberships.

import { env } from 'cloudflare:test';
import { consumeBatch } from '@carrel/worker/jobs';
import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';

type Scene = Awaited<ReturnType<typeof aCourse>>;
interface Named {
  readonly id: number;
  readonly name: string;
}

let scene: Scene;
let root: Person;
beforeAll(async () => {
  [scene, root] = await Promise.all([aCourse(ground), ground.admin()]);
});

let count = 0;
const aSet = async (more: object = {}, { course, teacher } = scene) => {
  count += 1;
  return ok(await as(teacher).post(`/courses/${course.id}/group_categories`, { name: `Set ${count}`, ...more }));
};
const aGroup = async (set: { id: number }, more: object = {}, teacher = scene.teacher) =>
  ok(await as(teacher).post(`/group_categories/${set.id}/groups`, { name: 'Reds', ...more }));
const join = (who: Person, group: { id: number }) => as(who).post(`/groups/${group.id}/memberships`, { user_id: 'self' });
const names = (all: readonly Named[]) => all.map(({ name }) => name);

test('the SIS id of a group category works wherever its id does', async () => {
  const { course, teacher } = scene;
  const set = ok(await as(root).post(`/courses/${course.id}/group_categories`, { name: 'From the office', sis_group_category_id: 'T/1' }));
  const path = '/group_categories/sis_group_category_id:T%2F1';
  expect(ok(within(await as(teacher).get(path), 2))).toMatchObject({ id: set.id });
  const group = ok(await as(teacher).post(`${path}/groups`, { name: 'Reds' }));
  const other = ok(await as(root).post('/groups', { name: 'Blues', group_category_id: 'sis_group_category_id:T/1' }));
  expect(names(ok(within(await as(teacher).get(`${path}/groups`), 2)))).toEqual(['Blues', 'Reds']);
  expect([group.group_category_id, other.group_category_id]).toEqual([set.id, set.id]);
  ok(within(await as(teacher).get(`${path}/users`), 2));
  ok(await as(teacher).put(path, { name: 'Teams of the office' }));
  ok(await as(teacher).get('/group_categories/sis_group_category_id:none'), 404);
  ok(await as(teacher).del(path));
  ok(await as(teacher).get(path), 404);
});

test('a group category is created, listed, returned, changed and deleted', async () => {
  const { course, teacher, student, stranger } = scene;
  const at = `/courses/${course.id}/group_categories`;
  const made = ok(
    within(
      await as(teacher).post(at, { name: ' Labs ', self_signup: 'enabled', group_limit: 3, auto_leader: 'first', create_group_count: 2 }),
      3,
    ),
  );
  expect(made).toMatchObject({
    name: 'Labs',
    role: null,
    self_signup: 'enabled',
    group_limit: 3,
    auto_leader: 'first',
    context_type: 'Course',
    course_id: course.id,
    protected: false,
    allows_multiple_memberships: false,
    is_member: false,
    progress: null,
    groups_count: 2,
    unassigned_users_count: 2,
  });
  expect(names(ok(within(await as(teacher).get(`/group_categories/${made.id}/groups`), 2)))).toEqual(['Labs 1', 'Labs 2']);
  const includes = ['groups_count', 'unassigned_users_count', 'groups'];
  const listed = ok(within(await as(teacher).get(at, { includes }), 2)).find((one: Named) => one.id === made.id);
  expect(listed).toMatchObject({ groups_count: 2, unassigned_users_count: 2, groups: [{ name: 'Labs 1' }, { name: 'Labs 2' }] });
  expect(ok(within(await as(teacher).get(`/group_categories/${made.id}`), 2))).not.toHaveProperty('groups_count');
  const changed = ok(
    within(await as(teacher).put(`/group_categories/${made.id}`, { name: 'Teams', enable_self_signup: false, group_limit: 4 }), 3),
  );
  expect(changed).toMatchObject({ name: 'Teams', self_signup: null, group_limit: null });
  for (const who of [student, stranger]) {
    ok(await as(who).get(at), 401);
    ok(await as(who).post(at, { name: 'Mine' }), 401);
    ok(await as(who).get(`/group_categories/${made.id}`), 401);
    ok(await as(who).put(`/group_categories/${made.id}`, { name: 'Mine' }), 401);
    ok(await as(who).del(`/group_categories/${made.id}`), 401);
    ok(await as(who).get(`/group_categories/${made.id}/groups`), 401);
  }
  const [group] = ok(await as(teacher).get(`/group_categories/${made.id}/groups`));
  ok(within(await as(teacher).del(`/group_categories/${made.id}`), 3));
  expect(ok(await as(teacher).get(`/group_categories/${made.id}`), 404)).toMatchObject({ status: 'not found' });
  ok(await as(teacher).get(`/groups/${group.id}`), 404);
});

test('an invalid group category is refused with the reason', async () => {
  const { course, teacher } = scene;
  const post = (body: object) => as(teacher).post(`/courses/${course.id}/group_categories`, body);
  await aSet({ name: 'Taken' });
  expect(ok(await post({ name: '' }), 400).errors.name[0].type).toBe('blank');
  expect(ok(await post({ name: 'taken' }), 400).errors.name[0].type).toBe('taken');
  expect(ok(await post({ name: 'x'.repeat(256) }), 400).errors.name[0].type).toBe('too_long');
  ok(await post({ name: 'A', self_signup: 'always' }), 400);
  ok(await post({ name: 'A', group_limit: 1, self_signup: 'enabled' }), 400);
  ok(await post({ name: 'A', create_group_count: 201 }), 400);
  ok(await post({ name: 'A', split_group_count: 2, self_signup: 'enabled' }), 400);
  ok(await post({ name: 'A', sis_group_category_id: 'S' }), 401);
  expect(ok(await as(root).post(`/courses/${course.id}/group_categories`, { name: 'A', sis_group_category_id: 'S' }))).toMatchObject({
    sis_group_category_id: 'S',
  });
});

test('a group is created in a category, visible to members and staff, changed and deleted', async () => {
  const { course, teacher, student, student2, stranger } = scene;
  const set = await aSet();
  const made = ok(
    within(
      await as(teacher).post(`/group_categories/${set.id}/groups`, {
        name: 'Reds',
        description: 'The red ones',
        join_level: 'parent_context_auto_join',
      }),
      3,
    ),
  );
  expect(made).toMatchObject({
    name: 'Reds',
    description: 'The red ones',
    is_public: false,
    join_level: 'parent_context_auto_join',
    members_count: 0,
    storage_quota_mb: 50,
    context_type: 'Course',
    course_id: course.id,
    context_name: course.name,
    role: null,
    leader: null,
    followed_by_user: false,
    concluded: false,
    users: [],
    group_category: { id: set.id, name: set.name },
    permissions: { join: false, create_discussion_topic: true },
  });
  const at = `/groups/${made.id}`;
  const filled = ok(within(await as(teacher).put(at, { members: [student.id, stranger.id], leader: { id: student.id } }), 3));
  expect(filled).toMatchObject({ members_count: 1, users: [{ id: student.id }], leader: { id: student.id } });
  expect(
    ok(within(await as(student).get(at, { include: ['tabs', 'users', 'permissions', 'can_access', 'can_message', 'group_category'] }), 2)),
  ).toMatchObject({
    tabs: [{ id: 'home' }, { id: 'announcements' }, { id: 'pages' }, { id: 'people' }, { id: 'discussions' }, { id: 'files' }, {}, {}],
    users: [{ name: 'Sam Student' }],
    permissions: { create_discussion_topic: true, create_announcement: true, join: false },
    can_access: true,
    can_message: true,
    group_category: { is_member: true },
  });
  for (const who of [student2, stranger]) {
    ok(await as(who).get(at), 401);
    ok(await as(who).put(at, { name: 'Mine' }), 401);
    ok(await as(who).del(at), 401);
    ok(await as(who).get(`${at}/users`), 401);
    ok(await as(who).get(`${at}/memberships`), 401);
    ok(await as(who).get(`${at}/permissions`), 401);
  }
  expect(ok(await as(student).put(at, { name: 'Blues', members: undefined }))).toMatchObject({ name: 'Blues' });
  ok(await as(student).put(at, { members: [] }), 401);
  ok(await as(student).del(at), 401);
  expect(ok(await as(teacher).put(at, { leader: { id: student2.id } }), 400)).toEqual({});
  expect(ok(await as(teacher).put(at, { leader: '' }))).toMatchObject({ leader: null });
  ok(await as(teacher).put(at, { max_membership: 0 }), 400);
  ok(await as(teacher).put(at, { name: 'x'.repeat(256) }), 400);
  ok(await as(teacher).put(at, { sis_group_id: 'G' }), 401);
  expect(ok(within(await as(student).get(`${at}/permissions`, { permissions: ['read', 'manage', 'leave', 'unheard_of'] }), 2))).toEqual({
    read: true,
    manage: false,
    leave: false,
    unheard_of: false,
  });
  ok(within(await as(teacher).del(at), 3));
  ok(await as(student).get(at), 404);
  expect(ok(await as(student).get('/users/self/groups')).map((one: Named) => one.id)).not.toContain(made.id);
});

test('groups are listed in their course, their account and for their members', async () => {
  const here = await aCourse(ground);
  const { course, teacher, student, student2, stranger } = here;
  const [first, second] = [await aSet({}, here), await aSet({}, here)];
  for (const [set, name] of [
    [second, 'Alpha'],
    [first, 'gamma'],
    [first, 'Beta'],
  ] as const) {
    const group = await aGroup(set, { name }, teacher);
    if (name !== 'Beta') ok(await as(teacher).put(`/groups/${group.id}`, { members: [student.id] }));
  }
  const at = `/courses/${course.id}/groups`;
  expect(names(ok(within(await as(student2).get(at), 2)))).toEqual(['Beta', 'gamma', 'Alpha']);
  expect(names(ok(await as(student2).get(at, { filter: 'MM' })))).toEqual(['gamma']);
  expect(names(ok(await as(student).get(at, { only_own_groups: true })))).toEqual(['gamma', 'Alpha']);
  expect(names(ok(await as(student2).get(at, { section_restricted: true })))).toEqual(['gamma', 'Alpha']);
  expect(names(ok(within(await as(student).get('/users/self/groups', { include: ['tabs'] }), 2)))).toEqual(['Alpha', 'gamma']);
  expect(ok(await as(student).get('/users/self/groups', { context_type: 'Account' }))).toEqual([]);
  ok(await as(stranger).get(at), 401);
  ok(await as(student).get('/accounts/1/groups'), 401);
  const labels = ok(await as(teacher).post(`/courses/${course.id}/group_categories`, { name: 'Labels', non_collaborative: true }));
  const label = await aGroup(labels, { name: 'Label' }, teacher);
  // Users with a differentiation tag do not see it.
  ok(await as(teacher).post(`/groups/${label.id}/memberships`, { user_id: `sis_login_id:${student.login}` }));
  for (const rest of ['', '/users', '/discussion_topics', '/memberships/self'])
    ok(await as(student).get(`/groups/${label.id}${rest}`), 401);
  ok(await as(teacher).post(`/groups/${label.id}/memberships`, { user_id: 'sis_user_id:nobody' }), 400);
  expect(names(ok(await as(teacher).get(at, { collaboration_state: 'non_collaborative' })))).toEqual(['Label']);
  expect(names(ok(await as(student).get(at, { collaboration_state: 'all' })))).toEqual(['Beta', 'gamma', 'Alpha']);
});

test('any user creates a community, moderates it, and others request to join', async () => {
  const { student, student2, stranger } = scene;
  const made = ok(within(await as(student).post('/groups', { name: 'Readers', is_public: true, join_level: 'parent_context_request' }), 3));
  expect(made).toMatchObject({
    context_type: 'Account',
    account_id: 1,
    role: 'communities',
    is_public: true,
    members_count: 1,
    users: [{ id: student.id }],
  });
  const at = `/groups/${made.id}/memberships`;
  expect(ok(await as(student).get(`${at}/self`))).toMatchObject({ workflow_state: 'accepted', moderator: true });
  const asked = ok(within(await join(student2, made), 3));
  expect(asked).toMatchObject({ workflow_state: 'requested', just_created: true, user_id: student2.id, moderator: false });
  expect(ok(await join(student2, made))).toMatchObject({ id: asked.id, just_created: false });
  ok(await as(student2).put(`${at}/self`, { workflow_state: 'accepted' }), 401);
  ok(await as(student2).get(`/groups/${made.id}`), 401);
  expect(ok(within(await as(student).put(`${at}/${asked.id}`, { workflow_state: 'accepted' }), 3))).toMatchObject({
    workflow_state: 'accepted',
  });
  ok(await as(student2).get(`/groups/${made.id}`));
  const invited = ok(within(await as(student).post(`/groups/${made.id}/invite`, { invitees: [stranger.login, 'nobody@example.edu'] }), 3));
  expect(invited).toMatchObject([{ user_id: stranger.id, workflow_state: 'invited' }]);
  expect(ok(await as(student).get(at, { filter_states: ['invited'] }))).toMatchObject([{ user_id: stranger.id }]);
  expect(ok(await as(stranger).put(`/groups/${made.id}/users/self`, { workflow_state: 'accepted' }))).toMatchObject({
    workflow_state: 'accepted',
  });
  expect(ok(await as(student).put(`/groups/${made.id}/users/${student2.id}`, { moderator: true }))).toMatchObject({ moderator: true });
  expect(ok(within(await as(stranger).del(`/groups/${made.id}/users/self`), 3))).toEqual({ ok: true });
  ok(await as(stranger).get(`/groups/${made.id}/users`), 401);
  expect(names(ok(within(await as(student2).get(`/groups/${made.id}/users`, { search_term: 'sue' }), 2)))).toEqual(['Sue Student']);
  ok(await as(student2).get(`/groups/${made.id}/users`, { search_term: 's' }), 400);
  expect(ok(await as(student2).get(`/groups/${made.id}/users/${student.id}`))).toMatchObject({ user_id: student.id });
  ok(await as(student2).get(`${at}/999999`), 404);
  expect(names(ok(await as(root).get('/accounts/1/groups')))).toContain('Readers');
  const category = ok(await as(root).get('/accounts/1/group_categories')).find((one: { role: string }) => one.role === 'communities');
  expect(category).toMatchObject({ protected: true, allows_multiple_memberships: true, account_id: 1 });
  expect(ok(await as(root).del(`/group_categories/${category.id}`), 401)).toMatchObject({ status: 'unauthorized' });
  ok(await as(root).post('/accounts/1/group_categories', { name: 'Clubs' }));
});

test('students sign up, leave, and are in one group of a category', async () => {
  const { student, teacher, stranger } = scene;
  const set = await aSet({ self_signup: 'enabled', auto_leader: 'first' });
  const [one, two] = [await aGroup(set, { name: 'One' }), await aGroup(set, { name: 'Two' })];
  ok(await join(stranger, one), 401);
  expect(ok(await join(student, one))).toMatchObject({ workflow_state: 'accepted' });
  expect(ok(await as(student).get(`/groups/${one.id}`))).toMatchObject({ members_count: 1, leader: { id: student.id } });
  expect(ok(await join(student, two))).toMatchObject({ workflow_state: 'accepted' });
  expect(ok(await as(teacher).get(`/groups/${one.id}`))).toMatchObject({ members_count: 0, leader: null });
  expect(ok(await as(student).del(`/groups/${two.id}/memberships/self`))).toEqual({ ok: true });
  ok(await as(student).del(`/groups/${two.id}/memberships/self`), 401);
  const closed = await aGroup(await aSet());
  ok(await join(student, closed), 401);
  expect(ok(await as(teacher).post(`/groups/${closed.id}/memberships`, { user_id: student.id }))).toMatchObject({
    workflow_state: 'accepted',
  });
  ok(await as(student).del(`/groups/${closed.id}/memberships/self`), 401);
  ok(await as(teacher).post(`/groups/${closed.id}/memberships`, { user_id: stranger.id }), 400);
  expect(ok(await as(teacher).get(`/group_categories/${set.id}/users`, { unassigned: true })).length).toBe(2);
});

test('where members must share a section, only students of that section can join', async () => {
  const here = await aCourse(ground);
  const section = await ground.section(here.course, { name: 'Other' });
  const away = await ground.person({ name: 'Away Anna' });
  await ground.enroll({ ...here.course, section_id: section }, away, 'student');
  const set = await aSet({ self_signup: 'restricted' }, here);
  const group = await aGroup(set, {}, here.teacher);
  ok(await join(here.student, group));
  ok(await join(here.student2, group));
  ok(await join(away, group), 400);
});

test('a group never exceeds its limit, however many join at once', async () => {
  const here = await aCourse(ground);
  const crowd = await Promise.all(Array.from({ length: 25 }, (_, at) => ground.person({ name: `Crowd ${at}` })));
  for (const one of crowd) await ground.enroll(here.course, one, 'student');
  const set = await aSet({ self_signup: 'enabled', group_limit: 5 }, here);
  const [group, other] = [await aGroup(set, {}, here.teacher), await aGroup(set, { max_membership: 3 }, here.teacher)];
  const answers = await Promise.all(crowd.map((one) => join(one, group)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(answers.find(({ status }) => status === 400)?.body).toMatchObject({ errors: { group_id: [{ message: 'The group is full.' }] } });
  expect(ok(await as(here.teacher).get(`/groups/${group.id}`)).members_count).toBe(5);
  const inside = crowd.filter((_, at) => answers[at]?.status === 200);
  // Moves in both directions at once: everyone ends in one group, and the counts are correct.
  await Promise.all(inside.flatMap((one) => [join(one, other), as(one).del(`/groups/${group.id}/memberships/self`), join(one, group)]));
  const counts = await env.DB.prepare(
    "select g.members_count as told, (select count(*) from group_memberships m where m.group_id = g.id and m.workflow_state = 'accepted') as counted from groups g where g.group_category_id = ?",
  )
    .bind(set.id)
    .all<{ told: number; counted: number }>();
  expect(counts.results).toHaveLength(2);
  for (const { told, counted } of counts.results) expect(told).toBe(counted);
  const twice = await env.DB.prepare(
    "select user_id from group_memberships where group_category_id = ? and workflow_state = 'accepted' group by user_id having count(*) > 1",
  )
    .bind(set.id)
    .all();
  expect(twice.results).toEqual([]);
  ok(await as(here.teacher).put(`/groups/${other.id}`, { members: crowd.slice(0, 4).map(({ id }) => id) }), 400);
});

test('students without a group are assigned to the groups of a category, at once or in the background', async () => {
  const here = await aCourse(ground);
  const { course, teacher } = here;
  const crowd = await Promise.all(Array.from({ length: 8 }, (_, at) => ground.person({ name: `Lone ${at}` })));
  for (const one of crowd) await ground.enroll(course, one, 'student');
  const set = await aSet({ create_group_count: 3, auto_leader: 'random' }, here);
  const at = `/group_categories/${set.id}/assign_unassigned_members`;
  ok(await as(here.student).post(at), 401);
  const result = ok(within(await as(teacher).post(at, { sync: true }), 3));
  const sizes = result.map((one: { new_members: unknown[] }) => one.new_members.length).sort();
  expect(sizes).toEqual([3, 3, 4]);
  expect(result[0].new_members[0]).toMatchObject({
    user_id: expect.any(Number),
    name: expect.any(String),
    sections: [{ section_id: course.section_id }],
  });
  const groups = ok(await as(teacher).get(`/group_categories/${set.id}/groups`));
  expect(groups.every((one: { leader: unknown }) => one.leader !== null)).toBe(true);
  expect(ok(await as(teacher).get(`/group_categories/${set.id}`, { includes: ['unassigned_users_count'] }))).toMatchObject({
    unassigned_users_count: 0,
  });

  const later = await aSet({ create_group_count: 2 }, here);
  const progress = ok(
    within(await as(teacher).post(`/group_categories/${later.id}/assign_unassigned_members`, { group_by_section: true }), 3),
  );
  expect(progress).toMatchObject({ tag: 'assign_unassigned_members', context_type: 'GroupCategory', context_id: later.id });
  const run = () =>
    consumeBatch(
      {
        messages: [{ body: { job: 'assign_unassigned_members', progress_id: progress.id }, ack: () => {}, retry: () => {}, attempts: 1 }],
      } as never,
      env as never,
    );
  await run();
  await run();
  expect(ok(await as(teacher).get(`/progress/${progress.id}`))).toMatchObject({ workflow_state: 'completed', completion: 100 });
  expect(
    ok(await as(teacher).get(`/group_categories/${later.id}/groups`)).map((one: { members_count: number }) => one.members_count),
  ).toEqual([5, 5]);
  expect(
    ok(await as(teacher).post(`/group_categories/${(await aSet({ self_signup: 'restricted' }, here)).id}/assign_unassigned_members`), 400),
  ).toEqual({});
  const split = await aSet({ create_group_member_count: 4 }, here);
  expect(split).toMatchObject({ groups_count: 3 });
});

test('students create groups where the course allows it, and leave them with their enrollment', async () => {
  const here = await aCourse(ground);
  const { course, student, student2, teacher, stranger } = here;
  const made = ok(within(await as(student).post(`/courses/${course.id}/groups`, { name: 'Study' }), 3));
  expect(made).toMatchObject({ role: 'student_organized', members_count: 1, group_category: { protected: true } });
  ok(await as(stranger).post(`/courses/${course.id}/groups`, { name: 'Study' }), 401);
  const set = made.group_category_id;
  const other = ok(await as(student2).post(`/group_categories/${set}/groups`, { name: 'Other', join_level: 'parent_context_auto_join' }));
  ok(await join(student, other));
  expect(
    names(ok(await as(student).get('/users/self/groups')).filter((one: { course_id: number }) => one.course_id === course.id)),
  ).toEqual(['Other', 'Study']);
  ok(await as(teacher).put(`/courses/${course.id}/settings`, { allow_student_organized_groups: false }));
  ok(await as(student).post(`/courses/${course.id}/groups`, { name: 'More' }), 401);
  ok(await as(teacher).del(`/courses/${course.id}/enrollments/${here.enrollment_ids.student}`, { task: 'delete' }));
  ok(await as(student).get(`/groups/${made.id}`), 401);
  expect(ok(await as(teacher).get(`/groups/${made.id}`))).toMatchObject({ members_count: 0 });
});

const csv = (text: string) => {
  const form = new FormData();
  form.append('attachment', new File([text], 'groups.csv', { type: 'text/csv' }));
  return form;
};

test('the memberships of a category are imported from a file and exported as one', async () => {
  const here = await aCourse(ground);
  const { course, teacher, student, student2 } = here;
  const set = await aSet({}, here);
  const reds = await aGroup(set, { name: 'Reds' }, teacher);
  const at = `/group_categories/${set.id}`;
  const send = (who: Person, file: string) => as(who).post(`${at}/import`, csv(file));
  const rows = [`Reds,${student.id},`, `"Blues, the",${student2.id},`, 'Reds,999999,', `Reds,${teacher.id},`];
  const done = ok(within(await send(teacher, ['group_name,canvas_user_id,status', ...rows].join('\r\n')), 3));
  expect(done).toMatchObject({
    tag: 'course_group_import',
    workflow_state: 'completed',
    context_id: set.id,
    message: '2 assigned, 0 removed, 2 rows without a group or person that is here',
  });
  const told = async () =>
    ok(within(await as(teacher).get(`${at}/export`), 2))
      .trim()
      .split('\r\n') as string[];
  const [head, ...lines] = await told();
  expect(ok(within(await as(teacher).get(`${at}/export.csv`), 2))).toBe(ok(await as(teacher).get(`${at}/export`)));
  ok(await as(teacher).get(`${at}/export.xls`), 404);
  expect(head).toBe('name,canvas_user_id,user_id,login_id,sections,group_name,canvas_group_id,group_id');
  expect(lines.find((line) => line.includes(`,${student.id},`))).toMatch(new RegExp(`,Reds,${reds.id},$`));
  expect(lines.find((line) => line.includes(`,${student2.id},`))).toContain('"Blues, the"');
  // An export is imported unchanged, even cells that are escaped against spreadsheet formulas.
  ok(await send(teacher, `group_name,canvas_user_id\n=1+1,${student2.id}\n`));
  expect((await told()).find((line) => line.includes(`,${student2.id},`))).toContain(",'=1+1,");
  ok(await send(teacher, `group_name,canvas_user_id\n'=1+1,${student2.id}\n`));
  expect(names(ok(await as(teacher).get(`${at}/groups`))).sort()).toEqual(['=1+1', 'Blues, the', 'Reds']);
  ok(await send(teacher, `canvas_group_id,login_id,status\n${reds.id},${student2.login},\n${reds.id},${student.login},deleted\n`));
  expect(names(ok(await as(teacher).get(`/groups/${reds.id}/users`)))).toEqual([student2.name]);
  expect(ok(await as(teacher).get(`/groups/${reds.id}`)).members_count).toBe(1);
  expect(ok(await send(teacher, 'who,where\n1,2\n'), 400).message).toBe('there is no column with groups');
  ok(await send(teacher, 'group_name,user_id\n"open'), 400);
  ok(await send(student, 'group_name,user_id\n'), 401);
  ok(await as(student).get(`${at}/export`), 401);
  ok(await as(student).post(`/courses/${course.id}/groups`, { name: 'Own' }));
  const own = ok(await as(teacher).get(`/courses/${course.id}/group_categories`)).find((one: { protected: boolean }) => one.protected);
  ok(await as(teacher).post(`/group_categories/${own.id}/import`, csv('group_name,user_id\n')), 401);
});
