// Uploads in three steps, or from a URL.

import { env, SELF } from 'cloudflare:test';
import { sign } from '@carrel/worker/domains/files/signature';
import { fetchUpload } from '@carrel/worker/domains/files/upload/job';
import type { Platform } from '@carrel/worker/platform';
import { expect, test } from 'vitest';
import { as, base, ground, ok, within } from '../support/api';
import { aCourse } from '../support/ground';
import { bytes, sendContent, storedObjects, upload } from '../support/upload';

const filesOf = (course: { id: number }) => `/courses/${course.id}/files`;
const names = (files: { display_name: string }[]) => files.map((file) => file.display_name);
const hex = (digest: ArrayBuffer) => [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Bytes with every byte value and many line ends. */
const noise = (length: number) => {
  const bytes = new Uint8Array(length);
  for (let at = 0, state = 7; at < length; at += 1) {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    bytes[at] = state >> 16;
  }
  return bytes;
};

/** A multipart body as a stream in oddly sized chunks, of known or unknown length; it may break off. */
function streamed(ticket: { upload_params: Record<string, string> }, content: Uint8Array, { breaksAt = Number.POSITIVE_INFINITY } = {}) {
  const boundary = 'carrel-test-boundary';
  const encode = (text: string) => new TextEncoder().encode(text);
  const fields = Object.entries(ticket.upload_params).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = encode(
    `${fields.join('')}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="x"\r\nContent-Type: x/y\r\n\r\n`,
  );
  const all = new Blob([head, content as Uint8Array<ArrayBuffer>, encode(`\r\n--${boundary}--\r\n`)]);
  const { readable: body, writable } = new TransformStream<Uint8Array, Uint8Array>();
  (async () => {
    const writer = writable.getWriter();
    for (let at = 0; at < all.size && at < breaksAt; at += 77_777)
      await writer.write(new Uint8Array(await all.slice(at, at + 77_777).arrayBuffer()));
    await writer.close();
  })().catch(() => {});
  return { method: 'POST', headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` }, body } as never;
}

test('a teacher uploads a file to a course in three steps', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const given = { name: 'Notes on läuft.txt', size: 5, 'success_include[]': 'user' };
  const ticket = ok(within(await as(teacher).post(filesOf(course), given), 3));
  expect(ticket).toEqual({ upload_url: 'https://carrel.test/files_api', upload_params: expect.any(Object), file_param: 'file' });
  expect(Object.values(ticket.upload_params).every((value) => typeof value === 'string')).toBe(true);
  expect(ok(await as(teacher).get(filesOf(course)))).toEqual([]);

  const sent = await sendContent(ticket, 'hello');
  expect(sent.status, JSON.stringify(sent.body)).toBe(201);
  expect(sent.body).toEqual({
    id: expect.any(Number),
    uuid: expect.stringMatching(/^\w{40}$/),
    folder_id: expect.any(Number),
    display_name: 'Notes on läuft.txt',
    filename: 'Notes+on+l%C3%A4uft.txt',
    upload_status: 'success',
    'content-type': 'text/plain',
    url: expect.stringContaining(`/files/${sent.body.id}/download?download_frd=1&verifier=${sent.body.uuid}`),
    size: 5,
    version: expect.any(Number),
    created_at: expect.any(String),
    updated_at: expect.any(String),
    modified_at: expect.any(String),
    unlock_at: null,
    lock_at: null,
    locked: false,
    hidden: false,
    hidden_for_user: false,
    thumbnail_url: null,
    mime_class: 'text',
    media_entry_id: null,
    category: 'uncategorized',
    locked_for_user: false,
    visibility_level: 'inherit',
    user: expect.objectContaining({ id: teacher.id, display_name: 'Tara Teacher' }),
  });
  expect(sent.headers.get('location')).toBe(`https://carrel.test/api/v1/files/${sent.body.id}?include%5B%5D=user`);
  expect(ok(await as(teacher).get(sent.headers.get('location') as string)).user.id).toBe(teacher.id);

  const done = `/api/v1/files/${sent.body.id}/create_success?uuid=${ticket.upload_params.uuid}`;
  expect(ok(await as().get(done)).id).toBe(sent.body.id);
  expect(ok(await as().post(done)).id).toBe(sent.body.id);
  expect(ok(await as().get(`/api/v1/files/${sent.body.id}/create_success?uuid=wrong`), 400)).toBe('');
  expect(ok(await as().get(`/api/v1/files/${sent.body.id}/${sent.body.uuid}/status`))).toMatchObject({
    upload_status: 'ready',
    attachment: { id: sent.body.id },
  });
  ok(await as().get(`/api/v1/files/${sent.body.id}/wrong/status`), 404);
  expect((await bytes(sent.body.url)).text).toBe('hello');
  expect(ok(await as(student).get(filesOf(course))).map((file: { id: number }) => file.id)).toEqual([sent.body.id]);
});

test('a student uploads only to their own files', async () => {
  const { course, student, student2, stranger } = await aCourse(ground);
  ok(await as(student).post(filesOf(course), { name: 'a.txt' }), 401);
  ok(await as(stranger).post(filesOf(course), { name: 'a.txt' }), 401);
  ok(await as().post(filesOf(course), { name: 'a.txt' }), 401);
  ok(await as(student2).post(`/users/${student.id}/files`, { name: 'a.txt' }), 401);
  const mine = await upload(student, '/users/self/files', { name: 'a.txt' });
  expect(ok(await as(student).get('/users/self/files'))).toHaveLength(1);
  expect(ok(await as(student).get(`/users/${student.id}/files/${mine.id}`)).visibility_level).toBeUndefined();
  ok(await as(student2).get(`/users/${student.id}/files`), 401);
  ok(await as(student2).get(`/api/v1/files/${mine.id}`), 404);
});

test('an upload with missing or excessive parameters is refused', async () => {
  const { course, teacher } = await aCourse(ground);
  const other = await aCourse(ground);
  const post = (given: object) => as(teacher).post(filesOf(course), given);
  expect(ok(await post({}), 400)).toEqual({ errors: [{ message: 'name is missing' }] });
  expect(ok(await post({ name: 'a', on_duplicate: 'maybe' }), 400)).toEqual({ message: 'invalid on_duplicate option' });
  ok(await post({ name: 'a', parent_folder_id: 1, parent_folder_path: 'x' }), 400);
  ok(await post({ name: 'a', parent_folder_id: 999_999 }), 404);
  ok(await post({ name: 'a', size: 'big' }), 400);
  const foreign = ok(await as(other.teacher).get(`/courses/${other.course.id}/folders/root`));
  ok(await post({ name: 'a', parent_folder_id: foreign.id }), 404);
  ok(await as(teacher).post(`/folders/${foreign.id}/files`, { name: 'a' }), 404);
  ok(await as(teacher).post('/folders/999999/files', { name: 'a' }), 404);
  expect(ok(await post({ filename: 'alias.txt' })).upload_params.filename).toBe('alias.txt');
});

test('a file is stored in the named folder, whose missing levels are created, or in unfiled', async () => {
  const { course, teacher } = await aCourse(ground);
  const fullName = async (file: { folder_id: number }) => ok(await as(teacher).get(`/folders/${file.folder_id}`)).full_name;
  const unfiled = await upload(teacher, filesOf(course), { name: 'a.txt' });
  expect(await fullName(unfiled)).toBe('course files/unfiled');
  const deep = await upload(teacher, filesOf(course), { name: 'a.txt', parent_folder_path: '/week 1/läuft/' } as never);
  expect(await fullName(deep)).toBe('course files/week 1/läuft');
  const again = await upload(teacher, filesOf(course), { name: 'b.txt', parent_folder_path: 'course files/week 1/läuft' } as never);
  expect(again.folder_id).toBe(deep.folder_id);
  const byId = await upload(teacher, filesOf(course), { name: 'c.txt', parent_folder_id: deep.folder_id } as never);
  expect(byId.folder_id).toBe(deep.folder_id);
  const inFolder = await upload(teacher, `/folders/${deep.folder_id}/files`, { name: 'd.txt' });
  expect(inFolder.folder_id).toBe(deep.folder_id);
  expect(names(ok(await as(teacher).get(`/folders/${deep.folder_id}/files`)))).toEqual(['a.txt', 'b.txt', 'c.txt', 'd.txt']);
});

test('the signed parameters are valid for half an hour and cannot be changed', async () => {
  const { course, teacher } = await aCourse(ground);
  const before = await storedObjects();
  const ticket = ok(await as(teacher).post(filesOf(course), { name: 'a.txt' }));
  const attempt = async (upload_params: Record<string, string>) => {
    const sent = await sendContent({ ...ticket, upload_params }, 'x');
    expect([sent.status, sent.body]).toEqual([400, '']);
  };
  const { signature, ...unsigned } = ticket.upload_params;
  await attempt({ ...ticket.upload_params, filename: 'b.txt' });
  await attempt({ ...ticket.upload_params, content_type: 'text/html' });
  await attempt({ ...ticket.upload_params, expires_at: '2099-01-01T00:00:00Z' });
  await attempt({ ...ticket.upload_params, signature: signature.replace(/./g, '0') });
  await attempt({ ...ticket.upload_params, signature: 'none' });
  await attempt(unsigned);
  await attempt({});

  const expired = { ...unsigned, expires_at: '2026-01-01T00:00:00Z' };
  await attempt({ ...expired, signature: await sign('only for tests', expired) });
  await attempt({ ...unsigned, signature: await sign('another secret', unsigned) });

  const late = new FormData();
  late.append('file', new Blob(['x']), 'a.txt');
  for (const [name, value] of Object.entries(ticket.upload_params as Record<string, string>)) late.append(name, value);
  expect((await sendContent(ticket, late)).status).toBe(400);
  const without = new FormData();
  for (const [name, value] of Object.entries(ticket.upload_params as Record<string, string>)) without.append(name, value);
  expect((await sendContent(ticket, without)).status).toBe(400);
  expect((await SELF.fetch(ticket.upload_url, { method: 'POST', body: 'x=1' })).status).toBe(400);
  expect((await SELF.fetch(ticket.upload_url, { method: 'POST' })).status).toBe(400);
  expect(await storedObjects()).toBe(before);
  expect(ok(await as(teacher).get(filesOf(course)))).toEqual([]);
  expect((await sendContent(ticket, 'x')).status).toBe(201);
});

test('a ticket used again returns its first result', async () => {
  const { course, teacher } = await aCourse(ground);
  const ticket = ok(await as(teacher).post(filesOf(course), { name: 'once.txt' }));
  const all = await Promise.all([sendContent(ticket, 'first'), sendContent(ticket, 'first'), sendContent(ticket, 'first')]);
  expect(all.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(new Set(all.map(({ body }) => body.id)).size).toBe(1);
  const again = await sendContent(ticket, 'first');
  expect(again.body).toEqual(all[0]?.body);
  expect(ok(await as(teacher).get(filesOf(course)))).toHaveLength(1);
  const key = { headers: { 'Idempotency-Key': 'the same' } };
  const one = ok(await as(teacher).post(filesOf(course), { name: 'twice.txt' }, key));
  expect(ok(await as(teacher).post(filesOf(course), { name: 'twice.txt' }, key))).toEqual(one);
});

test('20 MB stream through in chunks unchanged', async () => {
  const { course, teacher } = await aCourse(ground);
  const content = noise(20 * 1024 * 1024 + 321);
  const ticket = ok(await as(teacher).post(filesOf(course), { name: 'large.bin', size: content.length }));
  const response = await SELF.fetch(ticket.upload_url, streamed(ticket, content));
  expect(response.status).toBe(201);
  const file = (await response.json()) as { size: number; url: string };
  expect(file.size).toBe(content.length);
  const down = await bytes(file.url);
  expect(down.content.length).toBe(content.length);
  const sha256 = hex(await crypto.subtle.digest('SHA-256', content));
  expect(hex(await crypto.subtle.digest('SHA-256', down.content))).toBe(sha256);
  expect(down.headers.get('etag')).toBe(`"${sha256}"`);
});

test('an empty file is uploaded', async () => {
  const { course, teacher } = await aCourse(ground);
  const file = await upload(teacher, filesOf(course), { name: 'nothing.txt' }, '');
  expect(file).toMatchObject({ size: 0, 'content-type': 'text/plain' });
  const down = await bytes(file.url);
  expect([down.status, down.content.length, down.headers.get('content-length')]).toEqual([200, 0, '0']);
});

test('an interrupted upload leaves nothing, and can be repeated', async () => {
  const { course, teacher } = await aCourse(ground);
  const content = noise(9 * 1024 * 1024);
  const before = await storedObjects();
  const ticket = ok(await as(teacher).post(filesOf(course), { name: 'broken.bin' }));
  for (const breaksAt of [100_000, 8 * 1024 * 1024, content.length - 200_000]) {
    const response = await SELF.fetch(ticket.upload_url, streamed(ticket, content, { breaksAt }));
    expect(response.status).toBe(400);
    expect(await storedObjects()).toBe(before);
  }
  expect(ok(await as(teacher).get(filesOf(course)))).toEqual([]);
  expect(ok(await as(teacher).get(`${filesOf(course)}/quota`)).quota_used).toBe(0);
  expect((await SELF.fetch(ticket.upload_url, streamed(ticket, content))).status).toBe(201);
});

test('the quota applies to the announced and to the received size', async () => {
  const { course, teacher, student } = await aCourse(ground, { storage_quota_mb: 1 });
  const quota = async () => ok(within(await as(teacher).get(`${filesOf(course)}/quota`), 2));
  expect(await quota()).toEqual({ quota: 1_048_576, quota_used: 0 });
  ok(await as(student).get(`${filesOf(course)}/quota`), 401);
  expect(ok(await as(student).get('/users/self/files/quota'))).toEqual({ quota: 50 * 1_048_576, quota_used: 0 });
  expect(ok(await as(teacher).post(filesOf(course), { name: 'a.bin', size: 1_048_577 }), 400)).toEqual({
    message: 'file size exceeds quota',
  });

  const before = await storedObjects();
  const ticket = ok(await as(teacher).post(filesOf(course), { name: 'a.bin', size: 1 }));
  const sent = await sendContent(ticket, noise(1_048_577));
  expect([sent.status, sent.body]).toEqual([400, { message: 'file size exceeds quota limits' }]);
  expect(await storedObjects()).toBe(before);
  expect(await quota()).toEqual({ quota: 1_048_576, quota_used: 0 });

  const small = await upload(teacher, filesOf(course), { name: 'small.txt' }, 'x');
  expect((await quota()).quota_used).toBe(512);
  await upload(teacher, filesOf(course), { name: 'large.bin' }, noise(1_000_000));
  expect((await quota()).quota_used).toBe(1_000_512);
  ok(await as(teacher).post(`/folders/${small.folder_id}/copy_file`, { source_file_id: small.id, on_duplicate: 'rename' }));
  expect((await quota()).quota_used).toBe(1_000_512);
  ok(await as(teacher).del(`/api/v1/files/${small.id}`));
  expect((await quota()).quota_used).toBe(1_000_000);
});

test('simultaneous uploads do not use the same quota twice', async () => {
  const { course, teacher } = await aCourse(ground, { storage_quota_mb: 1 });
  const tickets = [];
  for (const name of ['a', 'b', 'c']) tickets.push(ok(await as(teacher).post(filesOf(course), { name, size: 600_000 })));
  const all = await Promise.all(tickets.map((ticket) => sendContent(ticket, noise(600_000))));
  expect(all.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  expect(ok(await as(teacher).get(`${filesOf(course)}/quota`)).quota_used).toBe(600_000);
});

test('an upload overwrites the file of its name, and the new id is used from then on', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const one = await upload(teacher, filesOf(course), { name: 'a.txt' }, 'one');
  const two = await upload(teacher, filesOf(course), { name: 'a.txt' }, 'two');
  const three = await upload(teacher, filesOf(course), { name: 'a.txt' }, 'three');
  expect(ok(await as(teacher).get(filesOf(course))).map((file: { id: number }) => file.id)).toEqual([three.id]);
  for (const older of [one, two]) {
    ok(await as(student).get(`/api/v1/files/${older.id}`), 404);
    expect(ok(await as(student).get(`${filesOf(course)}/${older.id}`)).id).toBe(three.id);
    expect((await bytes(`${filesOf(course)}/${older.id}/download`, {}, student)).text).toBe('three');
    expect((await bytes(older.url)).status).toBe(404);
  }
});

test('an upload with on_duplicate=rename takes the first free name', async () => {
  const { course, teacher } = await aCourse(ground);
  const seen: string[] = [];
  for (let count = 0; count < 9; count += 1)
    seen.push((await upload(teacher, filesOf(course), { name: 'b.tar.gz', on_duplicate: 'rename' } as never)).display_name);
  expect(seen.slice(0, 8)).toEqual(['b.tar.gz', ...[1, 2, 3, 4, 5, 6, 7].map((n) => `b-${n}.tar.gz`)]);
  expect(seen[8]).toMatch(/^b-\w{20,}\.tar\.gz$/);
  expect(new Set(names(ok(await as(teacher).get(filesOf(course))))).size).toBe(9);
});

test('names are stored unchanged, hostile or not', async () => {
  const { course, teacher } = await aCourse(ground);
  const nfc = 'caf\u00e9.txt';
  const nfd = 'cafe\u0301.txt';
  const hostile = [
    '../x',
    '..\\x',
    'a/b',
    '/etc/passwd',
    'CON',
    '.',
    '..',
    'a:b*?"<>|.txt',
    '点.txt',
    'ملف.txt',
    '😀.txt',
    'x'.repeat(1000),
    nfc,
    nfd,
    'Same.TXT',
    'same.txt',
    "'; drop table files;--",
  ];
  for (const name of hostile) {
    const file = await upload(teacher, filesOf(course), { name }, name);
    expect(file.display_name).toBe(name);
    expect(file.filename.length).toBeLessThanOrEqual(180);
    const down = await bytes(file.url);
    expect(down.text).toBe(name);
    const written = /filename\*=UTF-8''(.*)$/.exec(down.headers.get('content-disposition') ?? '')?.[1] ?? '';
    expect(decodeURIComponent(written)).toBe(name);
  }
  expect(new Set(names(await as(teacher).pages(filesOf(course)))).size).toBe(hostile.length);
  const cut = await upload(teacher, filesOf(course), { name: `${'y'.repeat(2000)}.pdf` });
  expect([cut.display_name.length, cut.display_name.endsWith('.pdf')]).toEqual([1000, true]);
  const control = await upload(teacher, filesOf(course), { name: 'a\u0000b\r\nc.txt' });
  expect(control.display_name).toBe('abc.txt');
});

test('a URL in a private network is not fetched', async () => {
  const { teacher } = await aCourse(ground);
  for (const url of ['http://127.0.0.1/x', 'http://localhost/x', 'file:///etc/passwd', 'nonsense', 'http://169.254.169.254/latest'])
    ok(await as(teacher).post('/users/self/files', { name: 'x', url }), 400);
});

/** The result of an upload by URL. */
async function settledState(started: { status_url: string }) {
  for (let tries = 0; tries < 300; tries += 1) {
    const state = ok(await as().get(started.status_url));
    if (state.upload_status !== 'pending') return state;
    await new Promise((go) => setTimeout(go, 100));
  }
  throw new Error('the upload did not end');
}

test('the server fetches a URL itself, and reports progress', async () => {
  const { course, teacher } = await aCourse(ground);
  const given = { name: 'notes.txt', url: 'https://files.carrel.org/moved' };
  const started = ok(within(await as(teacher).post(filesOf(course), given), 3));
  expect(started).toMatchObject({
    upload_url: null,
    upload_params: null,
    upload_status: 'pending',
    status_url: expect.stringMatching(new RegExp(`^${base}/api/v1/files/${started.id}/\\w+/status$`)),
    progress: { tag: 'upload_via_url', workflow_state: 'queued', context_type: 'Course', context_id: course.id, user_id: teacher.id },
  });
  const { attachment } = await settledState(started);
  expect(attachment).toMatchObject({ id: started.id, display_name: 'notes.txt', size: 17 });
  expect((await bytes(attachment.url)).text).toBe('fetched from afar');
  expect(ok(await as(teacher).get(`/progress/${started.progress.id}`))).toMatchObject({
    workflow_state: 'completed',
    completion: 100,
    results: { id: started.id },
  });
  expect(names(ok(await as(teacher).get(filesOf(course))))).toEqual(['notes.txt']);
});

test.each([
  ['that is not there', 'missing', 'the URL returned 404'],
  ['that leads into the private net', 'inwards', 'the URL is not public'],
  ['that leads in a circle', 'round', 'there are too many redirects'],
  ['of more bytes than the quota has room for', 'large', 'file size exceeds quota limits'],
])('a URL %s creates no file, and returns the reason', async (_, path, message) => {
  const { course, teacher } = await aCourse(ground, { storage_quota_mb: 1 });
  const before = await storedObjects();
  const started = ok(await as(teacher).post(filesOf(course), { name: 'x.txt', url: `https://files.carrel.org/${path}` }));
  expect(await settledState(started)).toEqual({ upload_status: 'errored', message });
  expect(ok(await as(teacher).get(`/progress/${started.progress.id}`))).toMatchObject({ workflow_state: 'failed', message });
  expect(ok(await as(teacher).get(filesOf(course)))).toEqual([]);
  expect(await storedObjects()).toBe(before);
});

test('a URL that resolves to a private address is not fetched, nor one that no resolver knows, however it is spelled', async () => {
  const { course, teacher } = await aCourse(ground);
  const inward = 'the URL is not public';
  const expected = {
    'https://localtest.me/notes.txt': inward,
    'https://localtest.me./notes.txt': inward,
    'https://169-254-169-254.nip.io/latest': inward,
    'https://wire.inward.carrel.org/machine': inward,
    'https://mapped.inward.carrel.org/x': inward,
    'https://nat64.inward.carrel.org/x': inward,
    'https://one-of-two.inward.carrel.org/x': inward,
    'https://empty.inward.carrel.org/x': inward,
    'https://files.carrel.org/inwards-by-name': inward,
    'https://unresolved.carrel.org/x': 'the host could not be resolved',
    'https://second.carrel.org/notes.txt': undefined,
  };
  const result = Object.keys(expected).map(async (url) => {
    const started = ok(await as(teacher).post(filesOf(course), { name: 'x.txt', url, on_duplicate: 'rename' }));
    await fetchUpload({ job: 'upload_via_url', ids: [started.id] }, env as unknown as Platform);
    return [url, (await settledState(started)).message];
  });
  expect(Object.fromEntries(await Promise.all(result))).toEqual(expected);
  expect(ok(await as(teacher).get(filesOf(course))).length).toBe(1);
});
