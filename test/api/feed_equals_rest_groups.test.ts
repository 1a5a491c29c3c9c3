// The feed agrees with GET requests while groups and their content change.

import { beforeAll, expect, test } from 'vitest';
import { as } from '../support/api';
import { upload } from '../support/upload';
import { aWatchedCourse, finished, wrote } from '../support/watched_course';

type Scene = Awaited<ReturnType<typeof aWatchedCourse>>;
let scene: Scene;
let set: { id: number };
beforeAll(async () => {
  scene = await aWatchedCourse(['student', 'student2', 'stranger']);
  set = wrote(
    await as(scene.teacher).post(`${scene.at}/group_categories`, { name: 'Teams', self_signup: 'enabled', auto_leader: 'first' }),
  );
});

const aGroup = async (name: string, members: readonly { id: number }[]) => {
  const group = wrote(await as(scene.teacher).post(`/group_categories/${set.id}/groups`, { name }));
  if (members.length > 0) wrote(await as(scene.teacher).put(`/groups/${group.id}`, { members: members.map(({ id }) => id) }));
  return { ...group, at: `/groups/${group.id}` };
};

test('groups: created, joined, renamed, left, favourited, deleted', async () => {
  const { at, teacher, student, student2, stranger, admin, course } = scene;
  const reds = await aGroup('Reds', [student]);
  await scene.agree('a group');
  expect(scene.seenBy('student').get(`group ${reds.id}`)).toMatchObject({ name: 'Reds', members_count: 1, leader: { id: student.id } });
  wrote(await as(student2).post(`${reds.at}/memberships`, { user_id: 'self' }));
  await scene.agree('another member');
  expect(scene.seenBy('student2').has(`group ${reds.id}`)).toBe(true);
  wrote(await as(teacher).put(`${reds.at}/users/${student2.id}`, { moderator: true }));
  const [mine] = wrote(await as(student).get(`${reds.at}/memberships`)).filter((one: { user_id: number }) => one.user_id === student.id);
  wrote(await as(teacher).put(`${reds.at}/memberships/${mine.id}`, { moderator: true }));
  wrote(await as(student).put(reds.at, { name: 'Rubies', description: 'Red ones' }));
  wrote(await as(student).put(`/users/${student.id}`, { user: { short_name: 'Sam the Leader' } }));
  wrote(await as(student).post(`/users/self/favorites/groups/${reds.id}`));
  wrote(await as(teacher).put(at, { course: { name: 'Groups and rings' } }));
  wrote(await as(student).del(`/users/self/favorites/groups/${reds.id}`));
  wrote(await as(student2).post(`/users/self/favorites/groups/${reds.id}`));
  wrote(await as(student2).del('/users/self/favorites/groups'));
  await scene.agree('permissions and names changed, favorites added and removed');
  const blues = await aGroup('Blues', []);
  wrote(await as(student2).post(`${blues.at}/memberships`, { user_id: 'self' }));
  await scene.agree('moved to another group');
  expect(scene.seenBy('student2').has(`group ${reds.id}`)).toBe(false);
  wrote(await as(student2).del(`${blues.at}/memberships/self`));
  wrote(await as(teacher).del(`${reds.at}/users/${student.id}`));
  await scene.agree('all members removed');
  const { id } = wrote(await as(teacher).post(`/group_categories/${set.id}/assign_unassigned_members`));
  await finished(teacher, { id });
  await scene.agree('all students assigned to groups');
  wrote(await as(teacher).put(`/group_categories/${set.id}`, { name: 'Crews' }));
  const seats = new FormData();
  seats.append('attachment', new File([`group_name,canvas_user_id\nGreens,${student.id}\n`], 'seats.csv', { type: 'text/csv' }));
  wrote(await as(teacher).post(`/group_categories/${set.id}/import`, seats));
  wrote(await as(teacher).del(blues.at));
  wrote(await as(teacher).del(`/group_categories/${set.id}`));
  await scene.agree('the category deleted');
  set = wrote(await as(teacher).post(`${at}/group_categories`, { name: 'Pairs' }));

  wrote(await as(admin).post('/accounts/1/group_categories', { name: 'Clubs' }));
  wrote(await as(student).post(`/courses/${course.id}/groups`, { name: 'Study circle' }));
  const readers = wrote(await as(student).post('/groups', { name: 'Readers', join_level: 'parent_context_request' }));
  const [asked] = wrote(await as(student).post(`/groups/${readers.id}/invite`, { invitees: [stranger.login] }));
  wrote(
    await as(student).post('/conversations', {
      recipients: [stranger.id, student2.id],
      body: 'Books',
      group_conversation: true,
      context_code: `group_${readers.id}`,
    }),
  );
  await scene.agree('a community, and an invitation');
  expect(scene.seenBy('student').has(`group_membership ${asked.id}`)).toBe(true);
  wrote(await as(stranger).put(`/groups/${readers.id}/users/self`, { workflow_state: 'accepted' }));
  await scene.agree('the invitation accepted');
  wrote(await as(student).del(`/groups/${readers.id}/memberships/${asked.id}`));
  await scene.agree('and the member removed');
  expect(scene.seenBy('stranger').has(`group ${readers.id}`)).toBe(false);
});

