// Course content: modules, pages, discussions, announcements and external feeds.

import { expect, inject, test } from 'vitest';
import { type AnyJson, canvasApiFor, names, plainly } from './at';

const built = inject('started');
const cast = built.casts.content;
const [admin, teacher, student] = [canvasApiFor(built.admin), canvasApiFor(cast.teacher), canvasApiFor(cast.student)];
const learns = plainly(cast.student);
const here = `courses/${cast.course.id}`;
const ids = (list: readonly AnyJson[]) => names(list, 'id');
const page = (title: string, more: object = {}) =>
  teacher.ask('POST', `${here}/pages`, { wiki_page: { title, body: `<p>${title}</p>`, published: true, ...more } });
const aModule = async (name: string, more: object = {}) => {
  const module = await teacher.ask('POST', `${here}/modules`, { module: { name, ...more } });
  return teacher.ask('PUT', `${here}/modules/${module.id}`, { module: { published: true } });
};
const anItem = (module: AnyJson, module_item: object) => teacher.ask('POST', `${here}/modules/${module.id}/items`, { module_item });

test('a teacher builds modules, and a student completes them in order', async () => {
  const { ask, all, whole, refusal } = teacher;
  const [start, rules] = [await page('Start'), await page('Rules')];
  const first = await aModule('First');
  const read = await anItem(first, { type: 'Page', page_url: start.url, completion_requirement: { type: 'must_view' } });
  const agree = await anItem(first, { type: 'Page', page_url: rules.url, completion_requirement: { type: 'must_mark_done' } });
  const link = await anItem(first, { type: 'ExternalUrl', title: 'Charts', external_url: 'https://charts.example.edu/' });
  expect(link.published).toBe(false);
  await ask('PUT', `${here}/modules/${first.id}/items/${link.id}`, { module_item: { published: true } });
  const second = await aModule('Second', { prerequisite_module_ids: [first.id] });
  const held = await anItem(second, { type: 'Page', page_url: rules.url });
  const states = async () => (await learns.get(`${here}/modules`)).map(({ state }: AnyJson) => state);
  expect(await states()).toEqual(['unlocked', 'locked']);
  expect(await learns.get(`${here}/modules/${second.id}`)).toMatchObject({ state: 'locked', prerequisite_module_ids: [first.id] });
  expect(await student.refusal('POST', `${here}/modules/${second.id}/items/${held.id}/mark_read`)).toBe(403);
  expect(await learns.post(`${here}/modules/${first.id}/items/${read.id}/mark_read`)).toEqual({ message: 'OK' });
  expect(await states()).toEqual(['started', 'locked']);
  expect(await learns.put(`${here}/modules/${first.id}/items/${agree.id}/done`)).toMatchObject({
    completion_requirement: { type: 'must_mark_done', completed: true },
    message: 'OK',
  });
  expect(await states()).toEqual(['completed', 'completed']);
  expect((await student.whole('GET', `${here}/module_item_redirect/${link.id}`)).headers.location).toBe('https://charts.example.edu/');
  const sequence = await learns.get(`${here}/module_item_sequence`, { asset_type: 'ModuleItem', asset_id: agree.id });
  expect(sequence.items).toMatchObject([{ prev: { id: read.id }, current: { id: agree.id }, next: { id: link.id } }]);
  expect(await ask('PUT', `${here}/modules/${first.id}/relock`)).toMatchObject({ id: first.id });
  expect(await states()).toEqual(['completed', 'completed']);
  expect(await learns.delete(`${here}/modules/${first.id}/items/${agree.id}/done`)).toMatchObject({
    completion_requirement: { completed: false },
  });
  expect((await states())[0]).toBe('started');
  const moved = await ask('PUT', `${here}/modules/${first.id}/items/${link.id}`, { module_item: { position: 1, title: 'Star charts' } });
  expect(moved).toMatchObject({ position: 1, title: 'Star charts' });
  expect(ids(await all(`${here}/modules/${first.id}/items`))).toEqual([link.id, read.id, agree.id]);
  expect(await ask('GET', `${here}/modules/${first.id}/items/${read.id}`, { include: ['content_details'] })).toMatchObject({
    type: 'Page',
    page_url: start.url,
    content_details: { locked_for_user: false },
  });
  const again = await ask('POST', `${here}/modules/items/${read.id}/duplicate`);
  expect(again).toMatchObject({ title: 'Start Copy', position: 3 });
  expect(await ask('DELETE', `${here}/modules/${first.id}/items/${again.id}`)).toMatchObject({ id: again.id });
  const copy = await ask('POST', `${here}/modules/${first.id}/duplicate`);
  expect(copy).toMatchObject({ name: 'First Copy', published: false, position: 2 });
  expect(await ask('PUT', `${here}/modules`, { module_ids: [copy.id], event: 'publish' })).toMatchObject({ completed: [copy.id] });
  const overrides = `${here}/modules/${copy.id}/assignment_overrides`;
  expect((await whole('PUT', overrides, { overrides: [{ student_ids: [cast.student2.id] }] })).statusCode).toBe(204);
  expect(await ask('GET', overrides)).toMatchObject([{ students: [{ id: cast.student2.id, name: 'Sue Student' }] }]);
  expect(names(await learns.get(`${here}/modules`))).toEqual(['First', 'Second']);
  expect(names(await canvasApiFor(cast.student2).all(`${here}/modules`))).toEqual(['First', 'First Copy', 'Second']);
  expect(await ask('DELETE', `${here}/modules/${copy.id}`)).toMatchObject({ id: copy.id });
  expect(await student.refusal('POST', `${here}/modules`, { module: { name: 'Mine' } })).toBe(401);
  expect(await refusal('POST', `${here}/modules`, { module: {} })).toBe(400);
});

