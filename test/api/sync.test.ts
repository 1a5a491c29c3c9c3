// The sync feed: the changes that a client receives.

import { expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { follow } from '../support/feed';
import { aCourse } from '../support/ground';
import { upload } from '../support/upload';

test('an idle client costs one request with two trips; a first sync does not cause changes by itself', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const at = `/courses/${course.id}`;
  ok(await as(teacher).post(`${at}/pages`, { wiki_page: { title: 'Reading', body: 'x', published: true } }));
  const module = ok(await as(teacher).post(`${at}/modules`, { module: { name: 'One' } }));
  const item = { type: 'Page', page_url: 'reading', completion_requirement: { type: 'must_view' } };
  ok(await as(teacher).post(`${at}/modules/${module.id}/items`, { module_item: item }));
  ok(await as(teacher).put(`${at}/modules/${module.id}`, { module: { published: true } }));
  const feed = follow(as(student));
  expect(await feed.catchUp()).toContainEqual(expect.objectContaining({ kind: 'module', id: module.id }));
  const idle = within(await feed.ask(), 2);
  expect(ok(idle)).toMatchObject({ changes: [], has_more: false });
});

test('a change in a course reaches its members once, and no one else', async () => {
  const { course, teacher, student, stranger } = await aCourse(ground);
  const feeds = [follow(as(student)), follow(as(stranger))] as const;
  for (const feed of feeds) await feed.catchUp();
  const labs = ok(await as(teacher).post(`/courses/${course.id}/assignment_groups`, { name: 'Labs' }));
  expect(await feeds[0].catchUp()).toEqual([
    expect.objectContaining({ kind: 'assignment_group', id: labs.id, op: 'upsert', course_id: course.id }),
  ]);
  expect(await feeds[0].catchUp()).toEqual([]);
  expect(await feeds[1].catchUp()).toEqual([]);
  ok(await as(teacher).del(`/courses/${course.id}/assignment_groups/${labs.id}`));
  expect(await feeds[0].catchUp()).toEqual([{ kind: 'assignment_group', id: labs.id, op: 'delete', course_id: course.id }]);
});

test('a new enrollment brings the whole course, a lost one removes it', async () => {
  const { course, stranger } = await aCourse(ground);
  const feed = follow(as(stranger));
  expect(await feed.catchUp()).not.toContainEqual(expect.objectContaining({ kind: 'assignment_group' }));
  const id = await ground.enroll({ ...course, name: '' }, stranger, 'student');
  expect(await feed.catchUp()).toContainEqual(expect.objectContaining({ kind: 'assignment_group', course_id: course.id }));
  await ground.end(id);
  expect(await feed.catchUp()).toContainEqual({ kind: 'course', id: course.id, op: 'delete', course_id: course.id });
});

test('a cursor of another epoch, or an invalid one, has to start again', async () => {
  const { student } = await aCourse(ground);
  expect(ok(await as(student).get('/api/sync/v1/changes', { cursor: 'nonsense' }), 409)).toEqual({
    error: 'must_refetch',
    reason: 'unreadable',
  });
  const feed = follow(as(student));
  await feed.catchUp();
  await ground.rewriteHistory();
  expect(ok(await feed.ask(), 409)).toEqual({ error: 'must_refetch', reason: 'epoch' });
});

test('the feed requires a token', async () => {
  ok(await as().get('/api/sync/v1/changes'), 401);
  const { student } = await aCourse(ground);
  ok(await as(student).get('/api/sync/v1/changes', { limit: 0 }), 400);
  ok(await as(student).get('/api/sync/v1/live'), 426);
});

test('changing the permissions of a role changes the feed of its users', async () => {
  const { course, teacher, ta } = await aCourse(ground);
  const admin = await ground.admin();
  const feed = follow(as(ta));
  ok(await as(teacher).post(`/courses/${course.id}/assignments`, { assignment: { name: 'Essay', published: true } }), 201);
  const before = (await feed.catchUp()).find((change) => change.kind === 'assignment');
  expect(before).toMatchObject({ resource: { needs_grading_count: 0 } });
  ok(await as(admin).put('/accounts/self/roles/5', { permissions: { manage_grades: { explicit: true, enabled: false } } }));
  const after = (await feed.catchUp()).find((change) => change.kind === 'assignment');
  expect(after).toMatchObject({ op: 'upsert' });
  expect(after && 'resource' in after && 'needs_grading_count' in after.resource).toBe(false);
});

