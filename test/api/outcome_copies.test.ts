// Outcomes of a course in course copies and blueprints, with their groups, links and the rubrics that assess them.

import { env } from 'cloudflare:test';
import { syncBlueprint } from '@carrel/worker/domains/blueprint_templates/job';
import { copyCourse } from '@carrel/worker/domains/course_copy/job';
import type { Platform } from '@carrel/worker/platform';
import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok } from '../support/api';
import { aCourse, type Person } from '../support/ground';

const platform = env as unknown as Platform;
type Id = { readonly id: number };
interface Link {
  readonly url: string;
  readonly outcome: Id & { readonly title: string };
  readonly outcome_group: Id & { readonly title: string };
}

let admin: Person;
let account: number;
/** An outcome of the account. */
let above: number;
beforeAll(async () => {
  account = (await ground.account({ name: 'Copies' })).id;
  admin = await ground.admin();
  const [root] = ok(await as(admin).get(`/accounts/${account}/outcome_groups`));
  above = ok(await as(admin).post(`/accounts/${account}/outcome_groups/${root.id}/outcomes`, { title: 'Above' })).outcome.id;
});

const linksOf = async (course: Id) => ok(await as(admin).get(`/courses/${course.id}/outcome_group_links?per_page=100`)) as Link[];
const treeOf = async (course: Id) =>
  (await linksOf(course)).map(({ outcome, outcome_group }) => `${outcome_group.title} / ${outcome.title}`).sort();
const outcomeIn = async (course: Id, title: string) =>
  (await linksOf(course)).find(({ outcome }) => outcome.title === title)?.outcome.id ?? 0;
const groupsOf = async (course: Id) =>
  ok(await as(admin).get(`/courses/${course.id}/outcome_groups?per_page=100`)) as (Id & {
    title: string;
    parent_outcome_group?: { title: string };
  })[];
const groupIn = async (course: Id, title: string) => (await groupsOf(course)).find((one) => one.title === title)?.id;

/** A course with a tree, in which a group is below one that is newer, and a rubric that assesses three outcomes. */
async function aTree(course: Id) {
  const at = `/courses/${course.id}`;
  const [root] = await groupsOf(course);
  const inside = ok(await as(admin).post(`${at}/outcome_groups/${root?.id}/subgroups`, { title: 'Inside', vendor_guid: 'inside' }));
  const outside = ok(await as(admin).post(`${at}/outcome_groups/${root?.id}/subgroups`, { title: 'Outside' }));
  ok(await as(admin).put(`${at}/outcome_groups/${inside.id}`, { parent_outcome_group_id: outside.id }));
  const description = `<p><a href="/courses/${course.id}/assignments">tasks</a></p>`;
  const argues = ok(
    await as(admin).post(`${at}/outcome_groups/${inside.id}/outcomes`, { title: 'Argues', description, calculation_method: 'latest' }),
  ).outcome.id;
  const cites = ok(await as(admin).post(`${at}/outcome_groups/${root?.id}/outcomes`, { title: 'Cites' })).outcome.id;
  for (const group of [root?.id, outside.id]) ok(await as(admin).post(`${at}/outcome_groups/${group}/outcomes`, { outcome_id: above }));
  const criterion = (learning_outcome_id: number) => ({
    description: 'C',
    learning_outcome_id,
    mastery_points: 2,
    ratings: [{ points: 3 }, { points: 0 }],
  });
  ok(
    await as(admin).post(
      `${at}/rubrics`,
      { rubric: { title: 'Essay', criteria: [...[argues, cites, above].map(criterion), { description: 'Style', points: 1 }] } },
      { json: true },
    ),
  );
  return { inside: inside.id as number, outside: outside.id as number, argues: argues as number };
}

async function copied(target: Id, source: Id, given: object = {}) {
  const { id } = ok(await as(admin).post(`/courses/${target.id}/course_copy`, { source_course: source.id, ...given }));
  await copyCourse({ job: 'course_copy', ids: [id] }, platform);
  // The queue may have begun with it.
  await expect
    .poll(async () => ok(await as(admin).get(`/courses/${target.id}/course_copy/${id}`)))
    .toMatchObject({ workflow_state: 'completed' });
}

const criteriaOf = async (course: Id) => {
  const [rubric] = ok(await as(admin).get(`/courses/${course.id}/rubrics`));
  return (rubric?.data ?? []) as { learning_outcome_id?: number; mastery_points?: number }[];
};

