// Pages: addresses, revisions and permissions.

import { env } from 'cloudflare:test';
import { newMeter, open } from '@carrel/worker/database/open';
import { pages } from '@carrel/worker/domains/pages/table';
import { publishDuePages } from '@carrel/worker/rules/pages/rows';
import { expect, test } from 'vitest';
import { as, ground, many, nth, ok, within } from '../support/api';
import { follow } from '../support/feed';
import { aCourse } from '../support/ground';

const at = (course: { id: number }, rest = '') => `/courses/${course.id}/pages${rest}`;
const titles = (pages: { title: string }[]) => pages.map(({ title }) => title);
const written = (title: string, rest: object = {}) => ({ wiki_page: { title, ...rest } });

test('a teacher creates an unpublished page, and a student sees it once it is published', async () => {
  const { course, teacher, student, observer } = await aCourse(ground);
  const made = ok(
    within(await as(teacher).post(at(course), written('Reading & Writing', { body: '<p onclick="x()">Read</p><script>x()</script>' })), 3),
  );
  expect(made).toMatchObject({
    title: 'Reading & Writing',
    url: 'reading-and-writing',
    body: '<p>Read</p>',
    published: false,
    hide_from_students: true,
    front_page: false,
    editing_roles: 'teachers',
    locked_for_user: false,
    todo_date: null,
    publish_at: null,
  });
  expect(made.id).toBe(made.page_id);
  expect(made.last_edited_by).toMatchObject({ id: teacher.id, display_name: 'Tara Teacher' });
  expect(made.html_url).toMatch(`/courses/${course.id}/pages/reading-and-writing`);
  ok(await as(student).get(at(course, '/reading-and-writing')), 401);
  expect(ok(await as(student).get(at(course)))).toEqual([]);
  ok(within(await as(teacher).put(at(course, '/reading-and-writing'), { wiki_page: { published: true } }), 3));
  expect(ok(within(await as(student).get(at(course, '/reading-and-writing')), 2)).published).toBe(true);
  const [listed] = ok(within(await as(observer).get(at(course)), 2));
  expect(listed).not.toHaveProperty('body');
  expect(ok(await as(student).get(at(course), { include: ['body'] }))[0].body).toBe('<p>Read</p>');
});

test('a student cannot create, edit or delete a page, and an outsider cannot read one', async () => {
  const { course, teacher, student, stranger } = await aCourse(ground);
  ok(await as(teacher).post(at(course), written('Rules', { published: true })));
  ok(await as(student).post(at(course), written('Mine')), 401);
  ok(await as(student).put(at(course, '/rules'), { wiki_page: { body: 'Mine' } }), 401);
  ok(await as(student).put(at(course, '/new'), { wiki_page: { body: 'Mine' } }), 401);
  ok(await as(student).del(at(course, '/rules')), 401);
  ok(await as(student).get(at(course, '/rules/revisions')), 401);
  ok(await as(stranger).get(at(course)), 401);
  ok(await as().get(at(course, '/rules')), 401);
});

test('a page is found by page_id, slug, former slug, or number, in this order', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const seven = ok(await as(teacher).post(at(course), written('Seven', { published: true })));
  const numbered = ok(await as(teacher).post(at(course), written(String(seven.page_id), { published: true })));
  expect(ok(await as(student).get(at(course, `/${seven.page_id}`))).page_id).toBe(numbered.page_id);
  expect(ok(await as(student).get(at(course, `/page_id:${seven.page_id}`))).title).toBe('Seven');
  expect(ok(await as(student).get(at(course, `/${numbered.page_id}`))).page_id).toBe(numbered.page_id);
  const renamed = ok(await as(teacher).put(at(course, '/seven'), written('Eight')));
  expect(renamed.url).toBe('eight');
  expect(ok(await as(student).get(at(course, '/seven'))).url).toBe('eight');
  expect(ok(await as(student).get(at(course, '/Eight%20'))).url).toBe('eight');
  const taker = ok(await as(teacher).post(at(course), written('Seven', { published: true })));
  expect(ok(await as(student).get(at(course, '/seven'))).page_id).toBe(taker.page_id);
  expect(ok(await as(student).get(at(course, '/nowhere')), 404)).toEqual({ message: 'page not found' });
});

