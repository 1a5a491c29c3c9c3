// Views of courses: the public index, content search, due dates, and the student view.

import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Told = any;

let scene: Awaited<ReturnType<typeof aCourse>>;
let admin: Person;
let at: string;

const created = async (path: string, body: object) => {
  const answer = await as(scene.teacher).post(`${at}${path}`, body);
  return ok(answer, answer.status === 201 ? 201 : 200);
};

beforeAll(async () => {
  [scene, admin] = [await aCourse(ground, { name: 'Botany' }), await ground.admin()];
  at = `/courses/${scene.course.id}`;
});

test('the public index lists indexed open courses for everyone, oldest first', async () => {
  const { course, teacher } = scene;
  expect(ok(await as(admin).put(at, { course: { indexed: true, is_public: true, syllabus_body: '<p>Roses</p>' } })).id).toBe(course.id);
  const closed = await ground.course({ name: 'Botany II', indexed: true, storage_quota_mb: 2, syllabus_body: 'kept' });
  await ground.course({ name: 'Botany III', indexed: true, workflow_state: 'claimed' });
  const names = async (query: object, person?: Person) =>
    (ok(within(await as(person).get('/search/all_courses', query), 2)) as Told[]).map((one) => one.course.name);
  expect(await names({})).toEqual(['Botany', 'Botany II']);
  expect(await names({ search: 'otany ii' }, teacher)).toEqual(['Botany II']);
  expect(await names({ search: 'zoology' })).toEqual([]);
  expect(await names({ public_only: 1 })).toEqual(['Botany']);
  expect(await names({ open_enrollment_only: 1 })).toEqual([]);
  const [first, second] = ok(await as().get('/search/all_courses')) as Told[];
  expect(first.course).toMatchObject({
    id: course.id,
    workflow_state: 'available',
    syllabus_body: '<p>Roses</p>',
    conclude_at: null,
    storage_quota: null,
  });
  expect(second.course).toMatchObject({ id: closed.id, storage_quota: 2_097_152, syllabus_body: null });
  expect(first.course).not.toHaveProperty('uuid');
});

test('content search returns what the caller may read, best match first, where the feature is on', async () => {
  const { teacher, student, stranger } = scene;
  const roses = await created('/pages', { wiki_page: { title: 'Roses', body: '<p>They have thorns.</p>', published: true } });
  await created('/pages', { wiki_page: { title: 'Draft of roses', body: 'roses', published: false } });
  const herbarium = await created('/assignments', {
    assignment: { name: 'Herbarium', description: 'Collect roses', published: true, due_at: '2099-01-01T00:00:00Z' },
  });
  await created('/assignments', {
    assignment: { name: 'Later', description: 'roses to come', published: true, unlock_at: '2099-01-01T00:00:00Z' },
  });
  await created('/discussion_topics', { title: 'Which roses?', message: 'Say', published: true });
  await created('/discussion_topics', { title: 'News', message: 'roses bloom', is_announcement: true });
  const module = await created('/modules', { module: { name: 'Flowers' } });
  await created(`/modules/${module.id}/items`, { module_item: { type: 'Page', page_url: roses.url } });
  ok(await as(teacher).get(`${at}/smartsearch`), 400);
  ok(await as(teacher).get(`${at}/smartsearch`, { q: 'roses' }), 401);
  ok(await as(admin).put('/accounts/1/features/flags/smart_search', { state: 'on' }));
  const find = async (person: Person, query: object) => ok(within(await as(person).get(`${at}/smartsearch`, query), 2)).results as Told[];
  const all = await find(teacher, { q: 'Roses', include: ['status', 'modules'] });
  expect(all.map(({ title }) => title)).toEqual(
    expect.arrayContaining(['Roses', 'Draft of roses', 'Herbarium', 'Later', 'Which roses?', 'News']),
  );
  expect(all[0]).toMatchObject({
    content_id: roses.page_id,
    content_type: 'WikiPage',
    html_url: `https://carrel.test${at}/pages/roses`,
    distance: 0,
    relevance: 100,
    published: true,
    modules: [{ id: module.id, name: 'Flowers' }],
  });
  expect(all.map(({ distance }) => distance)).toEqual(all.map(({ distance }) => distance).sort((a, b) => a - b));
  const seen = await find(student, { q: 'roses' });
  expect(seen.map(({ title, content_type }) => [title, content_type]).sort()).toEqual([
    ['Herbarium', 'Assignment'],
    ['News', 'Announcement'],
    ['Roses', 'WikiPage'],
    ['Which roses?', 'DiscussionTopic'],
  ]);
  expect((await find(student, { q: 'roses', filter: ['announcements'] })).map(({ title }) => title)).toEqual(['News']);
  const dueFor = async (person: Person) => {
    const found = await find(person, { q: 'roses', include: ['status'], filter: ['assignments'] });
    return found.find(({ content_id }) => content_id === herbarium.id)?.due_date;
  };
  expect(await dueFor(student)).toBe('2099-01-01T23:59:59Z');
  const assignment_override = { student_ids: [student.id], due_at: '2099-02-01T12:00:00Z' };
  ok(await as(teacher).post(`${at}/assignments/${herbarium.id}/overrides`, { assignment_override }), 201);
  expect(await dueFor(student)).toBe('2099-02-01T12:00:00Z');
  expect(await find(student, { q: ' ' })).toEqual([]);
  // Words match by prefix, with and without accents, in the current text; tags and addresses do not match.
  const body =
    '<p class="klasse">Größe &amp; <a href="https://adresse.example.edu/">Blüten</a> 花の香り हिन्दी भाषा العَرَبِيَّة ก่อนหลัง C言語</p>';
  const { url } = await created('/pages', { wiki_page: { title: 'Métamorphose', body, published: true } });
  const titles = async (q: string, person = student) => (await find(person, { q })).map(({ title }) => title);
  for (const q of ['metamorph', 'MÉTAMORPHOSE', 'bluten', 'Blüt größe', '花の香', '香り blüten', 'の', 'C言語'])
    expect([q, await titles(q)]).toEqual([q, ['Métamorphose']]);
  // Combining marks and text without spaces match, and such searches are no error.
  for (const q of ['हिन्दी', 'भा', 'العَرَبِيَّة', 'อนหล']) expect([q, await titles(q)]).toEqual([q, ['Métamorphose']]);
  for (const q of ['klasse', 'adresse', 'morphose', 'blüten dornen', '"', "x' OR 1", 'place:p1', '花 nein', '花香', 'हिन्दू', '𞤀𞤣𞤤𞤢𞤥'])
    expect([q, await titles(q)]).toEqual([q, []]);
  ok(await as(teacher).put(`${at}/pages/${url}`, { wiki_page: { title: 'Wandlung', body: 'Stängel' } }));
  expect([await titles('metamorph'), await titles('stangel')]).toEqual([[], ['Wandlung']]);
  ok(await as(teacher).put(`${at}/pages/wandlung`, { wiki_page: { published: false } }));
  expect([await titles('wandlung'), await titles('wandlung', teacher)]).toEqual([[], ['Wandlung']]);
  ok(await as(teacher).del(`${at}/pages/wandlung`));
  expect(await titles('wandlung', teacher)).toEqual([]);
  expect(await find(student, { q: 'nothing like it' })).toEqual([]);
  const first = await as(teacher).get(`${at}/smartsearch`, { q: 'roses', per_page: 4 });
  expect(first.body.results).toHaveLength(4);
  expect(ok(await as(teacher).get(first.links.next as string)).results).toHaveLength(2);
  ok(await as(stranger).get(`/courses/${(await ground.course()).id}/smartsearch`, { q: 'roses' }), 401);
});

