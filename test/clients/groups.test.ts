// Groups: sets made by teachers and students, filled, split, exported and imported, and the content of groups.

import { expect, inject, test } from 'vitest';
import { type AnyJson, canvasApiFor, names, plainly } from './at';

const built = inject('started');
const cast = built.casts.groups;
const [admin, teacher, student, student2] = [
  canvasApiFor(built.admin),
  canvasApiFor(cast.teacher),
  canvasApiFor(cast.student),
  canvasApiFor(cast.student2),
];
const here = `courses/${cast.course.id}`;
const soon = '2035-05-01T10:00:00Z';
const ids = (list: readonly AnyJson[]) => names(list, 'id');

/** A group category with one group that has the student. */
async function aGroup(name: string, more: object = {}): Promise<{ set: AnyJson; group: AnyJson; inside: string }> {
  const set = await teacher.ask('POST', `${here}/group_categories`, { name, ...more });
  const group = await teacher.ask('POST', `group_categories/${set.id}/groups`, { name: `${name} 1` });
  await teacher.ask('PUT', `groups/${group.id}`, { members: [cast.student.id] });
  return { set, group, inside: `groups/${group.id}` };
}

test('a teacher creates a group set, fills it automatically, exports it as CSV and imports one', async () => {
  const { ask, all, whole, ended, refusal } = teacher;
  const set = await ask('POST', `${here}/group_categories`, { name: 'Labs', create_group_count: 2, self_signup: 'enabled' });
  expect(set).toMatchObject({ name: 'Labs', self_signup: 'enabled', groups_count: 2 });
  expect(names(await all(`${here}/group_categories`))).toContain('Labs');
  expect(await ask('PUT', `group_categories/${set.id}`, { name: 'Teams', self_signup: '' })).toMatchObject({
    name: 'Teams',
    self_signup: null,
  });
  const [one, two] = await all(`group_categories/${set.id}/groups`);
  expect(ids(await all(`group_categories/${set.id}/users`, { unassigned: true })).sort()).toEqual(
    [cast.student.id, cast.student2.id].sort(),
  );
  const result = await ask('POST', `group_categories/${set.id}/assign_unassigned_members`, { sync: true });
  expect(result.map((group: AnyJson) => group.new_members.length)).toEqual([1, 1]);
  expect(await ask('GET', `group_categories/${set.id}`, { includes: ['unassigned_users_count', 'groups_count'] })).toMatchObject({
    unassigned_users_count: 0,
    groups_count: 2,
  });
  const table = (await whole('GET', `group_categories/${set.id}/export`)).text.split('\r\n').join('\n').trim().split('\n');
  expect(table[0]).toContain('canvas_user_id');
  expect(table.slice(1)).toHaveLength(2);
  const other = await ask('POST', `${here}/group_categories`, { name: 'Tutorials' });
  const csv = `canvas_user_id,group_name\n${cast.student.id},Reds\n${cast.student2.id},Reds\n`;
  const sent = await teacher.send(`group_categories/${other.id}/import`, 'attachment', {
    name: 'groups.csv',
    bytes: csv,
    type: 'text/csv',
  });
  await ended(`progress/${sent.id}`);
  expect(await all(`group_categories/${other.id}/groups`)).toMatchObject([{ name: 'Reds', members_count: 2 }]);
  expect(await ask('DELETE', `group_categories/${other.id}`)).toMatchObject({ id: other.id });
  expect(await refusal('GET', `group_categories/${other.id}`)).toBe(404);
  expect(ids(await all(`${here}/groups`))).toEqual([one.id, two.id]);
  expect(await student.refusal('GET', `group_categories/${set.id}`)).toBe(401);
});

