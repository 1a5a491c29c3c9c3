// Downloads: who gets the bytes, and how they are displayed.

import { env } from 'cloudflare:test';
import { newMeter, open } from '@carrel/worker/database/open';
import { collectBlobs } from '@carrel/worker/domains/files/collect';
import { expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse } from '../support/ground';
import { bytes, storedObjects, upload } from '../support/upload';

const filesOf = (course: { id: number }) => `/courses/${course.id}/files`;
const content = '0123456789abcdefghijklmnopqrstuvwxyz';

async function aFile(name = 'digits.txt', body: string = content) {
  const scene = await aCourse(ground);
  const file = await upload(scene.teacher, filesOf(scene.course), { name, parent_folder_path: 'a/b' } as never, body);
  return { ...scene, file, download: `/files/${file.id}/download` };
}

test('a course member downloads a file in two trips and one R2 call', async () => {
  const { student, download, file } = await aFile();
  const got = await bytes(download, {}, student);
  expect([got.status, got.text]).toEqual([200, content]);
  expect(got.cost).toMatchObject({ d1_trips: 2, r2_calls: 1 });
  expect(Object.fromEntries(got.headers)).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'content-length': '36',
    'content-disposition': 'attachment; filename="digits.txt"; filename*=UTF-8\'\'digits.txt',
    'accept-ranges': 'bytes',
    etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
    'last-modified': new Date(file.modified_at).toUTCString(),
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining('sandbox'),
    'cache-control': 'private, no-cache',
  });
});

test('downloads need membership or the verifier', async () => {
  const { course, stranger, student, student2, file, download } = await aFile();
  const statusOf = async (address: string, person?: Parameters<typeof bytes>[2]) => (await bytes(address, {}, person)).status;
  expect(await statusOf(download)).toBe(401);
  expect(await statusOf(download, stranger)).toBe(401);
  expect(await statusOf(`${download}?verifier=wrong`)).toBe(401);
  expect(await statusOf(`${download}?verifier=${file.uuid}`)).toBe(200);
  expect(await statusOf(`${download}?verifier=${file.uuid}`, stranger)).toBe(200);
  expect(await statusOf(`${filesOf(course)}/${file.id}/download`, student)).toBe(200);
  expect(await statusOf(`${filesOf(course)}/${file.id}/download`, stranger)).toBe(401);
  expect(await statusOf(`/courses/999999/files/${file.id}/download`, student)).toBe(404);
  expect(await statusOf('/files/999999/download', student)).toBe(404);
  expect(await statusOf('/files/letters/download', student)).toBe(404);
  const mine = await upload(student, '/users/self/files', { name: 'mine.txt' });
  expect(await statusOf(`/users/${student.id}/files/${mine.id}/download`, student)).toBe(200);
  expect(await statusOf(`/files/${mine.id}/download`, student)).toBe(200);
  expect(await statusOf(`/files/${mine.id}/download`, student2)).toBe(401);
  expect(await statusOf(`/users/${student.id}/files/${mine.id}/download`, student2)).toBe(401);
  expect(await statusOf(`/files/${mine.id}/download`, await ground.admin())).toBe(200);
});

test('a range request returns a part of a file', async () => {
  const { student, download } = await aFile();
  const range = async (Range: string, more: Record<string, string> = {}) => {
    const { status, text, headers, cost } = await bytes(download, { headers: { Range, ...more } }, student);
    return { status, text, range: headers.get('content-range'), length: headers.get('content-length'), r2: cost.r2_calls };
  };
  expect(await range('bytes=0-9')).toEqual({ status: 206, text: '0123456789', range: 'bytes 0-9/36', length: '10', r2: 1 });
  expect(await range('bytes=30-')).toEqual({ status: 206, text: 'uvwxyz', range: 'bytes 30-35/36', length: '6', r2: 1 });
  expect(await range('bytes=-3')).toEqual({ status: 206, text: 'xyz', range: 'bytes 33-35/36', length: '3', r2: 1 });
  expect(await range('bytes=36-')).toMatchObject({ status: 416, text: '', range: 'bytes */36', r2: 0 });
  expect(await range('bytes=0-1,4-5')).toMatchObject({ status: 200, text: content });
  const { headers } = await bytes(download, {}, student);
  const etag = headers.get('etag') as string;
  expect(await range('bytes=0-9', { 'If-Range': etag })).toMatchObject({ status: 206 });
  expect(await range('bytes=0-9', { 'If-Range': '"another"' })).toMatchObject({ status: 200, text: content });
});

