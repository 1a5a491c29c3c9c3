// Earlier versions of files: kept on replacement, listed, restored, and deleted in time.

import { env } from 'cloudflare:test';
import { newMeter, open } from '@carrel/worker/database/open';
import { deletedAtOnce, forgetOld } from '@carrel/worker/database/retention';
import { mostVersions } from '@carrel/worker/database/triggers/file_versions';
import { collectBlobs, versionRetention } from '@carrel/worker/domains/files/collect';
import { file_versions } from '@carrel/worker/domains/files/table';
import type { Platform } from '@carrel/worker/platform';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { as, ground, many, n, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';
import { bytes, storedObjects, upload } from '../support/upload';

const mine = '/users/self/files';
const save = (person: Person, content: string, given: object = {}, path = mine) =>
  upload(person, path, { name: 'a.txt', parent_folder_path: 'desk', ...given } as never, content);
const versionsOf = (id: number) => `/api/sync/v1/files/${id}/versions`;
const listed = async (person: Person, id: number) => ok(within(await as(person).get(versionsOf(id)), 2));
const contents = async (person: Person, id: number) =>
  Promise.all((await listed(person, id)).map(async ({ url }: { url: string }) => (await bytes(url, {}, person)).text));
const usedBy = async (person: Person) => ok(await as(person).get('/users/self/files/quota')).quota_used;

/** Runs the daily scheduled work at a date. */
async function tickAt(now: string) {
  const db = open(env.DB, newMeter(), 'first-primary');
  await forgetOld(db, [versionRetention], now);
  await collectBlobs(env as unknown as Platform, db, now);
}
const daysOn = (days: number) => `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19)}Z`;

test('a file replaced several times keeps every version, through renames, moves and restores', async () => {
  const { student } = await aCourse(ground);
  const first = await save(student, 'one');
  const second = await save(student, 'two, longer');
  const third = await save(student, 'three');
  const [two, one] = await listed(student, third.id);
  expect([two, one]).toEqual([
    expect.objectContaining({ version: second.version, display_name: 'a.txt', 'content-type': 'text/plain', size: 11 }),
    {
      id: expect.any(Number),
      version: first.version,
      display_name: 'a.txt',
      'content-type': 'text/plain',
      size: 3,
      sha256: '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed',
      updated_at: first.modified_at,
      replaced_at: expect.stringMatching(/Z$/),
      url: `https://carrel.test${versionsOf(third.id)}/${one.id}/download`,
    },
  ]);
  expect(await usedBy(student)).toBe(512);
  const folder = ok(await as(student).post('/users/self/folders', { name: 'other', parent_folder_path: '/' }));
  ok(await as(student).put(`/api/v1/files/${third.id}`, { name: 'b.txt', parent_folder_id: folder.id }));
  expect(await contents(student, third.id)).toEqual(['two, longer', 'one']);

  const at = `${versionsOf(third.id)}/${one.id}`;
  const part = await bytes(`${at}/download`, { headers: { Range: 'bytes=1-' } }, student);
  expect([part.status, part.text, part.headers.get('content-disposition')]).toEqual([206, 'ne', expect.stringContaining('attachment')]);
  const current = ok(await as(student).get(`/api/v1/files/${third.id}`));
  ok(await as(student).post(`${at}/restore`, undefined, { headers: { 'If-Match': `"${third.version}"` } }), 412);
  const key = { headers: { 'If-Match': `"${current.version}"`, 'Idempotency-Key': 'restore' } };
  const restored = ok(within(await as(student).post(`${at}/restore`, undefined, key), 3));
  expect(restored).toMatchObject({ id: third.id, display_name: 'b.txt', folder_id: folder.id, size: 3, sha256: one.sha256 });
  expect(restored.version).toBeGreaterThan(current.version);
  expect(ok(await as(student).post(`${at}/restore`, undefined, key)).version).toBe(restored.version);
  expect((await bytes(restored.url)).text).toBe('one');
  expect(await contents(student, third.id)).toEqual(['three', 'two, longer', 'one']);

  // A file that overwrites another one takes over its versions.
  const other = await upload(student, `/folders/${folder.id}/files`, { name: 'c.txt' }, 'c');
  ok(await as(student).put(`/api/v1/files/${other.id}`, { name: 'b.txt', on_duplicate: 'overwrite' }));
  expect(await contents(student, other.id)).toEqual(['one', 'three', 'two, longer', 'one']);
  ok(await as(student).get(versionsOf(third.id)), 404);
});

test('only users who may change a file see its earlier versions', async () => {
  const { course, teacher, student, stranger } = await aCourse(ground);
  const at = `/courses/${course.id}/files`;
  await save(teacher, 'with the answers', {}, at);
  const { id } = await save(teacher, 'without', {}, at);
  const [version] = await listed(teacher, id);
  const others = await save(teacher, 'x', { name: 'b.txt' }, at);
  for (const [person, status] of [
    [student, 401],
    [stranger, 404],
  ] as const) {
    ok(await as(person).get(versionsOf(id)), status);
    ok(await as(person).get(`${versionsOf(id)}/${version.id}/download`), status);
    ok(await as(person).post(`${versionsOf(id)}/${version.id}/restore`), status);
  }
  ok(await as().get(versionsOf(id)), 401);
  for (const wrong of [`${versionsOf(others.id)}/${version.id}`, `${versionsOf(id)}/999999`, `${versionsOf(id)}/x`]) {
    ok(await as(teacher).get(`${wrong}/download`), 404);
    ok(await as(teacher).post(`${wrong}/restore`), 404);
  }
  ok(await as(teacher).post(`${versionsOf(id)}/${version.id}/restore`));
});

test('versions stay 30 days and are deleted a day later; those of a deleted file at once, and never what is still in use', async () => {
  const { student } = await aCourse(ground);
  await tickAt(daysOn(100));
  const before = await storedObjects();
  await save(student, 'one');
  const { id } = await save(student, 'two');
  const [version] = await listed(student, id);
  for (const day of [2, 29]) await tickAt(daysOn(day));
  expect(await contents(student, id)).toEqual(['one']);
  ok(await as(student).post(`${versionsOf(id)}/${version.id}/restore`));
  await tickAt(daysOn(31));
  expect(await listed(student, id)).toEqual([]);
  ok(await as(student).post(`${versionsOf(id)}/${version.id}/restore`), 404);
  for (const day of [33, 34]) await tickAt(daysOn(day));
  // The restored bytes are those of the current file.
  expect(await storedObjects()).toBe(before + 1);
  expect((await bytes(ok(await as(student).get(`/api/v1/files/${id}`)).url)).text).toBe('one');

  const again = await save(student, 'three');
  ok(await as(student).del(`/api/v1/files/${again.id}`));
  ok(await as(student).get(versionsOf(again.id)), 404);
  await tickAt(daysOn(35));
  expect(await storedObjects()).toBe(before);
  expect(await listed(student, (await save(student, 'four')).id)).toEqual([]);
});

test('a blanked file has no versions, and restored versions count against the quota', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const admin = await ground.admin();
  const at = `/courses/${course.id}/files`;
  await save(teacher, 'secret', {}, at);
  const file = await save(teacher, 'secret still', {}, at);
  ok(await as(admin).del(`/api/v1/files/${file.id}`, { replace: true }));
  expect(await listed(teacher, file.id)).toEqual([]);

  await save(student, 'x'.repeat(2000));
  const { id } = await save(student, 'y');
  const [version] = await listed(student, id);
  await env.DB.prepare("update storage set bytes = 50 * 1048576 where context_type = 'User' and context_id = ?").bind(student.id).run();
  expect(ok(await as(student).post(`${versionsOf(id)}/${version.id}/restore`), 400)).toEqual({ message: 'file size exceeds quota' });
  await env.DB.prepare("update storage set bytes = 512 where context_type = 'User' and context_id = ?").bind(student.id).run();
  ok(await as(student).post(`${versionsOf(id)}/${version.id}/restore`));
  expect(await usedBy(student)).toBe(2000);
});

test('the newest 200 versions of a file are kept, and deletion works in steps', async () => {
  const { student } = await aCourse(ground);
  const file = await save(student, 'one');
  const old = '2026-01-01T00:00:00Z';
  await many(mostVersions + deletedAtOnce + 100, file_versions, {
    file_id: file.id,
    version: n,
    display_name: 'a.txt',
    content_type: 'text/plain',
    size: 3,
    blob_id: sql`(select blob_id from files where id = ${file.id})`,
    updated_at: old,
    replaced_at: old,
  });
  const count = async (id: number) =>
    ((await env.DB.prepare('select count(*) as n from file_versions where file_id = ?').bind(id).first()) as { n: number }).n;
  const db = open(env.DB, newMeter(), 'first-primary');
  await forgetOld(db, [versionRetention], '2026-03-01T00:00:00Z');
  expect(await count(file.id)).toBe(mostVersions + 100);
  const newer = await save(student, 'two');
  expect(await count(newer.id)).toBe(mostVersions);
  expect((await listed(student, newer.id))[0].version).toBe(file.version);
});
