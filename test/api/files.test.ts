// Files: lists, locks and changes.

import { env } from 'cloudflare:test';
import { files } from '@carrel/worker/domains/files/table';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { as, ground, many, n, nth, ok, within } from '../support/api';
import { follow } from '../support/feed';
import { aCourse, type Person } from '../support/ground';
import { bytes, upload } from '../support/upload';

const filesOf = (course: { id: number }) => `/courses/${course.id}/files`;
const at = (file: { id: number }, rest = '') => `/api/v1/files/${file.id}${rest}`;
const names = (files: { display_name: string }[]) => files.map((file) => file.display_name);
const past = '2026-01-01T00:00:00Z';
const future = '2099-01-01T00:00:00Z';

/** A course with a file in each of two folders. */
async function aShelf() {
  const scene = await aCourse(ground);
  const { course, teacher } = scene;
  const a = await upload(teacher, filesOf(course), { name: 'a.txt', parent_folder_path: 'one' } as never, 'aaaa');
  const b = await upload(teacher, filesOf(course), { name: 'B.png', parent_folder_path: 'two' } as never, 'bb');
  return { ...scene, a, b };
}

test('a course lists all of its files, a folder its own', async () => {
  const { course, teacher, student, stranger, a, b } = await aShelf();
  const listed = within(await as(student).get(filesOf(course)), 2);
  expect(names(ok(listed))).toEqual(['a.txt', 'B.png']);
  expect(names(ok(within(await as(student).get(`/folders/${b.folder_id}/files`), 2)))).toEqual(['B.png']);
  ok(await as(stranger).get(filesOf(course)), 401);
  ok(await as().get(filesOf(course)), 401);
  ok(await as(stranger).get(`/folders/${a.folder_id}/files`), 401);
  ok(await as(teacher).get('/folders/999999/files'), 404);
  expect(ok(await as(teacher).get(filesOf(course), { only: ['names'] }))[0]).toEqual({
    id: a.id,
    uuid: a.uuid,
    folder_id: a.folder_id,
    display_name: 'a.txt',
    filename: 'a.txt',
    upload_status: 'success',
  });
});

test('a list of files is filtered and sorted', async () => {
  const { course, teacher, student } = await aShelf();
  await upload(student, '/users/self/files', { name: 'not here.txt' });
  await upload(teacher, filesOf(course), { name: 'c.pdf' }, 'c'.repeat(10));
  const list = async (query: object) => names(ok(await as(student).get(filesOf(course), query)));
  expect(await list({ content_types: ['image'] })).toEqual(['B.png']);
  expect(await list({ content_types: ['image/png', 'text/plain'] })).toEqual(['a.txt', 'B.png']);
  expect(await list({ content_types: 'image/gif' })).toEqual([]);
  expect(await list({ exclude_content_types: ['image'] })).toEqual(['a.txt', 'c.pdf']);
  expect(await list({ search_term: 'PDF' })).toEqual(['c.pdf']);
  expect(ok(await as(student).get(filesOf(course), { search_term: 'c' }), 400).errors[0].field).toBe('search_term');
  expect(await list({ order: 'desc' })).toEqual(['c.pdf', 'B.png', 'a.txt']);
  expect(await list({ sort: 'size' })).toEqual(['B.png', 'a.txt', 'c.pdf']);
  expect(await list({ sort_by: 'size', order: 'desc' })).toEqual(['c.pdf', 'a.txt', 'B.png']);
  expect(await list({ sort: 'content_type' })).toEqual(['c.pdf', 'B.png', 'a.txt']);
  for (const sort of ['created_at', 'updated_at', 'user', 'position', 'nonsense']) expect(await list({ sort })).toHaveLength(3);
  for (const sort of ['name', 'size', 'user', 'created_at'])
    for (const order of ['asc', 'desc'])
      expect((await as(student).pages(filesOf(course), { sort, order, per_page: 1 })).length, `${sort} ${order}`).toBe(3);
});