test('a teacher writes, renames, reverts, duplicates and deletes pages, and chooses the front page', async () => {
  const { ask, all, refusal } = teacher;
  const made = await page('Über Flüsse & Seen');
  expect(made).toMatchObject({ url: 'uber-flusse-and-seen', published: true });
  const at = `${here}/pages`;
  expect(await ask('PUT', `${at}/${made.url}`, { wiki_page: { title: 'Rivers', body: '<p>New</p>' } })).toMatchObject({ url: 'rivers' });
  expect((await learns.get(`${at}/${made.url}`)).title).toBe('Rivers');
  const revisions = await all(`${at}/rivers/revisions`);
  expect(revisions).toMatchObject([{ revision_id: 2, latest: true }, { revision_id: 1 }]);
  expect(await ask('GET', `${at}/rivers/revisions/latest`, { summary: true })).not.toHaveProperty('body');
  expect((await ask('GET', `${at}/rivers/revisions/1`)).title).toBe('Über Flüsse & Seen');
  expect(await ask('POST', `${at}/rivers/revisions/1`)).toMatchObject({ title: 'Über Flüsse & Seen', revision_id: 3 });
  await ask('PUT', `${at}/page_id:${made.page_id}`, { wiki_page: { front_page: true } });
  expect(await ask('PUT', `${here}/front_page`, { wiki_page: { body: '<p>Welcome</p>' } })).toMatchObject({ page_id: made.page_id });
  expect(await learns.get(`${here}/front_page`)).toMatchObject({ body: '<p>Welcome</p>', front_page: true });
  expect(await refusal('PUT', `${at}/page_id:${made.page_id}`, { wiki_page: { published: false } })).toBe(400);
  const copy = await ask('POST', `${at}/${made.url}/duplicate`);
  expect(copy).toMatchObject({ published: false, front_page: false });
  expect(names(await learns.get(at), 'page_id')).not.toContain(copy.page_id);
  expect(await ask('DELETE', `${at}/${copy.url}`)).toMatchObject({ page_id: copy.page_id });
  expect(await refusal('GET', `${at}/${copy.url}`)).toBe(404);
  expect(await student.refusal('PUT', `${at}/${made.url}`, { wiki_page: { body: 'mine' } })).toBe(401);
  const hostile = await page('Hostile', {
    body: '<p>Hi<img src=x onerror=alert(1)><a href="javascript:x()">x</a><script>x()</script></p>',
  });
  expect(hostile.body).not.toMatch(/onerror|javascript|script/);
});

