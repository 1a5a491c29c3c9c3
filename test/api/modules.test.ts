// Modules: created, ordered, published, and as students see them.

import { modules } from '@carrel/worker/domains/modules/table';
import { expect, test } from 'vitest';
import { as, ground, many, n, nth, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';
import { upload } from '../support/upload';

const at = (course: { id: number }, rest = '') => `/courses/${course.id}/modules${rest}`;
const named = (name: string, rest: object = {}) => ({ module: { name, ...rest } });
type Listed = { id: number; name: string; position: number; prerequisite_module_ids: number[] }[];
const order = (modules: Listed) => modules.map(({ name, position }) => `${position} ${name}`);

async function modulesOf(course: { id: number }, teacher: Person, ...names: string[]): Promise<number[]> {
  const ids = [];
  for (const name of names) ids.push(ok(await as(teacher).post(at(course), named(name))).id as number);
  return ids;
}

async function aPage(course: { id: number }, teacher: Person, title: string, published = true) {
  return ok(await as(teacher).post(`/courses/${course.id}/pages`, { wiki_page: { title, published } }));
}

test('a module is created unpublished at the end, and students see it once it is published', async () => {
  const { course, teacher, student, observer } = await aCourse(ground);
  const made = ok(
    within(await as(teacher).post(at(course), named('Week 1', { unlock_at: '2026-01-01T00:00:00Z', requirement_count: '1' })), 3),
  );
  expect(made).toEqual({
    id: made.id,
    name: 'Week 1',
    position: 1,
    unlock_at: '2026-01-01T00:00:00Z',
    require_sequential_progress: false,
    requirement_type: 'one',
    requirement_count: 1,
    publish_final_grade: false,
    prerequisite_module_ids: [],
    published: false,
    items_count: 0,
    items_url: `https://carrel.test/api/v1/courses/${course.id}/modules/${made.id}/items`,
    workflow_state: 'unpublished',
  });
  expect(ok(await as(student).get(at(course)))).toEqual([]);
  ok(await as(student).get(at(course, `/${made.id}`)), 404);
  ok(within(await as(teacher).put(at(course, `/${made.id}`), { module: { published: true } }), 3));
  const [seen] = ok(within(await as(student).get(at(course)), 2));
  expect(seen).toMatchObject({ name: 'Week 1', state: 'completed', workflow_state: 'active' });
  expect(seen.completed_at).toMatch(/Z$/);
  expect(seen).not.toHaveProperty('published');
  expect(ok(await as(observer).get(at(course, `/${made.id}`)))).not.toHaveProperty('state');
});

test('a student cannot change a module, and an outsider cannot see one', async () => {
  const { course, teacher, student, stranger } = await aCourse(ground);
  const [id] = await modulesOf(course, teacher, 'One');
  ok(await as(student).post(at(course), named('Mine')), 401);
  ok(await as(student).put(at(course, `/${id}`), named('Mine')), 401);
  ok(await as(student).del(at(course, `/${id}`)), 401);
  ok(await as(student).put(at(course, `/${id}/relock`)), 401);
  ok(await as(student).put(at(course), { event: 'delete', module_ids: [id] }), 401);
  ok(await as(student).post(at(course, `/${id}/duplicate`)), 401);
  ok(await as(student).get(at(course, `/${id}/assignment_overrides`)), 401);
  ok(await as(stranger).get(at(course)), 401);
});

test('missing and invalid parameters of a module are refused by name', async () => {
  const { course, teacher } = await aCourse(ground);
  expect(ok(await as(teacher).post(at(course)), 400)).toEqual({ message: 'missing module parameter' });
  expect(ok(await as(teacher).post(at(course), named('')), 400)).toEqual({ message: 'missing module name' });
  ok(await as(teacher).post(at(course), named('One', { unlock_at: 'soon' })), 400);
  ok(await as(teacher).put(at(course, '/999999'), named('One')), 404);
  ok(await as(teacher).del(at(course, '/999999')), 404);
  ok(await as(teacher).put(at(course, '/999999/relock')), 404);
});

test('inserting at a position shifts the others, and prerequisites must come before', async () => {
  const { course, teacher } = await aCourse(ground);
  const [a, b, c] = await modulesOf(course, teacher, 'A', 'B', 'C');
  const list = async () => ok(await as(teacher).get(at(course))) as Listed;
  ok(await as(teacher).post(at(course), named('First', { position: 1 })));
  expect(order(await list())).toEqual(['1 First', '2 A', '3 B', '4 C']);
  ok(await as(teacher).put(at(course, `/${a}`), { module: { position: 3 } }));
  expect(order(await list())).toEqual(['1 First', '2 B', '3 A', '4 C']);
  ok(await as(teacher).put(at(course, `/${c}`), { module: { position: 2 } }));
  expect(order(await list())).toEqual(['1 First', '2 C', '3 B', '4 A']);
  ok(await as(teacher).put(at(course, `/${c}`), { module: { position: 99 } }));
  expect(order(await list())).toEqual(['1 First', '2 B', '3 A', '4 C']);
  expect(
    ok(await as(teacher).put(at(course, `/${c}`), { module: { prerequisite_module_ids: [a, b, c, 999999] } })).prerequisite_module_ids,
  ).toEqual([a, b]);
  ok(await as(teacher).put(at(course, `/${a}`), { module: { position: 4 } }));
  expect((await list()).find(({ id }) => id === c)?.prerequisite_module_ids).toEqual([b]);
  ok(await as(teacher).del(at(course, `/${b}`)));
  expect(order(await list())).toEqual(['1 First', '2 C', '3 A']);
  expect((await list()).find(({ id }) => id === c)?.prerequisite_module_ids).toEqual([]);
  expect(ok(await as(teacher).put(at(course, `/${a}`), { module: { prerequisite_module_ids: [c] } })).prerequisite_module_ids).toEqual([c]);
  expect(ok(await as(teacher).put(at(course, `/${a}`), { module: { prerequisite_module_ids: [''] } })).prerequisite_module_ids).toEqual([]);
});

test('deleting a module deletes its items, not their content', async () => {
  const { course, teacher } = await aCourse(ground);
  const [id] = await modulesOf(course, teacher, 'Gone');
  const page = await aPage(course, teacher, 'Stays');
  const item = ok(await as(teacher).post(at(course, `/${id}/items`), { module_item: { type: 'Page', page_url: page.url } }));
  expect(ok(within(await as(teacher).del(at(course, `/${id}`)), 3))).toMatchObject({ id, workflow_state: 'deleted' });
  ok(await as(teacher).get(at(course, `/${id}`)), 404);
  ok(await as(teacher).get(at(course, `/${id}/items/${item.id}`)), 404);
  ok(await as(teacher).get(`/courses/${course.id}/pages/stays`));
});

test('publishing a module publishes its items and their content, unless skipped', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const [id] = await modulesOf(course, teacher, 'Week');
  const page = await aPage(course, teacher, 'Reading', false);
  ok(await as(teacher).post(at(course, `/${id}/items`), { module_item: { type: 'Page', page_url: page.url } }));
  ok(await as(teacher).post(at(course, `/${id}/items`), { module_item: { type: 'SubHeader', title: 'Part' } }));
  const quiet = ok(await as(teacher).put(at(course, `/${id}`), { module: { published: true, skip_content_tags: true } }));
  expect(quiet).toMatchObject({ published: true, publish_warning: false, unpublish_warning: false });
  expect(ok(await as(student).get(at(course, `/${id}`))).items_count).toBe(0);
  ok(await as(teacher).put(at(course, `/${id}`), { module: { published: true } }));
  expect(ok(await as(student).get(at(course, `/${id}`))).items_count).toBe(2);
  ok(await as(student).get(`/courses/${course.id}/pages/reading`));
  ok(await as(teacher).put(`/courses/${course.id}/pages/reading`, { wiki_page: { front_page: true } }));
  const warned = ok(await as(teacher).put(at(course, `/${id}`), { module: { published: false } }));
  expect(warned).toMatchObject({
    published: false,
    unpublish_warning: true,
    publish_warning_items: [{ title: 'Reading', reason: 'unpublishable' }],
  });
  expect(ok(await as(teacher).get(`/courses/${course.id}/pages/reading`)).published).toBe(true);
});

