// Files and folders of a course and of a user: upload in three steps, move, copy, license, and download by every address.

import { expect, inject, test } from 'vitest';
import { type AnyJson, canvasApiFor, names, plainly } from './at';

const built = inject('started');
const cast = built.casts.files;
const [admin, teacher, student] = [canvasApiFor(built.admin), canvasApiFor(cast.teacher), canvasApiFor(cast.student)];
const learns = plainly(cast.student);
const here = `courses/${cast.course.id}`;
const ids = (list: readonly AnyJson[]) => names(list, 'id');
/** A single red pixel. */
const dot = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==', 'base64');

/** Downloads an address, following redirects. */
async function brought(who: typeof teacher, address: string): Promise<string> {
  for (let to = new URL(address, built.url).href, hops = 0; hops < 4; hops += 1) {
    const { statusCode, headers, text } = await who.whole('GET', to);
    if (statusCode < 300) return text;
    to = new URL(headers.location as string, to).href;
  }
  throw new Error(`${address} redirects without end`);
}

test('a teacher fills the folders of a course, and moves, copies, locks and deletes files', async () => {
  const { ask, all, upload, refusal } = teacher;
  const file = await upload(`${here}/files`, { name: 'plan.txt', bytes: 'a plan', parent_folder_path: 'Week 1' });
  expect(file).toMatchObject({ display_name: 'plan.txt', size: 6, 'content-type': 'text/plain', locked: false });
  const folders = `${here}/folders`;
  const root = await ask('GET', `${folders}/root`);
  expect(names(await ask('GET', `${folders}/by_path`), 'id')).toEqual([root.id]);
  expect(names(await ask('GET', `${folders}/by_path/Week%201`), 'name')).toEqual(['course files', 'Week 1']);
  for (const special of ['media', 'icon_maker_folder'])
    expect(await ask('GET', `${folders}/${special}`)).toMatchObject({ context_id: cast.course.id });
  const week2 = await ask('POST', folders, { name: 'Week 2', parent_folder_id: root.id });
  const inner = await ask('POST', `folders/${week2.id}/folders`, { name: 'Notes' });
  expect(inner.full_name).toBe('course files/Week 2/Notes');
  expect(await ask('GET', `${folders}/${week2.id}`)).toMatchObject({ folders_count: 1, files_count: 0 });
  expect(names(await all(`folders/${week2.id}/folders`))).toEqual(['Notes']);
  expect(await learns.get(`folders/${inner.id}`)).toMatchObject({ name: 'Notes', parent_folder_id: week2.id });
  expect(names(await all(folders))).toEqual(expect.arrayContaining(['Week 1', 'Week 2', 'Notes']));
  const added = await upload(`folders/${inner.id}/files`, { name: 'notes.txt', bytes: 'noted' });
  expect(ids(await all(`folders/${inner.id}/files`))).toEqual([added.id]);
  const copy = await ask('POST', `folders/${week2.id}/copy_file`, { source_file_id: file.id });
  expect(copy).toMatchObject({ display_name: 'plan.txt', folder_id: week2.id });
  const whole = await ask('POST', `folders/${file.folder_id}/copy_folder`, { source_folder_id: week2.id });
  expect(whole.full_name).toBe('course files/Week 1/Week 2');
  expect(names(await ask('GET', `folders/${week2.id}/all`), 'id').length).toBeGreaterThan(0);
  expect(await ask('PUT', `folders/${week2.id}`, { name: 'Week two', hidden: true })).toMatchObject({ name: 'Week two', hidden: true });
  expect(await ask('PUT', `files/${added.id}`, { name: 'mine.txt', locked: true })).toMatchObject({
    display_name: 'mine.txt',
    locked: true,
  });
  expect(ids(await learns.get(`${here}/files`))).toEqual(expect.not.arrayContaining([added.id]));
  expect(await ask('POST', `files/${added.id}`)).toMatchObject({ display_name: 'mine.txt', locked: true });
  expect(await ask('DELETE', `files/${copy.id}`)).toMatchObject({ id: copy.id });
  expect(await refusal('DELETE', `folders/${week2.id}`)).toBe(400);
  expect(await ask('DELETE', `folders/${week2.id}`, { force: true })).toMatchObject({ id: week2.id });
  expect(await refusal('GET', `folders/${week2.id}`)).toBe(404);
  expect(await student.refusal('POST', `${here}/files`, { name: 'x', size: 1 })).toBe(401);
});

