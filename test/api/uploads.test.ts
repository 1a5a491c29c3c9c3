// Uploads in parts: files that are larger than a request.

import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test';
import { wireTime } from '@carrel/shared/wire/fields';
import { newMeter, open } from '@carrel/worker/database/open';
import { blobs, files } from '@carrel/worker/domains/files/table';
import { expireUploads } from '@carrel/worker/domains/sync/uploads/expire';
import { upload_parts, uploads } from '@carrel/worker/domains/sync/uploads/table';
import worker from '@carrel/worker/index';
import { eq, sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { as, base, ground, noteRoute, ok } from '../support/api';
import { clientOf } from '../support/client';
import { aCourse, type Person } from '../support/ground';
import { bytes, sendContent, storedObjects } from '../support/upload';

const mebibyte = 2 ** 20;
const contexts: ExecutionContext[] = [];
/** With the smallest parts that R2 takes, and room for one large file in a request. */
const variables = { UPLOAD_PART_MB: '5', UPLOAD_REQUEST_MB: '20' };

async function fetchWith(more: object, url: string, init: RequestInit): Promise<Response> {
  const context = createExecutionContext();
  contexts.push(context);
  const response = await worker.fetch(new Request(url, init as never) as never, { ...env, ...variables, ...more } as never, context);
  noteRoute(response.headers as never, response.status);
  return response as never;
}
// Counters are written seconds after the responses, so this waits for them once.
afterAll(() => Promise.all(contexts.map(waitOnExecutionContext)));

const client = (person: Person, more = {}) => clientOf((url, init) => fetchWith(more, url, init), base, person.token);

const hex = (digest: ArrayBuffer) => [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const hashOf = async (content: Uint8Array<ArrayBuffer>) => hex(await crypto.subtle.digest('SHA-256', content));

/** Content that differs in each part. */
const contentOf = (size: number, first = 1) => {
  const content = new Uint8Array(size);
  for (let at = 0; at < size; at += mebibyte) content.fill((first + at / mebibyte) % 256, at, at + mebibyte);
  return content;
};
const whole = contentOf(10 * mebibyte + 7);
const hash = await hashOf(whole);

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Told = any;

const address = '/api/sync/v1/uploads';
const at = (path: string) => `${base}${address}${path}`;

interface Given {
  readonly content?: Uint8Array<ArrayBuffer>;
  readonly sha256?: string;
  readonly more?: object;
  readonly headers?: Record<string, string>;
}

const ticketFor = async (person: Person, path: string, { content = whole, more, headers }: Given = {}): Promise<Told> =>
  ok(await client(person).post(path, { name: 'lecture.mp4', size: content.length, in_parts: true, ...more }, { headers }));

async function begin(person: Person, path: string, given: Given = {}): Promise<Told> {
  const { content = whole, sha256 = await hashOf(content) } = given;
  const ticket = await ticketFor(person, path, given);
  return ok(await client(person).post(ticket.parts_url, { ...ticket.upload_params, size: content.length, sha256 }), 201);
}

const partOf = (number: number, content = whole) => content.slice((number - 1) * 5 * mebibyte, number * 5 * mebibyte);

async function sendPart(person: Person, id: number, number: number, given: { body?: Uint8Array<ArrayBuffer>; sha256?: string } = {}) {
  const { body = partOf(number), sha256 = await hashOf(body) } = given;
  const headers = { Authorization: `Bearer ${person.token}` };
  const response = await fetchWith({}, at(`/${id}/parts/${number}?sha256=${sha256}`), { method: 'PUT', headers, body });
  return { status: response.status, body: (await response.json()) as Told, timing: response.headers.get('server-timing') ?? '' };
}
const complete = (person: Person, id: number, sha256 = hash) => client(person).post(at(`/${id}/complete`), { sha256 });
const numbersIn = ({ parts }: Told) => parts.map(({ number }: Told) => number);
const stateOf = async (person: Person, id: number) => ok(await client(person).get(at(`/${id}`)));
const count = async (table: typeof uploads | typeof upload_parts) =>
  (await ground.db.select({ n: sql<number>`count(*)` }).from(table))[0]?.n;

test('a large file is sent in parts in any order, and appears when it is complete', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const path = `/courses/${course.id}/files`;
  const ticket = await ticketFor(teacher, path);
  const parameters = { ...ticket.upload_params, size: whole.length, sha256: hash };
  const [one, two] = await Promise.all([1, 2].map(() => client(teacher).post(ticket.parts_url, parameters)));
  const begun = one?.body;
  expect(begun).toEqual({
    id: expect.any(Number),
    workflow_state: 'open',
    size: whole.length,
    sha256: hash,
    part_size: 5 * mebibyte,
    part_count: 3,
    parts: [],
    expires_at: expect.stringMatching(/Z$/),
  });
  expect(two?.body).toEqual(begun);
  expect(await count(uploads)).toBe(1);
  ok(await client(teacher).post(ticket.parts_url, { ...parameters, sha256: '0'.repeat(64) }), 409);
  ok(await client(teacher).post(ticket.parts_url, { ...parameters, filename: 'another.mp4' }), 400);
  const { id } = begun;

  const sent = await Promise.all([3, 1].map((number) => sendPart(teacher, id, number)));
  expect(sent.map(({ status }) => status)).toEqual([201, 201]);
  expect(sent[0]?.timing).toMatch(/d1_trips;dur=3\b/);
  expect(sent[0]?.timing).toMatch(/r2_calls;dur=1\b/);
  expect(numbersIn(await stateOf(teacher, id))).toEqual([1, 3]);
  expect(await complete(teacher, id)).toMatchObject({ status: 409, body: { missing: [2] } });
  // A part that has arrived is not stored again.
  expect(await sendPart(teacher, id, 1)).toMatchObject({ status: 200, timing: expect.stringMatching(/r2_calls;dur=0\b/) });

  for (const [number, given, status] of [
    [2, { sha256: '0'.repeat(64) }, 422],
    [2, { sha256: 'not a hash' }, 400],
    [2, { body: partOf(1).slice(1) }, 400],
    [3, { body: partOf(1) }, 400],
    [0, { body: partOf(3) }, 400],
    [4, { body: partOf(3) }, 400],
  ] as const)
    expect((await sendPart(teacher, id, number, given)).status, `${number} ${JSON.stringify(Object.keys(given))}`).toBe(status);
  expect(numbersIn(await stateOf(teacher, id))).toEqual([1, 3]);
  expect(ok(await as(teacher).get(path))).toEqual([]);

  // Neither another teacher of the course nor a student reaches the upload of this one.
  const colleague = await ground.person();
  await ground.enroll(course, colleague, 'teacher');
  for (const other of [colleague, student]) {
    ok(await client(other).get(at(`/${id}`)), 404);
    expect((await client(other).del(at(`/${id}`))).status).toBe(404);
    expect([401, 404]).toContain((await sendPart(other, id, 2)).status);
    expect([401, 404]).toContain((await complete(other, id)).status);
  }
  expect((await sendPart(teacher, id, 2)).status).toBe(201);
  ok(await complete(teacher, id, '0'.repeat(64)), 422);

  const both = await Promise.all([complete(teacher, id), complete(teacher, id)]);
  for (const answer of [one, two, ...both]) expect(answer?.cost.d1_trips).toBeLessThanOrEqual(3);
  expect(both.map(({ status }) => status)).toEqual([201, 201]);
  const file = both[0]?.body;
  expect(both[1]?.body).toEqual(file);
  expect(file).toMatchObject({ id, display_name: 'lecture.mp4', size: whole.length, 'content-type': 'video/mp4' });
  expect((await complete(teacher, id)).body).toEqual(file);
  expect(await stateOf(teacher, id)).toEqual({ id, workflow_state: 'complete', size: whole.length });
  expect(ok(await client(teacher).post(ticket.parts_url, parameters))).toMatchObject({ workflow_state: 'complete' });
  expect((await sendPart(teacher, id, 1)).status).toBe(404);
  ok(await client(teacher).del(at(`/${id}`)), 404);
  const there = await bytes(file.url, {}, teacher);
  expect(await hashOf(there.content)).toBe(hash);
  expect(ok(await as(teacher).get(`${path}/quota`)).quota_used).toBe(whole.length);
  expect([await count(uploads), await count(upload_parts)]).toEqual([0, 0]);
});

test('a file whose content is not what was announced never appears, and its bytes are removed', async () => {
  const person = await ground.person();
  const content = contentOf(3 * mebibyte);
  const before = await storedObjects();
  const { id } = await begin(person, '/users/self/files', { content, sha256: hash });
  expect((await sendPart(person, id, 1, { body: content })).status).toBe(201);
  expect(await complete(person, id)).toMatchObject({ status: 422 });
  expect(ok(await as(person).get('/users/self/files'))).toEqual([]);
  expect(await storedObjects()).toBe(before);
  ok(await complete(person, id), 404);
  ok(await client(person).get(at(`/${id}`)), 404);
  expect((await ground.db.select().from(files).where(eq(files.id, id)))[0]).toMatchObject({ workflow_state: 'failed' });

  // The bucket has another part than the list: it is sent again.
  const other = await begin(person, '/users/self/files', { content, more: { name: 'other.mp4' } });
  expect((await sendPart(person, other.id, 1, { body: content })).status).toBe(201);
  await ground.db.update(upload_parts).set({ etag: 'of another attempt' });
  expect(await complete(person, other.id, await hashOf(content))).toMatchObject({ status: 409, body: { missing: [1] } });
  expect((await sendPart(person, other.id, 1, { body: content })).status).toBe(201);
  expect((await complete(person, other.id, await hashOf(content))).status).toBe(201);
  ok(await as(person).del(`/files/${other.id}`));

  // An upload that its sender has aborted.
  const aborted = await begin(person, '/users/self/files', { content });
  expect((await sendPart(person, aborted.id, 1, { body: content })).status).toBe(201);
  ok(await client(person).del(at(`/${aborted.id}`)));
  ok(await complete(person, aborted.id, await hashOf(content)), 404);
  expect((await sendPart(person, aborted.id, 1, { body: content })).status).toBe(404);
  expect(await storedObjects()).toBe(before + 1);
});

test('a user who may no longer store a file there cannot complete its upload', async () => {
  const { course, student } = await aCourse(ground);
  const content = contentOf(2 * mebibyte);
  const sha256 = await hashOf(content);
  const helper = await ground.person();
  const enrollment = await ground.enroll(course, helper, 'ta');
  const task = ok(
    await as(helper).post(`/courses/${course.id}/assignments`, {
      assignment: { name: 'Film', submission_types: ['online_upload'], published: true },
    }),
    201,
  );
  const member = await ground.person();
  const membership = await ground.enroll(course, member, 'student');
  const places: [Person, string, number][] = [
    [helper, `/courses/${course.id}/files`, enrollment],
    [member, `/courses/${course.id}/assignments/${task.id}/submissions/self/files`, membership],
  ];
  for (const [person, path, id_of_enrollment] of places) {
    const { id } = await begin(person, path, { content });
    expect((await sendPart(person, id, 1, { body: content })).status).toBe(201);
    await ground.end(id_of_enrollment);
    expect([401, 404]).toContain((await complete(person, id, sha256)).status);
    expect([401, 404]).toContain((await sendPart(person, id, 1, { body: content })).status);
    expect((await ground.db.select().from(files).where(eq(files.id, id)))[0]).toMatchObject({ workflow_state: 'pending' });
  }
  // A student who is still a member can, and submits the file.
  const { id } = await begin(student, `/courses/${course.id}/assignments/${task.id}/submissions/self/files`, { content });
  expect((await sendPart(student, id, 1, { body: content })).status).toBe(201);
  expect(await complete(student, id, sha256)).toMatchObject({ status: 201, body: { id, size: content.length } });
  const submission = { submission_type: 'online_upload', file_ids: [id] };
  expect(ok(await as(student).post(`/courses/${course.id}/assignments/${task.id}/submissions`, { submission }), 201)).toMatchObject({
    attachments: [{ id }],
  });
});

test('unfinished uploads count against the quota together, and a condition is checked when the upload is complete', async () => {
  const { course, teacher } = await aCourse(ground, { storage_quota_mb: 5 });
  const path = `/courses/${course.id}/files`;
  const content = contentOf(3 * mebibyte);
  const sha256 = await hashOf(content);
  const free = { headers: { 'If-None-Match': '*' } };
  const first = await begin(teacher, path, { content, ...free });
  const second = await ticketFor(teacher, path, { content });
  const parameters = { ...second.upload_params, size: content.length, sha256 };
  expect(await client(teacher).post(second.parts_url, parameters)).toMatchObject({
    status: 400,
    body: { message: 'file size exceeds quota limits' },
  });
  expect((await sendPart(teacher, first.id, 1, { body: content })).status).toBe(201);
  // Meanwhile the name is taken.
  const small = ok(await as(teacher).post(path, { name: 'lecture.mp4', size: 5 }));
  const { body: taken } = await sendContent(small, 'hello');
  expect(await complete(teacher, first.id, sha256)).toMatchObject({ status: 412, body: { current: { id: taken.id }, copy: null } });
  ok(await as(teacher).del(`/files/${taken.id}`));
  expect(await complete(teacher, first.id, sha256)).toMatchObject({ status: 201, body: { id: first.id, sha256 } });
  // With a name for conflicts the bytes are kept as a copy.
  ok(await client(teacher).post(second.parts_url, parameters), 400);
  const third = contentOf(mebibyte, 9);
  const again = await begin(teacher, path, { content: third, ...free, more: { conflict_name: 'lecture (copy).mp4' } });
  expect((await sendPart(teacher, again.id, 1, { body: third })).status).toBe(201);
  const copy = { id: again.id, display_name: 'lecture (copy).mp4' };
  for (let nth = 0; nth < 2; nth++)
    expect(await complete(teacher, again.id, await hashOf(third))).toMatchObject({
      status: 412,
      body: { current: { id: first.id }, copy },
    });
});

test('a file that does not fit into one request is refused at the ticket with the limit, and so is the body itself', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const task = ok(
    await as(teacher).post(`/courses/${course.id}/assignments`, {
      assignment: { name: 'Film', submission_types: ['online_upload'], published: true },
    }),
    201,
  );
  const refusal = (limit: number) => ({
    message: `the file exceeds the limit of ${limit} MB for one request; send it in parts (in_parts=true)`,
  });
  const own = `/courses/${course.id}/assignments/${task.id}/submissions/self`;
  const tickets: [Person, string][] = [
    [teacher, `/courses/${course.id}/files`],
    [student, `${own}/files`],
    [student, `${own}/comments/files`],
  ];
  for (const [person, path] of tickets) {
    const large = { name: 'lecture.mp4', size: 99_000_001 };
    expect(ok(await as(person).post(path, large), 413)).toEqual(refusal(99));
    expect(ok(await as(person).post(path, { ...large, size: 99_000_000 }))).not.toHaveProperty('parts_url');
    expect(ok(await as(person).post(path, { ...large, in_parts: true }))).toMatchObject({ parts_url: `${base}${address}` });
    expect(ok(await client(person, { UPLOAD_REQUEST_MB: '200' }).post(path, large))).toHaveProperty('upload_url');
  }
  const ticket = ok(await as(teacher).post(`/courses/${course.id}/files`, { name: 'a.bin', size: 5 }));
  const body = new Uint8Array(2_500_000);
  const small = { UPLOAD_REQUEST_MB: '2' };
  const announced = await fetchWith(small, ticket.upload_url, { method: 'POST', body, headers: { 'Content-Length': '2500000' } });
  expect([announced.status, await announced.json()]).toEqual([
    413,
    { message: 'the request body exceeds the limit of 2 MB for one request' },
  ]);
  // Without a length, it is counted as it arrives.
  const form = new FormData();
  for (const [name, value] of Object.entries(ticket.upload_params as Record<string, string>)) form.append(name, value);
  form.append('file', new Blob([body.subarray(0, 1_500_000)]), 'a.bin');
  const streamed = new Response(form);
  const { readable, writable } = new TransformStream();
  (streamed.body as ReadableStream).pipeTo(writable as never).catch(() => {});
  const headers = { 'Content-Type': streamed.headers.get('content-type') ?? '' };
  const counted = await fetchWith(small, ticket.upload_url, { method: 'POST', body: readable as never, headers });
  expect([counted.status, await counted.json()]).toEqual([413, refusal(1)]);
  // An upload in parts has a limit as well.
  const endless = await ticketFor(teacher, `/courses/${course.id}/files`, { more: { size: 5 } });
  expect(await client(teacher).post(endless.parts_url, { ...endless.upload_params, size: 6e9, sha256: hash })).toMatchObject({
    status: 413,
    body: { message: 'the file exceeds the limit of 2621 MB for an upload in parts' },
  });
});