test('the effective due dates of every student are listed by assignment', async () => {
  const { student, student2, teacher } = scene;
  const { id } = await created('/assignments', { assignment: { name: 'Moved', due_at: '2027-01-01T10:00:00Z', published: true } });
  await created(`/assignments/${id}/overrides`, { assignment_override: { student_ids: [student2.id], due_at: '2027-02-01T10:00:00Z' } });
  const result = ok(within(await as(teacher).get(`${at}/effective_due_dates`, { assignment_ids: [id] }), 2));
  const due = (due_at: string) => ({ due_at, grading_period_id: null, in_closed_grading_period: false });
  expect(result).toEqual({ [id]: { [student.id]: due('2027-01-01T10:00:00Z'), [student2.id]: due('2027-02-01T10:00:00Z') } });
  expect(Object.keys(ok(await as(teacher).get(`${at}/effective_due_dates`))).length).toBeGreaterThan(1);
  ok(await as(teacher).get(`${at}/effective_due_dates`, { assignment_ids: ['x'] }), 422);
  ok(await as(student).get(`${at}/effective_due_dates`), 401);
});

test('the Test Student is created once, is in every section, and is left out of lists', async () => {
  const { course, teacher, student } = scene;
  const made = ok(within(await as(teacher).get(`${at}/student_view_student`), 3));
  expect(made).toMatchObject({ name: 'Test Student', sortable_name: 'Student, Test' });
  await ground.section(course, { name: 'Later' });
  expect(ok(await as(teacher).get(`${at}/student_view_student`)).id).toBe(made.id);
  expect(ok(within(await as(teacher).get(`${at}/student_view_student`), 2)).id).toBe(made.id);
  const shown = ok(await as(teacher).get(`${at}/users`, { enrollment_type: ['student_view'], include: ['enrollments'] })) as Told[];
  expect(shown.map(({ id, enrollments }) => [id, enrollments.length])).toEqual([[made.id, 2]]);
  expect((ok(await as(teacher).get(`${at}/users`, { per_page: 100 })) as Told[]).map(({ id }) => id)).not.toContain(made.id);
  ok(await as(student).get(`${at}/student_view_student`), 401);
  const entered = await as(teacher).post(`https://carrel.test${at}/student_view`);
  expect([entered.status, entered.headers.get('location')]).toEqual([302, `https://carrel.test${at}`]);
});

test('content can be shared with course staff; observers are listed with their student', async () => {
  const { teacher, student, observer, ta } = scene;
  const found = ok(within(await as(teacher).get(`${at}/content_share_users`, { search_term: 'Assistant' }), 2)) as Told[];
  expect(found.map(({ id }) => id)).toContain(ta.id);
  expect(ok(await as(teacher).get(`${at}/content_share_users`, { search_term: 'Sam Student' }))).toEqual([]);
  ok(await as(teacher).get(`${at}/content_share_users`), 400);
  ok(await as(student).get(`${at}/content_share_users`, { search_term: 'Tim' }), 401);
  const people = ok(await as(teacher).get(`${at}/users`, { enrollment_type: ['observer'], include: ['observed_users'] })) as Told[];
  expect(people.map(({ id, observed_users }) => [id, observed_users.map((one: Told) => one.id)])).toEqual([[observer.id, [student.id]]]);
  expect(ok(await as(observer).get('/users/self/favorites/courses', { observed_user: student.id }))).toHaveLength(1);
  expect(ok(await as(observer).get('/users/self/favorites/courses', { observed_user: teacher.id }))).toEqual([]);
});