test('a background job can be cancelled by the user who started it', async () => {
  const set = await teacher.ask('POST', `${here}/group_categories`, { name: 'Many', create_group_count: 2 });
  // A job that has already ended is started again.
  for (let tries = 0; tries < 20; tries += 1) {
    const begun = await teacher.ask('POST', `group_categories/${set.id}/assign_unassigned_members`);
    expect(await student.refusal('POST', `progress/${begun.id}/cancel`)).toBe(404);
    if ((await teacher.refusal('POST', `progress/${begun.id}/cancel`, { message: 'Not today' })) !== 200) continue;
    expect(await teacher.ask('GET', `progress/${begun.id}`)).toMatchObject({ workflow_state: 'failed', message: 'Not today' });
    return;
  }
  throw new Error('the work was always quicker');
});

test('students sign up, leave, and create their own groups', async () => {
  const set = await teacher.ask('POST', `${here}/group_categories`, { name: 'Readers', self_signup: 'enabled', auto_leader: 'first' });
  const group = await teacher.ask('POST', `group_categories/${set.id}/groups`, { name: 'Poetry' });
  const inside = `groups/${group.id}`;
  const mine = await student.ask('POST', `${inside}/memberships`, { user_id: 'self' });
  expect(mine).toMatchObject({ user_id: cast.student.id, workflow_state: 'accepted', just_created: true });
  expect(await student.ask('GET', `${inside}/memberships/self`)).toMatchObject({ id: mine.id });
  expect(await student.ask('GET', `${inside}/users/self`)).toMatchObject({ id: mine.id });
  expect(await teacher.ask('PUT', `${inside}/memberships/${mine.id}`, { moderator: true })).toMatchObject({ moderator: true });
  expect(await teacher.ask('PUT', `${inside}/users/${cast.student.id}`, { moderator: false })).toMatchObject({ moderator: false });
  const second = await teacher.ask('POST', `${inside}/memberships`, { user_id: cast.student2.id });
  expect(ids(await student.all(`${inside}/memberships`)).sort()).toEqual([mine.id, second.id].sort());
  expect(names(await plainly(cast.student).get(`${inside}/users`))).toEqual(['Sam Student', 'Sue Student']);
  expect(await student.ask('GET', inside)).toMatchObject({ members_count: 2, leader: { id: cast.student.id } });
  expect(await student2.ask('DELETE', `${inside}/users/self`)).toEqual({ ok: true });
  expect(await student.ask('DELETE', `${inside}/memberships/${mine.id}`)).toEqual({ ok: true });
  expect(await student.refusal('GET', inside)).toBe(401);
  const own = await student.ask('POST', `${here}/groups`, { name: 'Stargazers', join_level: 'parent_context_auto_join' });
  expect(own).toMatchObject({ role: 'student_organized', members_count: 1 });
  const club = await student.ask('POST', 'groups', { name: 'Chess', join_level: 'invitation_only' });
  expect(club).toMatchObject({ role: 'communities', context_type: 'Account' });
  expect(await student.ask('POST', `groups/${club.id}/invite`, { invitees: [cast.stranger.login] })).toMatchObject([
    { user_id: cast.stranger.id, workflow_state: 'invited' },
  ]);
  expect(await canvasApiFor(cast.stranger).ask('PUT', `groups/${club.id}/users/self`, { workflow_state: 'accepted' })).toMatchObject({
    workflow_state: 'accepted',
  });
  expect(names(await student.all('users/self/groups'))).toEqual(expect.arrayContaining(['Stargazers', 'Chess']));
  expect(await student.ask('DELETE', `groups/${own.id}`)).toMatchObject({ id: own.id });
  expect(names(await admin.all('accounts/1/groups'))).toContain('Chess');
  await admin.ask('POST', 'accounts/1/group_categories', { name: 'Clubs' });
  expect(names(await admin.all('accounts/1/group_categories'))).toContain('Clubs');
  expect(await student.refusal('GET', 'accounts/1/groups')).toBe(401);
});