test('a file has more fields on request', async () => {
  const { course, teacher, a, b } = await aShelf();
  const include = ['user', 'usage_rights', 'enhanced_preview_url', 'context_asset_string'];
  const shown = ok(within(await as(teacher).get(at(a), { include }), 2));
  expect(shown).toMatchObject({
    user: { id: teacher.id },
    usage_rights: null,
    preview_url: `/courses/${course.id}/files/${a.id}/file_preview?annotate=0&verifier=${a.uuid}`,
    context_asset_string: `course_${course.id}`,
  });
  expect(ok(await as(teacher).post(at(a), { include }))).toEqual(shown);
  expect(ok(await as(teacher).get(at(b)))).toMatchObject({
    mime_class: 'image',
    thumbnail_url: `https://carrel.test/images/thumbnails/${b.id}/${b.uuid}`,
  });
  expect(ok(await as(teacher).get(at(a), { use_verifiers: '0' })).url).toBe(`https://carrel.test/files/${a.id}/download?download_frd=1`);
  ok(await as(teacher).get(at({ id: 999_999 })), 404);
  ok(await as(teacher).get('/api/v1/files/letters'), 404);
  const other = await aShelf();
  ok(await as(teacher).get(`${filesOf(course)}/${other.a.id}`), 404);
  ok(await as(teacher).get(at(other.a)), 404);
});

test('a file visible to the institution, or to all, is readable outside its course', async () => {
  const { teacher, stranger, a } = await aShelf();
  ok(await as(stranger).get(at(a)), 404);
  expect((await bytes(`/files/${a.id}/download`, {}, stranger)).status).toBe(401);
  expect(ok(await as(teacher).put(at(a), { visibility_level: 'institution' })).visibility_level).toBe('institution');
  ok(await as(stranger).get(at(a)));
  expect((await bytes(`/files/${a.id}/download`, {}, stranger)).status).toBe(200);
  expect((await bytes(`/files/${a.id}/download`)).status).toBe(401);
  ok(await as(teacher).put(at(a), { visibility_level: 'public' }));
  expect((await bytes(`/files/${a.id}/download`)).status).toBe(200);
  ok(await as(teacher).put(at(a), { visibility_level: 'everywhere' }), 400);
});

test('users with permission rename, move and restrict a file', async () => {
  const { course, teacher, student, a, b } = await aShelf();
  expect(ok(within(await as(teacher).put(at(a), { name: 'läuft 2.txt', parent_folder_id: b.folder_id }), 3))).toMatchObject({
    id: a.id,
    display_name: 'läuft 2.txt',
    folder_id: b.folder_id,
    modified_at: a.modified_at,
  });
  expect(ok(await as(teacher).get(`/folders/${a.folder_id}`)).files_count).toBe(0);
  expect(ok(await as(teacher).get(`/folders/${b.folder_id}`)).files_count).toBe(2);
  const dated = ok(await as(teacher).put(at(a), { lock_at: '2027-01-01T12:00:00+01:00', unlock_at: past }));
  expect(dated).toMatchObject({ lock_at: '2027-01-01T11:00:00Z', unlock_at: past });
  expect(ok(await as(teacher).put(at(a), { lock_at: '', unlock_at: '' }))).toMatchObject({ lock_at: null, unlock_at: null });
  ok(await as(teacher).put(at(a), { lock_at: 'soon' }), 400);
  ok(await as(teacher).put(at(a), { name: 'x'.repeat(256) }), 400);
  ok(await as(teacher).put(at(a), { parent_folder_id: 999_999 }), 404);
  ok(await as(student).put(at(a), { name: 'mine' }), 401);
  ok(await as(teacher).put(at({ id: 999_999 }), { name: 'x' }), 404);
  expect(ok(await as(teacher).get(filesOf(course)))).toHaveLength(2);
});