test('uploads that are not completed within three days are removed', async () => {
  const person = await ground.person();
  const content = contentOf(mebibyte);
  const { id, expires_at } = await begin(person, '/users/self/files', { content });
  const { id: kept } = await begin(person, '/users/self/files', { content, more: { name: 'other.mp4' } });
  expect((await sendPart(person, id, 1, { body: content })).status).toBe(201);
  await ground.db
    .update(uploads)
    .set({ expires_at: wireTime(Date.now() - 3_600_000) })
    .where(eq(uploads.id, id));
  // It is not found even before it is removed.
  ok(await complete(person, id, await hashOf(content)), 404);
  const [row] = await ground.db.select().from(uploads).where(eq(uploads.id, id));
  const db = () => open(env.DB as never, newMeter(), 'first-primary');
  for (let nth = 0; nth < 2; nth++) await expireUploads(env as never, db(), wireTime(Date.now()));
  expect(await ground.db.select().from(uploads).where(eq(uploads.id, id))).toEqual([]);
  expect(await ground.db.select().from(upload_parts).where(eq(upload_parts.upload_id, id))).toEqual([]);
  expect(numbersIn(await stateOf(person, kept))).toEqual([]);
  const upload = env.FILES.resumeMultipartUpload(row?.key ?? '', row?.multipart_id ?? '');
  await expect(upload.uploadPart(1, 'x')).rejects.toThrow(/10024/);
  // The blob without bytes is collected with others that are unused.
  const [blob] = await ground.db
    .select()
    .from(blobs)
    .where(eq(blobs.key, row?.key ?? ''));
  expect(blob?.unsure_since).toBe(expires_at);
});

