// Bookmarks, conferences and collaborations.

import { expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

const path = '/users/self/bookmarks';

test('users keep bookmarks in their own order', async () => {
  const [person, other] = [await ground.person(), await ground.person()];
  const keep = async (name: string, more: object = {}) =>
    ok(within(await as(person).post(path, { name, url: `/courses/${name}`, ...more }), 3));
  const first = await keep('1', { data: { color: 'red' } });
  expect(first).toEqual({ id: first.id, name: '1', url: '/courses/1', position: 1, data: { color: 'red' } });
  await keep('2');
  const third = await keep('3', { position: 1, url: 'https://example.edu/3' });
  expect(third).toMatchObject({ position: 1, data: null });
  const names = async () =>
    ok(within(await as(person).get(path), 2)).map((one: { name: string; position: number }) => `${one.name}@${one.position}`);
  expect(await names()).toEqual(['3@1', '1@2', '2@3']);
  expect(await keep('4', { position: 99 })).toMatchObject({ position: 4 });
  const change = async (id: number, more: object) => ok(within(await as(person).put(`${path}/${id}`, more), 3));
  expect(await change(third.id, { position: 3, name: 'three' })).toMatchObject({
    position: 3,
    name: 'three',
    url: 'https://example.edu/3',
  });
  expect(await names()).toEqual(['1@1', '2@2', 'three@3', '4@4']);
  await change(third.id, { position: 1 });
  expect(await names()).toEqual(['three@1', '1@2', '2@3', '4@4']);
  expect(ok(within(await as(person).get(`/users/${person.id}/bookmarks/${first.id}`), 2)).name).toBe('1');
  expect(ok(within(await as(person).del(`${path}/${third.id}`), 3)).id).toBe(third.id);
  expect(await names()).toEqual(['1@1', '2@2', '4@3']);
  for (const given of [
    { url: '/x' },
    { name: 'x' },
    { name: ' ', url: '/x' },
    { name: 'x', url: 'javascript:alert(1)' },
    { name: 'x', url: '//evil.example' },
  ])
    expect(Object.keys(ok(await as(person).post(path, given), 400).errors)).toHaveLength(1);
  ok(await as(person).put(`${path}/${first.id}`, { url: 'nowhere' }), 400);
  expect(ok(await as(other).get(`${path}/${first.id}`), 404)).toBe('');
  expect(ok(await as(other).put(`${path}/${first.id}`, { name: 'mine', position: 2 }), 404)).toBe('');
  expect(ok(await as(other).del(`${path}/${first.id}`), 404)).toBe('');
  ok(await as(other).get(`/users/${person.id}/bookmarks`), 401);
  ok(await as().get(path), 401);
});

test('the list of conferences is empty, and collaborations are listed for their members', async () => {
  const { course, teacher, student, student2, stranger } = await aCourse(ground);
  const at = `/courses/${course.id}`;
  const set = ok(await as(teacher).post(`${at}/group_categories`, { name: 'Teams' }));
  const group = ok(await as(teacher).post(`/group_categories/${set.id}/groups`, { name: 'Red' }));
  ok(await as(teacher).post(`/groups/${group.id}/memberships`, { user_id: student2.id }));
  for (const here of [at, `/groups/${group.id}`]) {
    expect(ok(within(await as(student2).get(`${here}/conferences`), 2))).toEqual({ conferences: [] });
    ok(await as(stranger).get(`${here}/conferences`), 401);
    expect(ok(within(await as(student2).get(`${here}/collaborations`), 2))).toEqual({ collaborations: [] });
    ok(await as(stranger).get(`${here}/collaborations`), 401);
  }
  expect(ok(await as(student).get('/conferences', { state: 'live' }))).toEqual({ conferences: [] });

  // External tools create them: no request does.
  const notes = await ground.collaboration({ type: 'Course', id: course.id }, teacher, {
    title: 'Notes',
    members: [{ user_id: student.id }, { group_id: group.id }],
  });
  await ground.collaboration({ type: 'Course', id: course.id }, teacher, { title: 'For teachers' });
  await ground.collaboration({ type: 'Group', id: group.id }, teacher, { title: 'In the group' });
  const titles = async (who: typeof student, here = at) =>
    ok(within(await as(who).get(`${here}/collaborations`), 2)).collaborations.map((one: { title: string }) => one.title);
  expect(await titles(teacher)).toEqual(['Notes', 'For teachers']);
  expect(await titles(student)).toEqual(['Notes']);
  expect(await titles(student2)).toEqual(['Notes']);
  expect(await titles(teacher, `/groups/${group.id}`)).toEqual(['In the group']);
  expect(ok(await as(student).get(`${at}/collaborations`)).collaborations[0]).toMatchObject({
    id: notes,
    type: 'ExternalToolCollaboration',
    user_name: 'Tara Teacher',
    context_type: 'Course',
    permissions: { update: false, delete: false },
  });
  const include = ['collaborator_lti_id', 'avatar_image_url'];
  expect(ok(within(await as(student).get(`/collaborations/${notes}/members`, { include }), 2)).collaborators).toMatchObject([
    { id: student.id, type: 'user', name: 'Sam Student', collaborator_lti_id: expect.any(String), avatar_image_url: expect.any(String) },
    { id: group.id, type: 'group', name: 'Red', avatar_image_url: null },
  ]);
  ok(await as(student).get(`/collaborations/${notes + 1}/members`), 404);
  ok(await as(stranger).get(`/collaborations/${notes}/members`), 404);
  ok(await as(student).get('/collaborations/999999/members'), 404);
  ok(await as(student).get('/collaborations/nonsense/members'), 404);
  const people = async (who: typeof student, here: string) =>
    ok(within(await as(who).get(`${here}/potential_collaborators`), 2)).map((one: { id: number }) => one.id);
  expect(await people(student, at)).toContain(teacher.id);
  expect(await people(student2, `/groups/${group.id}`)).toEqual([student2.id]);
  ok(await as(stranger).get(`${at}/potential_collaborators`), 401);
  ok(await as(teacher).put(`${at}/tabs/collaborations`, { hidden: true }));
  ok(await as(student).get(`${at}/collaborations`), 404);
  expect(await titles(teacher)).toHaveLength(2);
  expect(await titles(student2, `/groups/${group.id}`)).toEqual([]);
});