test('files, folders, pages and events of a group', async () => {
  const { teacher, student, student2 } = scene;
  const group = await aGroup('Greens', [student, student2]);
  const folder = wrote(await as(student).post(`${group.at}/folders`, { name: 'Drafts' }));
  const file = await upload(student, `${group.at}/files`, { name: 'plan.txt', parent_folder_path: 'Drafts' } as never, 'the plan');
  await scene.agree('a file in a folder');
  expect(scene.seenBy('student2').get(`file ${file.id}`)).toMatchObject({ display_name: 'plan.txt', sha256: expect.any(String) });
  wrote(await as(student2).put(`${group.at}/usage_rights`, { file_ids: [file.id], usage_rights: { use_justification: 'fair_use' } }));
  wrote(await as(student2).del(`${group.at}/usage_rights`, { file_ids: [file.id] }));
  wrote(await as(student2).put(`/files/${file.id}`, { name: 'the plan.txt', hidden: true }));
  wrote(await as(student2).put(`/folders/${folder.id}`, { name: 'Sketches', unlock_at: '2099-01-01T00:00:00Z' }));
  await scene.agree('renamed, hidden and locked');
  wrote(await as(student).post(`${group.at}/pages`, { wiki_page: { title: 'Our plan', body: '<p>First</p>' } }));
  wrote(await as(student2).put(`${group.at}/front_page`, { wiki_page: { title: 'Welcome', body: 'Here' } }));
  wrote(await as(student2).put(`${group.at}/pages/our-plan`, { wiki_page: { title: 'Our plans', body: '<p>Second</p>' } }));
  wrote(await as(student).post(`${group.at}/pages/our-plans/revisions/1`));
  const calendar_event = { context_code: `group_${group.id}`, title: 'Meeting', start_at: '2026-10-01T10:00:00Z' };
  const event = wrote(await as(student).post('/calendar_events', { calendar_event }));
  await scene.agree('pages, one reverted, and an event');
  expect(scene.seenBy('student2').has(`calendar_event ${event.id}`)).toBe(true);
  wrote(await as(student2).del(`${group.at}/pages/our-plan`));
  wrote(await as(student2).put(`/calendar_events/${event.id}`, { calendar_event: { title: 'Longer meeting' } }));
  wrote(await as(teacher).put(group.at, { name: 'Emeralds' }));
  await scene.agree('a page deleted, and the group renamed');
  wrote(await as(student).del(`/files/${file.id}`));
  wrote(await as(student2).del(`/calendar_events/${event.id}`));
  wrote(await as(teacher).del(`${group.at}/users/${student2.id}`));
  await scene.agree('a file deleted, a member removed');
  expect([...scene.seenBy('student2').keys()].filter((key) => /^(page|file) /.test(key))).toEqual([]);
});