test('a member favourites a group, and sees its permissions and activity', async () => {
  const { inside, group } = await aGroup('Marked');
  expect(await student.ask('GET', `${inside}/permissions`, { permissions: ['read', 'manage'] })).toEqual({ read: true, manage: false });
  expect(ids(await student.all(`${inside}/tabs`))).toEqual(expect.arrayContaining(['home', 'pages', 'discussions', 'files']));
  expect(await student.ask('POST', `${inside}/preview_html`, { html: '<b onclick="x()">Hi</b>' })).toEqual({ html: '<b>Hi</b>' });
  expect(await student.ask('POST', `users/self/favorites/groups/${group.id}`)).toEqual({ context_id: group.id, context_type: 'Group' });
  expect(ids(await student.all('users/self/favorites/groups'))).toContain(group.id);
  expect(await student.ask('DELETE', `users/self/favorites/groups/${group.id}`)).toMatchObject({ context_id: group.id });
  expect(await student.ask('DELETE', 'users/self/favorites/groups')).toMatchObject({ message: 'OK' });
  await teacher.ask('POST', `${inside}/discussion_topics`, { title: 'Meet on Friday', is_announcement: true });
  const stream = await student.all(`${inside}/activity_stream`);
  expect(stream).toMatchObject([{ type: 'Announcement', title: 'Meet on Friday', group_id: group.id }]);
  expect(await student.ask('GET', `${inside}/activity_stream/summary`)).toMatchObject([
    { type: 'Announcement', count: 1, unread_count: 1 },
  ]);
  expect(names(await student.all(`${inside}/content_licenses`), 'id')).toContain('private');
  expect(await student.ask('GET', `${inside}/conferences`)).toEqual({ conferences: [] });
  expect(await student.ask('GET', `${inside}/collaborations`)).toEqual({ collaborations: [] });
  const document = await student.ask('POST', `${inside}/collaborations`, { collaboration: { title: 'Sketch' } });
  expect(await student.ask('PUT', `${inside}/collaborations/${document.id}`, { collaboration: { title: 'Plan' } })).toMatchObject({
    title: 'Plan',
  });
  expect(await student.ask('DELETE', `${inside}/collaborations/${document.id}`)).toMatchObject({ id: document.id });
  expect(ids(await student.all(`${inside}/potential_collaborators`))).toContain(cast.student.id);
  const feed = await student.ask('POST', `${inside}/external_feeds`, { url: 'https://files.carrel.org/club.atom' });
  expect(ids(await student.all(`${inside}/external_feeds`))).toEqual([feed.id]);
  expect(await student.ask('DELETE', `${inside}/external_feeds/${feed.id}`)).toMatchObject({ url: feed.url });
  for (const part of ['', '/users', '/tabs', '/activity_stream', '/pages', '/files', '/external_feeds'])
    expect([part, await student2.refusal('GET', `${inside}${part}`)]).toEqual([part, 401]);
});

test('members write pages together, and revert to an earlier version', async () => {
  const { inside } = await aGroup('Writers');
  const { ask, all, refusal } = student;
  const page = await ask('POST', `${inside}/pages`, { wiki_page: { title: 'Our plan', body: '<p>One</p>' } });
  expect(page).toMatchObject({ url: 'our-plan', published: true, editing_roles: 'members' });
  await ask('PUT', `${inside}/pages/our-plan`, { wiki_page: { body: '<p>Two</p>' } });
  const revisions = await all(`${inside}/pages/our-plan/revisions`);
  expect(names(revisions, 'revision_id')).toEqual([2, 1]);
  expect(await ask('GET', `${inside}/pages/our-plan/revisions/1`)).toMatchObject({ body: '<p>One</p>', latest: false });
  expect(await ask('GET', `${inside}/pages/our-plan/revisions/latest`)).toMatchObject({ body: '<p>Two</p>', latest: true });
  expect(await ask('POST', `${inside}/pages/our-plan/revisions/1`)).toMatchObject({ body: '<p>One</p>', revision_id: 3 });
  expect((await ask('GET', `${inside}/pages/our-plan`)).body).toBe('<p>One</p>');
  await ask('PUT', `${inside}/pages/our-plan`, { wiki_page: { front_page: true } });
  expect(await ask('PUT', `${inside}/front_page`, { wiki_page: { body: '<p>Three</p>' } })).toMatchObject({ front_page: true });
  expect((await ask('GET', `${inside}/front_page`)).body).toBe('<p>Three</p>');
  const other = await ask('POST', `${inside}/pages`, { wiki_page: { title: 'Notes' } });
  expect(names(await all(`${inside}/pages`, { sort: 'title' }), 'url')).toEqual(['notes', 'our-plan']);
  expect(await ask('DELETE', `${inside}/pages/${other.url}`)).toMatchObject({ url: 'notes' });
  expect(await refusal('GET', `${inside}/pages/notes`)).toBe(404);
});