test('an existing name needs a choice between renaming and overwriting', async () => {
  const { course, teacher, a } = await aShelf();
  const c = await upload(teacher, filesOf(course), { name: 'c.txt', parent_folder_path: 'one' } as never);
  const d = await upload(teacher, filesOf(course), { name: 'd.txt', parent_folder_path: 'one' } as never);
  expect(ok(await as(teacher).put(at(c), { name: 'a.txt' }), 409)).toEqual({ message: expect.any(String) });
  ok(await as(teacher).put(at(c), { name: 'a.txt', on_duplicate: 'perhaps' }), 400);
  expect(ok(await as(teacher).put(at(c), { name: 'a.txt', on_duplicate: 'rename' })).display_name).toBe('a-1.txt');
  expect(ok(await as(teacher).put(at(d), { name: 'a.txt', on_duplicate: 'overwrite' })).display_name).toBe('a.txt');
  ok(await as(teacher).get(at(a)), 404);
  expect(ok(await as(teacher).get(`${filesOf(course)}/${a.id}`)).id).toBe(d.id);
});

test('a deleted file is gone', async () => {
  const { course, teacher, student, a } = await aShelf();
  ok(await as(student).del(at(a)), 401);
  expect(ok(within(await as(teacher).del(at(a)), 3))).toMatchObject({ id: a.id, display_name: 'a.txt' });
  ok(await as(teacher).get(at(a)), 404);
  ok(await as(teacher).get(`${filesOf(course)}/${a.id}`), 404);
  ok(await as(teacher).del(at(a)), 404);
  expect((await bytes(a.url)).status).toBe(404);
  expect(names(ok(await as(teacher).get(filesOf(course))))).toEqual(['B.png']);
});

test('an administrator may blank a file, which keeps its id', async () => {
  const { course, teacher, a } = await aShelf();
  const admin = await ground.admin();
  ok(await as(teacher).del(at(a), { replace: true }), 401);
  const blank = ok(await as(admin).del(at(a), { replace: true }));
  expect(blank).toMatchObject({ id: a.id, display_name: 'file_removed.pdf', 'content-type': 'application/pdf' });
  expect((await bytes(a.url)).text).toMatch(/^%PDF-1\.4[\s\S]*This file has been removed[\s\S]*%%EOF\n$/);
  expect(names(ok(await as(teacher).get(filesOf(course))))).toEqual(['B.png', 'file_removed.pdf']);
});

test('a new verifier invalidates the old links', async () => {
  const { teacher, a } = await aShelf();
  const admin = await ground.admin();
  ok(await as(teacher).post(at(a, '/reset_verifier')), 401);
  const renewed = ok(await as(admin).post(at(a, '/reset_verifier')));
  expect(renewed.uuid).not.toBe(a.uuid);
  expect((await bytes(a.url)).status).toBe(401);
  expect((await bytes(renewed.url)).status).toBe(200);
});

test('a file hidden from students is not on their lists, but opens with a direct link', async () => {
  const { course, teacher, student, observer, a } = await aShelf();
  ok(await as(teacher).put(at(a), { hidden: true }));
  expect(names(ok(await as(student).get(filesOf(course))))).toEqual(['B.png']);
  expect(names(ok(await as(observer).get(filesOf(course))))).toEqual(['B.png']);
  expect(ok(await as(student).get(at(a)))).toMatchObject({ hidden: true, hidden_for_user: true, locked_for_user: false });
  expect((await bytes(`/files/${a.id}/download`, {}, student)).status).toBe(200);
  expect(ok(await as(teacher).get(filesOf(course)))[0]).toMatchObject({ hidden: true, hidden_for_user: false });
});

const locks: [string, object, object][] = [
  ['manually', { locked: true }, { manually_locked: true }],
  ['until a future date', { unlock_at: future }, { unlock_at: future }],
  ['since a past date', { lock_at: past }, { lock_at: past }],
];

