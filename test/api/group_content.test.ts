// Files, pages, discussions and events of groups.

import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse } from '../support/ground';
import { upload } from '../support/upload';

type Scene = Awaited<ReturnType<typeof aCourse>>;
let scene: Scene & { readonly group: number };
beforeAll(async () => {
  const made = await aCourse(ground);
  const { course, teacher, student, student2 } = made;
  const extra = await ground.person({ name: 'Olaf Outside' });
  await ground.enroll(course, extra, 'student');
  const set = ok(await as(teacher).post(`/courses/${course.id}/group_categories`, { name: 'Teams' }));
  const group = ok(await as(teacher).post(`/group_categories/${set.id}/groups`, { name: 'Reds' }));
  ok(await as(teacher).put(`/groups/${group.id}`, { members: [student.id, student2.id] }));
  scene = { ...made, stranger: extra, group: group.id };
});

const at = (rest: string) => `/groups/${scene.group}${rest}`;

test('members share files and folders, and others have no access', async () => {
  const { student, student2, teacher, stranger, observer } = scene;
  const folder = ok(within(await as(student).post(at('/folders'), { name: 'Drafts' }), 3));
  expect(folder).toMatchObject({ full_name: 'files/unfiled/Drafts', context_type: 'Group', context_id: scene.group, can_upload: true });
  const file = await upload(student, at('/files'), { name: 'plan.txt', parent_folder_path: 'Drafts' } as never, 'the plan');
  expect(ok(within(await as(student2).get(at('/files'), { include: ['context_asset_string', 'user'] }), 2))).toMatchObject([
    { id: file.id, display_name: 'plan.txt', context_asset_string: `group_${scene.group}`, user: { id: student.id } },
  ]);
  expect(ok(within(await as(student2).get(at('/files/quota')), 2))).toEqual({ quota: 50 * 1_048_576, quota_used: 512 });
  expect(ok(within(await as(student2).get(at(`/files/${file.id}`)), 2))).toMatchObject({ id: file.id, hidden_for_user: false });
  expect(ok(within(await as(student2).get(`/files/${file.id}`), 2))).toMatchObject({ id: file.id });
  expect(ok(within(await as(student2).put(`/files/${file.id}`, { name: 'plan 2.txt' }), 3))).toMatchObject({ display_name: 'plan 2.txt' });
  expect(ok(within(await as(student2).get(at('/folders')), 2)).map((one: { full_name: string }) => one.full_name)).toContain(
    'files/Drafts',
  );
  expect(ok(await as(student2).get(at('/folders/by_path/Drafts')))).toHaveLength(2);
  const root = ok(await as(student2).get(at('/folders/root')));
  expect(root).toMatchObject({ name: 'files', parent_folder_id: null });
  expect(ok(await as(student2).get(at(`/folders/${root.id}`)))).toMatchObject({ id: root.id });
  ok(await as(student2).get(at('/folders/by_path')));
  ok(await as(student2).get(at('/folders/media')));
  ok(await as(student2).get(at('/folders/icon_maker_folder')));
  expect(
    ok(await as(student2).put(at('/usage_rights'), { file_ids: [file.id], usage_rights: { use_justification: 'own_copyright' } })),
  ).toMatchObject({
    message: '1 file updated',
    file_ids: [file.id],
  });
  ok(await as(student2).del(at('/usage_rights'), { file_ids: [file.id] }));
  expect(ok(await as(student2).get(at('/content_licenses'))).length).toBeGreaterThan(5);
  ok(await as(teacher).get(at('/files')));
  for (const who of [stranger, observer]) {
    for (const rest of [
      '/files',
      '/files/quota',
      `/files/${file.id}`,
      '/folders',
      '/folders/root',
      '/folders/by_path',
      '/content_licenses',
    ])
      ok(await as(who).get(at(rest)), 401);
    ok(await as(who).get(`/files/${file.id}`), 404);
    ok(await as(who).put(`/files/${file.id}`, { name: 'mine' }), 401);
    ok(await as(who).post(at('/files'), { name: 'x.txt' }), 401);
    ok(await as(who).post(at('/folders'), { name: 'x' }), 401);
    ok(await as(who).get(`/folders/${folder.id}`), 404);
  }
  ok(within(await as(student2).del(`/files/${file.id}`), 3));
  expect(ok(await as(student).get(at('/files')))).toEqual([]);
});

