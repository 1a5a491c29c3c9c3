// Group assignments.

import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse, aCourseOfTwoSections, type Person } from '../support/ground';
import { upload } from '../support/upload';

type Scene = Awaited<ReturnType<typeof aCourse>>;
let scene: Scene & { readonly set: number; readonly reds: number; readonly blues: number; readonly alone: Person };
beforeAll(async () => {
  const made = await aCourse(ground);
  const { course, teacher, student, student2 } = made;
  const alone = await ground.person({ name: 'Alone Anna' });
  await ground.enroll(course, alone, 'student');
  const set = ok(await as(teacher).post(`/courses/${course.id}/group_categories`, { name: 'Teams', create_group_count: 2 })).id;
  const [reds, blues] = ok(await as(teacher).get(`/group_categories/${set}/groups`)).map(({ id }: { id: number }) => id);
  ok(await as(teacher).put(`/groups/${reds}`, { members: [student.id, student2.id] }));
  scene = { ...made, set, reds, blues, alone };
});

const at = () => `/courses/${scene.course.id}/assignments`;
const anAssignment = async (more: object = {}) =>
  ok(
    await as(scene.teacher).post(at(), {
      assignment: {
        name: 'Together',
        points_possible: 10,
        published: true,
        submission_types: ['online_text_entry', 'online_upload'],
        group_category_id: scene.set,
        ...more,
      },
    }),
    201,
  );
const handIn = (who: Person, assignment: { id: number }, submission: object = { submission_type: 'online_text_entry', body: 'Ours' }) =>
  as(who).post(`${at()}/${assignment.id}/submissions`, { submission });
const workOf = async (who: Person, assignment: { id: number }, include: string[] = ['group', 'submission_comments']) =>
  ok(within(await as(scene.teacher).get(`${at()}/${assignment.id}/submissions/${who.id}`, { include }), 2));

test('an assignment is assigned to a group category until a student has submitted', async () => {
  const { teacher, student, set, course } = scene;
  const made = await anAssignment();
  expect(made).toMatchObject({ group_category_id: set, grade_group_students_individually: false });
  const change = (assignment: object) => as(teacher).put(`${at()}/${made.id}`, { assignment });
  expect(ok(within(await change({ group_category_id: null }), 3))).toMatchObject({ group_category_id: null });
  ok(await change({ group_category_id: 999_999 }), 400);
  ok(await as(teacher).post(at(), { assignment: { name: 'x', group_category_id: 999_999 } }), 400);
  const other = await aCourse(ground);
  const theirs = ok(await as(other.teacher).post(`/courses/${other.course.id}/group_categories`, { name: 'Theirs' }));
  ok(await change({ group_category_id: theirs.id }), 400);
  ok(await change({ group_category_id: set }));
  ok(await handIn(student, made), 201);
  ok(await change({ group_category_id: null }), 400);
  expect(ok(await change({ group_category_id: set, name: 'Still together' }))).toMatchObject({ group_category_id: set });
  expect(ok(await as(student).get(`/courses/${course.id}/groups`)).map((one: { has_submission: boolean }) => one.has_submission)).toEqual([
    true,
    false,
  ]);
});

test('a submission by one counts for the whole group, with the same attempt', async () => {
  const { student, student2, alone, reds } = scene;
  const work = await anAssignment({ allowed_attempts: 3 });
  expect(ok(within(await handIn(student, work), 3), 201)).toMatchObject({ attempt: 1, user_id: student.id });
  ok(await handIn(student2, work, { submission_type: 'online_text_entry', body: 'Better' }), 201);
  for (const who of [student, student2])
    expect(await workOf(who, work)).toMatchObject({
      attempt: 2,
      body: 'Better',
      workflow_state: 'submitted',
      group: { id: reds, name: 'Teams 1' },
    });
  ok(await handIn(alone, work), 201);
  expect(await workOf(alone, work)).toMatchObject({ attempt: 1, group: { id: null, name: null } });
  const file = await upload(student2, `/groups/${reds}/files`, { name: 'ours.txt' }, 'ours');
  expect(ok(await handIn(student, work, { submission_type: 'online_upload', file_ids: [file.id] }), 201)).toMatchObject({
    attempt: 3,
    attachments: [{ display_name: 'ours.txt' }],
  });
  ok(await handIn(student2, work), 400);
  expect((await workOf(student2, work, ['submission_history'])).submission_history).toHaveLength(3);
});