test.each(locks)("a file locked %s is not on students' lists, and they see the reason and get no bytes", async (_, given, info) => {
  const { course, teacher, student, a, b } = await aShelf();
  ok(await as(teacher).put(at(b), given));
  expect(names(ok(await as(student).get(filesOf(course))))).toEqual(['a.txt']);
  expect(names(ok(await as(teacher).get(filesOf(course))))).toEqual(['a.txt', 'B.png']);
  expect(ok(await as(student).get(at(b)))).toMatchObject({
    url: '',
    thumbnail_url: '',
    locked_for_user: true,
    lock_info: { asset_string: `attachment_${b.id}`, ...info },
    lock_explanation: expect.any(String),
  });
  expect(ok(await as(teacher).get(at(b)))).toMatchObject({ locked_for_user: false, url: b.url });
  expect(ok(await as(teacher).get(at(b))).lock_info).toBeUndefined();
  expect((await bytes(`/files/${b.id}/download`, {}, student)).status).toBe(401);
  expect((await bytes(b.url)).status).toBe(401);
  expect((await bytes(`/files/${b.id}/download`, {}, teacher)).status).toBe(200);
  ok(await as(student).get(at(b, '/public_url')), 401);

  ok(await as(teacher).put(at(b), { locked: false, lock_at: future, unlock_at: past }));
  ok(await as(teacher).put(`/folders/${a.folder_id}`, given));
  expect(names(ok(await as(student).get(filesOf(course))))).toEqual(['B.png']);
  expect(ok(await as(student).get(at(a)))).toMatchObject({ url: '', locked: false, locked_for_user: true, lock_info: info });
  expect((await bytes(a.url)).status).toBe(401);
});

test('a file in a module that is locked for the student is locked too', async () => {
  const { course, teacher, student, a } = await aShelf();
  const module = ok(await as(teacher).post(`/courses/${course.id}/modules`, { module: { name: 'Later', unlock_at: future } }));
  ok(await as(teacher).post(`/courses/${course.id}/modules/${module.id}/items`, { module_item: { type: 'File', content_id: a.id } }));
  ok(await as(teacher).put(`/courses/${course.id}/modules/${module.id}`, { module: { published: true } }));
  expect(ok(await as(student).get(at(a)))).toMatchObject({
    url: '',
    locked_for_user: true,
    lock_info: { asset_string: `attachment_${a.id}`, context_module: { id: module.id }, unlock_at: future },
  });
  const refused = await bytes(`/files/${a.id}/download`, {}, student);
  expect([refused.status, refused.cost.d1_trips]).toEqual([401, 2]);
  expect(ok(await as(teacher).get(at(a))).locked_for_user).toBe(false);
  expect((await bytes(`/files/${a.id}/download`, {}, teacher)).status).toBe(200);
});

test('where the course hides its files, students lose the lists and keep linked files', async () => {
  const { course, teacher, student, a } = await aShelf();
  await env.DB.prepare(`update courses set settings = '{"tab_configuration":[{"id":"files","hidden":true}]}' where id = ?`)
    .bind(course.id)
    .run();
  ok(await as(student).get(filesOf(course)), 401);
  ok(await as(student).get(`/courses/${course.id}/folders`), 401);
  ok(await as(student).get(at(a)));
  expect((await bytes(`/files/${a.id}/download`, {}, student)).status).toBe(200);
  ok(await as(teacher).get(filesOf(course)));
});

test('where usage rights are required, a new file stays locked until they are set', async () => {
  const { course, teacher, student } = await aCourse(ground, { settings: { usage_rights_required: true } });
  const file = await upload(teacher, filesOf(course), { name: 'a.txt' });
  expect(file).toMatchObject({ locked: true, locked_for_user: false, url: expect.stringContaining('/download') });
  expect(ok(await as(student).get(filesOf(course)))).toEqual([]);
  ok(await as(teacher).put(at(file), { locked: false }), 400);
  const rights = { use_justification: 'creative_commons', license: 'cc_by', legal_copyright: '(C) 2026 us' };
  const result = ok(
    within(await as(teacher).put(`/courses/${course.id}/usage_rights`, { file_ids: [file.id], usage_rights: rights, publish: true }), 3),
  );
  expect(result).toEqual({ ...rights, license_name: 'CC Attribution', message: '1 file updated', file_ids: [file.id] });
  expect(ok(await as(student).get(at(file), { include: ['usage_rights'] }))).toMatchObject({
    locked: false,
    usage_rights: { ...rights, license_name: 'CC Attribution' },
  });
});

