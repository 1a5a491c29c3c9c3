// Module items and their content.

import { files } from '@carrel/worker/domains/files/table';
import { module_items } from '@carrel/worker/domains/modules/table';
import { pages } from '@carrel/worker/domains/pages/table';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { as, ground, many, n, nth, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';

type Course = { id: number };
const at = (course: Course, module_id: number, rest = '') => `/courses/${course.id}/modules/${module_id}/items${rest}`;

async function aModule(course: Course, teacher: Person, name = 'Week', published = true): Promise<number> {
  const { id } = ok(await as(teacher).post(`/courses/${course.id}/modules`, { module: { name } }));
  if (published) ok(await as(teacher).put(`/courses/${course.id}/modules/${id}`, { module: { published: true } }));
  return id;
}

const aPage = async (course: Course, teacher: Person, title: string, published = true) =>
  ok(await as(teacher).post(`/courses/${course.id}/pages`, { wiki_page: { title, published } }));
const anAssignment = async (course: Course, teacher: Person, name: string, rest: object = {}) =>
  ok(await as(teacher).post(`/courses/${course.id}/assignments`, { assignment: { name, published: true, ...rest } }), 201);
const add = async (course: Course, teacher: Person, module_id: number, module_item: object) =>
  ok(await as(teacher).post(at(course, module_id), { module_item }));
const titles = (items: { title: string; position: number }[]) => items.map(({ title, position }) => `${position} ${title}`);

test('a page becomes a module item that follows it', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const id = await aModule(course, teacher);
  const page = await aPage(course, teacher, 'Reading', false);
  const answer = await as(teacher).post(at(course, id), { module_item: { type: 'Page', page_url: 'reading', indent: '1' } });
  const item = ok(within(answer, 3));
  expect(item).toEqual({
    id: item.id,
    module_id: id,
    position: 1,
    title: 'Reading',
    indent: 1,
    type: 'Page',
    page_url: 'reading',
    html_url: `https://carrel.test/courses/${course.id}/modules/items/${item.id}`,
    url: `https://carrel.test/api/v1/courses/${course.id}/pages/reading`,
    published: false,
    unpublishable: true,
    publish_at: null,
  });
  expect(ok(within(await as(student).get(at(course, id)), 2))).toEqual([]);
  ok(await as(student).get(at(course, id, `/${item.id}`)), 404);
  expect(ok(within(await as(teacher).put(at(course, id, `/${item.id}`), { module_item: { published: true } }), 3)).published).toBe(true);
  expect(ok(await as(teacher).get(`/courses/${course.id}/pages/reading`)).published).toBe(true);
  expect(ok(within(await as(student).get(at(course, id, `/${item.id}`)), 2))).not.toHaveProperty('published');
  expect(ok(await as(teacher).put(at(course, id, `/${item.id}`), { module_item: { title: 'Chapter 1' } }))).toMatchObject({
    title: 'Chapter 1',
    page_url: 'chapter-1',
  });
  ok(await as(teacher).put(`/courses/${course.id}/pages/${page.page_id}`, { wiki_page: { title: 'Chapter one' } }));
  expect(ok(await as(student).get(at(course, id)))[0]).toMatchObject({ title: 'Chapter one', page_url: 'chapter-one' });
  ok(await as(teacher).del(`/courses/${course.id}/pages/chapter-one`));
  expect(ok(await as(teacher).get(at(course, id)))).toEqual([]);
});