test('members discuss: topics, replies, read state, ratings, subscriptions', async () => {
  const { inside } = await aGroup('Talkers');
  await teacher.ask('PUT', inside, { members: [cast.student.id, cast.student2.id] });
  const { ask, all, whole } = student;
  const topic = await ask('POST', `${inside}/discussion_topics`, {
    title: 'Where to?',
    message: 'Say',
    discussion_type: 'threaded',
  });
  const talk = `${inside}/discussion_topics/${topic.id}`;
  expect(await teacher.ask('PUT', talk, { allow_rating: true })).toMatchObject({ allow_rating: true });
  const entry = await ask('POST', `${talk}/entries`, { message: 'To the lake' });
  const reply = await student2.ask('POST', `${talk}/entries/${entry.id}/replies`, { message: 'Too cold' });
  expect(names(await all(`${talk}/entries`), 'message')).toEqual(['To the lake']);
  expect(names(await all(`${talk}/entries/${entry.id}/replies`), 'message')).toEqual(['Too cold']);
  expect(names(await all(`${talk}/entry_list`, { ids: [entry.id, reply.id] }), 'id')).toEqual([entry.id, reply.id]);
  const seen = await ask('GET', `${talk}/view`);
  expect(seen.view).toMatchObject([{ message: 'To the lake', replies: [{ message: 'Too cold' }] }]);
  expect(seen.unread_entries).toEqual([reply.id]);
  for (const [method, path] of [
    ['PUT', `/entries/${reply.id}/read`],
    ['DELETE', `/entries/${reply.id}/read`],
    ['PUT', '/read'],
    ['DELETE', '/read'],
    ['PUT', '/read_all'],
    ['DELETE', '/read_all'],
    ['DELETE', '/subscribed'],
    ['PUT', '/subscribed'],
  ] as const)
    expect([path, (await whole(method, `${talk}${path}`)).statusCode]).toEqual([path, 204]);
  expect(await ask('GET', talk)).toMatchObject({ read_state: 'unread', unread_count: 2, subscribed: true });
  expect((await whole('POST', `${talk}/entries/${reply.id}/rating`, { rating: 1 })).statusCode).toBe(204);
  expect((await ask('GET', `${talk}/view`)).entry_ratings).toEqual({ [reply.id]: 1 });
  expect(await student2.ask('PUT', `${talk}/entries/${reply.id}`, { message: 'Much too cold' })).toMatchObject({
    message: 'Much too cold',
  });
  expect(await student2.ask('DELETE', `${talk}/entries/${reply.id}`)).toHaveProperty('deleted_at');
  expect(await ask('PUT', talk, { title: 'Where to, then?' })).toMatchObject({ title: 'Where to, then?' });
  const copy = await ask('POST', `${talk}/duplicate`);
  expect(copy.title).toBe('Where to, then? Copy');
  for (const one of [topic, copy]) await teacher.ask('PUT', `${inside}/discussion_topics/${one.id}`, { pinned: true });
  expect(await teacher.ask('POST', `${inside}/discussion_topics/reorder`, { order: `${copy.id},${topic.id}` })).toEqual({
    reorder: true,
    order: [String(copy.id), String(topic.id)],
  });
  expect((await all(`${inside}/discussion_topics`, { scope: 'pinned' })).map(({ id, position }) => [id, position])).toEqual([
    [copy.id, 1],
    [topic.id, 2],
  ]);
  expect(await teacher.ask('DELETE', `${inside}/discussion_topics/${copy.id}`)).toHaveProperty('deleted_at');
  expect(await canvasApiFor(cast.observer).refusal('GET', talk)).toBe(401);
});