test('usage rights are set and removed for folders and everything in them', async () => {
  const { course, teacher, student, a, b } = await aShelf();
  const root = ok(await as(teacher).get(`/courses/${course.id}/folders/root`));
  const address = `/courses/${course.id}/usage_rights`;
  const usage_rights = { use_justification: 'public_domain' };
  expect(ok(await as(teacher).put(address, { folder_ids: [root.id], usage_rights }))).toMatchObject({
    license: 'public_domain',
    legal_copyright: null,
    message: '2 files updated',
    file_ids: [a.id, b.id],
  });
  expect(ok(await as(teacher).del(address, { folder_ids: [a.folder_id] }))).toEqual({ message: '1 file updated', file_ids: [a.id] });
  expect(ok(await as(teacher).get(at(a), { include: ['usage_rights'] })).usage_rights).toBeNull();
  ok(await as(teacher).put(address, { usage_rights }), 400);
  ok(await as(teacher).put(address, { file_ids: [a.id] }), 400);
  ok(await as(teacher).put(address, { file_ids: [a.id], usage_rights: { use_justification: 'because' } }), 400);
  ok(await as(teacher).put(address, { file_ids: [a.id], usage_rights: { ...usage_rights, license: 'mine' } }), 400);
  ok(await as(teacher).put(address, { file_ids: [a.id], usage_rights: {} }), 400);
  ok(await as(teacher).del(address, {}), 400);
  ok(await as(student).put(address, { file_ids: [a.id], usage_rights }), 401);
  const mine = await upload(student, '/users/self/files', { name: 'x.txt' });
  expect(ok(await as(student).put('/users/self/usage_rights', { file_ids: [mine.id, a.id], usage_rights })).file_ids).toEqual([mine.id]);
  expect(ok(await as(student).del('/users/self/usage_rights', { file_ids: [mine.id] })).file_ids).toEqual([mine.id]);
});

test('licences are listed, under both spellings', async () => {
  const { course, student, stranger } = await aCourse(ground);
  const licenses = ok(await as(student).get(`/courses/${course.id}/content_licenses`));
  expect(licenses.map((license: { id: string }) => license.id)).toEqual(
    'private cc_by_nc_nd cc_by_nc_sa cc_by_nc cc_by_nd cc_by_sa cc_by public_domain'.split(' '),
  );
  expect(ok(await as(student).get(`/course/${course.id}/content_licenses`))).toEqual(licenses);
  expect(ok(await as(student).get('/users/self/content_licenses'))).toEqual(licenses);
  ok(await as(stranger).get(`/courses/${course.id}/content_licenses`), 401);
});

test('a public URL works for a while without signing in', async () => {
  const { student, stranger, a } = await aShelf();
  const { public_url } = ok(await as(student).get(at(a, '/public_url')));
  expect(public_url).not.toContain(a.uuid);
  expect((await bytes(public_url)).text).toBe('aaaa');
  expect((await bytes(public_url.replace(/expires_at=2/, 'expires_at=3'))).status).toBe(401);
  expect((await bytes(public_url.replace(/signature=./, 'signature=x'))).status).toBe(401);
  ok(await as(stranger).get(at(a, '/public_url')), 401);
});

test('an icon returns its icon maker metadata', async () => {
  const { course, teacher, a } = await aShelf();
  ok(await as(teacher).get(at(a, '/icon_metadata')), 400);
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg"><metadata>{"type":"image/svg+xml-icon-maker-icons","shape":"circle"}</metadata></svg>';
  const icon = await upload(teacher, filesOf(course), { name: 'icon.svg', category: 'icon_maker_icons' } as never, svg);
  expect(icon.category).toBe('icon_maker_icons');
  expect(ok(await as(teacher).get(at(icon, '/icon_metadata')))).toEqual({ type: 'image/svg+xml-icon-maker-icons', shape: 'circle' });
});