test('a copy has the outcomes, groups and links of the original, and its rubrics assess the copies', async () => {
  const { course: source } = await aCourse(ground, { account_id: account, name: 'Source' });
  const { course: target } = await aCourse(ground, { account_id: account, name: 'Target' });
  const { outside, argues } = await aTree(source);
  await copied(target, source);
  const tree = ['Inside / Argues', 'Outside / Above', 'Target / Above', 'Target / Cites'];
  expect(await treeOf(target)).toEqual(tree);
  expect((await groupsOf(target)).find(({ title }) => title === 'Inside')).toMatchObject({
    vendor_guid: 'inside',
    parent_outcome_group: { title: 'Outside' },
  });
  const copy = await outcomeIn(target, 'Argues');
  expect(copy).not.toBe(argues);
  const shown = ok(await as(admin).get(`/outcomes/${copy}`));
  expect(shown).toMatchObject({ context_type: 'Course', context_id: target.id, calculation_method: 'latest' });
  expect(shown.description).toContain(`/courses/${target.id}/assignments`);
  expect(await outcomeIn(target, 'Above')).toBe(above);
  const criteria = await criteriaOf(target);
  expect(criteria.map((one) => one.learning_outcome_id)).toEqual([copy, await outcomeIn(target, 'Cites'), above, undefined]);
  // The rubric aligns the copy, which therefore stays.
  const link = (await linksOf(target)).find((one) => one.outcome.id === copy);
  ok(await as(admin).del((link as Link).url.replace('/api/v1', '')), 400);

  // Again, and from another course, without doubling.
  ok(await as(admin).put(`/outcomes/${argues}`, { title: 'Argues well' }));
  ok(
    await as(admin).put(`/courses/${source.id}/outcome_groups/${outside}/outcomes/${argues}`, {
      move_from: await groupIn(source, 'Inside'),
    }),
  );
  await copied(target, source);
  expect(await treeOf(target)).toEqual(['Outside / Above', 'Outside / Argues well', 'Target / Above', 'Target / Cites']);
  expect(await outcomeIn(target, 'Argues well')).toBe(copy);
  const { course: second } = await aCourse(ground, { account_id: account, name: 'Second' });
  await aTree(second);
  await copied(target, second);
  expect((await treeOf(target)).filter((one) => one.startsWith('Target'))).toEqual(['Target / Above', 'Target / Cites', 'Target / Cites']);
});

test('a part of a copy has the outcomes that its rubrics need, and another institution none of the account', async () => {
  const { course: source } = await aCourse(ground, { account_id: account, name: 'Source' });
  await aTree(source);
  const { course: target } = await aCourse(ground, { name: 'Elsewhere' });
  await copied(target, source, { only: ['rubrics'] });
  expect(await treeOf(target)).toEqual(['Elsewhere / Argues', 'Elsewhere / Cites']);
  const [, , without] = await criteriaOf(target);
  expect(without).not.toHaveProperty('learning_outcome_id');
  expect((await criteriaOf(target)).map((one) => one.learning_outcome_id ?? null)).toEqual([
    await outcomeIn(target, 'Argues'),
    await outcomeIn(target, 'Cites'),
    null,
    null,
  ]);
  const { course: other } = await aCourse(ground, { account_id: account, name: 'Other' });
  await copied(other, source, { only: ['outcomes'] });
  expect(await treeOf(other)).toEqual(['Inside / Argues', 'Other / Above', 'Other / Cites', 'Outside / Above']);
  expect(await criteriaOf(other)).toEqual([]);
});

/** A bank with a question, aligned with outcomes. */
async function anAlignedBank(course: Id, alignments: object[]) {
  const bank = await ground.questionBank('Course', course, { title: 'Bank' });
  await ground.bankQuestion(bank, { question_name: 'Why?' });
  await align(course, bank, alignments);
  return bank;
}
const align = async (course: Id, bank: number, alignments: object[]) =>
  ok(await as(admin).put(`/courses/${course.id}/question_banks/${bank}/outcome_alignments`, { alignments }, { json: true }));
const bankIn = async (course: Id): Promise<number> =>
  (await env.DB.prepare("select id from question_banks where context_type = 'Course' and context_id = ?")
    .bind(course.id)
    .first<number>('id')) ?? 0;
const alignmentsIn = async (course: Id) =>
  (
    ok(await as(admin).get(`/courses/${course.id}/question_banks/${await bankIn(course)}/outcome_alignments`)) as {
      learning_outcome_id: number;
    }[]
  ).sort((a, b) => a.learning_outcome_id - b.learning_outcome_id);

