// Outcomes: groups and links of the institution, accounts and courses; who reads and changes them; what may be deleted.

import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';

type Scene = Awaited<ReturnType<typeof aCourse>> & { readonly root: Person; readonly accountAdmin: Person; readonly account: number };
let scene: Scene;
beforeAll(async () => {
  const account = (await ground.account({ name: 'Faculty of Arts' })).id;
  const [root, accountAdmin] = await Promise.all([ground.admin(), ground.admin({ account_id: account })]);
  scene = { ...(await aCourse(ground, { account_id: account })), root, accountAdmin, account };
});

const rootGroup = async (person: Person, place: string): Promise<string> => {
  const answer = within(await as(person).get(`${place}/root_outcome_group`), 3);
  expect(answer.status).toBe(302);
  return (answer.headers.get('location') ?? '').replace(/^https:\/\/[^/]+\/api\/v1/, '');
};
const outcomeIn = async (person: Person, group: string, body: object) =>
  ok(within(await as(person).post(`${group}/outcomes?outcome_style=full`, body), 3));

test.each([
  ['course', 'teacher', ({ course }: Scene) => `/courses/${course.id}`],
  ['account', 'accountAdmin', ({ account }: Scene) => `/accounts/${account}`],
  ['institution', 'root', () => '/global'],
] as const)('in the %s, outcomes are created in groups, moved, unlinked and deleted', async (name, who, placeOf) => {
  const place = placeOf(scene);
  const by = as(scene[who]);
  const root = await rootGroup(scene[who], place);
  expect(await rootGroup(scene[who], place)).toBe(root);
  const top = ok(within(await by.get(root), 2));
  expect(top).toMatchObject({ url: `/api/v1${root}`, can_edit: true, import_url: `/api/v1${root}/import` });
  expect(top).not.toHaveProperty('parent_outcome_group');
  expect(top.context_type).toBe(name === 'institution' ? null : name === 'course' ? 'Course' : 'Account');

  const group = ok(within(await by.post(`${root}/subgroups`, { title: 'Writing', description: 'Texts', vendor_guid: 'w' }), 3));
  expect(group).toMatchObject({ title: 'Writing', description: 'Texts', vendor_guid: 'w', parent_outcome_group: { id: top.id } });
  const at = `${place}/outcome_groups/${group.id}`;
  const other = ok(await by.post(`${root}/subgroups`, { title: 'Reading' }));
  const subgroups = ok(within(await by.get(`${root}/subgroups`), 2)).map(({ title }: { title: string }) => title);
  expect(subgroups).toEqual(['Reading', 'Writing']);

  const link = await outcomeIn(scene[who], at, {
    title: 'Argues',
    ratings: [{ description: 'Well', points: 4 }, { points: 1 }],
    mastery_points: 3,
    calculation_method: 'n_mastery',
    calculation_int: 2,
  });
  expect(link).toMatchObject({
    can_unlink: true,
    assessed: false,
    outcome_group: { id: group.id },
    outcome: { title: 'Argues', points_possible: 4, mastery_points: 3, calculation_method: 'n_mastery', calculation_int: 2 },
  });
  const { id } = link.outcome;
  expect(ok(within(await by.get(`${at}/outcomes`), 2))).toMatchObject([{ outcome: { id } }]);
  expect(ok(await by.get(`${at}/outcomes`))[0].outcome).not.toHaveProperty('ratings');
  expect(ok(within(await by.get(`/outcomes/${id}?add_defaults=true`), 2)).ratings[0]).toMatchObject({
    points: 4,
    color: '127A1B',
    mastery: true,
  });

  const changed = ok(within(await by.put(`/outcomes/${id}`, { title: 'Argues well', calculation_method: 'highest' }), 3));
  expect(changed).toMatchObject({ title: 'Argues well', calculation_method: 'highest', points_possible: 4 });
  expect(changed).not.toHaveProperty('calculation_int');
  for (const [body, named] of [
    [{ title: ' ' }, 'title'],
    [{ calculation_method: 'median' }, 'calculation_method'],
    [{ calculation_int: 4 }, 'calculation_int'],
    [{ calculation_method: 'n_mastery', calculation_int: 11 }, 'calculation_int'],
    [{ display_name: 'x'.repeat(256) }, 'display_name'],
  ] as const) {
    const refused = await by.put(`/outcomes/${id}`, body);
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain(named);
  }

  const moved = ok(within(await by.put(`${place}/outcome_groups/${other.id}/outcomes/${id}`, { move_from: group.id }), 3));
  expect(moved.outcome_group.id).toBe(other.id);
  expect(ok(await by.get(`${at}/outcomes`))).toEqual([]);
  expect((await by.put(`${at}/outcomes/${id}`, { move_from: group.id })).status).toBe(400);
  ok(await by.put(`${at}/outcomes/${id}`, {}));
  const again = ok(await by.post(`${at}/outcomes`, { outcome_id: id }));
  expect(again.outcome.id).toBe(id);

  expect((await by.put(root, { title: 'x' })).status).toBe(400);
  expect((await by.del(root)).status).toBe(400);
  const inside = ok(await by.post(`${at}/subgroups`, { title: 'Inside' }));
  expect((await by.put(at, { parent_outcome_group_id: inside.id })).status).toBe(400);
  const renamed = ok(
    within(await by.put(`${place}/outcome_groups/${inside.id}`, { title: 'Moved', parent_outcome_group_id: other.id }), 3),
  );
  expect(renamed).toMatchObject({ title: 'Moved', parent_outcome_group: { id: other.id } });
  expect((await by.post(`${at}/subgroups`, {})).status).toBe(400);

  const unlinked = ok(within(await by.del(`${at}/outcomes/${id}`), 3));
  expect(unlinked).not.toHaveProperty('can_unlink');
  expect((await by.del(`${at}/outcomes/${id}`)).status).toBe(404);
  ok(await by.get(`/outcomes/${id}`));
  ok(within(await by.del(`${place}/outcome_groups/${other.id}`), 3));
  for (const gone of [`/outcomes/${id}`, `${place}/outcome_groups/${other.id}`, `${place}/outcome_groups/${inside.id}`])
    expect((await by.get(gone)).status, gone).toBe(404);
});