test('teachers read submitted files, and no one changes or deletes them', async () => {
  const { course, student, student2, teacher, stranger } = await aCourse(ground);
  const assignment = { name: 'Essay', submission_types: ['online_upload'], published: true };
  const task = ok(await as(teacher).post(`/courses/${course.id}/assignments`, { assignment }), 201);
  const address = `/courses/${course.id}/assignments/${task.id}/submissions`;
  const file = await upload(student, `${address}/self/files`, { name: 'essay.txt' }, 'mine');
  ok(await as(teacher).get(at(file)), 404);
  ok(await as(student).post(address, { submission: { submission_type: 'online_upload', file_ids: [file.id] } }), 201);
  expect(ok(await as(teacher).get(at(file))).display_name).toBe('essay.txt');
  for (const person of [student2, stranger]) ok(await as(person).get(at(file)), 404);
  expect(ok(await as(student).del(at(file)), 403)).toEqual({ message: expect.any(String) });
  ok(await as(student).put(at(file), { name: 'better.txt' }), 401);
  const folder = ok(await as(student).get(`/folders/${file.folder_id}`));
  expect(folder).toMatchObject({ full_name: `my files/Submissions/${course.name}`, for_submissions: true, can_upload: false });
  ok(await as(student).post(`/folders/${folder.id}/files`, { name: 'x' }), 401);
  ok(await as(student).put(`/folders/${folder.id}`, { name: 'x' }), 401);
  ok(await as(student).del(`/folders/${folder.id}`, { force: true }), 401);
  expect(ok(await as(student).get('/users/self/files/quota')).quota_used).toBe(0);
});

test('a course of 10,000 files is listed in two trips that read no more than the page', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const root = ok(await as(teacher).get(`/courses/${course.id}/folders/root`));
  await many(10_000, files, {
    context_type: 'Course',
    context_id: course.id,
    folder_id: root.id,
    uuid: nth('budget-'),
    display_name: sql`printf('File %05d.txt', n)`,
    filename: 'f',
    content_type: sql`printf('text/x-%05d', n)`,
    size: n,
    user_id: teacher.id,
    workflow_state: 'available',
    created_at: sql`strftime('%Y-%m-%dT%H:%M:%SZ', 1788000000 + n, 'unixepoch')`,
    updated_at: sql`strftime('%Y-%m-%dT%H:%M:%SZ', 1788000000 - n, 'unixepoch')`,
  });
  const limit = 3 * 100 + 150;
  // For students the locks of each file are read, and includes read the page once more.
  const limitOf = (person: Person, query: object) => limit + (person === student ? 250 : 0) + ('include' in query ? 350 : 0);
  for (const person of [teacher, student])
    for (const query of [
      {},
      { sort: 'size', order: 'desc' },
      { sort: 'created_at' },
      { sort: 'updated_at' },
      { sort: 'content_type' },
      { include: ['user'] },
    ]) {
      const first = within(await as(person).get(filesOf(course), { per_page: 100, ...query }), 2);
      expect(ok(first)).toHaveLength(100);
      expect(first.cost.rows_read, JSON.stringify(query)).toBeLessThan(limitOf(person, query));
      const next = within(await as(person).get(first.links.next as string), 2);
      expect(ok(next)).toHaveLength(100);
      expect(next.cost.rows_read, `next ${JSON.stringify(query)}`).toBeLessThan(limitOf(person, query));
    }
  const folder = within(await as(student).get(`/folders/${root.id}/files`, { per_page: 100 }), 2);
  expect(ok(folder)[99].display_name).toBe('File 00100.txt');
  expect(folder.cost.rows_read).toBeLessThan(limit + 250);
  const all = within(await as(student).get(`/folders/${root.id}/all`), 2);
  expect(ok(all)).toHaveLength(25);
  expect(all.cost.rows_read).toBeLessThan(limit);
  const shown = within(await as(student).get(`/folders/${root.id}`), 2);
  expect(ok(shown).files_count).toBe(10_000);
  expect(shown.cost.rows_read).toBeLessThan(100);
  const quota = within(await as(teacher).get(`${filesOf(course)}/quota`), 2);
  expect(ok(quota).quota_used).toBe((10_000 * 10_001) / 2 + 512 * 511 - (511 * 512) / 2);
  expect(quota.cost.rows_read).toBeLessThan(100);
});