test('a comment is for one student, or for the group', async () => {
  const { student, student2 } = scene;
  const work = await anAssignment();
  const said = (comment: object, more: object = {}) =>
    as(student).post(`${at()}/${work.id}/submissions`, {
      submission: { submission_type: 'online_text_entry', body: 'x', ...more },
      comment,
    });
  ok(await said({ text_comment: 'Mine' }), 201);
  ok(await said({ text_comment: 'Ours' }, { group_comment: true }), 201);
  const heard = async (who: Person) =>
    (await workOf(who, work)).submission_comments.map(({ comment }: { comment: string }) => comment) as string[];
  expect(await heard(student)).toEqual(['Mine', 'Ours']);
  expect(await heard(student2)).toEqual(['Ours']);
  ok(
    await as(scene.teacher).put(`${at()}/${work.id}/submissions/${student2.id}`, {
      comment: { text_comment: 'Well done', group_comment: true },
    }),
  );
  expect(await heard(student)).toEqual(['Mine', 'Ours', 'Well done']);
});

test('a grade for one counts for all members who are not excused, unless they are graded individually', async () => {
  const { teacher, student, student2, alone } = scene;
  const work = await anAssignment();
  ok(await handIn(student, work), 201);
  const grade = (who: Person, posted_grade: string | undefined, of = work, excuse?: boolean) =>
    as(teacher).put(`${at()}/${of.id}/submissions/${who.id}`, { submission: { posted_grade, excuse } });
  const result = ok(within(await grade(student, '8'), 3));
  expect(result.all_submissions).toMatchObject([
    { user_id: student.id, score: 8 },
    { user_id: student2.id, score: 8 },
  ]);
  expect(await workOf(student2, work)).toMatchObject({ score: 8, workflow_state: 'graded', grader_id: teacher.id });
  expect(await workOf(alone, work)).toMatchObject({ score: null });
  ok(await grade(student2, undefined, work, true));
  ok(await grade(student, '9'));
  expect(await workOf(student2, work)).toMatchObject({ score: null, excused: true });
  const many = await as(teacher).post(`${at()}/${work.id}/submissions/update_grades`, {
    grade_data: { [student2.id]: { posted_grade: '3' }, [alone.id]: { posted_grade: '4' } },
  });
  ok(many);
  expect([await workOf(student, work), await workOf(student2, work), await workOf(alone, work)]).toMatchObject([
    { score: 3 },
    { score: 3, excused: false },
    { score: 4 },
  ]);
  const each = await anAssignment({ grade_group_students_individually: true });
  ok(await handIn(student, each), 201);
  expect(ok(await grade(student, '5', each)).all_submissions).toHaveLength(1);
  expect(await workOf(student2, each)).toMatchObject({ score: null, workflow_state: 'submitted' });
});

test('lists and counts have one submission per group on request', async () => {
  const { teacher, student, student2, alone } = scene;
  const work = await anAssignment();
  ok(await handIn(student2, work), 201);
  const list = `${at()}/${work.id}/submissions`;
  const ids = (all: { user_id: number }[]) => all.map(({ user_id }) => user_id);
  expect(ids(ok(within(await as(teacher).get(list), 2)))).toEqual([student.id, student2.id, alone.id]);
  expect(ids(ok(within(await as(teacher).get(list, { grouped: true }), 2)))).toEqual([student.id, alone.id]);
  const summary = `${at()}/${work.id}/submission_summary`;
  expect(ok(await as(teacher).get(summary))).toEqual({ graded: 0, ungraded: 2, not_submitted: 1 });
  expect(ok(await as(teacher).get(summary, { grouped: true }))).toEqual({ graded: 0, ungraded: 1, not_submitted: 1 });
  const members = (who: Person) => `${at()}/${work.id}/users/${who.id}/group_members`;
  expect(ok(within(await as(teacher).get(members(student2)), 2))).toEqual([
    { id: student.id, name: student.name },
    { id: student2.id, name: student2.name },
  ]);
  expect(ok(await as(teacher).get(members(alone)))).toEqual([{ id: alone.id, name: alone.name }]);
  ok(await as(student).get(members(student)), 401);
});

