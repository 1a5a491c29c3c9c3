// Conditional writes of files and folders: concurrent changes of two clients are never lost.

import { env } from 'cloudflare:test';
import { fetchUpload } from '@carrel/worker/domains/files/upload/job';
import type { Platform } from '@carrel/worker/platform';
import { expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { between } from '../support/between';
import { follow } from '../support/feed';
import { aCourse, type Person } from '../support/ground';
import { bytes, sendContent, upload } from '../support/upload';

const mine = '/users/self/files';
const tagOf = (version: number) => `"${version}"`;
const ifMatch = (version: number | string) => ({ headers: { 'If-Match': typeof version === 'number' ? tagOf(version) : version } });
const ifNone = (tag = '*') => ({ headers: { 'If-None-Match': tag } });
const hashOf = async (text: string) =>
  [...new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');

/** A conditional upload: the response to its last step. */
async function replace(person: Person, given: object, content: string, options: { headers: Record<string, string> }) {
  const ticket = ok(within(await as(person).post(mine, { name: 'a.txt', parent_folder_path: 'desk', ...given }, options), 3));
  return sendContent(ticket, content);
}

const namesOf = async (person: Person, folder_id: number) =>
  ok(await as(person).get(`/folders/${folder_id}/files`)).map((file: { display_name: string }) => file.display_name);

test('a version increases with name, folder, content and state only; REST and the feed agree on it', async () => {
  const { student } = await aCourse(ground);
  const first = await upload(student, mine, { name: 'a.txt', parent_folder_path: 'desk' } as never);
  const answer = within(await as(student).get(`/api/v1/files/${first.id}`), 2);
  expect(answer.headers.get('etag')).toBe(tagOf(first.version));
  const versions = [first.version];
  const next = async (given: Promise<{ status: number; body: unknown }>) =>
    versions.push((ok((await given) as never) as { version: number }).version);
  await next(as(student).put(`/api/v1/files/${first.id}`, { hidden: true }));
  expect(versions[1]).toBe(versions[0]);
  await next(as(student).put(`/api/v1/files/${first.id}`, { name: 'b.txt' }));
  const folder = ok(await as(student).post('/users/self/folders', { name: 'other', parent_folder_path: '/' }));
  await next(as(student).put(`/api/v1/files/${first.id}`, { parent_folder_id: folder.id }));
  const second = await upload(student, `/folders/${folder.id}/files`, { name: 'b.txt' }, 'newer');
  versions.push(second.version);
  await next(as(student).del(`/api/v1/files/${second.id}`));
  expect(versions.slice(1)).toEqual([...new Set(versions.slice(1))].toSorted((a, b) => a - b));
  expect(versions.every(Number.isSafeInteger)).toBe(true);

  const tag = within(await as(student).get(`/folders/${folder.id}`), 2).headers.get('etag');
  expect(tag).toBe(tagOf(folder.version));
  const feed = follow(as(student));
  await feed.catchUp();
  const renamed = ok(await as(student).put(`/folders/${folder.id}`, { name: 'renamed' }));
  expect(renamed.version).toBeGreaterThan(folder.version);
  expect(await feed.catchUp()).toEqual([
    expect.objectContaining({ kind: 'folder', id: folder.id, resource: expect.objectContaining({ version: renamed.version }) }),
  ]);
});

test('a change to a file or folder that has since changed is refused with its current state', async () => {
  const { student } = await aCourse(ground);
  const file = await upload(student, mine, { name: 'a.txt', parent_folder_path: 'desk' } as never, 'one');
  const at = `/api/v1/files/${file.id}`;
  const renamed = ok(within(await as(student).put(at, { name: 'b.txt' }, ifMatch(file.version)), 3));
  for (const change of [
    () => as(student).put(at, { name: 'c.txt' }, ifMatch(file.version)),
    () => as(student).put(at, { name: 'c.txt' }, ifMatch(`W/${tagOf(renamed.version)}`)),
    () => as(student).put(at, { name: 'c.txt' }, ifMatch('"another"')),
    () => as(student).del(at, undefined, ifMatch(file.version)),
    () => as(student).del(at, undefined, ifNone()),
    () => as(student).put(at, { name: 'c.txt' }, ifNone(`"1", W/${tagOf(renamed.version)}`)),
  ]) {
    const answer = within(await change(), 3);
    expect(ok(answer, 412)).toMatchObject({
      message: expect.any(String),
      current: { id: file.id, version: renamed.version, display_name: 'b.txt', sha256: await hashOf('one') },
      copy: null,
    });
  }
  for (const header of ['17', '"a', `${tagOf(file.version)} ${tagOf(file.version)}`, '*, "1"', Array(21).fill('"1"').join(',')]) {
    ok(await as(student).put(at, { name: 'c.txt' }, ifMatch(header)), 400);
    ok(await as(student).del(at, undefined, ifNone(header)), 400);
    ok(await as(student).post(mine, { name: 'x' }, ifMatch(header)), 400);
  }
  ok(await as(student).put(at, { name: 'b2.txt' }, ifMatch(`"1", ${tagOf(renamed.version)}`)));
  ok(await as(student).del(at, undefined, ifMatch('*')));
  ok(await as(student).put(at, { name: 'c.txt' }, ifMatch('*')), 404);

  const folder = ok(await as(student).get(`/folders/${file.folder_id}`));
  const moved = ok(within(await as(student).put(`/folders/${folder.id}`, { name: 'shelf' }, ifMatch(folder.version)), 3));
  for (const change of [
    () => as(student).put(`/folders/${folder.id}`, { name: 'c' }, ifMatch(folder.version)),
    () => as(student).del(`/folders/${folder.id}`, undefined, ifMatch(folder.version)),
  ])
    expect(ok(await change(), 412)).toMatchObject({ current: { id: folder.id, name: 'shelf', version: moved.version }, copy: null });
  ok(await as(student).put(`/folders/${folder.id}`, { name: 'c' }, ifMatch('17')), 400);
  ok(within(await as(student).del(`/folders/${folder.id}`, undefined, ifMatch(moved.version)), 3));
  ok(await as(student).del(`/folders/${folder.id}`, undefined, ifMatch('*')), 404);
});

test('an upload whose condition fails at the end is kept as a visible copy, and returned again when repeated', async () => {
  const { student } = await aCourse(ground);
  const first = ok((await replace(student, {}, 'one', ifNone())) as never, 201);
  expect(first.sha256).toBe(await hashOf('one'));
  const given = { name: 'a.txt', parent_folder_path: 'desk', conflict_name: 'a (mine).txt' };
  const ticket = ok(await as(student).post(mine, given, ifMatch(first.version)));
  // The version was current when the upload began.
  const second = ok((await replace(student, {}, 'two', ifMatch(first.version))) as never, 201);
  const expected = {
    message: expect.any(String),
    current: expect.objectContaining({ id: second.id, version: second.version, sha256: await hashOf('two') }),
    copy: expect.objectContaining({ display_name: 'a (mine).txt', sha256: await hashOf('three'), upload_status: 'success' }),
  };
  const refused = await sendContent(ticket, 'three');
  expect([refused.status, refused.body]).toEqual([412, expected]);
  expect((await bytes(refused.body.copy.url, {}, student)).text).toBe('three');
  const again = await sendContent(ticket, 'three');
  expect([again.status, again.body]).toEqual([412, refused.body]);
  // The first free name, and the version of a file that is gone.
  ok(await as(student).del(`/api/v1/files/${second.id}`));
  const third = await replace(student, given, 'four', ifMatch(second.version));
  expect(third.body).toMatchObject({ current: null, copy: { display_name: 'a (mine)-1.txt' } });
  expect(third.status).toBe(412);
  // Another file of the same name has another version.
  const other = ok((await replace(student, {}, 'five', ifNone())) as never, 201);
  expect((await replace(student, {}, 'six', ifMatch(second.version))).body).toEqual({
    message: expect.any(String),
    current: expect.objectContaining({ id: other.id }),
    copy: null,
  });
  expect((await replace(student, {}, 'six', ifNone())).status).toBe(412);
  expect((await replace(student, {}, 'six', ifMatch('*'))).status).toBe(201);
  expect(await namesOf(student, first.folder_id)).toEqual(['a (mine)-1.txt', 'a (mine).txt', 'a.txt']);
  expect((await bytes(`/users/${student.id}/files/${other.id}/download`, {}, student)).text).toBe('six');
});

test('an upload without a name for conflicts is kept hidden until its condition holds on a retry', async () => {
  const { student } = await aCourse(ground);
  const file = await upload(student, mine, { name: 'a.txt', parent_folder_path: 'desk' } as never, 'one');
  const ticket = ok(await as(student).post(mine, { name: 'a.txt', parent_folder_path: 'desk' }, ifNone()));
  expect((await sendContent(ticket, 'two')).body).toMatchObject({ current: { id: file.id }, copy: null });
  expect(await namesOf(student, file.folder_id)).toEqual(['a.txt']);
  ok(await as(student).del(`/api/v1/files/${file.id}`));
  expect((await sendContent(ticket, 'two')).status).toBe(201);
});

test('of two simultaneous uploads that replace the same version one does, and the other becomes its copy', async () => {
  const { student } = await aCourse(ground);
  const first = await upload(student, mine, { name: 'a.txt', parent_folder_path: 'desk' } as never, 'one');
  for (const condition of [ifMatch(first.version), undefined]) {
    const current = condition ?? ifMatch(ok(await as(student).get(`/users/self/files/${first.id}`)).version);
    const answers = await Promise.all(
      ['left', 'right'].map((word) => replace(student, { conflict_name: `a (${word}).txt` }, word, current)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 412]);
    const winner = answers.find(({ status }) => status === 201)?.body;
    const loser = answers.find(({ status }) => status === 412)?.body;
    expect(loser.current.id).toBe(winner.id);
    expect(new Set([winner.sha256, loser.copy.sha256])).toEqual(new Set([await hashOf('left'), await hashOf('right')]));
  }
  const fresh = await Promise.all(
    ['left', 'right'].map((word) => replace(student, { name: 'new.txt', conflict_name: `new (${word}).txt` }, word, ifNone())),
  );
  expect(fresh.map(({ status }) => status).toSorted()).toEqual([201, 412]);
});

test('of two simultaneous renames, or a deletion and a replacement, exactly one succeeds', async () => {
  const { student } = await aCourse(ground);
  const file = await upload(student, mine, { name: 'a.txt', parent_folder_path: 'desk' } as never, 'one');
  const at = `/api/v1/files/${file.id}`;
  const renames = await Promise.all(['left.txt', 'right.txt'].map((name) => as(student).put(at, { name }, ifMatch(file.version))));
  expect(renames.map(({ status }) => status).toSorted()).toEqual([200, 412]);
  const named = ok(await as(student).get(at)).display_name;
  expect(renames.find(({ status }) => status === 200)?.body.display_name).toBe(named);
  expect(renames.find(({ status }) => status === 412)?.body.current.display_name).toBe(named);

  for (let turn = 0; turn < 3; turn += 1) {
    const name = `turn ${turn}.txt`;
    const old = await upload(student, mine, { name, parent_folder_path: 'desk' } as never, 'one');
    const [gone, replaced] = await Promise.all([
      as(student).del(`/api/v1/files/${old.id}`, undefined, ifMatch(old.version)),
      replace(student, { name, conflict_name: `copy of ${name}` }, 'two', ifMatch(old.version)),
    ]);
    if (gone.status === 200) {
      expect(replaced.body).toMatchObject({ current: null, copy: { display_name: `copy of ${name}` } });
      expect(replaced.status).toBe(412);
    } else {
      expect([404, 412]).toContain(gone.status);
      expect(replaced.status).toBe(201);
      expect(ok(await as(student).get(`/api/v1/files/${replaced.body.id}`)).display_name).toBe(name);
    }
  }
  const folder = ok(await as(student).get(`/folders/${file.folder_id}`));
  const moves = await Promise.all(
    ['left', 'right'].map((name) => as(student).put(`/folders/${folder.id}`, { name }, ifMatch(folder.version))),
  );
  expect(moves.map(({ status }) => status).toSorted()).toEqual([200, 412]);
});

test('a repeated conditional request with its key gets the first response; another condition is another request', async () => {
  const { student } = await aCourse(ground);
  const file = await upload(student, mine, { name: 'a.txt', parent_folder_path: 'desk' } as never, 'one');
  const at = `/api/v1/files/${file.id}`;
  const options = (key: string, version = file.version) => ({ headers: { ...ifMatch(version).headers, 'Idempotency-Key': key } });
  const answers = await Promise.all([1, 2].map(() => as(student).put(at, { name: 'b.txt' }, options('rename'))));
  expect(answers.map((answer) => ok(answer).display_name)).toEqual(['b.txt', 'b.txt']);
  expect(ok(await as(student).put(at, { name: 'b.txt' }, options('rename'))).version).toBe(answers[0]?.body.version);
  ok(await as(student).put(at, { name: 'b.txt' }, options('rename', 5)), 422);
  // A refusal is not stored: the same key may try again.
  ok(await as(student).put(at, { name: 'c.txt' }, options('late')), 412);
  ok(await as(student).put(at, { name: 'c.txt' }, options('late')), 412);
  const version = answers[0]?.body.version;
  ok(await as(student).put(at, { name: 'c.txt' }, options('late', version)));
});

test('two clients that create the same folder at once, requiring a free name, get one folder', async () => {
  const { student } = await aCourse(ground);
  const make = (options?: object) => as(student).post('/users/self/folders', { name: 'same', parent_folder_path: '/' }, options);
  const made = await Promise.all([make(ifNone()), make(ifNone())]);
  expect(made.map(({ status }) => status).toSorted()).toEqual([200, 412]);
  const folder = made.find(({ status }) => status === 200)?.body;
  expect(made.find(({ status }) => status === 412)?.body).toMatchObject({
    current: { id: folder.id, version: folder.version },
    copy: null,
  });
  ok(await make(ifMatch('17')), 400);
  expect(ok(await make()).name).toBe('same 2');
});

test('changes between the read and the write are noticed: nothing is deleted with a folder, or moved into a deleted one', async () => {
  const { student } = await aCourse(ground);
  const made = async (name: string, parent_folder_id?: number) =>
    ok(await as(student).post('/users/self/folders', { name, ...(parent_folder_id ? { parent_folder_id } : { parent_folder_path: '/' }) }));
  const writes = /^update "?(files|folders|module_items)"?/i;
  const box = await made('box');
  const [kept, late] = await between(
    () => as(student).del(`/folders/${box.id}`, undefined, ifMatch(box.version)),
    writes,
    () => upload(student, `/folders/${box.id}/files`, { name: 'late.txt' }, 'late'),
  );
  ok(kept, 400);
  expect((await bytes(late.url)).text).toBe('late');

  // A file or folder moved into a folder that is being deleted stays where it is.
  for (const kind of ['files', 'folders'] as const) {
    const bin = await made(`bin of ${kind}`);
    const moving = kind === 'files' ? late : box;
    const [moved, gone] = await between(
      () => as(student).put(`/api/v1/${kind}/${moving.id}`, { parent_folder_id: bin.id }),
      writes,
      () => as(student).del(`/folders/${bin.id}`),
    );
    expect([moved.status, gone.status]).toEqual([404, 200]);
  }
  expect(await namesOf(student, box.id)).toEqual(['late.txt']);

  const [a, b] = [await made('a'), await made('b')];
  const [crossed, first] = await between(
    () => as(student).put(`/folders/${a.id}`, { parent_folder_id: b.id }),
    writes,
    () => as(student).put(`/folders/${b.id}`, { parent_folder_id: a.id }),
  );
  expect([crossed.status, first.status]).toEqual([404, 200]);
  expect(ok(await as(student).get(`/folders/${b.id}`)).full_name).toBe('my files/a/b');
});

test('a change that another one overtakes between its read and its write is refused with the current state', async () => {
  const { student } = await aCourse(ground);
  const file = await upload(student, mine, { name: 'a.txt', parent_folder_path: 'desk' } as never, 'one');
  const at = `/api/v1/files/${file.id}`;
  const writes = /^update "?(files|folders|module_items)"?/i;
  const [late, first] = await between(
    () => as(student).put(at, { name: 'late.txt' }, ifMatch(file.version)),
    writes,
    () => as(student).put(at, { name: 'first.txt' }, ifMatch(file.version)),
  );
  expect(ok(late, 412).current).toMatchObject({ version: ok(first).version, display_name: 'first.txt' });
  const { version } = ok(first);
  const [gone, replaced] = await between(
    () => as(student).del(at, undefined, ifMatch(version)),
    writes,
    () => replace(student, { name: 'first.txt' }, 'newer', ifMatch(version)),
  );
  expect(ok(gone, 412).current).toMatchObject({ id: replaced.body.id, version: replaced.body.version, sha256: await hashOf('newer') });
  const [none, deleted] = await between(
    () => as(student).put(`/api/v1/files/${replaced.body.id}`, { name: 'b.txt' }, ifMatch(replaced.body.version)),
    writes,
    () => as(student).del(`/api/v1/files/${replaced.body.id}`),
  );
  expect([none.status, deleted.status]).toEqual([404, 200]);

  const folder = ok(await as(student).get(`/folders/${file.folder_id}`));
  const renames = (name: string) => as(student).put(`/folders/${folder.id}`, { name });
  const [overtaken, moved] = await between(
    () => as(student).put(`/folders/${folder.id}`, { name: 'late' }, ifMatch(folder.version)),
    writes,
    () => renames('first'),
  );
  expect(ok(overtaken, 412).current).toMatchObject({ id: folder.id, name: 'first', version: ok(moved).version });
  const [stays, again] = await between(
    () => as(student).del(`/folders/${folder.id}`, undefined, ifMatch(moved.body.version)),
    writes,
    () => renames('second'),
  );
  expect(ok(stays, 412).current).toMatchObject({ id: folder.id, name: 'second', version: ok(again).version });

  // The same request twice at once with one key: the second finds the change of the first when it reads or writes.
  for (const pattern of [/^select "id", "for_submissions" from "folders"/, writes]) {
    const other = await upload(student, mine, { name: 'twice.txt', parent_folder_path: 'desk' } as never, 'one');
    const options = { headers: { ...ifMatch(other.version).headers, 'Idempotency-Key': `twice ${other.id}` } };
    const twice = () => as(student).put(`/api/v1/files/${other.id}`, { name: `once ${other.id}.txt` }, options);
    const [a, b] = await between(twice, pattern, twice);
    expect(ok(a).version).toBe(ok(b).version);
  }
});

test('a file that the server fetches obeys its condition, too', async () => {
  const { student } = await aCourse(ground);
  const file = await upload(student, mine, { name: 'a.txt', parent_folder_path: 'desk' } as never, 'one');
  const ask = (given: object) =>
    as(student).post(mine, { name: 'a.txt', parent_folder_path: 'desk', url: 'https://files.carrel.org/moved', ...given }, ifNone());
  const states = [];
  for (const given of [{ conflict_name: 'a (fetched).txt' }, {}]) {
    const { id, status_url } = ok(await ask(given));
    await fetchUpload({ job: 'upload_via_url', ids: [id] }, env as unknown as Platform);
    states.push(ok(await as().get(status_url)));
  }
  expect(states).toEqual([
    expect.objectContaining({ upload_status: 'ready', attachment: expect.objectContaining({ display_name: 'a (fetched).txt' }) }),
    expect.objectContaining({ upload_status: 'errored', message: 'the precondition failed' }),
  ]);
  expect(await namesOf(student, file.folder_id)).toEqual(['a (fetched).txt', 'a.txt']);
});
