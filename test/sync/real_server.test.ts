// The real program and the real server, with a proxy between them that holds requests: cases that once lost a version, or treated the desk's
// own version as another device's.

import { createHash } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  cpSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDesk } from '@carrel/desktop/engine/desk';
import type { ChangesPage } from '@carrel/shared/sync/protocol';
import { accounts } from '@carrel/worker/domains/accounts/table';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { groundOf, type Person } from '../support/ground';
import { type Server, startServer, withDatabase } from '../support/server';
import { HeldRequests, type Passing } from './support/held_requests';
import { carrel, runCarrel } from './support/program';
import { randomFrom } from './support/random';
import { filesBelow } from './support/student';

const home = mkdtempSync(join(tmpdir(), 'carrel-real-'));
const persist = join(home, 'server');
const proxy = new HeldRequests();
const people: Person[] = [];
let server: Server | undefined;

beforeAll(async () => {
  await withDatabase(persist, async (d1) => {
    const ground = groundOf(d1);
    for (let nth = 0; nth < 7; nth++) people.push(await ground.person());
    await ground.db.update(accounts).set({ default_user_storage_quota_mb: 500 });
  });
  server = await startServer({ persist });
  await proxy.start();
  proxy.to = server.url;
}, 120_000);
afterAll(async () => {
  await proxy.stop();
  await server?.kill();
  rmSync(home, { recursive: true, force: true });
});
beforeEach(() => proxy.free());