test('with the S3 interface of the bucket, a client may send the whole file there', async () => {
  const person = await ground.person();
  const content = contentOf(mebibyte);
  const sha256 = await hashOf(content);
  const bucket = {
    R2_S3_ENDPOINT: 'https://account.r2.cloudflarestorage.com',
    R2_S3_BUCKET: 'carrel-files',
    R2_S3_ACCESS_KEY_ID: 'key',
    R2_S3_SECRET_ACCESS_KEY: 'secret',
  };
  const ticket = await ticketFor(person, '/users/self/files', { content });
  const asked = { ...ticket.upload_params, size: content.length, sha256, direct: true };
  const { id, upload_url, upload_headers, ...rest } = ok(await client(person, bucket).post(ticket.parts_url, asked), 201);
  expect(rest).toMatchObject({ workflow_state: 'open', parts: [] });
  expect(upload_headers).toEqual({ 'content-length': String(content.length), 'if-none-match': '*' });
  const { pathname, searchParams } = new URL(upload_url);
  expect(pathname).toMatch(/^\/carrel-files\/blobs\/\w{40}$/);
  expect(searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;host;if-none-match');
  expect(JSON.stringify([upload_url, rest])).not.toContain('secret');
  ok(await complete(person, id, sha256), 409);
  expect((await sendPart(person, id, 1, { body: content })).status).toBe(400);
  const key = pathname.replace('/carrel-files/', '');
  await env.FILES.put(key, content);
  expect(await complete(person, id, sha256)).toMatchObject({ status: 201, body: { id, size: content.length } });
  // Another content than announced is removed.
  const other = await ticketFor(person, '/users/self/files', { content, more: { name: 'b.mp4' } });
  const begun = ok(await client(person, bucket).post(other.parts_url, { ...asked, ...other.upload_params }), 201);
  const otherKey = new URL(begun.upload_url).pathname.replace('/carrel-files/', '');
  await env.FILES.put(otherKey, 'something else');
  ok(await complete(person, begun.id, sha256), 422);
  expect(await env.FILES.head(otherKey)).toBeNull();
  // Where it is not configured, the file comes in parts.
  const plain = await ticketFor(person, '/users/self/files', { content, more: { name: 'c.mp4' } });
  expect(ok(await client(person).post(plain.parts_url, { ...asked, ...plain.upload_params }), 201)).not.toHaveProperty('upload_url');
});