test('an unchanged file returns 304', async () => {
  const { student, download } = await aFile();
  const { headers } = await bytes(download, {}, student);
  const etag = headers.get('etag') as string;
  const modified = headers.get('last-modified') as string;
  for (const given of [{ 'If-None-Match': etag }, { 'If-None-Match': `"x", W/${etag}` }, { 'If-Modified-Since': modified }]) {
    const got = await bytes(download, { headers: given as unknown as Record<string, string> }, student);
    expect([got.status, got.text, got.cost.r2_calls, got.headers.get('etag')]).toEqual([304, '', 0, etag]);
  }
  expect((await bytes(download, { headers: { 'If-None-Match': '"x"' } }, student)).status).toBe(200);
  expect((await bytes(download, { headers: { 'If-Match': '"x"' } }, student)).status).toBe(412);
});

test('HEAD returns the headers of a file without its bytes', async () => {
  const { student, download } = await aFile();
  const got = await bytes(download, { method: 'HEAD' }, student);
  expect([got.status, got.text, got.headers.get('content-length'), got.cost.r2_calls]).toEqual([200, '', '36', 0]);
  expect(got.headers.get('etag')).toBe((await bytes(download, {}, student)).headers.get('etag'));
});

test('only types that cannot run scripts are displayed inline', async () => {
  const { course, teacher, student } = await aFile();
  const kinds: [string, boolean][] = [
    ['a.png', true],
    ['a.pdf', true],
    ['a.txt', true],
    ['a.mp4', true],
    ['a.svg', false],
    ['a.html', false],
    ['a.xml', false],
    ['a.js', false],
    ['a.unknown', false],
  ];
  for (const [name, isShown] of kinds) {
    const file = await upload(teacher, filesOf(course), { name }, '<script>alert(1)</script>');
    for (const address of [`/files/${file.id}`, `${filesOf(course)}/${file.id}/preview`, `${filesOf(course)}/${file.id}/file_preview`]) {
      const { status, headers } = await bytes(address, {}, student);
      expect([status, headers.get('content-disposition')?.split(';')[0]], `${address} ${name}`).toEqual([
        200,
        isShown ? 'inline' : 'attachment',
      ]);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain('sandbox');
    }
    const inline = await bytes(`/files/${file.id}/download?inline=1&verifier=${file.uuid}`);
    expect(inline.headers.get('content-disposition')?.split(';')[0]).toBe(isShown ? 'inline' : 'attachment');
  }
});

test('every address of a file leads to its bytes', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const image = await upload(teacher, filesOf(course), { name: 'a b.png', parent_folder_path: 'pictures' } as never, 'png');
  const mine = await upload(student, '/users/self/files', { name: 'data.json', parent_folder_path: 'deep/er' } as never, '{}');
  expect((await bytes(image.thumbnail_url)).text).toBe('png');
  expect((await bytes(`/images/thumbnails/${image.id}/wrong?size=640x`)).status).toBe(401);
  for (const rest of ['', '/preview', '/file_preview', '/download']) {
    expect((await bytes(`/files/${image.id}${rest}`, {}, student)).text).toBe('png');
    expect((await bytes(`${filesOf(course)}/${image.id}${rest}`, {}, student)).text).toBe('png');
    expect((await bytes(`/users/${student.id}/files/${mine.id}${rest}`, {}, student)).text).toBe('{}');
  }
  expect((await bytes(`/courses/${course.id}/file_contents/course%20files/pictures/a%20b.png`, {}, student)).text).toBe('png');
  expect((await bytes('/users/self/file_contents/my files/deep/er/data.json', {}, student)).text).toBe('{}');
  expect((await bytes(`/courses/${course.id}/file_contents/course files/pictures/none.png`, {}, student)).status).toBe(404);
  const slashed = await upload(teacher, filesOf(course), { name: 'x/y.txt', parent_folder_path: 'pictures' } as never, 'slash');
  expect((await bytes(`/courses/${course.id}/file_contents/course files/pictures/x%2Fy.txt`, {}, student)).text).toBe('slash');
  expect(slashed.display_name).toBe('x/y.txt');
});

test('viewing a file counts for a module that requires it', async () => {
  const { course, teacher, student, file, download } = await aFile();
  const module = ok(await as(teacher).post(`/courses/${course.id}/modules`, { module: { name: 'Reading' } }));
  const item = ok(
    await as(teacher).post(`/courses/${course.id}/modules/${module.id}/items`, {
      module_item: { type: 'File', content_id: file.id, completion_requirement: { type: 'must_view' } },
    }),
  );
  ok(await as(teacher).put(`/courses/${course.id}/modules/${module.id}`, { module: { published: true } }));
  const isDone = async () =>
    ok(await as(student).get(`/courses/${course.id}/modules/${module.id}/items/${item.id}`)).completion_requirement.completed;
  expect(await isDone()).toBe(false);
  expect((await bytes(download, {}, student)).cost).toMatchObject({ d1_trips: 2, r2_calls: 1 });
  for (let tries = 0; tries < 500 && !(await isDone()); tries += 1) await new Promise((go) => setTimeout(go, 20));
  expect(await isDone()).toBe(true);
});