test('members download a group file', async () => {
  const { student, student2, stranger } = scene;
  const file = await upload(student, at('/files'), { name: 'notes.txt' }, 'the notes');
  for (const rest of [
    `/files/${file.id}/download`,
    `/files/${file.id}`,
    `/files/${file.id}/preview`,
    `/files/${file.id}/file_preview`,
    '/file_contents/files/unfiled/notes.txt',
  ]) {
    const address = `https://carrel.test${at(rest)}`;
    expect((await as(student2).get(address)).status, rest).toBe(200);
    expect((await as(stranger).get(address)).status, rest).toBe(401);
  }
});

test('every member edits the pages of a group, which are published at once', async () => {
  const { student, student2, teacher, stranger } = scene;
  const made = ok(within(await as(student).post(at('/pages'), { wiki_page: { title: 'Our plan', body: '<p>First</p>' } }), 3));
  expect(made).toMatchObject({
    url: 'our-plan',
    published: true,
    editing_roles: 'members',
    html_url: `https://carrel.test/groups/${scene.group}/pages/our-plan`,
  });
  const changed = ok(
    within(await as(student2).put(at('/pages/our-plan'), { wiki_page: { title: 'Our great plan', body: '<p>Second</p>' } }), 3),
  );
  expect(changed).toMatchObject({ url: 'our-great-plan', last_edited_by: { id: student2.id } });
  expect(ok(within(await as(student).get(at('/pages')), 2))).toMatchObject([{ title: 'Our great plan' }]);
  expect(ok(within(await as(student).get(at('/pages/our-plan')), 2))).toMatchObject({ body: '<p>Second</p>' });
  expect(ok(within(await as(student).get(at('/pages/our-plan/revisions')), 2))).toHaveLength(2);
  expect(ok(await as(student).get(at('/pages/our-plan/revisions/1')))).toMatchObject({ title: 'Our plan' });
  expect(ok(within(await as(student).post(at('/pages/our-plan/revisions/1')), 3))).toMatchObject({ latest: true, title: 'Our plan' });
  expect(ok(await as(student).get(at('/pages/our-plan/revisions/latest')))).toMatchObject({ revision_id: 3 });
  ok(await as(student).get(at('/front_page')), 404);
  expect(ok(await as(student).put(at('/front_page'), { wiki_page: { title: 'Front', body: 'Welcome' } }))).toMatchObject({
    front_page: true,
    published: true,
  });
  expect(ok(await as(teacher).get(at('/front_page')))).toMatchObject({ title: 'Front' });
  for (const rest of [
    '/pages',
    '/front_page',
    '/pages/our-plan',
    '/pages/our-plan/revisions',
    '/pages/our-plan/revisions/latest',
    '/pages/our-plan/revisions/1',
  ])
    ok(await as(stranger).get(at(rest)), 401);
  ok(await as(stranger).post(at('/pages'), { wiki_page: { title: 'Mine' } }), 401);
  ok(await as(stranger).put(at('/pages/our-plan'), { wiki_page: { body: 'Mine' } }), 401);
  ok(await as(stranger).del(at('/pages/our-plan')), 401);
  ok(within(await as(student2).del(at('/pages/our-plan')), 3));
  ok(await as(student).get(at('/pages/our-plan')), 404);
});

test('a group returns its tabs, a preview of a text, and its users', async () => {
  const { course, student, teacher, stranger, group } = scene;
  expect(ok(within(await as(student).get(at('/tabs')), 2)).map((tab: { id: string }) => tab.id)).toEqual([
    'home',
    'announcements',
    'pages',
    'people',
    'discussions',
    'files',
    'conferences',
    'collaborations',
  ]);
  expect(ok(await as(student).post(at('/preview_html'), { html: '<p onclick="x()">Hello</p><script>y()</script>' }))).toEqual({
    html: '<p>Hello</p>',
  });
  ok(await as(stranger).get(at('/tabs')), 401);
  ok(await as(stranger).post(at('/preview_html'), { html: 'x' }), 401);
  const query = { include: ['group_ids'] };
  const people = ok(within(await as(teacher).get(`/courses/${course.id}/users`, query), 2)) as { id: number; group_ids: number[] }[];
  expect(people.find(({ id }) => id === student.id)?.group_ids).toEqual([group]);
  expect(people.find(({ id }) => id === stranger.id)?.group_ids).toEqual([]);
  const enrolled = ok(within(await as(teacher).get(`/courses/${course.id}/enrollments`, query), 2)) as {
    user: { id: number; group_ids: number[] };
  }[];
  expect(enrolled.find(({ user }) => user.id === student.id)?.user.group_ids).toEqual([group]);
});