test('a module publishes a delayed topic at its date, and no file without usage rights', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const [id] = await modulesOf(course, teacher, 'Week');
  const add = async (type: string, content_id: number) =>
    ok(await as(teacher).post(at(course, `/${id}/items`), { module_item: { type, content_id } }));
  const topics = `/courses/${course.id}/discussion_topics`;
  const later = ok(await as(teacher).post(topics, { title: 'Later', delayed_post_at: '2099-01-01T00:00:00Z' }));
  await add('Discussion', later.id);
  ok(await as(teacher).put(`/courses/${course.id}/settings`, { usage_rights_required: true }));
  const file = await upload(teacher, `/courses/${course.id}/files`, { name: 'plan.png', content_type: 'image/png' } as never, 'picture');
  const item = await add('File', file.id);
  const warned = ok(within(await as(teacher).put(at(course, `/${id}`), { module: { published: true } }), 3));
  expect(warned).toMatchObject({
    publish_warning: true,
    publish_warning_items: [{ id: item.id, title: 'plan.png', reason: 'usage_rights_required' }],
  });
  expect(ok(await as(student).get(`${topics}/${later.id}`))).toMatchObject({ locked_for_user: true, published: true });
  expect(ok(await as(student).get(at(course, `/${id}/items`)))).toMatchObject([{ title: 'Later' }]);
  const usage_rights = { use_justification: 'own_copyright', legal_copyright: 'Us' };
  ok(await as(teacher).put(`/courses/${course.id}/usage_rights`, { file_ids: [file.id], usage_rights }));
  expect(ok(await as(teacher).put(at(course, `/${id}`), { module: { published: true } }))).toMatchObject({ publish_warning: false });
  const [, shown] = ok(await as(student).get(at(course, `/${id}/items`), { include: ['content_details'] }));
  expect(shown.content_details.thumbnail_url).toContain(`/images/thumbnails/${file.id}/`);
});