test('objects that no file uses any more are deleted after a day, and no others', async () => {
  const { course, teacher, file } = await aFile();
  const folder = ok(await as(teacher).get(`/folders/${file.folder_id}`));
  const copy = ok(await as(teacher).post(`/folders/${folder.id}/copy_file`, { source_file_id: file.id, on_duplicate: 'rename' }));
  const lone = await upload(teacher, filesOf(course), { name: 'lone.txt' });
  const collect = (now: string) => collectBlobs(env, open(env.DB, newMeter(), 'first-primary'), now);
  const later = '2099-01-01T00:00:00Z';
  await collect(later);
  const before = await storedObjects();
  ok(await as(teacher).del(`/api/v1/files/${file.id}`));
  ok(await as(teacher).del(`/api/v1/files/${lone.id}`));
  await collect(`${new Date().toISOString().slice(0, 19)}Z`);
  expect(await storedObjects()).toBe(before);
  await collect(later);
  expect(await storedObjects()).toBe(before - 1);
  expect((await bytes(copy.url)).text).toBe(content);
  ok(await as(teacher).del(`/api/v1/files/${copy.id}`));
  await collect(later);
  expect(await storedObjects()).toBe(before - 2);
});

test('texts return file links with verifiers where readers need them, and are stored without them', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const elsewhere = await aCourse(ground);
  const image = await upload(teacher, `/courses/${course.id}/files`, { name: 'map.png' });
  const foreign = await upload(elsewhere.teacher, `/courses/${elsewhere.course.id}/files`, { name: 'secret.txt' });
  const html = `<p><img src="/courses/${course.id}/files/${image.id}/preview"> <a href="/files/${foreign.id}/download">x</a></p>`;
  const made = (path: string, body: object) => as(teacher).post(`/courses/${course.id}${path}`, body);
  const page = ok(await made('/pages', { wiki_page: { title: 'Map', body: html, published: true } }));
  const task = ok(await made('/assignments', { assignment: { name: 'Draw', description: html, published: true } }), 201);
  const topic = ok(await made('/discussion_topics', { title: 'Talk', message: html, published: true }));
  const entry = ok(await made(`/discussion_topics/${topic.id}/entries`, { message: html }), 201);
  ok(await as(teacher).put(`/courses/${course.id}`, { course: { syllabus_body: html } }));
  const event = ok(
    await as(teacher).post('/calendar_events', {
      calendar_event: { context_code: `course_${course.id}`, title: 'Walk', description: html, start_at: '2026-12-01T10:00:00Z' },
    }),
    201,
  );
  const read = async (path: string, query: object = {}) => ok(within(await as(student).get(path, query), 2));
  const at = `/courses/${course.id}`;
  const view = await read(`${at}/discussion_topics/${topic.id}/view`);
  const result = [
    (await read(`${at}/pages/${page.url}`)).body,
    (await read(`${at}/pages`, { include: ['body'] }))[0].body,
    (await read(`${at}/assignments/${task.id}`)).description,
    (await read(`${at}/discussion_topics/${topic.id}`)).message,
    (await read(`${at}/discussion_topics/${topic.id}/entries`))[0].message,
    view.view.find(({ id }: { id: number }) => id === entry.id).message,
    (await read(at, { include: ['syllabus_body'] })).syllabus_body,
    (await read(`/calendar_events/${event.id}`)).description,
  ];
  const address = `https://carrel.test/courses/${course.id}/files/${image.id}/preview?verifier=${image.uuid}`;
  for (const text of result) {
    expect(text).toContain(`src="${address}"`);
    expect(text).toContain(`href="https://carrel.test/files/${foreign.id}/download"`);
  }
  expect((await bytes(address)).status).toBe(200);
  ok(await as(teacher).put(`/files/${image.id}`, { locked: true }));
  expect((await bytes(address)).status).toBe(401);
  // Saving the returned text again changes nothing.
  ok(await as(teacher).put(`/courses/${course.id}/pages/${page.url}`, { wiki_page: { body: result[0] } }));
  expect(await env.DB.prepare('select body from pages where id = ?').bind(page.page_id).first('body')).toBe(html);
});