test('headings and links have no content of their own, and are unpublished at first', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const id = await aModule(course, teacher);
  const heading = await add(course, teacher, id, { type: 'SubHeader', title: 'Part one' });
  expect(heading).toMatchObject({ type: 'SubHeader', title: 'Part one', published: false });
  expect(heading).not.toHaveProperty('html_url');
  const link = await add(course, teacher, id, { type: 'ExternalUrl', external_url: 'https://example.edu/a', new_tab: true });
  const redirect = `/api/v1/courses/${course.id}/module_item_redirect/${link.id}`;
  expect(link).toMatchObject({
    title: 'https://example.edu/a',
    external_url: 'https://example.edu/a',
    new_tab: true,
    html_url: `https://carrel.test${redirect}`,
  });
  expect(link).not.toHaveProperty('content_id');
  ok(await as(student).get(redirect), 404);
  ok(
    await as(teacher).put(at(course, id, `/${link.id}`), {
      module_item: { published: true, title: 'A link', external_url: 'https://example.edu/b' },
    }),
  );
  const followed = within(await as(student).get(redirect), 2);
  expect([followed.status, followed.headers.get('location')]).toEqual([302, 'https://example.edu/b']);
  const lead = (external_url: string) => as(teacher).put(at(course, id, `/${link.id}`), { module_item: { external_url } });
  for (const hostile of ['javascript:alert(1)', ' jAvAscript:alert(1)', 'java\nscript:alert(1)', 'data:text/html,<script>', 'vbscript:x']) {
    expect(ok(await lead(hostile), 400).errors.external_url, hostile).toHaveLength(1);
    ok(await as(teacher).post(at(course, id), { module_item: { type: 'ExternalUrl', external_url: hostile } }), 400);
  }
  ok(await lead('https://example.edu/Übung 1?q=ж'));
  expect((await as(student).get(redirect)).headers.get('location')).toBe('https://example.edu/%C3%9Cbung%201?q=%D0%B6');
  expect(ok(await as(teacher).get(`/courses/${course.id}/module_item_redirect/${heading.id}`), 400)).toEqual({
    message: 'incorrect module item type',
  });
});

test('assignments and files become module items of their course', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const id = await aModule(course, teacher);
  const essay = await anAssignment(course, teacher, 'Essay', { points_possible: 10, due_at: '2026-12-01T12:00:00Z' });
  await many(1, files, {
    context_type: 'Course',
    context_id: course.id,
    folder_id: course.id,
    uuid: 'u',
    display_name: 'map.pdf',
    filename: 'map.pdf',
    content_type: 'application/pdf',
    workflow_state: 'available',
  });
  const item = await add(course, teacher, id, {
    type: 'Assignment',
    content_id: essay.id,
    completion_requirement: { type: 'min_score', min_score: '7' },
  });
  expect(item).toMatchObject({
    type: 'Assignment',
    content_id: essay.id,
    url: `https://carrel.test/api/v1/courses/${course.id}/assignments/${essay.id}`,
    completion_requirement: { type: 'min_score', min_score: 7 },
    published: true,
  });
  const seen = ok(await as(student).get(at(course, id), { include: ['content_details'] }));
  expect(seen[0].content_details).toEqual({ points_possible: 10, due_at: '2026-12-01T12:00:00Z', locked_for_user: false });
  expect(seen[0].completion_requirement).toEqual({ type: 'min_score', min_score: 7, completed: false });
  const other = await aCourse(ground);
  const elsewhere = await anAssignment(other.course, other.teacher, 'Elsewhere');
  for (const wrong of [
    { type: 'Assignment', content_id: elsewhere.id },
    { type: 'Assignment' },
    { type: 'Quiz', content_id: 1 },
    { type: 'ExternalTool', content_id: 1, external_url: 'https://example.edu' },
    { type: 'Poem', content_id: 1 },
    {},
  ])
    expect(ok(await as(teacher).post(at(course, id), { module_item: { ...wrong, title: 'x' } }), 400)).toEqual({
      message: 'Could not find content',
    });
});

test('a graded topic becomes a topic item, and posting there contributes', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const id = await aModule(course, teacher);
  const topic = ok(
    await as(teacher).post(`/courses/${course.id}/discussion_topics`, {
      title: 'Debate',
      published: true,
      assignment: { points_possible: 5 },
    }),
  );
  const requirement = { completion_requirement: { type: 'must_contribute' } };
  const item = await add(course, teacher, id, { type: 'Assignment', content_id: topic.assignment_id, ...requirement });
  expect(item).toMatchObject({
    type: 'Discussion',
    content_id: topic.id,
    title: 'Debate',
    completion_requirement: { type: 'must_contribute' },
  });
  expect(item.url).toBe(`https://carrel.test/api/v1/courses/${course.id}/discussion_topics/${topic.id}`);
  ok(await as(teacher).put(at(course, id, `/${item.id}`), { module_item: { title: 'Great debate' } }));
  expect(ok(await as(teacher).get(`/courses/${course.id}/discussion_topics/${topic.id}`)).title).toBe('Great debate');
  expect(ok(await as(teacher).get(`/courses/${course.id}/assignments/${topic.assignment_id}`)).name).toBe('Great debate');
  ok(await as(student).post(`/courses/${course.id}/discussion_topics/${topic.id}/entries`, { message: 'I agree' }), 201);
  expect(ok(await as(student).get(at(course, id)))[0].completion_requirement).toEqual({ type: 'must_contribute', completed: true });
  expect(ok(await as(teacher).get(at(course, id)))[0].unpublishable).toBe(false);
  const copy = ok(await as(teacher).post(`/courses/${course.id}/modules/items/${item.id}/duplicate`));
  expect(copy).toMatchObject({ type: 'Discussion', title: 'Great debate Copy', published: false });
  const copied = ok(await as(teacher).get(`/courses/${course.id}/discussion_topics/${copy.content_id}`));
  expect(copied).toMatchObject({ title: 'Great debate Copy', discussion_subentry_count: 0 });
  expect(copied.assignment_id).not.toBe(topic.assignment_id);
});