test('taken titles and slugs get a number, and a title needs a letter or digit', async () => {
  const { course, teacher } = await aCourse(ground);
  const make = (title?: string) => as(teacher).post(at(course), { wiki_page: { title } });
  expect(ok(await make('Week'))).toMatchObject({ title: 'Week', url: 'week' });
  expect(ok(await make('Week'))).toMatchObject({ title: 'Week-2', url: 'week-2' });
  expect(ok(await make('Week!'))).toMatchObject({ title: 'Week!', url: 'week-3' });
  ok(await make('Week-2'), 400);
  expect(ok(await make('Übung: Größe_2'))).toMatchObject({ url: 'ubung-grosse-2' });
  expect(ok(await make('Введение'))).toMatchObject({ url: 'vvedenie' });
  expect(ok(await make('講義'))).toMatchObject({ url: '講義' });
  expect(ok(await as(teacher).get(at(course, '/講義'))).title).toBe('講義');
  expect(ok(await make(''), 400).errors.title[0].type).toBe('blank');
  ok(await make(), 400);
  ok(await make('!?'), 400);
  expect(ok(await make('x'.repeat(256)), 400).errors.title[0].type).toBe('too_long');
  expect(ok(await as(teacher).post(at(course), written('Big', { body: 'x'.repeat(500 * 1024 + 1) })), 400).errors.body[0].type).toBe(
    'too_long',
  );
});

test('pages are listed by title, creation or change, in both orders, and searched', async () => {
  const { course, teacher } = await aCourse(ground);
  for (const title of ['beta', 'Alpha', 'gamma']) ok(await as(teacher).post(at(course), written(title)));
  const list = async (query: object) => titles(ok(within(await as(teacher).get(at(course), query), 2)));
  expect(await list({})).toEqual(['beta', 'Alpha', 'gamma']);
  expect(await list({ sort: 'title' })).toEqual(['Alpha', 'beta', 'gamma']);
  expect(await list({ sort: 'title', order: 'desc' })).toEqual(['gamma', 'beta', 'Alpha']);
  expect(await list({ sort: 'created_at', order: 'desc' })).toEqual(['gamma', 'Alpha', 'beta']);
  expect(await list({ search_term: 'AL' })).toEqual(['Alpha']);
  expect(await list({ published: 'true' })).toEqual([]);
  expect(titles(await as(teacher).pages(at(course), { sort: 'title', per_page: 1 }))).toEqual(['Alpha', 'beta', 'gamma']);
});

test('an editing role changes the body and nothing else', async () => {
  const { course, teacher, student } = await aCourse(ground);
  ok(await as(teacher).post(at(course), written('Glossary', { published: true, editing_roles: 'teachers,students' })));
  const edited = ok(within(await as(student).put(at(course, '/glossary'), { wiki_page: { body: '<b>word</b>' } }), 3));
  expect(edited).toMatchObject({ body: '<b>word</b>', editing_roles: 'teachers,students' });
  expect(edited.last_edited_by.id).toBe(student.id);
  expect(Object.keys(ok(await as(student).put(at(course, '/glossary'), written('Mine', { published: false })), 401).errors)).toEqual([
    'title',
    'published',
  ]);
  ok(await as(student).get(at(course, '/glossary/revisions')));
  ok(await as(teacher).put(at(course, '/glossary'), { wiki_page: { editing_roles: 'kings' } }), 400);
});

test('where a course lets students edit pages, they create published ones', async () => {
  const { course, student } = await aCourse(ground, { allow_student_wiki_edits: true });
  const later = '2099-01-01T00:00:00Z';
  expect(ok(await as(student).post(at(course), written('Ours', { student_todo_at: later })))).toMatchObject({
    published: true,
    todo_date: null,
  });
  ok(await as(student).post(at(course), written('Ours', { editing_roles: 'students' })), 401);
});