test('members share files and folders', async () => {
  const { inside } = await aGroup('Keepers');
  const { ask, all, upload, whole } = student;
  const file = await upload(`${inside}/files`, { name: 'plan.txt', bytes: 'our plan', parent_folder_path: 'Week 1' });
  const folders = `${inside}/folders`;
  expect(names(await all(folders), 'full_name')).toEqual(expect.arrayContaining(['files', 'files/Week 1']));
  expect(names(await ask('GET', `${folders}/by_path`), 'full_name')).toEqual(['files']);
  expect(names(await ask('GET', `${folders}/by_path/Week%201`), 'full_name')).toEqual(['files', 'files/Week 1']);
  expect(await ask('GET', `${folders}/root`)).toMatchObject({ full_name: 'files', parent_folder_id: null });
  expect(await ask('GET', `${folders}/${file.folder_id}`)).toMatchObject({ files_count: 1 });
  for (const special of ['media', 'icon_maker_folder']) expect(await ask('GET', `${folders}/${special}`)).toHaveProperty('id');
  expect(await ask('POST', folders, { name: 'Week 2', parent_folder_path: 'Week 1' })).toMatchObject({
    full_name: 'files/Week 1/Week 2',
  });
  expect(ids(await all(`${inside}/files`))).toEqual([file.id]);
  expect(await ask('GET', `${inside}/files/${file.id}`)).toMatchObject({ display_name: 'plan.txt', size: 8 });
  expect(await ask('GET', `${inside}/files/quota`)).toEqual({ quota: 52_428_800, quota_used: 512 });
  const usage_rights = { use_justification: 'own_copyright', legal_copyright: '2026 Us' };
  expect(await ask('PUT', `${inside}/usage_rights`, { file_ids: [file.id], usage_rights })).toMatchObject({ file_ids: [file.id] });
  expect((await ask('GET', `files/${file.id}`, { include: ['usage_rights'] })).usage_rights).toMatchObject(usage_rights);
  expect(await ask('DELETE', `${inside}/usage_rights`, { file_ids: [file.id] })).toMatchObject({ file_ids: [file.id] });
  const address = `${built.url}/${inside}`;
  expect((await whole('GET', `${address}/files/${file.id}/download`)).statusCode).toBeLessThan(400);
  for (const path of [
    `files/${file.id}`,
    `files/${file.id}/preview`,
    `files/${file.id}/file_preview`,
    'file_contents/files/Week%201/plan.txt',
  ])
    expect([path, (await whole('GET', `${address}/${path}`)).statusCode < 400]).toEqual([path, true]);
  expect(await student2.refusal('GET', `${inside}/files/${file.id}`)).toBe(401);
});

test('a group plans its events', async () => {
  const { group } = await aGroup('Planners');
  const event = await student.ask('POST', 'calendar_events', {
    calendar_event: { context_code: `group_${group.id}`, title: 'Meeting', start_at: soon, end_at: soon },
  });
  expect(names(await student.all('calendar_events', { context_codes: [`group_${group.id}`], all_events: true }), 'id')).toEqual([event.id]);
  expect(await student2.refusal('GET', `calendar_events/${event.id}`)).not.toBe(200);
});