test('a section-restricted grader sees the members of a group who are in their sections', async () => {
  const { course, teacher, student, sid, limited } = await aCourseOfTwoSections(ground);
  const path = `/courses/${course.id}`;
  const category = ok(await as(teacher).post(`${path}/group_categories`, { name: 'Pairs', create_group_count: 1 })).id;
  const [group] = ok(await as(teacher).get(`/group_categories/${category}/groups`));
  ok(await as(teacher).put(`/groups/${group.id}`, { members: [student.id, sid.id] }));
  const assignment = { name: 'Pairwise', published: true, group_category_id: category };
  const { id } = ok(await as(teacher).post(`${path}/assignments`, { assignment }), 201);
  const members = (by: Person, who: Person) => as(by).get(`${path}/assignments/${id}/users/${who.id}/group_members`);
  expect(ok(await members(teacher, sid))).toHaveLength(2);
  expect(ok(within(await members(limited, sid), 2))).toEqual([{ id: sid.id, name: sid.name }]);
  ok(await members(limited, student), 404);
});

test('a group has overrides', async () => {
  const { teacher, student, alone, stranger, set, reds, blues, course } = scene;
  const work = await anAssignment({ due_at: '2030-01-01T12:00:00Z' });
  const post = (assignment_override: object) => as(teacher).post(`${at()}/${work.id}/overrides`, { assignment_override });
  const made = ok(within(await post({ group_id: reds, due_at: '2030-02-02T12:00:00Z' }), 3), 201);
  expect(made).toMatchObject({ title: 'Teams 1', group_id: reds, group_category_id: set, non_collaborative: false });
  ok(await post({ group_id: reds, due_at: null }), 400);
  expect(ok(await post({ group_id: 999_999 }), 400)).toEqual({ errors: ['unknown group id'] });
  expect(ok(await as(student).get(`${at()}/${work.id}`))).toMatchObject({ due_at: '2030-02-02T12:00:00Z' });
  expect(ok(await as(alone).get(`${at()}/${work.id}`))).toMatchObject({ due_at: '2030-01-01T12:00:00Z' });
  const ofGroup = (group: number) => `/groups/${group}/assignments/${work.id}/override`;
  expect(ok(within(await as(student).get(ofGroup(reds)), 2))).toEqual(ok(await as(teacher).get(`${at()}/${work.id}/overrides/${made.id}`)));
  ok(await as(teacher).get(ofGroup(blues)), 404);
  ok(await as(stranger).get(ofGroup(reds)), 401);
  ok(await as(teacher).put(`${at()}/${work.id}`, { assignment: { only_visible_to_overrides: true } }));
  ok(await as(alone).get(`${at()}/${work.id}`), 401);
  ok(await as(teacher).put(`/groups/${blues}`, { members: [alone.id] }));
  ok(await post({ group_id: blues, due_at: '2030-03-03T12:00:00Z' }), 201);
  expect(ok(await as(alone).get(at(), { order_by: 'due_at' })).map(({ id }: { id: number }) => id)).toContain(work.id);
  const other = ok(await as(teacher).post(`/courses/${course.id}/group_categories`, { name: 'Others', create_group_count: 1 }));
  ok(await as(teacher).put(`${at()}/${work.id}`, { assignment: { group_category_id: other.id } }));
  expect(ok(await as(teacher).get(`${at()}/${work.id}/overrides`))).toEqual([]);
  ok(await as(teacher).put(`/groups/${blues}`, { members: [] }));
});