test('a submission reaches its student, their observer and the staff, and no one else', async () => {
  const { course, teacher, student, student2, observer } = await aCourse(ground);
  const assignments = `/courses/${course.id}/assignments`;
  const assignment = { name: 'Essay', published: true, submission_types: ['online_text_entry'] };
  const { id } = ok(await as(teacher).post(assignments, { assignment }), 201);
  const handIn = (person: typeof student) =>
    as(person).post(`${assignments}/${id}/submissions`, { submission: { submission_type: 'online_text_entry', body: 'Mine' } });
  // The first submission shows everyone that the assignment can no longer be unpublished.
  ok(await handIn(student2), 201);
  const feeds = [student, teacher, student2, observer].map((person) => follow(as(person)));
  await Promise.all(feeds.map((feed) => feed.catchUp()));
  ok(await handIn(student), 201);
  ok(await as(teacher).put(`${assignments}/${id}/submissions/${student.id}`, { comment: { text_comment: 'Thank you' } }));
  const result = await Promise.all(feeds.map((feed) => feed.catchUp()));
  expect(result.map((changes) => changes.map(({ kind }) => kind).sort())).toEqual([
    ['assignment', 'submission'],
    ['assignment'],
    [],
    ['submission'],
  ]);
  // The desk of the teacher counts the work to grade from this.
  expect(result[1]).toMatchObject([{ kind: 'assignment', id, resource: { needs_grading_count: 2 } }]);
});

test('a locked file is reported as withheld, in agreement with REST; a deleted one is not', async () => {
  const { course, teacher, student, stranger } = await aCourse(ground);
  const at = `/courses/${course.id}`;
  const folder = ok(await as(teacher).post(`${at}/folders`, { name: 'Week 1' }));
  const file = await upload(teacher, `${at}/files`, { name: 'notes.txt', parent_folder_id: folder.id } as never, 'Notes');
  const feed = follow(as(student));
  await feed.catchUp();
  const told = async () => (await feed.catchUp()).filter(({ kind, id }) => kind === 'file' && id === file.id).at(-1);
  const gone = { kind: 'file', id: file.id, op: 'delete', course_id: course.id };
  const far = '2099-01-01T00:00:00Z';
  const proof = `/api/sync/v1${at}/proof`;
  const proven = async (person: typeof student) => ok(within(await as(person).get(proof), 2));
  ok(await as(stranger).get(proof), 401);
  ok(within(await as(student).get('/api/sync/v1/users/self/proof'), 2));
  const group = ok(await as(student).post('/groups', { name: 'Readers' }));
  expect(ok(await as(student).get(`/api/sync/v1/groups/${group.id}/proof`))).toMatchObject({ branches: [] });
  expect(ok(await as(student).get(proof, { after: 'yesterday' }), 400)).toMatchObject({
    errors: [{ message: expect.stringMatching(/^after /) }],
  });
  ok(await as(teacher).put(`/files/${file.id}`, { unlock_at: far }));
  const { lock_explanation: explanation, lock_info } = ok(await as(student).get(`/files/${file.id}`));
  expect(lock_info).toMatchObject({ unlock_at: far });
  expect(await told()).toEqual({ ...gone, withheld: { why: 'locked', unlock_at: far, explanation } });
  expect(await proven(student)).toEqual({ branches: [] });
  expect((await proven(teacher)).branches).toMatchObject([{ count: 1, through: `${file.created_at} ${file.id}` }]);
  ok(await as(teacher).put(`/files/${file.id}`, { unlock_at: '', hidden: true }));
  expect(await told()).toEqual({ ...gone, withheld: { why: 'hidden' } });
  ok(await as(teacher).put(`/files/${file.id}`, { hidden: false }));
  expect(await told()).toMatchObject({ op: 'upsert' });
  ok(await as(teacher).put(`/folders/${folder.id}`, { locked: true }));
  const both = (await feed.catchUp()).filter(({ op }) => op === 'delete');
  expect(both).toContainEqual({ ...gone, withheld: { why: 'locked', explanation: expect.any(String) } });
  expect(both).toContainEqual({ ...gone, kind: 'folder', id: folder.id, withheld: { why: 'locked' } });
  ok(await as(teacher).put(`/folders/${folder.id}`, { locked: false }));
  ok(await as(teacher).put(`${at}/tabs/files`, { hidden: true }));
  expect(await told()).toEqual({ ...gone, withheld: { why: 'unlisted' } });
  ok(await as(teacher).put(`${at}/tabs/files`, { hidden: false }));
  expect(await told()).toMatchObject({ op: 'upsert' });
  ok(await as(teacher).del(`/files/${file.id}`));
  expect(await told()).toEqual(gone);
});