test('missing and invalid parameters of an item are refused by name', async () => {
  const { course, teacher } = await aCourse(ground);
  const id = await aModule(course, teacher);
  const post = (module_item?: object) => as(teacher).post(at(course, id), module_item && { module_item });
  expect(ok(await post(), 400)).toEqual({ message: 'missing module item parameter' });
  expect(ok(await post({ type: 'Page' }), 400)).toEqual({ message: 'missing page_url parameter' });
  expect(ok(await post({ type: 'Page', page_url: 'nowhere' }), 400)).toEqual({ message: 'invalid page_url parameter' });
  ok(await post({ type: 'ExternalUrl', title: 'x' }), 400);
  ok(await as(teacher).post(at(course, 999999), { module_item: { type: 'SubHeader', title: 'x' } }), 404);
  const item = await add(course, teacher, id, { type: 'SubHeader', title: 'x' });
  expect(ok(await as(teacher).put(at(course, id, `/${item.id}`), { module_item: { module_id: 999999 } }), 400)).toEqual({
    message: 'invalid module_id',
  });
  ok(await as(teacher).put(at(course, id, '/999999'), { module_item: { title: 'x' } }), 404);
  ok(await as(teacher).del(at(course, id, '/999999')), 404);
  ok(await as(teacher).get(at(course, 999999)), 404);
});

test('a student cannot change an item, and an outsider cannot see one', async () => {
  const { course, teacher, student, stranger } = await aCourse(ground);
  const id = await aModule(course, teacher);
  const item = await add(course, teacher, id, { type: 'SubHeader', title: 'x' });
  ok(await as(student).post(at(course, id), { module_item: { type: 'SubHeader', title: 'x' } }), 401);
  ok(await as(student).put(at(course, id, `/${item.id}`), { module_item: { title: 'y' } }), 401);
  ok(await as(student).del(at(course, id, `/${item.id}`)), 401);
  ok(await as(student).post(`/courses/${course.id}/modules/items/${item.id}/duplicate`), 401);
  ok(await as(stranger).get(at(course, id)), 401);
  ok(await as(teacher).put(at(course, id, `/${item.id}/done`)), 401);
});

test('items have positions without gaps, and move between modules', async () => {
  const { course, teacher } = await aCourse(ground);
  const [one, two] = [await aModule(course, teacher, 'One'), await aModule(course, teacher, 'Two')];
  const ids: Record<string, number> = {};
  for (const title of ['a', 'b', 'c']) ids[title] = (await add(course, teacher, one, { type: 'SubHeader', title })).id;
  await add(course, teacher, two, { type: 'SubHeader', title: 'x' });
  const put = (from: number, title: string, module_item: object) => as(teacher).put(at(course, from, `/${ids[title]}`), { module_item });
  const list = async (module_id: number) => titles(ok(await as(teacher).get(at(course, module_id))));
  ids.d = (await add(course, teacher, one, { type: 'SubHeader', title: 'd', position: 2 })).id;
  expect(await list(one)).toEqual(['1 a', '2 d', '3 b', '4 c']);
  ok(await put(one, 'a', { position: 3 }));
  expect(await list(one)).toEqual(['1 d', '2 b', '3 a', '4 c']);
  expect(ok(within(await put(one, 'b', { module_id: two, position: 1, completion_requirement: { type: 'must_view' } }), 3))).toMatchObject({
    module_id: two,
    position: 1,
  });
  expect([await list(one), await list(two)]).toEqual([
    ['1 d', '2 a', '3 c'],
    ['1 b', '2 x'],
  ]);
  expect(ok(await put(one, 'd', { module_id: two })).position).toBe(3);
  expect(ok(within(await as(teacher).del(at(course, two, `/${ids.b}`)), 3))).toMatchObject({ id: ids.b, title: 'b' });
  expect([await list(one), await list(two)]).toEqual([
    ['1 a', '2 c'],
    ['1 x', '2 d'],
  ]);
});