test('a group discussion has a topic in each group, which follows changes', async () => {
  const { teacher, student, student2, alone, stranger, course, set, reds, blues } = scene;
  const topics = `/courses/${course.id}/discussion_topics`;
  const sent = { title: 'Who does what', message: '<p>Say</p>', published: true, group_category_id: set, require_initial_post: true };
  const root = ok(within(await as(teacher).post(topics, { ...sent, assignment: { points_possible: 5 } }), 3));
  expect(root).toMatchObject({ group_category_id: set, root_topic_id: null, assignment: { group_category_id: set } });
  expect(root.group_topic_children).toMatchObject([{ group_id: reds }, { group_id: blues }]);
  expect(root.topic_children).toEqual(root.group_topic_children.map(({ id }: { id: number }) => id));
  const [id] = root.topic_children;
  const here = `/groups/${reds}/discussion_topics`;
  const child = ok(within(await as(student).get(`${here}/${id}`), 2));
  expect(child).toMatchObject({
    title: 'Who does what - Teams 1',
    root_topic_id: root.id,
    group_category_id: null,
    published: true,
    require_initial_post: true,
    permissions: { reply: true, update: false, delete: false },
    subscribed: false,
  });
  expect(ok(await as(student).get(here)).map((one: { id: number }) => one.id)).toContain(id);
  expect(ok(await as(student).get(here, { root_discussion_topic_id: root.id }), 302)).toBe('');
  ok(await as(student).get(`/groups/${reds}/discussion_topics`, { root_discussion_topic_id: 999_999 }), 404);
  expect(ok(await as(student).get(`${topics}/${root.id}`))).toMatchObject({ permissions: { reply: false }, can_group: true });
  expect(ok(await as(alone).get(`${topics}/${root.id}`)).subscription_hold).toBe('initial_post_required');
  ok(await as(student).post(`${topics}/${root.id}/entries`, { message: 'There' }), 401);
  // A post in the group counts for the module item of the course.
  const modules = `/courses/${course.id}/modules`;
  const module = ok(await as(teacher).post(modules, { module: { name: 'Together' } })).id;
  const module_item = { type: 'Discussion', content_id: root.id, completion_requirement: { type: 'must_contribute' } };
  ok(await as(teacher).post(`${modules}/${module}/items`, { module_item }));
  ok(await as(teacher).put(`${modules}/${module}`, { module: { published: true } }));
  expect(ok(await as(student).get(`${modules}/${module}`)).state).toBe('unlocked');
  const entry = ok(within(await as(student).post(`${here}/${id}/entries`, { message: 'I write' }), 3), 201);
  expect(ok(await as(student).get(`${modules}/${module}`)).state).toBe('completed');
  expect(ok(await as(student2).get(`${modules}/${module}`)).state).toBe('unlocked');
  ok(await as(teacher).del(`${modules}/${module}`));
  expect(ok(await as(teacher).get(`${at()}/${root.assignment_id}/submissions/${student.id}`))).toMatchObject({
    submission_type: 'discussion_topic',
    workflow_state: 'submitted',
  });
  for (const who of [student, teacher])
    expect(ok(within(await as(who).get(`${topics}/${root.id}/view`, {}), who === teacher ? 2 : 2)).view).toMatchObject([{ id: entry.id }]);
  // Group members see the posts of their groups in the course.
  const all = `${topics}/${root.id}`;
  const reply = ok(within(await as(teacher).post(`${all}/entries/${entry.id}/replies`, { message: 'And how?' }), 3), 201);
  expect(ok(await as(student).get(`${here}/${id}/entries/${entry.id}/replies`))).toMatchObject([{ id: reply.id, user_id: teacher.id }]);
  for (const who of [student, teacher]) {
    expect(ok(within(await as(who).get(`${all}/entries`), 2))).toMatchObject([{ id: entry.id, recent_replies: [{ id: reply.id }] }]);
    expect(ok(within(await as(who).get(`${all}/entries/${entry.id}/replies`), 2))).toMatchObject([{ id: reply.id }]);
    expect(ok(within(await as(who).get(`${all}/entry_list`, { ids: [entry.id, reply.id] }), 2))).toHaveLength(2);
  }
  expect(ok(await as(student).get(`${all}/view`)).unread_entries).toEqual([reply.id]);
  ok(within(await as(student).put(`${all}/entries/${reply.id}/read`), 3), 204);
  expect(ok(await as(student).get(`${all}/view`)).unread_entries).toEqual([]);
  ok(await as(student).del(`${all}/read_all`, { forced_read_state: true }), 204);
  expect(ok(await as(student).get(`${all}/view`))).toMatchObject({
    unread_entries: [entry.id, reply.id],
    forced_entries: [entry.id, reply.id],
  });
  ok(await as(student).put(`${all}/read_all`), 204);
  expect(ok(await as(student).get(`${here}/${id}`)).unread_count).toBe(0);
  ok(await as(alone).get(`${all}/entries`), 403);
  ok(await as(student2).put(`${here}/${id}/entries/${entry.id}`, { message: 'Mine' }), 403);
  expect(ok(await as(teacher).get(all)).can_unpublish).toBe(false);
  ok(await as(teacher).put(all, { published: false }), 400);
  ok(await as(student2).put(`${here}/${id}`, { title: 'Mine' }), 401);
  ok(await as(teacher).del(`${here}/${id}`), 401);
  ok(await as(teacher).post(`${here}/${id}/duplicate`), 400);
  ok(await as(stranger).get(`${here}/${id}`), 401);
  expect(ok(await as(teacher).put(`${topics}/${root.id}`, { group_category_id: null }), 400).errors.group).toHaveLength(1);
  ok(await as(teacher).put(`${topics}/${root.id}`, { title: 'Who did what', locked: true, require_initial_post: false }));
  expect(ok(await as(student2).get(`${here}/${id}`))).toMatchObject({ title: 'Who did what - Teams 1', locked: true });
  ok(await as(student).put(`${topics}/${root.id}/subscribed`), 204);
  expect(ok(await as(student).get(`${here}/${id}`))).toMatchObject({ subscribed: true });
  expect(ok(await as(student).get(`${topics}/${root.id}`))).toMatchObject({ subscribed: true });
  ok(await as(student).del(`${topics}/${root.id}/subscribed`), 204);
  expect(ok(await as(alone).get(`${topics}/${root.id}`)).subscription_hold).toBe('not_in_group_set');
  ok(await as(alone).put(`${topics}/${root.id}/subscribed`), 400);
  const further = ok(await as(teacher).post(`/group_categories/${set}/groups`, { name: 'Late' }));
  expect(ok(await as(teacher).get(`${topics}/${root.id}`)).group_topic_children).toHaveLength(3);
  ok(await as(teacher).del(`${topics}/${root.id}`));
  ok(await as(student).get(`${here}/${id}`), 404);
  ok(await as(teacher).del(`/groups/${further.id}`));
});