class Desk {
  readonly store: string;
  readonly folder: string;
  constructor(
    readonly person: Person,
    name: string,
  ) {
    this.store = join(home, `${name}-${person.id}`, 'desk');
    this.folder = join(home, `${name}-${person.id}`, 'Study');
  }
  login = () =>
    runCarrel(['login', '--url', proxy.url, '--token', this.person.token, '--folder', this.folder], { store: this.store, cwd: home });
  run = (...words: string[]) => runCarrel(words, { store: this.store, cwd: home });
  start = () => carrel(['sync', '--json'], { store: this.store, cwd: home });
  async sync() {
    const ended = await this.start().ended;
    expect(ended.json, `${ended.out}\n${ended.err}`).toHaveProperty('outcome');
    return ended;
  }
  at = (path: string) => join(this.folder, 'My files', path);
  write(path: string, text: string): void {
    mkdirSync(join(this.folder, 'My files'), { recursive: true });
    writeFileSync(this.at(path), text);
  }
  /** Saves as an editor does that keeps the file open. Returns exactly what it overwrites, whatever the desk does to the path meanwhile. */
  overwrite(path: string, text: string): string | undefined {
    for (;;)
      try {
        const file = openSync(this.at(path), 'r+');
        const before = readFileSync(file, 'utf8');
        ftruncateSync(file);
        writeSync(file, text, 0);
        closeSync(file);
        return before;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        try {
          writeFileSync(this.at(path), text, { flag: 'wx' });
          return undefined;
        } catch (appeared) {
          if ((appeared as NodeJS.ErrnoException).code !== 'EEXIST') throw appeared;
        }
      }
  }
  /** False if there is no such file. */
  rename(from: string, to: string): boolean {
    try {
      renameSync(this.at(from), this.at(to));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return false;
    }
  }
  tree = (): Record<string, string> =>
    Object.fromEntries(
      filesBelow(this.at('.')).map((path) => [path.slice(this.at('').length + 1).replace(/^\//, ''), readFileSync(path, 'utf8')]),
    );
  /** In the folder, or kept next to the stores. */
  texts = (): string[] => [...filesBelow(this.folder), ...filesBelow(this.store)].map((path) => readFileSync(path, 'utf8'));
}

async function desks(person: Person, names: readonly string[]): Promise<Desk[]> {
  const all = names.map((name) => new Desk(person, name));
  for (const desk of all) {
    expect(await desk.login()).toMatchObject({ status: 0 });
    mkdirSync(join(desk.folder, 'My files'));
  }
  return all;
}

/** `npm run nightly` runs all cases, and random ones for so many minutes. */
const minutes = Number(process.env.CARREL_MINUTES ?? 0);
const isNight = minutes > 0;

/** The first request of a kind is held while something else happens. */
function whileHeld(isIt: (passing: Passing) => boolean, act: () => unknown, when: 'before' | 'after' = 'before'): () => boolean {
  let wasHeld = false;
  proxy[when] = async (passing) => {
    if (wasHeld || !isIt(passing)) return;
    wasHeld = true;
    await act();
  };
  return () => wasHeld;
}

const isTicket = ({ method, path }: Passing) => method === 'POST' && /\/folders\/\d+\/files$/.test(path);
const isUpload = ({ method, path }: Passing) => method === 'POST' && path.endsWith('/files_api');

test('two desks edit one file while one upload is held: both versions are kept, on both desks', { timeout: 120_000 }, async () => {
  const [one, two] = (await desks(people[0] as Person, ['one', 'two'])) as [Desk, Desk];
  for (const [nth, isIt] of (isNight ? [isTicket, isUpload] : [isUpload]).entries()) {
    proxy.free();
    const name = `${nth}.txt`;
    one.write(name, 'as it was');
    await one.sync();
    await two.sync();
    one.write(name, `saved at one, ${nth}`);
    two.write(name, `saved at two, ${nth}`);
    const wasHeld = whileHeld(isIt, () => one.sync());
    await two.sync();
    expect(wasHeld()).toBe(true);
    await two.sync();
    await one.sync();
    for (const desk of [one, two])
      expect(desk.texts(), desk.folder).toEqual(expect.arrayContaining([`saved at one, ${nth}`, `saved at two, ${nth}`]));
  }
  await two.sync();
  expect(one.tree()).toEqual(two.tree());
});

test('a file that changes while it uploads is uploaded in its final version, and nothing crashes', { timeout: 120_000 }, async () => {
  const [desk] = (await desks(people[1] as Person, ['one'])) as [Desk];
  const large = 'x'.repeat(3_000_000);
  const changes = [
    (path: string) => appendFileSync(path, 'more'),
    (path: string) => truncateSync(path, 1000),
    (path: string) => writeFileSync(path, 'y'.repeat(3_000_000)),
  ];
  for (const change of isNight ? changes : changes.slice(0, 1)) {
    desk.write('large.txt', large);
    const wasHeld = whileHeld(isUpload, () => change(desk.at('large.txt')));
    expect(await desk.sync()).toMatchObject({ err: '' });
    expect(wasHeld()).toBe(true);
    proxy.free();
    const text = readFileSync(desk.at('large.txt'), 'utf8');
    expect(await desk.sync()).toMatchObject({ status: 0, json: { outcome: 'complete' } });
    expect(Object.keys(desk.tree())).toEqual(['large.txt']);
    expect(desk.tree()['large.txt'] === text, 'as the user left it').toBe(true);
  }
});

test('a change made before the server has reported the desk’s own upload is not treated as an edit of another device', {
  timeout: 120_000,
}, async () => {
  const [desk] = (await desks(people[2] as Person, ['one'])) as [Desk];
  const changes: Readonly<Record<string, () => void>> = {
    edited: () => desk.write('a.txt', 'the newest edit'),
    renamed: () => renameSync(desk.at('a.txt'), desk.at('b.txt')),
    deleted: () => rmSync(desk.at('b.txt')),
  };
  for (const [what, change] of Object.entries(changes).slice(0, isNight ? undefined : 1)) {
    proxy.free();
    const path = what === 'deleted' ? 'b.txt' : 'a.txt';
    desk.write(path, `sent, then ${what}`);
    const wasHeld = whileHeld(isUpload, change, 'after');
    await desk.sync();
    expect(wasHeld(), what).toBe(true);
    const left = desk.tree();
    expect(await desk.sync(), what).toMatchObject({ status: 0, json: { outcome: 'complete' } });
    expect(desk.tree(), what).toEqual(left);
  }
});

test.runIf(isNight)('a large file arrives in parts despite a lost response', { timeout: 120_000 }, async () => {
  const [desk] = (await desks(people[6] as Person, ['one'])) as [Desk];
  const text = 'a lecture of an hour '.repeat(2_600_000);
  desk.write('lecture.mp4', text);
  const parts: string[] = [];
  proxy.before = async ({ method, path }) => void (method === 'PUT' && parts.push(path));
  // The connection is lost when the last part has arrived.
  proxy.after = async ({ path }) => !path.includes('/parts/4?') || parts.filter((part) => part.includes('/parts/4?')).length > 1;
  expect(await desk.sync()).toMatchObject({ status: 0, json: { outcome: 'complete', issues: [] } });
  expect(parts.map((path) => /parts\/(\d)/.exec(path)?.[1]).sort()).toEqual(['1', '2', '3', '4', '4']);
  const headers = { authorization: `Bearer ${(people[6] as Person).token}` };
  const { changes } = (await (await fetch(`${proxy.url}/api/sync/v1/changes?limit=1000`, { headers })).json()) as ChangesPage;
  const [file] = changes.flatMap((change) => (change.kind === 'file' && change.op === 'upsert' ? [change.resource] : []));
  expect(file).toMatchObject({ size: text.length, sha256: createHash('sha256').update(text).digest('hex') });
  parts.length = 0;
  expect(await desk.sync()).toMatchObject({ status: 0, json: { outcome: 'complete', downloaded: 0 } });
  expect(parts).toEqual([]);
});

test('earlier versions of an own file are listed, saved as a copy and restored, and need a connection', { timeout: 120_000 }, async () => {
  const [desk] = (await desks(people[5] as Person, ['one'])) as [Desk];
  for (const text of ['first', 'second, longer', 'third']) {
    desk.write('a.txt', text);
    await desk.sync();
  }
  const { versions } = (await desk.run('versions', 'a.txt', '--json')).json as { versions: { id: number; size: number }[] };
  expect(versions.map(({ size }) => size)).toEqual([14, 5]);
  const first = String(versions[1]?.id);
  const copy = join(home, 'copy of a.txt');
  expect(await desk.run('versions', 'a.txt', '--restore', first, '--to', copy)).toMatchObject({ status: 0, err: '' });
  expect(readFileSync(copy, 'utf8')).toBe('first');
  // An edit that was not sent before becomes an earlier version, too.
  desk.write('a.txt', 'fourth, not sent');
  expect(await desk.run('versions', desk.at('a.txt'), '--restore', first)).toMatchObject({
    status: 0,
    out: expect.stringContaining('Restored on the server: My files/a.txt'),
  });
  expect(desk.tree()).toEqual({ 'a.txt': 'first' });
  expect(await desk.run('versions', 'a.txt', '--restore', '987654321')).toMatchObject({
    status: 1,
    err: expect.stringContaining('has no version 987654321'),
  });
  expect(await desk.run('versions', 'b.txt')).toMatchObject({ status: 1, err: expect.stringContaining('No synced file is called b.txt') });
  proxy.before = async () => false;
  expect(await desk.run('versions', 'a.txt')).toMatchObject({ status: 4, err: expect.stringContaining('You need a connection') });

  const screens = await openDesk({ store: desk.store, isManual: true });
  try {
    const [file] = await screens['course.files']({ course_id: 0 });
    const id = file?.id ?? 0;
    expect(file).toMatchObject({ name: 'a.txt', has_versions: true });
    expect(await screens['file.versions']({ id })).toMatchObject({ asked: 'not reached', earlier: [] });
    await expect(screens['file.version_restore']({ id, version_id: 1, current: null })).rejects.toThrow(/You need a connection/);
    proxy.free();
    const view = await screens['file.versions']({ id });
    expect(view).toMatchObject({ asked: 'told', title: 'a.txt', course_name: 'My files', current: { size: 5 }, is_edited: false });
    expect(view?.earlier.map(({ size }) => size)).toEqual([16, 5, 14, 5]);
    const [fourth] = view?.earlier ?? [];
    if (!fourth) throw new Error('no version');
    const { file: saved } = await screens['file.version_save']({ id, version: fourth });
    expect(saved).toMatch(/My files\/a \(version until \d{4}-\d\d-\d\d\)\.txt$/);
    expect(readFileSync(saved, 'utf8')).toBe('fourth, not sent');
    await expect(screens['file.version_restore']({ id, version_id: fourth.id, current: 1 })).rejects.toThrow(/changed on the server/);
    await screens['file.version_restore']({ id, version_id: fourth.id, current: view?.current.version ?? null });
    await screens['sync.now'](undefined);
    await vi.waitFor(() => expect(readFileSync(desk.at('a.txt'), 'utf8')).toBe('fourth, not sent'), { timeout: 20_000 });
  } finally {
    await screens.close();
  }
});

test.runIf(isNight)('a server that is restored, and has changed since, removes nothing from “My files”', { timeout: 180_000 }, async () => {
  const [desk, other] = (await desks(people[3] as Person, ['one', 'two'])) as [Desk, Desk];
  desk.write('before.txt', 'before the copy');
  await desk.sync();
  await other.sync();
  await server?.stop();
  const copy = join(home, 'copy');
  cpSync(persist, copy, { recursive: true });
  server = await startServer({ persist });
  proxy.to = server.url;
  for (let nth = 0; nth < 5; nth++) desk.write(`${nth}.txt`, `text ${nth} of this desk`);
  await desk.sync();
  const mine = desk.tree();
  await server.stop();
  rmSync(persist, { recursive: true, force: true });
  cpSync(copy, persist, { recursive: true });
  server = await startServer({ persist });
  proxy.to = server.url;
  for (let nth = 0; nth < 6; nth++) other.write(`other ${nth}.txt`, `text ${nth} of the other desk`);
  await other.sync();
  for (let nth = 0; nth < 3; nth++) await desk.sync();
  expect(desk.tree()).toMatchObject(mine);
  await other.sync();
  expect(other.tree()).toEqual(desk.tree());
});

test.runIf(isNight)(
  `${minutes} minutes of two desks, with held requests and lost responses: no saved text is lost`,
  {
    timeout: (minutes + 5) * 60_000,
  },
  async () => {
    const seed = Number(process.env.CARREL_SEED ?? Date.now());
    const random = randomFrom(seed);
    const all = await desks(people[4] as Person, ['one', 'two']);
    const saved = new Set<string>();
    const wait = () => new Promise((resolve) => setTimeout(resolve, random.below(400)));
    // A name is never used twice: a rename to an existing file would destroy its text.
    let acts = 0;
    const act = () => {
      const desk = random.pick(all);
      const path = `${random.pick(['a', 'b', 'c', 'd'])}.txt`;
      const text = `${desk.folder} saved this as text ${++acts} ${'.'.repeat(acts % 97)}`;
      if (random.chance(0.2) && desk.rename(path, `moved ${acts} ${path}`)) return;
      // Overwritten on purpose.
      saved.delete(desk.overwrite(path, text) ?? '');
      saved.add(text);
    };
    const meanwhile = async ({ method }: Passing) => {
      if (random.chance(0.1)) act();
      if (random.chance(0.3)) await wait();
      return !(method !== 'GET' && random.chance(0.03));
    };
    try {
      for (const until = Date.now() + minutes * 60_000; Date.now() < until; ) {
        for (let nth = random.below(3); nth > 0; nth--) act();
        proxy.before = meanwhile;
        proxy.after = meanwhile;
        await Promise.all(all.map((desk) => desk.start().ended));
        proxy.free();
      }
      for (let nth = 0; nth < 3; nth++) for (const desk of all) await desk.sync();
      const there = new Set(all.flatMap((desk) => desk.texts()));
      expect([...saved].filter((text) => !there.has(text))).toEqual([]);
      // Copies of files that were deleted elsewhere are only on that desk.
      const shown = (desk: Desk) => Object.entries(desk.tree()).filter(([path]) => !path.startsWith('Deleted elsewhere'));
      expect(all.map(shown)[0]).toEqual(all.map(shown)[1]);
    } catch (problem) {
      throw new Error(`seed ${seed}: ${(problem as Error).message}`, { cause: problem });
    }
  },
);