test('a file is found, described, licensed, and downloaded by every address it has', async () => {
  const { ask, all, upload, whole } = teacher;
  const file = await upload(`${here}/files`, { name: 'stars.txt', bytes: 'so many' });
  expect(ids(await all(`${here}/files`, { search_term: 'stars', content_types: ['text'] }))).toEqual([file.id]);
  expect(await learns.get(`${here}/files/${file.id}`, { include: ['user'] })).toMatchObject({ id: file.id, user: { id: cast.teacher.id } });
  expect(await learns.get(`files/${file.id}`)).toMatchObject({ display_name: 'stars.txt' });
  expect((await ask('GET', `${here}/files/quota`)).quota_used).toBeGreaterThan(0);
  expect(await ask('GET', `files/${file.id}/${file.uuid}/status`)).toMatchObject({ upload_status: 'ready' });
  for (const who of [teacher, student])
    for (const address of [
      file.url,
      (await who.ask('GET', `files/${file.id}/public_url`)).public_url,
      `/files/${file.id}/download`,
      `/${here}/files/${file.id}/download`,
      `/${here}/files/${file.id}/preview`,
      `/files/${file.id}/preview`,
      `/${here}/file_contents/course%20files/unfiled/stars.txt`,
    ])
      expect([address, await brought(who, address)]).toEqual([address, 'so many']);
  for (const address of [
    `/files/${file.id}`,
    `/files/${file.id}/file_preview`,
    `/${here}/files/${file.id}`,
    `/${here}/files/${file.id}/file_preview`,
  ])
    expect([address, (await whole('GET', `${built.url}${address}`)).statusCode < 400]).toEqual([address, true]);
  const usage_rights = { use_justification: 'creative_commons', license: 'cc_by', legal_copyright: '2026 ESA' };
  expect(await ask('PUT', `${here}/usage_rights`, { file_ids: [file.id], usage_rights })).toMatchObject({ file_ids: [file.id] });
  expect((await learns.get(`files/${file.id}`, { include: ['usage_rights'] })).usage_rights).toMatchObject(usage_rights);
  expect(await ask('DELETE', `${here}/usage_rights`, { file_ids: [file.id] })).toMatchObject({ file_ids: [file.id] });
  const renewed = await admin.ask('POST', `files/${file.id}/reset_verifier`);
  expect(renewed.uuid).not.toBe(file.uuid);
  expect(await canvasApiFor(cast.stranger).refusal('GET', `files/${file.id}`)).toBe(404);
});

test('images have thumbnails, and icon makers return their metadata', async () => {
  const picture = await teacher.upload(`${here}/files`, { name: 'dot.png', bytes: dot, type: 'image/png' });
  expect(picture.thumbnail_url).toContain(`/images/thumbnails/${picture.id}/`);
  expect((await student.whole('GET', picture.thumbnail_url)).statusCode).toBeLessThan(400);
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg"><metadata>{"type":"image/svg+xml-icon-maker-icons","shape":"circle"}</metadata></svg>';
  const icon = await teacher.upload(`${here}/files`, { name: 'icon.svg', bytes: svg, type: 'image/svg+xml', category: 'icon_maker_icons' });
  expect(await teacher.ask('GET', `files/${icon.id}/icon_metadata`)).toMatchObject({ shape: 'circle' });
});

test('every user has personal files', async () => {
  const { ask, all, upload, whole } = student;
  const file = await upload('users/self/files', { name: 'diary.txt', bytes: 'dear diary', parent_folder_path: 'Own' });
  expect(ids(await learns.get('users/self/files'))).toEqual([file.id]);
  expect(await learns.get(`users/self/files/${file.id}`)).toMatchObject({ size: 10 });
  expect(await learns.get('users/self/files/quota')).toMatchObject({ quota_used: 512 });
  const folders = 'users/self/folders';
  expect(names(await all(folders), 'full_name')).toEqual(expect.arrayContaining(['my files', 'my files/Own']));
  expect(names(await ask('GET', `${folders}/by_path`), 'full_name')).toEqual(['my files']);
  expect(names(await ask('GET', `${folders}/by_path/Own`), 'full_name')).toEqual(['my files', 'my files/Own']);
  expect(await ask('GET', `${folders}/root`)).toMatchObject({ parent_folder_id: null });
  for (const special of ['media', 'icon_maker_folder', file.folder_id])
    expect(await ask('GET', `${folders}/${special}`)).toHaveProperty('full_name');
  expect(await ask('POST', folders, { name: 'Letters' })).toMatchObject({ name: 'Letters' });
  expect(names(await all('users/self/content_licenses'), 'id')).toContain('public_domain');
  const usage_rights = { use_justification: 'own_copyright' };
  expect(await ask('PUT', 'users/self/usage_rights', { file_ids: [file.id], usage_rights })).toMatchObject({ file_ids: [file.id] });
  expect(await ask('DELETE', 'users/self/usage_rights', { file_ids: [file.id] })).toMatchObject({ file_ids: [file.id] });
  const address = `/users/${cast.student.id}`;
  for (const part of [`files/${file.id}/download`, `files/${file.id}/preview`, 'file_contents/my%20files/Own/diary.txt'])
    expect([part, await brought(student, `${address}/${part}`)]).toEqual([part, 'dear diary']);
  for (const part of [`files/${file.id}`, `files/${file.id}/file_preview`])
    expect([part, (await whole('GET', `${built.url}${address}/${part}`)).statusCode < 400]).toEqual([part, true]);
  expect(await teacher.refusal('GET', `files/${file.id}`)).toBe(404);
});

test('the last step of an upload may be a GET', async () => {
  const { ask, whole, send } = teacher;
  for (const method of ['GET', 'POST'] as const) {
    const ticket = await ask('POST', `${here}/files`, { name: `${method}.txt`, size: 3 });
    const stored = await send(ticket.upload_url, 'file', { name: `${method}.txt`, bytes: 'abc' }, ticket.upload_params);
    const done = `files/${stored.id}/create_success?uuid=${ticket.upload_params.uuid}`;
    expect((await whole(method, done)).json).toMatchObject({ display_name: `${method}.txt`, size: 3 });
  }
});