test('an update warns when it would lock out students who have progressed', async () => {
  const { course, teacher } = await aCourse(ground);
  const [a, b] = await modulesOf(course, teacher, 'A', 'B');
  const change = async (id: number | undefined, module: object) =>
    ok(await as(teacher).put(at(course, `/${id}`), { module })).relock_warning;
  expect(await change(a, { published: true })).toBeUndefined();
  expect(await change(b, { published: true })).toBeUndefined();
  expect(await change(b, { prerequisite_module_ids: [a] })).toBe(true);
  expect(await change(b, { name: 'Bee' })).toBeUndefined();
  expect(await change(a, { published: false })).toBeUndefined();
  expect(await change(a, { published: true })).toBe(true);
  expect(await change(a, { unlock_at: '2026-01-01T00:00:00Z' })).toBe(true);
  expect(await change(a, { unlock_at: '2026-02-01T00:00:00Z' })).toBeUndefined();
});

test('modules are listed with their items, and searched together', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const [reading, labs] = await modulesOf(course, teacher, 'Reading list', 'Labs');
  const page = await aPage(course, teacher, 'Safety first');
  ok(await as(teacher).post(at(course, `/${reading}/items`), { module_item: { type: 'SubHeader', title: 'Books' } }));
  ok(await as(teacher).post(at(course, `/${labs}/items`), { module_item: { type: 'Page', page_url: page.url } }));
  ok(
    await as(teacher).post(at(course, `/${labs}/items`), {
      module_item: { type: 'ExternalUrl', external_url: 'https://example.edu', title: 'Reading room' },
    }),
  );
  ok(await as(teacher).put(at(course), { event: 'publish', module_ids: [reading, labs] }));
  const list = async (query: object) =>
    ok(within(await as(student).get(at(course), query), 2)).map((module: { name: string; items?: { title: string }[] }) => [
      module.name,
      ...(module.items ?? []).map(({ title }) => title),
    ]);
  expect(await list({})).toEqual([['Reading list'], ['Labs']]);
  expect(await list({ include: ['items'] })).toEqual([
    ['Reading list', 'Books'],
    ['Labs', 'Safety first', 'Reading room'],
  ]);
  expect(await list({ search_term: 'lab' })).toEqual([['Labs']]);
  expect(await list({ search_term: 'reading', include: ['items'] })).toEqual([
    ['Reading list', 'Books'],
    ['Labs', 'Reading room'],
  ]);
  expect(await list({ search_term: 'nothing', include: ['items'] })).toEqual([]);
  // A match that the student may not see does not list its module.
  for (const hidden of [{ published: true, only_visible_to_overrides: true }, { published: false }]) {
    const { id } = ok(await as(teacher).post(`/courses/${course.id}/assignments`, { assignment: { name: 'Secret', ...hidden } }), 201);
    ok(await as(teacher).post(at(course, `/${labs}/items`), { module_item: { type: 'Assignment', content_id: id } }));
  }
  expect(await list({ search_term: 'secret', include: ['items'] })).toEqual([]);
  expect(ok(await as(teacher).get(at(course), { search_term: 'secret', include: ['items'] }))).toMatchObject([{ id: labs }]);
  const detailed = ok(await as(student).get(at(course, `/${labs}`), { include: ['items', 'content_details'] }));
  expect(detailed.items[0].content_details).toEqual({ locked_for_user: false });
});