test('every member edits the calendar of a group, and others cannot read it', async () => {
  const { student, student2, teacher, stranger, observer, group } = scene;
  const context_code = `group_${group}`;
  const calendar_event = { context_code, title: 'Meeting', start_at: '2026-10-01T10:00:00Z', end_at: '2026-10-01T11:00:00Z' };
  const made = ok(within(await as(student).post('/calendar_events', { calendar_event }), 3), 201);
  expect(made).toMatchObject({ context_code, context_name: 'Reds', title: 'Meeting' });
  const event = `/calendar_events/${made.id}`;
  const query = { context_codes: [context_code], start_date: '2026-10-01', end_date: '2026-10-02' };
  for (const who of [student2, teacher]) {
    expect(ok(within(await as(who).get(event), 2))).toMatchObject({ id: made.id });
    expect(ok(within(await as(who).get('/calendar_events', query), 2))).toMatchObject([{ id: made.id }]);
  }
  expect(ok(within(await as(student2).put(event, { calendar_event: { title: 'Longer meeting' } }), 3))).toMatchObject({
    title: 'Longer meeting',
  });
  for (const who of [stranger, observer]) {
    ok(await as(who).get(event), 404);
    ok(await as(who).get('/calendar_events', query), 401);
    ok(await as(who).put(event, { calendar_event: { title: 'Mine' } }), 404);
    ok(await as(who).del(event), 404);
    ok(await as(who).post('/calendar_events', { calendar_event }), 401);
  }
  ok(await as(student).post('/calendar_events', { calendar_event: { ...calendar_event, context_code: 'group_999999' } }), 404);
  ok(within(await as(student2).del(event), 3));
  expect(ok(await as(student).get('/calendar_events', query))).toEqual([]);
});

