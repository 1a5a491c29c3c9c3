// Collaborations: created, changed and deleted.

import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

let scene: Awaited<ReturnType<typeof aCourse>>;
let teams: { red: number; blue: number };

beforeAll(async () => {
  scene = await aCourse(ground);
  const { course, teacher, student2 } = scene;
  const set = ok(await as(teacher).post(`/courses/${course.id}/group_categories`, { name: 'Teams' }));
  const create = async (name: string) => ok(await as(teacher).post(`/group_categories/${set.id}/groups`, { name })).id as number;
  teams = { red: await create('Red'), blue: await create('Blue') };
  for (const person of [student2, scene.student]) ok(await as(teacher).post(`/groups/${teams.red}/memberships`, { user_id: person.id }));
});

const at = (more = '') => `/courses/${scene.course.id}/collaborations${more}`;
const membersOf = async (id: number) =>
  ok(within(await as(scene.teacher).get(`/collaborations/${id}/members`), 2))
    .collaborators.map(({ type, id: member }: { type: string; id: number }) => `${type} ${member}`)
    .sort();
const titlesFor = async (who: typeof scene.student, path = at()) =>
  ok(await as(who).get(path)).collaborations.map(({ title }: { title: string }) => title);

test('a student starts a collaboration with users and groups of the course, who then see it', async () => {
  const { student, student2, ta, stranger, observer, teacher } = scene;
  const made = ok(
    within(
      await as(student).post(at(), {
        collaboration: { title: 'Minutes', description: 'Of each week', url: 'https://docs.example/1' },
        user: [ta.id],
        group: [teams.red],
      }),
      3,
    ),
  );
  expect(made).toMatchObject({
    title: 'Minutes',
    description: 'Of each week',
    url: 'https://docs.example/1',
    collaboration_type: 'external_tool_collaboration',
    type: 'ExternalToolCollaboration',
    context_type: 'Course',
    context_id: scene.course.id,
    user_id: student.id,
    user_name: student.name,
    permissions: { update: true, delete: true },
  });
  expect(await membersOf(made.id)).toEqual([`group ${teams.red}`, `user ${student.id}`, `user ${ta.id}`].sort());
  expect(await titlesFor(student2)).toEqual(['Minutes']);
  expect(await titlesFor(observer)).toEqual([]);
  expect(ok(await as(student2).get(at())).collaborations[0].permissions).toEqual({ update: false, delete: false });

  const one = at(`/${made.id}`);
  const refused = [
    await as(student2).put(one, { collaboration: { title: 'Mine' } }),
    await as(student2).del(one),
    await as(stranger).del(one),
    await as(stranger).post(at(), { collaboration: { title: 'Mine' } }),
    await as(observer).post(at(), { collaboration: { title: 'Mine' } }),
    await as().post(at(), { collaboration: { title: 'Mine' } }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401]);
  ok(await as(observer).put(one, { collaboration: { title: 'Mine' } }), 404);
  const elsewhere = await aCourse(ground);
  ok(await as(elsewhere.teacher).put(`/courses/${elsewhere.course.id}/collaborations/${made.id}`, {}), 404);

  // Omitted fields stay; named members replace the others, and the author stays.
  const changed = ok(within(await as(student).put(one, { collaboration: { title: 'Notes', description: '' }, user: [student2.id] }), 3));
  expect(changed).toMatchObject({ title: 'Notes', description: null, url: 'https://docs.example/1' });
  expect(await membersOf(made.id)).toEqual([`user ${student.id}`, `user ${student2.id}`].sort());
  expect(ok(await as(teacher).put(one, { collaboration: { description: 'By the teacher' } })).title).toBe('Notes');
  expect(await membersOf(made.id)).toHaveLength(2);
  expect(ok(within(await as(student).del(one), 3)).id).toBe(made.id);
  expect(await titlesFor(student)).toEqual([]);
  ok(await as(student).get(`/collaborations/${made.id}/members`), 404);
  ok(await as(student).del(one), 404);
});

