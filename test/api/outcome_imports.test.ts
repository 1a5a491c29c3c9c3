// Imports of outcomes from CSV files.

import { env, SELF } from 'cloudflare:test';
import { newMeter, open } from '@carrel/worker/database/open';
import { importOutcomes, unfinishedOutcomeImports } from '@carrel/worker/domains/outcomes/imports/job';
import { resume } from '@carrel/worker/steps';
import { beforeAll, expect, test, vi } from 'vitest';
import { as, base, ground, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';

const names =
  'vendor_guid,object_type,title,parent_guids,description,workflow_state,mastery_points,calculation_method,calculation_int,ratings';
const file = (...lines: string[]) => {
  const form = new FormData();
  form.set('attachment', new File([[names, ...lines].join('\n')], 'outcomes.csv', { type: 'text/csv' }));
  return form;
};
const work = (id: number) => importOutcomes({ job: 'outcome_import', ids: [id] }, env as never);

type Scene = Awaited<ReturnType<typeof aCourse>> & { readonly admin: Person; readonly account: number };
let scene: Scene;
beforeAll(async () => {
  const account = (await ground.account({ name: 'Faculty' })).id;
  scene = { ...(await aCourse(ground, { account_id: account })), admin: await ground.admin({ account_id: account }), account };
});

/** Imports a file to its end, and returns the import. */
async function imported(by: Person, place: string, ...lines: string[]) {
  const begun = ok(within(await as(by).post(`${place}/outcome_imports`, file(...lines)), 3));
  await work(begun.id);
  return ok(within(await as(by).get(`${place}/outcome_imports/${begun.id}`), 2));
}

interface Listed {
  readonly outcome: { readonly id: number; readonly title: string };
  readonly outcome_group: { readonly title: string };
}
/** The outcomes of a context, each with its group. */
const linksOf = async (by: Person, place: string) =>
  (ok(await as(by).get(`${place}/outcome_group_links?per_page=100`)) as Listed[])
    .map(({ outcome, outcome_group }) => `${outcome_group.title} / ${outcome.title}`)
    .sort();
const groupsOf = async (by: Person, place: string) =>
  ok(await as(by).get(`${place}/outcome_groups?per_page=100`)) as {
    id: number;
    title: string;
    vendor_guid: string | null;
    parent_outcome_group?: { title: string };
  }[];

test('an administrator imports a tree; the same file again changes nothing, and a changed one updates it', async () => {
  const { admin, account, teacher } = scene;
  const at = `/accounts/${account}`;
  ok(await as(teacher).post(`${at}/outcome_imports`, file('a,group,A,')), 401);
  expect(ok(await as(admin).get(`${at}/outcome_imports/latest`), 404)).toEqual({ message: 'Outcome import not found' });
  const lines = [
    'w,group,Writing,,Texts,,,,,',
    'd,group,Drafts,w,,,,,,',
    'o1,outcome,Argues,d w,"Well <script>x</script><b>said</b>",,3,n_mastery,2,5,Well,3,Fair,0,Poor',
    'o2,outcome,Cites,,,,,,,',
  ];
  const done = await imported(admin, at, ...lines);
  expect(done).toMatchObject({
    workflow_state: 'succeeded',
    progress: '100',
    learning_outcome_group_id: null,
    data: { import_type: 'instructure_csv' },
    user: { id: admin.id },
    ended_at: expect.any(String),
  });
  expect(done).not.toHaveProperty('processing_errors');
  expect(done).not.toHaveProperty('csv');
  expect(await linksOf(admin, at)).toEqual(['Drafts / Argues', 'Faculty / Cites', 'Writing / Argues']);
  const groups = await groupsOf(admin, at);
  expect(groups.find(({ title }) => title === 'Drafts')).toMatchObject({ vendor_guid: 'd', parent_outcome_group: { title: 'Writing' } });
  const created = groups.filter(({ vendor_guid }) => vendor_guid !== null).map(({ id }) => id);
  expect(ok(within(await as(admin).get(`${at}/outcome_imports/latest/created_group_ids`), 2))).toEqual(created);
  expect(ok(await as(admin).get(`${at}/outcome_imports/latest`)).id).toBe(done.id);
  const links = ok(await as(admin).get(`${at}/outcome_group_links?outcome_style=full&per_page=100`));
  const argues = links.find((one: Listed) => one.outcome.title === 'Argues').outcome;
  expect(argues).toMatchObject({
    vendor_guid: 'o1',
    description: expect.not.stringContaining('script'),
    mastery_points: 3,
    points_possible: 5,
    calculation_method: 'n_mastery',
    calculation_int: 2,
    ratings: [{ points: 5, description: 'Well' }, { points: 3 }, { points: 0 }],
  });

  const again = await imported(admin, at, ...lines);
  expect(again).toMatchObject({ workflow_state: 'succeeded' });
  expect(ok(await as(admin).get(`${at}/outcome_imports/${again.id}/created_group_ids`))).toEqual([]);
  expect(ok(await as(admin).get(`${at}/outcome_group_links?outcome_style=full&per_page=100`))).toEqual(links);
  expect(await groupsOf(admin, at)).toEqual(groups);

  await imported(
    admin,
    at,
    'd,group,Versions,,,,,,,',
    'w,group,Writing,d,,,,,,',
    'o1,outcome,Argues well,w,,,,highest,,',
    'o2,outcome,Cites,,,deleted,,,,',
    `canvas_outcome:${argues.id},outcome,Argues best,d,,,,highest,,`,
  );
  expect(await linksOf(admin, at)).toEqual(['Versions / Argues best']);
  expect((await groupsOf(admin, at)).find(({ title }) => title === 'Writing')).toMatchObject({
    parent_outcome_group: { title: 'Versions' },
  });
  expect(ok(await as(admin).get(`/outcomes/${argues.id}`))).toMatchObject({
    title: 'Argues best',
    calculation_method: 'highest',
    mastery_points: 3,
  });
  const gone = links.find((one: Listed) => one.outcome.title === 'Cites').outcome.id;
  ok(await as(admin).get(`/outcomes/${gone}`), 404);

  await imported(admin, at, 'd,group,Versions,,,deleted,,,,');
  expect(await groupsOf(admin, at)).toHaveLength(1);
  expect(await linksOf(admin, at)).toEqual([]);
  await imported(admin, at, 'd,group,Versions,,,,,,,', 'o1,outcome,Argues,d,,,,,,');
  expect(await linksOf(admin, at)).toEqual(['Versions / Argues']);
  expect(ok(await as(admin).get(`/outcomes/${argues.id}`))).toMatchObject({ title: 'Argues', vendor_guid: 'o1' });
});

test('rows that are wrong are reported, and the others imported', async () => {
  const { admin, account, teacher, student, course } = scene;
  const [above, at] = [`/accounts/${account}`, `/courses/${course.id}`];
  await imported(admin, above, 'goal,outcome,Goal,,,,,,,');
  const other = await aCourse(ground);
  const [elsewhere] = ok(await as(other.teacher).get(`/courses/${other.course.id}/outcome_groups`));
  await imported(other.teacher, `/courses/${other.course.id}`, 'mine,outcome,Theirs,,,,,,,');
  const [theirs] = ok(await as(other.teacher).get(`/courses/${other.course.id}/outcome_group_links`)) as Listed[];
  const [root] = await groupsOf(teacher, at);
  const done = await imported(
    teacher,
    at,
    'g,group,Here,,,,,,,',
    'goal,outcome,Goal,g,,,,,,',
    'mine,outcome,Mine,g,,,,,,',
    `canvas_outcome:${theirs?.outcome.id},outcome,Theirs,g,,,,,,`,
    `canvas_outcome_group:${elsewhere.id},group,Theirs,,,,,,,`,
    `x,outcome,X,canvas_outcome_group:${elsewhere.id},,,,,,`,
    'a b,group,Blank,,,,,,,',
    'y,outcome,Y,g,,,,highest,3,',
    `canvas_outcome_group:${root?.id},group,Root,,,,,,,`,
  );
  expect(done).toMatchObject({ workflow_state: 'succeeded', progress: '100' });
  expect(done.processing_errors).toEqual([
    [5, expect.stringContaining('does not exist in this context')],
    [6, expect.stringContaining('does not exist in this context')],
    [7, expect.stringContaining('was not imported')],
    [8, 'vendor_guid must not contain spaces'],
    [9, expect.stringContaining('calculation_int')],
    [10, expect.stringContaining('contains the group')],
  ]);
  expect(await linksOf(teacher, at)).toEqual(['Here / Goal', 'Here / Mine']);
  expect(await linksOf(other.teacher, `/courses/${other.course.id}`)).toHaveLength(1);
  const changed = await imported(teacher, at, 'goal,outcome,Our goal,,,,,,,');
  expect(changed.processing_errors).toEqual([[2, expect.stringContaining('belongs to another context')]]);

  const many = await imported(teacher, at, ...Array.from({ length: 30 }, (_, nth) => `b ${nth},group,Blank,,,,,,,`));
  expect(many.processing_errors).toHaveLength(25);
  for (const head of ['title', `${names},more`]) {
    const form = new FormData();
    form.set('attachment', new File([`${head}\nA`], 'x.csv'));
    const { id } = ok(await as(teacher).post(`${at}/outcome_imports`, form));
    await work(id);
    const failed = ok(await as(teacher).get(`${at}/outcome_imports/${id}`));
    expect(failed).toMatchObject({ workflow_state: 'failed', processing_errors: [[1, expect.any(String)]] });
  }

  ok(await as(student).post(`${at}/outcome_imports`, file('a,group,A,')), 401);
  ok(await as(student).get(`${at}/outcome_imports/${done.id}`), 401);
  ok(await as(student).get(`${at}/outcome_imports/${done.id}/created_group_ids`), 401);
  for (const path of [`outcome_imports/${done.id}`, `outcome_imports/${done.id}/created_group_ids`])
    ok(await as(other.teacher).get(`/courses/${other.course.id}/${path}`), 404);
  expect(ok(await as(teacher).post(`${at}/outcome_imports`, new FormData()), 400)).toEqual({ message: 'No file attached' });
  const latin = new FormData();
  latin.set('attachment', new File([new Uint8Array([...new TextEncoder().encode(`${names}\na,group,`), 0xe9])], 'x.csv'));
  expect(ok(await as(teacher).post(`${at}/outcome_imports`, latin), 400)).toEqual({ error: 'Invalid content type, UTF-8 required' });
  const typed = file('a,group,A,');
  typed.set('import_type', 'xml');
  ok(await as(teacher).post(`${at}/outcome_imports`, typed), 400);
});

test('an outcome that something assesses is not deleted with its last link', async () => {
  const { course, teacher } = await aCourse(ground);
  const at = `/courses/${course.id}`;
  await imported(teacher, at, 'g,group,Goals,,,,,,,', 'o,outcome,Argues,g,,,,,,');
  const [{ outcome }] = ok(await as(teacher).get(`${at}/outcome_group_links`));
  const criteria = [{ description: 'Argues', points: 5, learning_outcome_id: outcome.id }];
  ok(await as(teacher).post(`${at}/rubrics`, { rubric: { title: 'Essay', criteria } }, { json: true }));
  const done = await imported(teacher, at, 'o,outcome,Argues,,,deleted,,,,', 'g,group,Goals,,,deleted,,,,');
  expect(done.processing_errors).toEqual([
    [2, 'the outcome is aligned to content'],
    [3, 'the group has an outcome that is aligned to content'],
  ]);
  expect(await linksOf(teacher, at)).toEqual(['Goals / Argues']);
});

test('a file can be imported below a group, and as the whole body', async () => {
  const { course, teacher } = await aCourse(ground);
  const at = `/courses/${course.id}`;
  const [root] = ok(await as(teacher).get(`${at}/outcome_groups`));
  const top = ok(await as(teacher).post(`${at}/outcome_groups/${root.id}/subgroups`, { title: 'Top', vendor_guid: 'top' }));
  const under = ok(await as(teacher).post(`${at}/outcome_groups/${top.id}/subgroups`, { title: 'Under' }));
  const below = `${at}/outcome_imports/group/${under.id}`;
  const begun = ok(within(await as(teacher).post(below, file('top,group,Moved,,,,,,,', 'o,outcome,Argues,,,,,,,')), 3));
  expect(begun.learning_outcome_group_id).toBe(under.id);
  await work(begun.id);
  // A group cannot be put below itself.
  expect(ok(await as(teacher).get(`${at}/outcome_imports/latest`)).processing_errors).toEqual([
    [2, expect.stringContaining('contains the group')],
  ]);
  expect(await linksOf(teacher, at)).toEqual(['Under / Argues']);
  ok(await as(teacher).post(`${at}/outcome_imports/group/${under.id + 1000}`, file('a,group,A,')), 404);

  const faculty = `/accounts/${scene.account}`;
  const [facultyRoot] = await groupsOf(scene.admin, faculty);
  const inFaculty = `${faculty}/outcome_imports/group/${facultyRoot?.id}`;
  const ofFaculty = ok(within(await as(scene.admin).post(inFaculty, file('below,group,Below,,,,,,,')), 3));
  await work(ofFaculty.id);
  expect((await groupsOf(scene.admin, faculty)).find(({ vendor_guid }) => vendor_guid === 'below')?.parent_outcome_group).toMatchObject({
    title: facultyRoot?.title,
  });
  ok(await as(teacher).post(inFaculty, file('a,group,A,')), 401);

  const headers = { Authorization: `Bearer ${teacher.token}`, 'Content-Type': 'text/csv', 'Idempotency-Key': 'outcomes-1' };
  const body = `${names}\np,outcome,Plain,,,,,,,\n`;
  const send = async () => {
    const answer = await SELF.fetch(`${base}/api/v1${at}/outcome_imports?import_type=instructure_csv`, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
    return (await answer.json()) as { id: number };
  };
  const first = await send();
  await work(first.id);
  expect(await send()).toMatchObject({ id: first.id, workflow_state: 'succeeded' });
  expect(ok(await as(teacher).get(`${at}/outcome_imports/latest`)).id).toBe(first.id);
  expect(await linksOf(teacher, at)).toEqual([`${course.name} / Plain`, 'Under / Argues'].sort());
});

test('a long file is imported in steps: it is continued after a stop, twice at once, and nothing happens twice', async () => {
  const { course, teacher } = await aCourse(ground);
  const at = `/courses/${course.id}`;
  const lines = Array.from({ length: 240 }, (_, nth) => `g${nth},group,Group ${nth},${nth === 0 ? '' : `g${nth - 1}`},,,,,,`);
  const { id } = ok(await as(teacher).post(`${at}/outcome_imports`, file(...lines)));
  const trigger =
    "create trigger broken before insert on learning_outcome_groups when new.title = 'Group 150' begin select raise(abort, 'out of order'); end";
  await env.DB.prepare(trigger).run();
  await expect(work(id)).rejects.toThrow('out of order');
  expect(ok(await as(teacher).get(`${at}/outcome_imports/${id}`))).toMatchObject({
    workflow_state: 'importing',
    progress: '41',
    ended_at: null,
  });
  const sent: object[] = [];
  const WORK = { send: async (job: object) => void sent.push(job) };
  const later = new Date(Date.now() + 5 * 60_000).toISOString();
  await resume([unfinishedOutcomeImports], { WORK } as never, open(env.DB, newMeter(), 'first-primary'), later);
  expect(sent).toContainEqual({ job: 'outcome_import', ids: [id] });
  await env.DB.prepare('drop trigger broken').run();
  await Promise.all([work(id), work(id)]);
  await work(id);
  expect(ok(await as(teacher).get(`${at}/outcome_imports/${id}`))).toMatchObject({ workflow_state: 'succeeded', progress: '100' });
  expect(ok(await as(teacher).get(`${at}/outcome_imports/${id}/created_group_ids`))).toHaveLength(240);

  const broken = ok(await as(teacher).post(`${at}/outcome_imports`, file('z,group,Group 150,,,,,,,')));
  await env.DB.prepare(trigger).run();
  vi.useFakeTimers({ now: Date.now() + 2 * 60 * 60_000, toFake: ['Date'] });
  await work(broken.id).finally(() => vi.useRealTimers());
  await env.DB.prepare('drop trigger broken').run();
  expect(ok(await as(teacher).get(`${at}/outcome_imports/${broken.id}`))).toMatchObject({
    workflow_state: 'failed',
    processing_errors: [[1, 'An error occurred.']],
  });
});