test('locks of a group discussion apply in the groups, too: its module, and the dates of its assignment', async () => {
  const { teacher, student, student2, course, set, reds } = scene;
  const topics = `/courses/${course.id}/discussion_topics`;
  const modules = `/courses/${course.id}/modules`;
  const here = `/groups/${reds}/discussion_topics`;
  const far = '2099-01-01T00:00:00Z';
  const past = '2020-01-01T10:00:00Z';
  const made = async (more: object = {}) =>
    ok(await as(teacher).post(topics, { title: 'Plan', message: '<p>Say</p>', published: true, group_category_id: set, ...more }));
  const root = await made();
  const [id] = root.topic_children;
  const module = ok(await as(teacher).post(modules, { module: { name: 'Later', unlock_at: far } })).id;
  ok(await as(teacher).post(`${modules}/${module}/items`, { module_item: { type: 'Discussion', content_id: root.id } }));
  ok(await as(teacher).put(`${modules}/${module}`, { module: { published: true } }));
  ok(await as(teacher).put(`/groups/${reds}/users/${student2.id}`, { moderator: true }));
  const context_module = { id: module, name: 'Later' };
  for (const who of [student, student2]) {
    const there = ok(await as(who).get(`${topics}/${root.id}`));
    const child = ok(within(await as(who).get(`${here}/${id}`), 2));
    expect(there).toMatchObject({ locked_for_user: true, lock_info: { unlock_at: far, context_module } });
    const { locked_for_user, lock_info, lock_explanation } = there;
    expect(child).toMatchObject({ locked_for_user, lock_explanation, message: lock_explanation, permissions: { reply: false } });
    expect(child.lock_info).toEqual({ ...lock_info, asset_string: `discussion_topic_${id}` });
    const listed = ok(within(await as(who).get(here), 2)).find((one: { id: number }) => one.id === id);
    expect(listed).toMatchObject({ locked_for_user: true, lock_info: { context_module } });
    ok(await as(who).post(`${here}/${id}/entries`, { message: 'Early' }), 401);
    for (const rest of ['entries', 'view']) ok(within(await as(who).get(`${here}/${id}/${rest}`), 2), 403);
  }
  expect(ok(await as(teacher).get(`${here}/${id}`))).toMatchObject({ locked_for_user: false, message: '<p>Say</p>' });
  ok(await as(teacher).get(`${here}/${id}/view`));
  type Told = { message: string; discussion_topic_id: number };
  const told = async (who: Person): Promise<Told[]> =>
    ok(within(await as(who).get('/users/self/activity_stream'), 2)).filter((one: Told) => [root.id, id].includes(one.discussion_topic_id));
  expect((await told(student)).map(({ message }) => message)).toEqual(Array(2).fill(expect.stringContaining('locked until')));
  expect((await told(teacher)).map(({ message }) => message)).toContain('<p>Say</p>');
  // Assigned to others only: hidden in the course and in the group.
  const some = (overrides: object[]) => as(teacher).put(`${modules}/${module}/assignment_overrides`, { overrides }, { json: true });
  ok(await some([{ student_ids: [student2.id] }]), 204);
  for (const one of [`${topics}/${root.id}`, `${here}/${id}`, `${here}/${id}/view`]) ok(within(await as(student).get(one), 2), 401);
  expect(ok(await as(student).get(here)).map((one: { id: number }) => one.id)).not.toContain(id);
  expect(await told(student)).toEqual([]);
  expect(ok(await as(student).get(`/groups/${reds}/activity_stream`))).toEqual([]);
  expect([(await told(student2)).length, (await as(student2).get(`${here}/${id}`)).status]).toEqual([2, 200]);
  ok(await some([]), 204);
  ok(await as(teacher).put(`${modules}/${module}`, { module: { unlock_at: null } }));
  expect(ok(await as(student).get(`${here}/${id}`))).toMatchObject({ locked_for_user: false, permissions: { reply: true } });
  ok(await as(student).post(`${here}/${id}/entries`, { message: 'In time' }), 201);

  const graded = await made({ assignment: { points_possible: 5, unlock_at: far } });
  const [part] = graded.topic_children;
  const seen = async (who: Person) => ok(within(await as(who).get(`${here}/${part}`), 2));
  expect(await seen(student)).toMatchObject({ locked_for_user: true, lock_info: { unlock_at: far } });
  ok(await as(student).post(`${here}/${part}/entries`, { message: 'Early' }), 401);
  ok(await as(student).get(`${here}/${part}/view`), 403);
  ok(await as(teacher).put(`${at()}/${graded.assignment_id}`, { assignment: { unlock_at: null, lock_at: past } }));
  expect(await seen(student)).toMatchObject({ message: '<p>Say</p>', lock_info: { lock_at: past, can_view: true } });
  ok(await as(student).get(`${here}/${part}/view`));
  ok(await as(student).post(`${here}/${part}/entries`, { message: 'Late' }), 401);
  const override = { student_ids: [student.id], lock_at: null, title: 'More time' };
  ok(await as(teacher).post(`${at()}/${graded.assignment_id}/overrides`, { assignment_override: override }), 201);
  expect([(await seen(student)).locked_for_user, (await seen(student2)).locked_for_user]).toEqual([false, true]);
  ok(await as(student).post(`${here}/${part}/entries`, { message: 'Late, and may' }), 201);
  ok(await as(teacher).put(`/groups/${reds}/users/${student2.id}`, { moderator: false }));
  for (const one of [root, graded]) ok(await as(teacher).del(`${topics}/${one.id}`));
  ok(await as(teacher).del(`${modules}/${module}`));
});

test('a discussion may belong to a group category of its course, an announcement may not', async () => {
  const { teacher, student, course, set } = scene;
  const topics = `/courses/${course.id}/discussion_topics`;
  const refused = async (more: object) => ok(await as(teacher).post(topics, { title: 'x', ...more }), 400).errors.group;
  expect(await refused({ group_category_id: 999_999 })).toHaveLength(1);
  expect(await refused({ group_category_id: set, is_announcement: true })).toHaveLength(1);
  expect(ok(await as(student).post(topics, { title: 'x', group_category_id: set }))).toMatchObject({ group_category_id: null });
  const topic = ok(await as(teacher).post(topics, { title: 'Later in groups', published: true }));
  const put = (more: object) => as(teacher).put(`${topics}/${topic.id}`, more);
  expect(ok(within(await put({ group_category_id: set }), 3)).topic_children).toHaveLength(2);
  expect(ok(await put({ group_category_id: null })).topic_children).toEqual([]);
  expect(ok(await put({ group_category_id: set })).topic_children).toHaveLength(2);
});