test('a completion requirement is set where it applies, kept on updates, and removed', async () => {
  const { course, teacher } = await aCourse(ground);
  const [one, two] = [await aModule(course, teacher, 'One'), await aModule(course, teacher, 'Two')];
  await aPage(course, teacher, 'Reading');
  const make = async (completion_requirement: object) =>
    (await add(course, teacher, one, { type: 'Page', page_url: 'reading', completion_requirement })).completion_requirement;
  expect(await make({ type: 'must_contribute' })).toEqual({ type: 'must_contribute' });
  for (const type of ['must_submit', 'min_score', 'nonsense']) expect(await make({ type })).toBeUndefined();
  const item = await add(course, teacher, one, { type: 'Page', page_url: 'reading', completion_requirement: { type: 'must_view' } });
  const moved = ok(await as(teacher).put(at(course, one, `/${item.id}`), { module_item: { module_id: two } }));
  expect(moved.completion_requirement).toEqual({ type: 'must_view' });
  const kept = ok(await as(teacher).put(at(course, two, `/${item.id}`), { module_item: { indent: 1 } }));
  expect(kept.completion_requirement).toEqual({ type: 'must_view' });
  const cleared = ok(await as(teacher).put(at(course, two, `/${item.id}`), { module_item: { completion_requirement: '' } }));
  expect(cleared).not.toHaveProperty('completion_requirement');
  const heading = await add(course, teacher, one, { type: 'SubHeader', title: 'x', completion_requirement: { type: 'must_view' } });
  expect(heading).not.toHaveProperty('completion_requirement');
});

test('an item with submissions cannot be unpublished', async () => {
  const { course, teacher } = await aCourse(ground);
  const id = await aModule(course, teacher);
  const front = ok(await as(teacher).put(`/courses/${course.id}/front_page`, { wiki_page: { title: 'Home' } }));
  const item = await add(course, teacher, id, { type: 'Page', page_url: front.url });
  expect(item).toMatchObject({ published: true, unpublishable: false });
  expect(ok(await as(teacher).put(at(course, id, `/${item.id}`), { module_item: { published: false } }), 400).errors).toHaveProperty(
    'published',
  );
});

test('a page, assignment or topic is duplicated with its item', async () => {
  const { course, teacher } = await aCourse(ground);
  const id = await aModule(course, teacher);
  await aPage(course, teacher, 'Reading');
  const essay = await anAssignment(course, teacher, 'Essay', { points_possible: 10 });
  const page = await add(course, teacher, id, { type: 'Page', page_url: 'reading' });
  const work = await add(course, teacher, id, { type: 'Assignment', content_id: essay.id });
  const heading = await add(course, teacher, id, { type: 'SubHeader', title: 'x' });
  const duplicate = (item_id: number) => as(teacher).post(`/courses/${course.id}/modules/items/${item_id}/duplicate`);
  const copy = ok(within(await duplicate(page.id), 3));
  expect(copy).toMatchObject({ title: 'Reading Copy', page_url: 'reading-copy', position: 2, published: false });
  expect(copy.new_positions.map((one: { content_tag: { id: number } }) => one.content_tag.id)).toEqual([
    page.id,
    copy.id,
    work.id,
    heading.id,
  ]);
  const second = ok(await duplicate(work.id));
  expect(second).toMatchObject({ title: 'Essay Copy', type: 'Assignment', position: 4, published: false });
  expect(ok(await as(teacher).get(`/courses/${course.id}/assignments/${second.content_id}`))).toMatchObject({
    name: 'Essay Copy',
    points_possible: 10,
  });
  ok(await duplicate(heading.id), 400);
  ok(await duplicate(999999), 404);
});