test("a teacher sees a student's progress; students see only their own", async () => {
  const { course, teacher, student, student2, observer, stranger } = await aCourse(ground);
  const [id] = await modulesOf(course, teacher, 'Week');
  ok(await as(teacher).put(at(course, `/${id}`), { module: { published: true } }));
  expect(ok(within(await as(teacher).get(at(course), { student_id: student.id }), 2))[0].state).toBe('completed');
  expect(ok(await as(observer).get(at(course, `/${id}`), { student_id: student.id })).state).toBe('completed');
  ok(await as(student2).get(at(course), { student_id: student.id }), 401);
  for (const rest of ['', `/${id}`, `/${id}/items`]) ok(await as(teacher).get(at(course, rest), { student_id: stranger.id }), 404);
  expect(ok(await as(teacher).get(at(course)))[0]).not.toHaveProperty('state');
});

test('modules are published, unpublished and deleted in batches', async () => {
  const { course, teacher } = await aCourse(ground);
  const [a, b] = await modulesOf(course, teacher, 'A', 'B');
  const put = (given: object) => as(teacher).put(at(course), given);
  expect(ok(within(await put({ event: 'publish', module_ids: [a, b, 999999] }), 3))).toEqual({ completed: [a, b], progress: null });
  const async = ok(await put({ event: 'unpublish', module_ids: [a], async: true }));
  expect(async).toMatchObject({
    completed: null,
    progress: { tag: 'context_module_batch_update', workflow_state: 'completed', completion: 100 },
  });
  expect(ok(await as(teacher).get(at(course))).map(({ published }: { published: boolean }) => published)).toEqual([false, true]);
  ok(await put({ event: 'delete', module_ids: [a] }));
  expect(order(ok(await as(teacher).get(at(course))))).toEqual(['1 B']);
  expect(ok(await put({ module_ids: [b] }), 400)).toEqual({ message: 'need to specify event' });
  expect(ok(await put({ event: 'burn', module_ids: [b] }), 400)).toEqual({ message: 'invalid event' });
  expect(ok(await put({ event: 'publish' }), 400)).toEqual({ message: 'must specify module_ids[]' });
  expect(ok(await put({ event: 'publish', module_ids: [a] }), 404)).toEqual({ message: 'no modules found' });
});

test('a duplicate follows its module, with copied content and the same requirements', async () => {
  const { course, teacher } = await aCourse(ground);
  const [a, b] = await modulesOf(course, teacher, 'A', 'B');
  ok(await as(teacher).put(at(course, `/${b}`), { module: { prerequisite_module_ids: [a], published: true } }));
  const page = await aPage(course, teacher, 'Reading');
  const item = (given: object) => as(teacher).post(at(course, `/${b}/items`), { module_item: given });
  ok(await item({ type: 'Page', page_url: page.url, completion_requirement: { type: 'must_view' } }));
  ok(await item({ type: 'Page', page_url: page.url }));
  ok(await item({ type: 'SubHeader', title: 'Part' }));
  const copy = ok(within(await as(teacher).post(at(course, `/${b}/duplicate`), { include: ['items'] }), 3));
  expect(copy).toMatchObject({ name: 'B Copy', position: 3, published: false, prerequisite_module_ids: [], items_count: 3 });
  expect(
    copy.items.map((one: { title: string; page_url?: string; published: boolean }) => [one.title, one.page_url, one.published]),
  ).toEqual([
    ['Reading Copy', 'reading-copy', false],
    ['Reading Copy 2', 'reading-copy-2', false],
    ['Part', undefined, false],
  ]);
  expect(copy.items[0].completion_requirement).toEqual({ type: 'must_view' });
  expect(ok(await as(teacher).post(at(course, `/${b}/duplicate`))).name).toBe('B Copy 2');
  expect(order(ok(await as(teacher).get(at(course))))).toEqual(['1 A', '2 B', '3 B Copy 2', '4 B Copy']);
  ok(await as(teacher).post(at(course, '/999999/duplicate')), 404);
});