test('a collaboration without a title, with an invalid address, or with users of other courses is refused', async () => {
  const { student, stranger, teacher } = scene;
  const elsewhere = await aCourse(ground);
  const group = await (async () => {
    const set = ok(await as(elsewhere.teacher).post(`/courses/${elsewhere.course.id}/group_categories`, { name: 'Others' }));
    return ok(await as(elsewhere.teacher).post(`/group_categories/${set.id}/groups`, { name: 'Theirs' })).id as number;
  })();
  const title = 'Plan';
  const wrong = [
    {},
    { collaboration: { title: ' ' } },
    { collaboration: { title: 'x'.repeat(256) } },
    { collaboration: { title, url: 'javascript:alert(1)' } },
    { collaboration: { title }, user: [stranger.id] },
    { collaboration: { title }, user: ['nonsense'] },
    { collaboration: { title }, group: [group] },
    { collaboration: { title }, group: [999_999] },
    { contentItems: '{' },
    { contentItems: '[]' },
    { contentItems: JSON.stringify([{ url: 'https://docs.example/2' }]) },
  ];
  for (const body of wrong) ok(await as(student).post(at(), body), 400);
  expect(await titlesFor(teacher)).toEqual([]);
});

test('a tool describes collaborations as content items, and members by LTI ids', async () => {
  const { student, student2, teacher } = scene;
  const known = ok(
    await as(teacher).post(at(), { collaboration: { title: 'Known', type: 'google_docs' }, user: [student.id], group: [teams.blue] }),
  );
  expect(known.collaboration_type).toBe('google_docs');
  const lti = ok(await as(teacher).get(`/collaborations/${known.id}/members`, { include: ['collaborator_lti_id'] })).collaborators;
  const idOf = (type: string, id: number) =>
    lti.find((one: { type: string; id: number }) => one.type === type && one.id === id).collaborator_lti_id as string;
  const item = {
    type: 'link',
    title: 'Sheet',
    text: 'Of numbers',
    url: 'https://sheets.example/1',
    updateUrl: 'https://sheets.example/1/edit',
    ext_canvas_visibility: { users: [idOf('user', student.id)], groups: [idOf('group', teams.blue)] },
  };
  const form = new FormData();
  form.append('contentItems', JSON.stringify([item]));
  const made = ok(within(await as(teacher).post(at(), form), 3));
  expect(made).toMatchObject({ title: 'Sheet', description: 'Of numbers', url: item.url, update_url: item.updateUrl });
  expect(await membersOf(made.id)).toEqual([`group ${teams.blue}`, `user ${student.id}`, `user ${teacher.id}`].sort());
  const graph = { '@graph': [{ title: 'Sheets' }] };
  expect(ok(await as(teacher).put(at(`/${made.id}`), { contentItems: JSON.stringify(graph) }))).toMatchObject({
    title: 'Sheets',
    url: item.url,
  });
  expect(await membersOf(made.id)).toHaveLength(3);
  const unknown = { ...item, ext_canvas_visibility: { users: ['nonsense'] } };
  ok(await as(teacher).post(at(), { contentItems: JSON.stringify([unknown]) }), 400);
  expect(await titlesFor(student2)).toEqual([]);
  ok(await as(teacher).put(`/courses/${scene.course.id}/tabs/collaborations`, { hidden: true }));
  ok(await as(student).post(at(), { collaboration: { title: 'Hidden' } }), 404);
});

test('members of a group collaborate in it', async () => {
  const { student, student2, ta, stranger, teacher } = scene;
  const here = `/groups/${teams.red}/collaborations`;
  const made = ok(within(await as(student).post(here, { collaboration: { title: 'Draft' }, user: [student2.id] }), 3));
  expect(made).toMatchObject({ context_type: 'Group', context_id: teams.red });
  expect(await titlesFor(student2, here)).toEqual(['Draft']);
  ok(await as(student).post(here, { collaboration: { title: 'Draft' }, user: [ta.id] }), 400);
  ok(await as(stranger).post(here, { collaboration: { title: 'Draft' } }), 401);
  ok(await as(student2).put(`${here}/${made.id}`, { collaboration: { title: 'Mine' } }), 401);
  expect(ok(await as(student).put(`${here}/${made.id}`, { collaboration: { title: 'Essay' } })).title).toBe('Essay');
  ok(await as(student).put(`/groups/${teams.blue}/collaborations/${made.id}`, {}), 401);
  ok(await as(teacher).put(`/groups/${teams.blue}/collaborations/${made.id}`, {}), 404);
  ok(await as(student).del(`${here}/${made.id}`));
  expect(await titlesFor(teacher, here)).toEqual([]);
});