test('a sequence returns the previous and next items across all modules', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const [one, two] = [await aModule(course, teacher, 'One'), await aModule(course, teacher, 'Two')];
  const hidden = await aModule(course, teacher, 'Hidden', false);
  for (const title of ['A', 'B', 'C']) await aPage(course, teacher, title);
  const a = await add(course, teacher, one, { type: 'Page', page_url: 'a' });
  const b = await add(course, teacher, two, { type: 'Page', page_url: 'b' });
  await add(course, teacher, two, { type: 'SubHeader', title: 'unpublished' });
  const c = await add(course, teacher, two, { type: 'Page', page_url: 'c' });
  await add(course, teacher, hidden, { type: 'Page', page_url: 'b' });
  const sequence = async (person: Person, asset_type: string, asset_id: unknown) => {
    const { items, modules } = ok(within(await as(person).get(`/courses/${course.id}/module_item_sequence`, { asset_type, asset_id }), 2));
    return [
      items.map((node: Record<'prev' | 'current' | 'next', { title: string } | null>) => [
        node.prev?.title,
        node.current?.title,
        node.next?.title,
      ]),
      modules.map(({ name }: { name: string }) => name),
    ];
  };
  expect(await sequence(student, 'Page', 'b')).toEqual([[['A', 'B', 'C']], ['One', 'Two']]);
  expect(await sequence(student, 'ModuleItem', a.id)).toEqual([[[undefined, 'A', 'B']], ['One', 'Two']]);
  expect(await sequence(student, 'ModuleItem', c.id)).toEqual([[['B', 'C', undefined]], ['Two']]);
  expect((await sequence(teacher, 'Page', 'b'))[0]).toEqual([
    ['A', 'B', 'unpublished'],
    ['C', 'B', undefined],
  ]);
  expect(await sequence(student, 'Assignment', 999999)).toEqual([[], []]);
  expect(await sequence(student, 'ModuleItem', b.id)).toEqual([[['A', 'B', 'C']], ['One', 'Two']]);
  const wrong = (query: object) => as(student).get(`/courses/${course.id}/module_item_sequence`, query);
  expect(ok(await wrong({ asset_type: 'Song', asset_id: 1 }), 400)).toEqual({ message: 'invalid asset_type' });
  expect(ok(await wrong({ asset_type: 'Page' }), 400)).toEqual({ message: 'missing asset_id' });
});

test('mastery paths must be enabled, and offer no choices yet', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const id = await aModule(course, teacher);
  const item = await add(course, teacher, id, { type: 'SubHeader', title: 'x' });
  const task = await add(course, teacher, id, { type: 'Assignment', content_id: (await anAssignment(course, teacher, 'Test')).id });
  const choose = (who: Person, given: object, on: number = task.id) => as(who).post(at(course, id, `/${on}/select_mastery_path`), given);
  expect(ok(await choose(student, { assignment_set_id: 1 }), 400)).toEqual({ message: 'mastery paths not enabled' });
  ok(await as(teacher).put(`/courses/${course.id}/settings`, { conditional_release: true }));
  expect(ok(await choose(student, {}), 400)).toEqual({ message: 'assignment_set_id required' });
  expect(ok(await choose(teacher, { assignment_set_id: 1, student_id: student.id }, item.id), 400)).toEqual({
    message: 'requested item is not an assignment',
  });
  ok(await choose(student, { assignment_set_id: 1, student_id: teacher.id }), 401);
  ok(await choose(student, { assignment_set_id: 1 }, 999_999), 404);
  ok(await choose(student, { assignment_set_id: 1 }), 404);
});

test('a list of 10,000 items costs as much as a list of ten', async () => {
  const { course, student, teacher } = await aCourse(ground);
  const id = await aModule(course, teacher);
  const small = within(await as(student).get(at(course, id)), 2);
  await many(10_000, pages, {
    context_type: 'Course',
    context_id: course.id,
    url: nth('p'),
    title: nth('P'),
    editing_roles: 'teachers',
    workflow_state: 'active',
  });
  await many(10_000, module_items, {
    course_id: course.id,
    module_id: id,
    position: n,
    title: nth('P'),
    type: 'Page',
    content_id: sql`(select id from pages where context_type = 'Course' and context_id = ${course.id} and url = 'p' || n and workflow_state <> 'deleted')`,
  });
  for (const person of [student, teacher]) {
    const large = within(await as(person).get(at(course, id), { per_page: 100 }), 2);
    expect(ok(large)).toHaveLength(100);
    const later = within(await as(person).get(large.links.next as string), 2);
    expect(ok(later)[0].position).toBe(101);
    for (const one of [large, later]) expect(one.cost.rows_read).toBeLessThan(3 * 100 + small.cost.rows_read + 150);
  }
  const whole = within(await as(student).get(`/courses/${course.id}/modules/${id}`, { include: ['items'] }), 2);
  expect(ok(whole)).toMatchObject({ items_count: 10_000 });
  expect(whole.body).not.toHaveProperty('items');
});