test('members discuss: topics, announcements, entries and read state', async () => {
  const { student, student2, teacher, stranger, observer, group } = scene;
  const talk = at('/discussion_topics');
  const sent = {
    title: 'Who does what',
    message: '<p>Let us see</p>',
    allow_rating: true,
    pinned: true,
    assignment: { points_possible: 5 },
    specific_sections: '1',
    anonymous_state: 'full_anonymity',
  };
  const made = ok(within(await as(student).post(talk, sent), 3));
  expect(made).toMatchObject({
    title: 'Who does what',
    published: true,
    assignment_id: null,
    is_section_specific: false,
    anonymous_state: null,
    html_url: `https://carrel.test/groups/${group}/discussion_topics/${made.id}`,
    permissions: { update: true, reply: true, delete: true, attach: true },
  });
  const topic = `${talk}/${made.id}`;
  expect(ok(within(await as(student2).get(talk), 2))).toMatchObject([
    { id: made.id, read_state: 'unread', permissions: { update: false } },
  ]);
  expect(ok(within(await as(student2).get(topic), 2))).toMatchObject({ author: { id: student.id } });
  const entry = ok(within(await as(student2).post(`${topic}/entries`, { message: 'I write' }), 3), 201);
  const reply = ok(within(await as(student).post(`${topic}/entries/${entry.id}/replies`, { message: 'I draw' }), 3), 201);
  expect(ok(within(await as(student).get(`${topic}/entries`), 2))).toMatchObject([{ id: entry.id, recent_replies: [{ id: reply.id }] }]);
  expect(ok(within(await as(student).get(`${topic}/entries/${entry.id}/replies`), 2))).toMatchObject([{ id: reply.id }]);
  expect(ok(await as(student).get(`${topic}/entry_list`, { ids: [entry.id] }))).toHaveLength(1);
  expect(ok(within(await as(student).get(`${topic}/view`), 2))).toMatchObject({
    participants: [{}, {}],
    view: [{ id: entry.id, replies: [{ id: reply.id }] }],
  });
  ok(await as(student).put(`${topic}/entries/${entry.id}`, { message: 'Mine' }), 401);
  expect(ok(within(await as(student2).put(`${topic}/entries/${entry.id}`, { message: 'I write it' }), 3))).toMatchObject({
    message: 'I write it',
  });
  for (const rest of ['/read', '/read_all', '/subscribed', `/entries/${entry.id}/read`]) {
    ok(within(await as(student).put(`${topic}${rest}`), 3), 204);
    ok(within(await as(student).del(`${topic}${rest}`), 3), 204);
  }
  // The author of a topic decides whether it is rated (reference 05 §4.2).
  expect(made).toMatchObject({ allow_rating: true, pinned: false });
  ok(await as(student).post(`${topic}/entries/${entry.id}/rating`, { rating: 1 }), 204);
  expect(ok(await as(student).put(topic, { allow_rating: false })).allow_rating).toBe(false);
  ok(await as(student).post(`${topic}/entries/${entry.id}/rating`, { rating: 1 }), 401);
  expect(ok(within(await as(student).put(topic, { title: 'Who does it' }), 3))).toMatchObject({ title: 'Who does it' });
  ok(await as(student2).put(topic, { title: 'Mine' }), 401);
  const announced = ok(await as(student2).post(talk, { title: 'We meet', message: 'x', is_announcement: true }));
  expect(ok(await as(student).get(talk, { only_announcements: true }))).toMatchObject([{ id: announced.id }]);
  // Members can reply at once.
  expect(announced).toMatchObject({ locked: false, permissions: { reply: true } });
  ok(await as(student).post(`${talk}/${announced.id}/entries`, { message: 'I come' }), 201);
  expect(ok(await as(teacher).get(`${talk}/${announced.id}`)).can_unpublish).toBe(false);
  const pinned = ok(await as(teacher).post(talk, { title: 'Rules', published: true, pinned: true }));
  expect(ok(await as(teacher).post(`${talk}/reorder`, { order: [pinned.id] }))).toMatchObject({ reorder: true });
  ok(await as(student).post(`${talk}/reorder`, { order: [pinned.id] }), 401);
  expect(ok(await as(student).post(`${topic}/duplicate`))).toMatchObject({ title: 'Who does it Copy' });
  for (const who of [stranger, observer]) {
    for (const rest of ['', `/${made.id}`, `/${made.id}/view`, `/${made.id}/entries`, `/${made.id}/entry_list`])
      ok(await as(who).get(`${talk}${rest}`), 401);
    ok(await as(who).post(talk, { title: 'Mine' }), 401);
    ok(await as(who).post(`${topic}/entries`, { message: 'Mine' }), 401);
    ok(await as(who).put(`${topic}/read`), 401);
  }
  ok(await as(student).get(`/courses/${scene.course.id}/discussion_topics/${made.id}`), 404);
  ok(within(await as(student2).del(`${topic}/entries/${entry.id}`), 3));
  ok(await as(student).del(topic), 401);
  ok(within(await as(teacher).del(topic), 3));
  ok(await as(student).get(topic), 404);
});

test('a group returns its activity', async () => {
  const { student, student2, stranger, group } = scene;
  const topic = ok(await as(student).post(at('/discussion_topics'), { title: 'News', message: 'x' }));
  ok(await as(student).post(at('/discussion_topics'), { title: 'Notice', message: 'x', is_announcement: true }));
  const stream = ok(within(await as(student2).get(at('/activity_stream')), 2)) as { type: string; discussion_topic_id?: number }[];
  expect(stream.find((one) => one.discussion_topic_id === topic.id)).toMatchObject({
    type: 'DiscussionTopic',
    context_type: 'Group',
    group_id: group,
    html_url: `https://carrel.test/groups/${group}/discussion_topics/${topic.id}`,
  });
  const summary = ok(within(await as(student2).get(at('/activity_stream/summary')), 2)) as { type: string; count: number }[];
  expect(summary.find(({ type }) => type === 'Announcement')?.count).toBeGreaterThan(0);
  const mine = ok(await as(student2).get('/users/self/activity_stream', { context_code: `group_${group}` })) as { group_id: number }[];
  expect(mine.length).toBe(stream.length);
  expect(ok(await as(student2).get('/users/self/activity_stream')).length).toBeGreaterThanOrEqual(stream.length);
  for (const rest of ['/activity_stream', '/activity_stream/summary']) ok(await as(stranger).get(at(rest)), 401);
});