test('with overrides only the named users see a module and its content', async () => {
  const { course, teacher, student, student2 } = await aCourse(ground);
  const [id] = await modulesOf(course, teacher, 'Extra');
  const page = await aPage(course, teacher, 'For Sam');
  ok(await as(teacher).post(at(course, `/${id}/items`), { module_item: { type: 'Page', page_url: page.url } }));
  ok(await as(teacher).put(at(course, `/${id}`), { module: { published: true } }));
  const overrides = at(course, `/${id}/assignment_overrides`);
  const put = (given: object[]) => as(teacher).put(overrides, { overrides: given }, { json: true });
  ok(within(await put([{ student_ids: [student.id] }]), 3), 204);
  expect(ok(within(await as(teacher).get(overrides), 2))).toEqual([
    { id: expect.any(Number), context_module_id: id, title: '1 student', students: [{ id: student.id, name: 'Sam Student' }] },
  ]);
  expect(ok(await as(student).get(at(course)))).toHaveLength(1);
  expect(ok(await as(student2).get(at(course)))).toEqual([]);
  ok(await as(student2).get(at(course, `/${id}/items`)), 404);
  ok(await as(student).get(`/courses/${course.id}/pages/for-sam`));
  ok(await as(student2).get(`/courses/${course.id}/pages/for-sam`), 401);
  ok(await put([{ course_section_id: course.section_id, title: 'All of us' }]), 204);
  expect(ok(await as(teacher).get(overrides))[0]).toMatchObject({ title: 'All of us', course_section: { id: course.section_id } });
  expect(ok(await as(student2).get(at(course)))).toHaveLength(1);
  expect(ok(await as(teacher).put(overrides), 400)).toHaveProperty('error');
  expect(ok(await as(teacher).get(overrides))).toHaveLength(1);
  const [all] = ok(await as(teacher).get(overrides));
  const [other] = await modulesOf(course, teacher, 'Other');
  ok(
    await as(teacher).put(at(course, `/${other}/assignment_overrides`), { overrides: [{ student_ids: [student.id] }] }, { json: true }),
    204,
  );
  const [foreign] = ok(await as(teacher).get(at(course, `/${other}/assignment_overrides`)));
  // An override of another module is unknown here, and updating with it removes none.
  for (const unknown of [999999, foreign.id]) ok(await put([{ id: unknown, title: 'Whose?' }]), 404);
  ok(within(await put([{ id: all.id, title: 'Everybody' }]), 3), 204);
  expect(ok(await as(teacher).get(overrides))).toEqual([{ ...all, title: 'Everybody' }]);
  ok(await put([]), 204);
  expect(ok(await as(teacher).get(overrides))).toEqual([]);
  for (const wrong of [
    {},
    { student_ids: [student.id], course_section_id: course.section_id },
    { group_id: 1 },
    { student_ids: [teacher.id] },
  ])
    expect(ok(await put([wrong]), 400)).toHaveProperty('error');
  ok(await as(teacher).put(overrides, { overrides: 'all' }), 400);
  ok(await as(teacher).get(at(course, '/999999/assignment_overrides')), 404);
});

test('a create sent twice with one Idempotency-Key happens once', async () => {
  const { course, teacher } = await aCourse(ground);
  const headers = { 'Idempotency-Key': 'module-1' };
  const answers = await Promise.all([1, 2, 3].map(() => as(teacher).post(at(course), named('Once'), { headers })));
  expect(new Set(answers.map((answer) => ok(answer).id)).size).toBe(1);
});

test('a list of 10,000 modules costs as much as a list of ten', async () => {
  const { course, student, teacher } = await aCourse(ground);
  const small = within(await as(student).get(at(course), { include: ['items'] }), 2);
  await many(10_000, modules, { course_id: course.id, name: nth('Module '), position: n, workflow_state: 'active' });
  for (const person of [teacher, student]) {
    const large = within(await as(person).get(at(course), { per_page: 100 }), 2);
    expect(ok(large)).toHaveLength(100);
    const later = within(await as(person).get(large.links.next as string), 2);
    expect(ok(later)[0].position).toBe(101);
    // A student's progress is read for each module, too.
    for (const one of [large, later])
      expect(one.cost.rows_read).toBeLessThan((person === student ? 6 : 3) * 100 + small.cost.rows_read + 150);
  }
});