test('a course links outcomes of its account and imports their groups', async () => {
  const { accountAdmin, teacher, student, stranger, account, course } = scene;
  const root = await rootGroup(accountAdmin, `/accounts/${account}`);
  const group = ok(await as(accountAdmin).post(`${root}/subgroups`, { title: 'Faculty goals' }));
  const deeper = ok(await as(accountAdmin).post(`/accounts/${account}/outcome_groups/${group.id}/subgroups`, { title: 'Deeper' }));
  const { outcome } = await outcomeIn(accountAdmin, `/accounts/${account}/outcome_groups/${deeper.id}`, { title: 'Cites' });
  const here = await rootGroup(teacher, `/courses/${course.id}`);

  const copy = ok(within(await as(teacher).post(`${here}/import`, { source_outcome_group_id: group.id }), 3));
  expect(copy).toMatchObject({ title: 'Faculty goals', context_type: 'Course', context_id: course.id });
  const [below] = ok(await as(student).get(`/courses/${course.id}/outcome_groups/${copy.id}/subgroups`));
  expect(below).toMatchObject({ title: 'Deeper', can_edit: false });
  const [link] = ok(await as(student).get(`/courses/${course.id}/outcome_groups/${below.id}/outcomes`));
  expect(link).toMatchObject({ outcome: { id: outcome.id, context_type: 'Account', can_edit: false }, can_unlink: false });
  const work = ok(within(await as(teacher).post(`${here}/import`, { source_outcome_group_id: group.id, async: true }), 3));
  expect(work).toMatchObject({ workflow_state: 'completed', results: { outcome_group_url: expect.stringContaining('/outcome_groups/') } });
  ok(await as(teacher).get(work.results.outcome_group_url));
  for (const source of [root.split('/').at(-1), 99_999_999, undefined])
    expect((await as(teacher).post(`${here}/import`, { source_outcome_group_id: source })).status).toBe(400);

  ok(await as(student).get(`/outcomes/${outcome.id}`));
  expect((await as(stranger).get(`/outcomes/${outcome.id}`)).status).toBe(404);
  expect((await as(student).put(`/outcomes/${outcome.id}`, { title: 'x' })).status).toBe(401);
  expect((await as(teacher).put(`/outcomes/${outcome.id}`, { title: 'x' })).status).toBe(401);
  for (const path of [here, `/courses/${course.id}/outcome_groups`]) expect((await as(stranger).get(path)).status).toBe(401);
  expect((await as(student).post(`${here}/outcomes`, { title: 'x' })).status).toBe(401);
  expect((await as(teacher).get(root)).status).toBe(401);
  expect((await as(accountAdmin).post(await rootGroup(accountAdmin, '/global'), {})).status).not.toBe(200);

  const groups = ok(within(await as(teacher).get(`/courses/${course.id}/outcome_groups`), 2));
  expect(groups.length).toBeGreaterThan(4);
  const links = ok(within(await as(teacher).get(`/courses/${course.id}/outcome_group_links?outcome_style=full`), 2));
  expect(links.at(-1)).toMatchObject({ outcome: { id: outcome.id, ratings: expect.any(Array) } });
  const elsewhere = await aCourse(ground);
  expect(ok(await as(elsewhere.teacher).get(`/courses/${elsewhere.course.id}/outcome_groups`))).toHaveLength(1);
  const foreign = await rootGroup(elsewhere.teacher, `/courses/${elsewhere.course.id}`);
  expect((await as(elsewhere.teacher).post(`${foreign}/outcomes`, { outcome_id: outcome.id })).status).toBe(400);
  expect((await as(elsewhere.teacher).post(`${foreign}/import`, { source_outcome_group_id: copy.id })).status).toBe(400);
});