test('copied question banks assess the copies of the outcomes, alone too, and again without what the original has lost', async () => {
  const { course: source } = await aCourse(ground, { account_id: account, name: 'Source' });
  const { course: target } = await aCourse(ground, { account_id: account, name: 'Target' });
  const { argues } = await aTree(source);
  const cites = await outcomeIn(source, 'Cites');
  const bank = await anAlignedBank(source, [
    { learning_outcome_id: argues, mastery_score: 0.6 },
    { learning_outcome_id: cites },
    { learning_outcome_id: above },
  ]);
  await copied(target, source, { only: ['quizzes'] });
  expect(await treeOf(target)).toEqual(['Target / Argues', 'Target / Cites']);
  const expected = async (...all: [string, number | null][]) =>
    (
      await Promise.all(
        all.map(async ([title, mastery_score]) => ({ title, mastery_score, learning_outcome_id: await outcomeIn(target, title) })),
      )
    ).sort((a, b) => a.learning_outcome_id - b.learning_outcome_id);
  const partly = (await expected(['Argues', 0.6], ['Cites', null])).concat({
    title: 'Above',
    mastery_score: null,
    learning_outcome_id: above,
  });
  expect(await alignmentsIn(target)).toEqual(partly.sort((a, b) => a.learning_outcome_id - b.learning_outcome_id));
  await copied(target, source);
  expect(await alignmentsIn(target)).toEqual(await expected(['Above', null], ['Argues', 0.6], ['Cites', null]));

  const own = ok(await as(admin).post(`/courses/${target.id}/outcome_groups/${(await groupsOf(target))[0]?.id}/outcomes`, { title: 'Own' }))
    .outcome.id;
  const before = await alignmentsIn(target);
  await align(target, await bankIn(target), [
    ...before.map(({ learning_outcome_id }) => ({ learning_outcome_id })),
    { learning_outcome_id: own },
  ]);
  await align(source, bank, [{ learning_outcome_id: argues, mastery_score: 0.9 }]);
  await copied(target, source);
  expect(await alignmentsIn(target)).toEqual(await expected(['Above', null], ['Argues', 0.9], ['Own', null]));
});

test('a blueprint sends its outcomes, and later only what has changed', async () => {
  const master = await ground.course({ account_id: account, name: 'Blueprint' });
  const { course: one } = await aCourse(ground, { account_id: account, name: 'One' });
  const { inside, outside, argues } = await aTree(master);
  ok(await as(admin).put(`/courses/${master.id}`, { course: { blueprint: true } }));
  const at = `/courses/${master.id}/blueprint_templates/default`;
  ok(await as(admin).put(`${at}/update_associations`, { course_ids_to_add: [one.id] }));
  const synced = async () => {
    const begun = ok(await as(admin).post(`${at}/migrations`));
    for (let left = 50; left > 0; left -= 1) {
      await syncBlueprint({ job: 'blueprint_sync', ids: [begun.id] }, platform);
      const { results } = await env.DB.prepare('select copy_id from blueprint_imports where migration_id = ?')
        .bind(begun.id)
        .all<{ copy_id: number }>();
      for (const { copy_id } of results) await copyCourse({ job: 'course_copy', ids: [copy_id] }, platform);
      if (ok(await as(admin).get(`${at}/migrations/${begun.id}`)).workflow_state === 'completed') return;
    }
    throw new Error('the sync does not end');
  };
  const bank = await anAlignedBank(master, []);
  await synced();
  expect(await alignmentsIn(one)).toEqual([]);
  expect(await treeOf(one)).toEqual(['Inside / Argues', 'One / Above', 'One / Cites', 'Outside / Above']);
  const copy = await outcomeIn(one, 'Argues');
  expect((await criteriaOf(one))[0]).toMatchObject({ learning_outcome_id: copy });

  await align(master, bank, [{ learning_outcome_id: argues }]);
  ok(await as(admin).put(`/outcomes/${argues}`, { title: 'Argues well' }));
  ok(await as(admin).put(`/courses/${master.id}/outcome_groups/${inside}`, { title: 'Within' }));
  ok(await as(admin).put(`/courses/${master.id}/outcome_groups/${outside}/outcomes/${argues}`, {}));
  const changes = ok(await as(admin).get(`${at}/unsynced_changes`));
  expect(changes).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ asset_type: 'learning_outcome', asset_name: 'Argues well' }),
      expect.objectContaining({ asset_type: 'learning_outcome_group', asset_name: 'Within' }),
    ]),
  );
  await synced();
  expect(await treeOf(one)).toEqual(['One / Above', 'One / Cites', 'Outside / Above', 'Outside / Argues well', 'Within / Argues well']);
  expect(await outcomeIn(one, 'Argues well')).toBe(copy);
  expect(await alignmentsIn(one)).toMatchObject([{ learning_outcome_id: copy }]);
});