test('discussions of a group', async () => {
  const { teacher, student, student2 } = scene;
  const group = await aGroup('Golds', [student, student2]);
  const topics = `${group.at}/discussion_topics`;
  const topic = wrote(await as(student).post(topics, { title: 'Who does what', message: '<p>Say</p>' }));
  wrote(await as(student2).post(topics, { title: 'We meet', message: 'x', is_announcement: true }));
  const here = `${topics}/${topic.id}`;
  const entry = wrote(await as(student2).post(`${here}/entries`, { message: 'I write' }));
  await scene.agree('a topic, an announcement and an entry');
  wrote(await as(teacher).put(here, { allow_rating: true }));
  wrote(await as(student).post(`${here}/entries/${entry.id}/replies`, { message: 'I draw' }));
  wrote(await as(student).post(`${here}/entries/${entry.id}/rating`, { rating: 1 }));
  wrote(await as(student2).put(`${here}/entries/${entry.id}`, { message: 'I write it' }));
  for (const rest of ['/read', '/read_all', '/subscribed', `/entries/${entry.id}/read`]) wrote(await as(student).put(`${here}${rest}`));
  await scene.agree('read marks');
  for (const rest of ['/read', '/read_all', '/subscribed', `/entries/${entry.id}/read`]) wrote(await as(student).del(`${here}${rest}`));
  const pinned = wrote(await as(teacher).post(topics, { title: 'Rules', published: true, pinned: true }));
  wrote(await as(teacher).post(`${topics}/reorder`, { order: [pinned.id] }));
  wrote(await as(student).post(`${here}/duplicate`));
  await scene.agree('read marks removed, a pinned topic and a duplicate');
  const ofSet = { title: 'In groups', published: true, group_category_id: set.id };
  const root = wrote(await as(teacher).post(`${scene.at}/discussion_topics`, ofSet));
  const child = root.group_topic_children.find((one: { group_id: number }) => one.group_id === group.id).id;
  wrote(await as(student).post(`${topics}/${child}/entries`, { message: 'Here' }));
  await scene.agree('a discussion for groups, and an entry in one');
  expect(scene.seenBy('student2').has(`discussion_topic ${child}`)).toBe(true);
  wrote(await as(student2).put(`${scene.at}/discussion_topics/${root.id}/subscribed`));
  wrote(await as(teacher).put(`${scene.at}/discussion_topics/${root.id}`, { title: 'Still in groups' }));
  wrote(await as(student2).del(`${here}/entries/${entry.id}`));
  wrote(await as(teacher).del(`${group.at}/users/${student.id}`));
  wrote(await as(teacher).del(`${topics}/${pinned.id}`));
  await scene.agree('an entry and a topic deleted');
  // What locks it in the course.
  const far = '2099-01-01T00:00:00Z';
  const isLocked = (part: 'student' | 'student2', id: number) => scene.seenBy(part).get(`discussion_topic ${id}`)?.locked_for_user;
  const graded = wrote(await as(teacher).post(`${scene.at}/discussion_topics`, { ...ofSet, assignment: { unlock_at: far } }));
  const other = graded.group_topic_children.find((one: { group_id: number }) => one.group_id === group.id).id;
  const modules = `${scene.at}/modules`;
  const before = wrote(await as(teacher).post(modules, { module: { name: 'First' } })).id;
  wrote(await as(teacher).post(`${scene.at}/pages`, { wiki_page: { title: 'Read me', body: 'x', published: true } }));
  const module_item = { type: 'Page', page_url: 'read-me', completion_requirement: { type: 'must_view' } };
  wrote(await as(teacher).post(`${modules}/${before}/items`, { module_item }));
  wrote(await as(teacher).put(`${modules}/${before}`, { module: { published: true } }));
  const then = wrote(await as(teacher).post(modules, { module: { name: 'Then', prerequisite_module_ids: [before] } })).id;
  wrote(await as(teacher).post(`${modules}/${then}/items`, { module_item: { type: 'Discussion', content_id: root.id } }));
  wrote(await as(teacher).put(`${modules}/${then}`, { module: { published: true } }));
  await scene.agree('a module and an assignment that open later');
  expect([isLocked('student2', child), isLocked('student2', other)]).toEqual([true, true]);
  wrote(await as(student2).get(`${scene.at}/pages/read-me`));
  const assignment_override = { student_ids: [student2.id], unlock_at: null };
  wrote(await as(teacher).post(`${scene.at}/assignments/${graded.assignment_id}/overrides`, { assignment_override }));
  await scene.agree('a module completed, and an override for one');
  expect([isLocked('student2', child), isLocked('student2', other)]).toEqual([false, false]);
  const closed = { unlock_at: null, lock_at: '2020-01-01T10:00:00Z' };
  wrote(await as(teacher).put(`${scene.at}/assignments/${graded.assignment_id}`, { assignment: closed }));
  await scene.agree('an assignment that is closed');
  expect([isLocked('student2', child), isLocked('student2', other)]).toEqual([false, true]);
  wrote(await as(teacher).put(`${scene.at}/discussion_topics/${graded.id}`, { assignment: { set_assignment: false } }));
  wrote(await as(teacher).del(`${modules}/${then}`));
  await scene.agree('module and assignment deleted');
  expect([isLocked('student2', child), isLocked('student2', other)]).toEqual([false, false]);
});

test('group assignments: submitted by one, graded once, with group overrides', async () => {
  const { at, teacher, student, student2 } = scene;
  const group = await aGroup('Silvers', [student]);
  const assignment = { name: 'Together', published: true, submission_types: ['online_text_entry'], group_category_id: set.id };
  const work = wrote(await as(teacher).post(`${at}/assignments`, { assignment }));
  const override = { group_id: group.id, due_at: '2030-02-02T12:00:00Z', unlock_at: null };
  wrote(await as(teacher).post(`${at}/assignments/${work.id}/overrides`, { assignment_override: override }));
  wrote(await as(teacher).put(`${at}/assignments/${work.id}`, { assignment: { only_visible_to_overrides: true } }));
  await scene.agree('an assignment for one of the groups');
  expect(scene.seenBy('student2').has(`assignment ${work.id}`)).toBe(false);
  wrote(await as(teacher).put(group.at, { members: [student.id, student2.id] }));
  wrote(
    await as(student2).post(`${at}/assignments/${work.id}/submissions`, {
      submission: { submission_type: 'online_text_entry', body: 'Ours' },
    }),
  );
  await scene.agree('another member, who submits');
  expect(scene.seenBy('student').get(`group ${group.id}`)).toMatchObject({ has_submission: true });
  wrote(await as(teacher).put(`${at}/assignments/${work.id}/submissions/${student.id}`, { submission: { posted_grade: '1' } }));
  wrote(await as(teacher).del(`${group.at}/users/${student2.id}`));
  await scene.agree('a grade, and a member removed');
});