test('one published page is the front page, through renames, until it is unset', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const front = `/courses/${course.id}/front_page`;
  expect(ok(within(await as(student).get(front), 2), 404)).toEqual({ message: 'No front page has been set' });
  ok(await as(teacher).put(front, { wiki_page: { body: 'Hello' } }), 400);
  expect(ok(within(await as(teacher).put(front, written('Home', { body: 'Hello' })), 3))).toMatchObject({
    front_page: true,
    published: true,
    url: 'home',
  });
  expect(ok(within(await as(student).get(front), 2)).body).toBe('Hello');
  expect(ok(await as(teacher).put(front, written('Welcome')))).toMatchObject({ front_page: true, url: 'welcome' });
  ok(await as(teacher).put(at(course, '/welcome'), { wiki_page: { published: false } }), 400);
  expect(ok(await as(teacher).del(at(course, '/welcome')), 400).errors).toHaveProperty('front_page');
  ok(await as(teacher).post(at(course), written('Draft', { front_page: true })), 400);
  ok(await as(teacher).post(at(course), written('Other', { front_page: true, published: true })));
  expect(ok(await as(student).get(front)).title).toBe('Other');
  expect(ok(await as(teacher).get(at(course, '/welcome'))).front_page).toBe(false);
  ok(await as(teacher).put(at(course, '/other'), { wiki_page: { front_page: false } }));
  ok(await as(student).get(front), 404);
  ok(await as(student).put(front, written('Mine')), 401);
});

test('a PUT creates a missing page', async () => {
  const { course, teacher } = await aCourse(ground);
  const made = ok(within(await as(teacher).put(at(course, '/lab-notes'), { wiki_page: { body: 'x' } }), 4));
  expect(made).toMatchObject({ title: 'lab-notes', url: 'lab-notes', published: false });
  ok(await as(teacher).put(at(course, '/page_id:999999'), { wiki_page: { body: 'x' } }), 404);
});

test('each change of title or body creates a revision, and an old one can be restored', async () => {
  const { course, teacher, student } = await aCourse(ground);
  ok(await as(teacher).post(at(course), written('Plan', { body: 'one', published: true })));
  ok(await as(teacher).put(at(course, '/plan'), { wiki_page: { body: 'two' } }));
  ok(await as(teacher).put(at(course, '/plan'), { wiki_page: { editing_roles: 'teachers,students' } }));
  ok(await as(teacher).put(at(course, '/plan'), written('Schedule')));
  const listed = ok(within(await as(teacher).get(at(course, '/schedule/revisions')), 2));
  expect(listed.map((one: { revision_id: number; latest: boolean }) => [one.revision_id, one.latest])).toEqual([
    [3, true],
    [2, false],
    [1, false],
  ]);
  expect(listed[0]).not.toHaveProperty('body');
  expect(ok(within(await as(student).get(at(course, '/schedule/revisions/latest')), 2))).toMatchObject({ title: 'Schedule', body: 'two' });
  expect(ok(await as(student).get(at(course, '/schedule/revisions/latest'), { summary: true }))).not.toHaveProperty('body');
  expect(ok(within(await as(teacher).get(at(course, '/schedule/revisions/1')), 2))).toMatchObject({
    title: 'Plan',
    body: 'one',
    url: 'plan',
  });
  const reverted = ok(within(await as(teacher).post(at(course, '/schedule/revisions/1')), 3));
  expect(reverted).toMatchObject({ revision_id: 4, latest: true, title: 'Plan', body: 'one', url: 'plan' });
  expect(ok(await as(student).get(at(course, '/plan'))).body).toBe('one');
  ok(await as(teacher).get(at(course, '/plan/revisions/9')), 404);
  ok(await as(teacher).post(at(course, '/plan/revisions/9')), 404);
  ok(await as(teacher).get(at(course, '/plan/revisions/letters')), 404);
});

