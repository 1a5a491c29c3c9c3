// Grades of external tools: group assignments, line items of deleted assignments; and the rosters of groups.

import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';
import { type InstalledTool, installTool, serviceOf, toolScopes } from '../support/lti_tool';

type Scene = Awaited<ReturnType<typeof aCourse>>;
let scene: Scene;
let root: Person;
let at = '';
let tool: InstalledTool;
let service: Awaited<ReturnType<typeof serviceOf>>;

beforeAll(async () => {
  scene = await aCourse(ground, { name: 'Scores' });
  root = await ground.admin();
  at = `/courses/${scene.course.id}`;
  tool = await installTool(root, 'scores.example', at);
  service = await serviceOf(tool, ...Object.values(toolScopes));
});

const uuidOf = async (person: Person): Promise<string> => ok(await as(root).get(`/users/${person.id}`, { include: ['uuid'] })).uuid;

async function anAssignment(more: object): Promise<{ id: number }> {
  const assignment = {
    name: 'In the tool',
    published: true,
    points_possible: 10,
    submission_types: ['external_tool'],
    external_tool_tag_attributes: { url: 'https://scores.example/work' },
    ...more,
  };
  return ok(await as(scene.teacher).post(`${at}/assignments`, { assignment }), 201);
}

let minute = 0;
async function score(work: { id: number }, who: Person, scoreGiven: number, more: object = {}) {
  minute += 1;
  const body = {
    userId: await uuidOf(who),
    activityProgress: 'Completed',
    gradingProgress: 'FullyGraded',
    timestamp: new Date(Date.now() + minute * 1000).toISOString(),
    scoreGiven,
    scoreMaximum: 10,
    ...more,
  };
  return service.post(`/api/lti${at}/line_items/${work.id}/scores`, body, { json: true });
}

const workOf = async ({ id }: Person, work: { id: number }) =>
  ok(await as(scene.teacher).get(`${at}/assignments/${work.id}/submissions/${id}`));

test('the score of a tool for one member of a group is the grade of the whole group', async () => {
  const { teacher, student, student2, course } = scene;
  const excused = await ground.person({ name: 'Excused Emma' });
  const alone = await ground.person({ name: 'Alone Anna' });
  for (const person of [excused, alone]) await ground.enroll(course, person, 'student');
  const set = ok(await as(teacher).post(`${at}/group_categories`, { name: 'Teams', create_group_count: 2 })).id;
  const [reds] = ok(await as(teacher).get(`/group_categories/${set}/groups`));
  ok(await as(teacher).put(`/groups/${reds.id}`, { members: [student.id, student2.id, excused.id] }));
  const together = await anAssignment({ group_category_id: set });
  ok(await as(teacher).put(`${at}/assignments/${together.id}/submissions/${excused.id}`, { submission: { excuse: true } }));
  ok(within(await score(together, student, 8), 4));
  for (const member of [student, student2])
    expect(await workOf(member, together)).toMatchObject({
      score: 8,
      workflow_state: 'graded',
      submission_type: 'external_tool',
      attempt: 1,
      grader_id: -tool.id,
    });
  expect(await workOf(excused, together)).toMatchObject({ score: null, excused: true });
  expect((await workOf(alone, together)).score).toBeNull();
  // The other member may be scored later, and the newest score counts for all.
  ok(await score(together, student2, 5, { 'https://canvas.instructure.com/lti/submission': { new_submission: false } }));
  expect(await workOf(student, together)).toMatchObject({ score: 5, attempt: 1 });
  const apart = await anAssignment({ group_category_id: set, grade_group_students_individually: true });
  ok(await score(apart, student, 7));
  expect(await workOf(student, apart)).toMatchObject({ score: 7, attempt: 1 });
  expect(await workOf(student2, apart)).toMatchObject({ score: null, attempt: 1 });
});

test('a tool reads the members of a group, and who leads it', async () => {
  const { teacher, student, student2 } = scene;
  const set = ok(await as(teacher).post(`${at}/group_categories`, { name: 'Rosters', create_group_count: 1 })).id;
  const [group] = ok(await as(teacher).get(`/group_categories/${set}/groups`));
  const path = `/api/lti/groups/${group.id}/names_and_roles`;
  ok(await as(teacher).put(`/groups/${group.id}`, { members: [student.id, student2.id] }));
  ok(await as(teacher).put(`/groups/${group.id}`, { leader: { id: student.id } }));
  const member = 'http://purl.imsglobal.org/vocab/lis/v2/membership#Member';
  const manager = 'http://purl.imsglobal.org/vocab/lis/v2/membership#Manager';
  const told = ok(within(await service.get(path), 2));
  expect(told.context.title).toBe(group.name);
  const rolesOf = Object.fromEntries(told.members.map((one: { name: string; roles: string[] }) => [one.name, one.roles]));
  expect(Object.values(rolesOf)).toHaveLength(2);
  expect(rolesOf['Sam Student']).toEqual([member, manager]);
  expect(ok(await service.get(path, { role: manager })).members).toHaveLength(1);
  expect(ok(await service.get(path, { role: member })).members).toHaveLength(2);
  const first = await service.get(path, { limit: 1 });
  expect(ok(await service.get(first.links.next ?? '')).members).toHaveLength(1);
  const elsewhere = await aCourse(ground);
  const theirs = ok(await as(elsewhere.teacher).post(`/courses/${elsewhere.course.id}/groups`, { name: 'Theirs' }));
  for (const to of [`/api/lti/groups/${theirs.id}/names_and_roles`, '/api/lti/groups/88888888/names_and_roles'])
    expect((await service.get(to)).status, to).toBeGreaterThanOrEqual(401);
  ok(await (await serviceOf(tool, toolScopes.items)).get(path), 401);
  for (const person of [teacher, root]) ok(await as(person).get(path), 401);
  ok(await as(root).del(`/groups/${group.id}`));
  ok(await service.get(path), 401);
});

test('the line item of a deleted assignment is hidden, and there again with its course', async () => {
  const { teacher, student } = scene;
  const path = `/api/lti${at}/line_items`;
  const kept = ok(await service.post(path, { label: 'Kept', scoreMaximum: 10, tag: 'kept' }, { json: true }), 201);
  const made = ok(await service.post(path, { label: 'Made', scoreMaximum: 10, tag: 'made' }, { json: true }), 201);
  const id = Number(made.id.split('/').at(-1));
  ok(await score({ id }, student, 3));
  const [result] = ok(await service.get(`${path}/${id}/results`));
  ok(await as(teacher).del(`${at}/assignments/${id}`));
  expect(ok(await service.get(path, { tag: 'made' }))).toEqual([]);
  ok(await service.get(`${path}/${id}`), 404);
  ok(await service.put(`${path}/${id}`, { label: 'x' }, { json: true }), 404);
  ok(await service.del(`${path}/${id}`), 404);
  ok(await score({ id }, student, 4), 404);
  ok(await service.get(`${path}/${id}/results`), 404);
  ok(await service.get(result.id), 404);
  // A page is full although line items of deleted assignments come before.
  const page = await service.get(path, { limit: 1, after: id - 1 });
  expect(ok(page).map(({ label }: { label: string }) => label)).not.toContain('Made');
  const event = (name: string) => as(root).put(at, { course: { event: name } });
  ok(await as(root).del(at, { event: 'delete' }));
  ok(await service.get(path), 401);
  ok(await event('undelete'));
  expect(ok(await service.get(path, { tag: 'kept' }))).toEqual([kept]);
  ok(await service.get(`${path}/${id}`), 404);
});