test('to an outsider, an object of others and a missing one return the same, where the address has no context', async () => {
  const { course, teacher, stranger } = await aCourse(ground);
  const file = await upload(teacher, `/courses/${course.id}/files`, { name: 'notes.txt' }, 'x');
  const folder = ok(await as(teacher).post(`/courses/${course.id}/folders`, { name: 'Notes' }));
  const own = ok(await as(teacher).post('/users/self/folders', { name: 'Own' }));
  const note = ok(await as(teacher).post('/planner_notes', { title: 'Own', todo_date: '2030-01-01' }), 201);
  const work = ok(await as(teacher).put(`/courses/${course.id}/assignments/bulk_update`, [], { json: true }));
  const asked = [
    ['get', '/files/:id', file.id],
    ['post', '/files/:id', file.id],
    ['get', '/files/:id/icon_metadata', file.id],
    ['post', '/folders/:id/files', folder.id],
    ['get', '/folders/:id', folder.id],
    ['get', '/folders/:id', own.id],
    ['put', '/folders/:id', folder.id],
    ['del', '/folders/:id', folder.id],
    ['get', '/folders/:id/all', folder.id],
    ['post', '/folders/:id/copy_file', folder.id],
    ['post', '/folders/:id/copy_folder', folder.id],
    ['get', '/planner_notes/:id', note.id],
    ['put', '/planner_notes/:id', note.id],
    ['del', '/planner_notes/:id', note.id],
    ['get', '/progress/:id', work.id],
    ['post', '/progress/:id/cancel', work.id],
  ] as const;
  for (const [method, path, id] of asked) {
    const [theirs, nobodys] = [id, 99_999_999].map((one) => as(stranger)[method](path.replace(':id', String(one)), { name: 'x' }));
    const [there, missing] = [await theirs, await nobodys];
    expect([there?.status, there?.body], `${method} ${path}`).toEqual([missing?.status, missing?.body]);
    expect(there?.status, `${method} ${path}`).toBe(404);
  }
  ok(await as(stranger).del(`/files/${file.id}`), 401);
  ok(await as(stranger).get(`/folders/${folder.id}/files`), 401);
});

test('a file locked by a module is listed without its address, in REST and feed, and its bytes are refused', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const there = `/courses/${course.id}`;
  const file = await upload(teacher, `${there}/files`, { name: 'later.txt' }, 'x');
  const module = ok(await as(teacher).post(`${there}/modules`, { module: { name: 'Later', unlock_at: '2099-01-01T00:00:00Z' } }));
  ok(await as(teacher).post(`${there}/modules/${module.id}/items`, { module_item: { type: 'File', content_id: file.id } }));
  ok(await as(teacher).put(`${there}/modules/${module.id}`, { module: { published: true } }));
  const locked = { id: file.id, url: '', locked_for_user: true, lock_info: { context_module: { id: module.id } } };
  for (const path of [`${there}/files`, `/folders/${file.folder_id}/files`])
    expect(ok(within(await as(student).get(path), 2)), path).toMatchObject([locked]);
  expect(ok(await as(student).get(`/files/${file.id}`))).toMatchObject(locked);
  ok(await as(student).get(`/files/${file.id}/download`), 401);
  ok(await as(student).get(`/files/${file.id}/public_url`), 401);
  const told = (await follow(as(student)).catchUp()).find(({ kind, id }) => kind === 'file' && id === file.id);
  expect(told).toMatchObject({ op: 'upsert', resource: locked });
  expect(ok(await as(teacher).get(`/files/${file.id}`))).toMatchObject({ locked_for_user: false });
  ok(await as(teacher).put(`${there}/modules/${module.id}`, { module: { unlock_at: '' } }));
  expect(ok(await as(student).get(`${there}/files`))[0].url).toContain('verifier');
  expect((await as(student).get(`/files/${file.id}/download`)).status).toBe(200);
});