test('a class discusses: students post before they read, reply, rate and subscribe, and a teacher moderates', async () => {
  const { ask, all, whole, refusal } = teacher;
  const topic = await ask('POST', `${here}/discussion_topics`, {
    title: 'Is Pluto a planet?',
    message: '<p>Argue</p>',
    discussion_type: 'threaded',
    published: true,
    require_initial_post: true,
    allow_rating: true,
  });
  const talk = `${here}/discussion_topics/${topic.id}`;
  const first = await canvasApiFor(cast.student2).ask('POST', `${talk}/entries`, { message: 'It is' });
  expect(await student.refusal('GET', `${talk}/view`)).toBe(403);
  const mine = await learns.post(`${talk}/entries`, {}, { message: 'It was' });
  const reply = await student.ask('POST', `${talk}/entries/${first.id}/replies`, { message: 'No longer' });
  expect(reply).toMatchObject({ parent_id: first.id, user_id: cast.student.id });
  expect(names(await learns.get(`${talk}/entries`), 'message')).toEqual(['It was', 'It is']);
  expect(ids(await learns.get(`${talk}/entries/${first.id}/replies`))).toEqual([reply.id]);
  expect(ids(await learns.get(`${talk}/entry_list`, { ids: [mine.id, reply.id] }))).toEqual([mine.id, reply.id]);
  const seen = await learns.get(`${talk}/view`);
  expect(seen.unread_entries).toEqual([first.id]);
  expect(seen.view.map((entry: AnyJson) => [entry.message, entry.replies?.[0].message])).toEqual([
    ['It is', 'No longer'],
    ['It was', undefined],
  ]);
  for (const [method, path, body] of [
    ['PUT', `/entries/${first.id}/read`],
    ['DELETE', `/entries/${first.id}/read`],
    ['DELETE', '/read'],
    ['PUT', '/read'],
    ['DELETE', '/read_all'],
    ['PUT', '/read_all'],
    ['DELETE', '/subscribed'],
    ['PUT', '/subscribed'],
    ['POST', `/entries/${first.id}/rating`, { rating: 1 }],
  ] as const)
    expect([path, (await student.whole(method, `${talk}${path}`, body)).statusCode]).toEqual([path, 204]);
  expect(await learns.get(talk)).toMatchObject({ unread_count: 0, read_state: 'read', subscribed: true, discussion_subentry_count: 3 });
  expect((await learns.get(`${talk}/view`)).entry_ratings).toEqual({ [first.id]: 1 });
  expect((await ask('GET', `${talk}/view`)).view[0]).toMatchObject({ rating_sum: 1, rating_count: 1 });
  expect(await learns.put(`${talk}/entries/${mine.id}`, {}, { message: 'It was, once' })).toHaveProperty('updated_at');
  expect(await ask('DELETE', `${talk}/entries/${reply.id}`)).toHaveProperty('deleted_at');
  const copy = await ask('POST', `${talk}/duplicate`);
  for (const one of [topic, copy]) await ask('PUT', `${here}/discussion_topics/${one.id}`, { pinned: true });
  expect(await ask('POST', `${here}/discussion_topics/reorder`, { order: [copy.id, topic.id] })).toMatchObject({ reorder: true });
  expect((await all(`${here}/discussion_topics`, { scope: 'pinned' })).map(({ id, position }) => [id, position])).toEqual([
    [copy.id, 1],
    [topic.id, 2],
  ]);
  await ask('PUT', talk, { podcast_enabled: true });
  expect((await student.whole('GET', (await learns.get(talk)).podcast_url)).text).toContain('<rss version="2.0">');
  expect(await ask('PUT', talk, { locked: true })).toMatchObject({ locked: true });
  expect(await student.refusal('POST', `${talk}/entries`, { message: 'But' })).toBe(401);
  expect(await ask('DELETE', `${here}/discussion_topics/${copy.id}`)).toHaveProperty('deleted_at');
  expect((await whole('GET', `${here}/discussion_topics`, { per_page: 1 })).headers.link).toContain('rel="first"');
  expect(await refusal('GET', `${here}/discussion_topics`, { scope: 'pinned,unpinned' })).toBe(400);
});

test('the audio files of a discussion are a podcast at an address that needs no token', async () => {
  const tide = await teacher.upload(`${here}/files`, { name: 'tide.mp3', bytes: 'ID3', type: 'audio/mpeg' });
  const topic = await teacher.ask('POST', `${here}/discussion_topics`, {
    title: 'Sounds of the sea',
    message: `<a href="/${here}/files/${tide.id}/download">The tide</a>`,
    published: true,
    podcast_enabled: true,
  });
  const { podcast_url } = await learns.get(`${here}/discussion_topics/${topic.id}`);
  const result = await canvasApiFor({ token: 'none' }).whole('GET', podcast_url);
  expect(result.headers['content-type']).toContain('rss');
  expect(result.text).toContain('Sounds of the sea');
  expect(result.text).toMatch(/<enclosure [^>]*type="audio\/mpeg"/);
});

test('a reply to a graded discussion is a submission', async () => {
  const topic = await teacher.ask('POST', `${here}/discussion_topics`, {
    title: 'Comets',
    published: true,
    assignment: { points_possible: 5 },
  });
  await student.ask('POST', `${here}/discussion_topics/${topic.id}/entries`, { message: 'Dirty snow' });
  expect(await learns.get(`${here}/assignments/${topic.assignment_id}/submissions/self`)).toMatchObject({
    submission_type: 'discussion_topic',
    workflow_state: 'submitted',
  });
  expect(await teacher.all(`${here}/assignments/${topic.assignment_id}/users/${cast.student.id}/group_members`)).toEqual([
    { id: cast.student.id, name: 'Sam Student' },
  ]);
});

test('a teacher announces, and subscribes a course to external feeds', async () => {
  const { ask, all, refusal } = teacher;
  const news = await ask('POST', `${here}/discussion_topics`, { title: 'No class', message: '<p>Ill</p>', is_announcement: true });
  const told = await learns.get('announcements', { context_codes: [`course_${cast.course.id}`] });
  expect(told).toMatchObject([{ id: news.id, title: 'No class', context_code: `course_${cast.course.id}` }]);
  expect(await student.refusal('GET', 'announcements', { context_codes: [`course_${built.course.id}`] })).toBe(401);
  const feed = await ask('POST', `${here}/external_feeds`, { url: 'https://files.carrel.org/observatory.atom', verbosity: 'link_only' });
  expect(feed).toMatchObject({ verbosity: 'link_only', display_name: 'https://files.carrel.org feed' });
  expect(ids(await all(`${here}/external_feeds`))).toEqual([feed.id]);
  expect(await refusal('POST', `${here}/external_feeds`, { url: 'http://127.0.0.1/feed' })).toBe(400);
  expect(await ask('DELETE', `${here}/external_feeds/${feed.id}`)).toMatchObject({ id: feed.id });
  expect(await student.refusal('GET', `${here}/external_feeds`)).toBe(401);
  expect(await admin.refusal('GET', `${here}/external_feeds/1`)).toBe(404);
});