test('a duplicate is unpublished; deletion is soft and frees the slug', async () => {
  const { course, teacher } = await aCourse(ground);
  ok(await as(teacher).post(at(course), written('Guide', { body: 'x', published: true })));
  expect(ok(within(await as(teacher).post(at(course, '/guide/duplicate')), 3))).toMatchObject({
    title: 'Guide Copy',
    url: 'guide-copy',
    body: 'x',
    published: false,
  });
  expect(ok(await as(teacher).post(at(course, '/guide/duplicate'))).title).toBe('Guide Copy 2');
  expect(ok(within(await as(teacher).del(at(course, '/guide')), 3)).title).toBe('Guide');
  ok(await as(teacher).get(at(course, '/guide')), 404);
  ok(await as(teacher).del(at(course, '/guide')), 404);
  expect(ok(await as(teacher).post(at(course), written('Guide'))).url).toBe('guide');
});

test('a page with a publish date waits for it, and can be added to the planner', async () => {
  const { course, teacher } = await aCourse(ground);
  const later = '2099-01-01T00:00:00Z';
  const made = ok(await as(teacher).post(at(course), written('Later', { publish_at: later, published: true, student_todo_at: later })));
  expect(made).toMatchObject({ published: false, publish_at: later, todo_date: later });
  const db = open(env.DB, newMeter(), 'first-primary');
  await db.perform(publishDuePages(db, '2098-12-31T00:00:00Z'));
  expect(ok(await as(teacher).get(at(course, '/later'))).published).toBe(false);
  await db.perform(publishDuePages(db, later));
  expect(ok(await as(teacher).get(at(course, '/later')))).toMatchObject({ published: true, publish_at: null });
  expect(ok(await as(teacher).put(at(course, '/later'), { wiki_page: { student_planner_checkbox: false } })).todo_date).toBeNull();
  ok(await as(teacher).put(at(course, '/later'), { wiki_page: { publish_at: 'soon' } }), 400);
});

test('a text that is read and saved unchanged is stored unchanged, in every field', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const html = '<p><a href="/courses/1/pages/two">two</a> <img src="/courses/1/files/2/preview"></p>';
  const there = `/courses/${course.id}`;
  const page = ok(await as(teacher).post(at(course), written('Text', { body: html, published: true })));
  const essay = { name: 'Essay', description: html, published: true, submission_types: ['online_text_entry'] };
  const assignment = ok(await as(teacher).post(`${there}/assignments`, { assignment: essay }), 201);
  const topic = ok(await as(teacher).post(`${there}/discussion_topics`, { title: 'T', message: html, published: true }));
  const entry = ok(await as(student).post(`${there}/discussion_topics/${topic.id}/entries`, { message: html }), 201);
  const event = { context_code: `course_${course.id}`, title: 'E', start_at: '2030-01-01T00:00:00Z', description: html };
  const held = ok(await as(teacher).post('/calendar_events', { calendar_event: event }), 201);
  const result = [page.body, assignment.description, topic.message, entry.message, held.description];
  for (const text of result) expect(text).toContain('href="https://carrel.test/courses/1/pages/two"');
  ok(await as(teacher).put(at(course, '/text'), { wiki_page: { body: result[0] } }));
  ok(await as(teacher).put(`${there}/assignments/${assignment.id}`, { assignment: { description: result[1] } }));
  ok(await as(teacher).put(`${there}/discussion_topics/${topic.id}`, { message: result[2] }));
  ok(await as(student).put(`${there}/discussion_topics/${topic.id}/entries/${entry.id}`, { message: result[3] }));
  ok(await as(teacher).put(`/calendar_events/${held.id}`, { calendar_event: { description: result[4] } }));
  ok(await as(teacher).put(there, { course: { syllabus_body: result[0] } }));
  const work = { submission_type: 'online_text_entry', body: result[0] };
  expect(ok(await as(student).post(`${there}/assignments/${assignment.id}/submissions`, { submission: work }), 201).body).toBe(result[0]);
  const stored = {
    pages: ['body', page.page_id],
    assignments: ['description', assignment.id],
    discussion_topics: ['message', topic.id],
    discussion_entries: ['message', entry.id],
    calendar_events: ['description', held.id],
    courses: ['syllabus_body', course.id],
  } as const;
  for (const [table, [column, id]] of Object.entries(stored))
    expect(await env.DB.prepare(`select ${column} from ${table} where id = ?`).bind(id).first(column), table).toBe(html);
  expect(await env.DB.prepare('select body from submissions where assignment_id = ?').bind(assignment.id).first('body')).toBe(html);
});