test.each([
  ['account', 'accountAdmin', ({ account }: Scene) => `/accounts/${account}`],
  ['institution', 'root', () => '/global'],
] as const)('in the %s, a group is copied into another', async (_name, who, placeOf) => {
  const place = placeOf(scene);
  const by = as(scene[who]);
  const root = await rootGroup(scene[who], place);
  const group = ok(await by.post(`${root}/subgroups`, { title: 'Speaking' }));
  await outcomeIn(scene[who], `${place}/outcome_groups/${group.id}`, { title: 'Tells' });
  const other = ok(await by.post(`${root}/subgroups`, { title: 'Presenting' }));
  const into = `${place}/outcome_groups/${other.id}/import`;
  const copy = ok(within(await by.post(into, { source_outcome_group_id: group.id }), 3));
  expect(copy).toMatchObject({ title: 'Speaking', parent_outcome_group: { id: other.id } });
  expect(copy.id).not.toBe(group.id);
  const links = ok(await by.get(`${place}/outcome_groups/${copy.id}/outcomes`));
  expect(links).toMatchObject([{ outcome: { title: 'Tells' } }]);
  expect((await as(scene.teacher).post(into, { source_outcome_group_id: group.id })).status).toBe(401);
});

test('an edit of an outcome writes a fixed number of rows for each course that links it', async () => {
  const { root } = scene;
  const group = await rootGroup(root, '/accounts/1');
  const { outcome } = await outcomeIn(root, group, { title: 'Everywhere' });
  const edit = async (change: object): Promise<number> => {
    const answer = within(await as(root).put(`/outcomes/${outcome.id}`, change), 3);
    ok(answer);
    return answer.cost.rows_written ?? 0;
  };
  const written: { edit: number; rename: number }[] = [];
  for (const courses of [2, 8]) {
    for (let nth = 0; nth < courses; nth += 1) {
      const place = await rootGroup(root, `/courses/${(await ground.course()).id}`);
      ok(await as(root).put(`${place}/outcomes/${outcome.id}`));
    }
    written.push({ edit: await edit({ description: `Of ${courses}` }), rename: await edit({ title: `Everywhere ${courses}` }) });
  }
  const [few, many] = written as [(typeof written)[number], (typeof written)[number]];
  // Two links, and then eight more. The change of each course has a mark of its own second at most.
  expect((many.edit - few.edit) / 8).toBeLessThanOrEqual(3.5);
  expect((many.rename - few.rename) / 8).toBeLessThanOrEqual(9.5);
});