test('a page is published at its date, before the scheduled work has run', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const made = ok(await as(teacher).post(at(course), written('Now', { publish_at: '2099-01-01T00:00:00Z' })));
  ok(await as(student).get(at(course, '/now')), 401);
  await env.DB.prepare("update pages set publish_at = '2020-01-01T00:00:00Z' where id = ?").bind(made.page_id).run();
  expect(ok(await as(student).get(at(course, '/now')))).toMatchObject({ published: true, hide_from_students: false, publish_at: null });
  expect(ok(await as(student).get(at(course)))).toHaveLength(1);
  expect(ok(await as(teacher).get(at(course), { published: true }))).toHaveLength(1);
  expect(ok(await as(teacher).get(at(course), { published: false }))).toHaveLength(0);
  expect(ok(await as(teacher).put(at(course, '/now'), { wiki_page: { published: false } }))).toMatchObject({ published: false });
  await open(env.DB, newMeter(), 'first-primary').perform(
    publishDuePages(open(env.DB, newMeter(), 'first-primary'), '2099-01-02T00:00:00Z'),
  );
  ok(await as(student).get(at(course, '/now')), 401);
});

test('a create sent twice with one Idempotency-Key happens once', async () => {
  const { course, teacher } = await aCourse(ground);
  const headers = { 'Idempotency-Key': 'page-1' };
  const answers = await Promise.all([1, 2, 3].map(() => as(teacher).post(at(course), written('Once'), { headers })));
  expect(new Set(answers.map((answer) => ok(answer).page_id)).size).toBe(1);
});

test('a list of 10,000 pages costs as much as a list of ten', async () => {
  const { course, student, teacher } = await aCourse(ground);
  const small = within(await as(student).get(at(course)), 2);
  await many(10_000, pages, {
    context_type: 'Course',
    context_id: course.id,
    url: nth('page-'),
    title: nth('Page '),
    editing_roles: 'teachers',
    workflow_state: 'active',
  });
  for (const sort of [undefined, 'title', 'updated_at'])
    for (const person of [student, teacher]) {
      const large = within(await as(person).get(at(course), { sort, per_page: 100 }), 2);
      expect(ok(large)).toHaveLength(100);
      expect(large.cost.rows_read).toBeLessThan(3 * 100 + small.cost.rows_read + 150);
      const later = await as(person).get(large.links.next as string);
      expect(later.cost.rows_read).toBeLessThan(3 * 100 + small.cost.rows_read + 150);
    }
  expect(within(await as(student).get(at(course, '/page-9999')), 2).cost.rows_read).toBeLessThan(small.cost.rows_read + 60);
});

test('a course that hides its pages lists them only for staff, and the feed agrees', async () => {
  const { course, teacher, student } = await aCourse(ground);
  ok(await as(teacher).post(`/courses/${course.id}/pages`, { wiki_page: { title: 'Hello', published: true } }));
  const feed = follow(as(student));
  expect(await feed.catchUp()).toContainEqual(expect.objectContaining({ kind: 'page', op: 'upsert' }));
  ok(await as(teacher).put(`/courses/${course.id}/tabs/pages`, { hidden: true }));
  ok(await as(student).get(`/courses/${course.id}/pages`), 404);
  ok(await as(student).get(`/courses/${course.id}/pages/hello`));
  ok(await as(teacher).get(`/courses/${course.id}/pages`));
  expect(await feed.catchUp()).toContainEqual(expect.objectContaining({ kind: 'page', op: 'delete' }));
});
