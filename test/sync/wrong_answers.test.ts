// Wrong responses, tokens, addresses and locks: reported in clear words, and without consequences.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFolder } from '@carrel/desktop/engine/disk/folder_lock';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aFakeCourse, type FakeCourse } from './support/course';
import { FakeServer } from './support/fake_server';
import { runCarrel } from './support/program';
import { Student } from './support/student';
import { takesFiles } from './support/takes_files';

let server: FakeServer;
let course: FakeCourse;
let student: Student;

beforeEach(async () => {
  server = await new FakeServer().start();
  course = aFakeCourse(server);
  student = await Student.at(server);
});
afterEach(async () => {
  await student.leave();
  await server.stop();
});

test('a proxy that responds {} to everything changes nothing, and unsent changes are sent later', async () => {
  const shelf = takesFiles(server);
  shelf.file('a.txt', 'a');
  await student.sync();
  mkdirSync(join(student.folder, 'My files/week'));
  writeFileSync(join(student.folder, 'My files/week/new.txt'), 'new');
  const empty = { status: 200, headers: { 'content-type': 'application/json' }, body: '{}' };
  const wrong = [
    (path: string) => path.endsWith('/folders/root'),
    (path: string) => path.includes('/folders'),
    (path: string) => path.includes('/files'),
    () => true,
  ];
  for (const isTouched of wrong) {
    server.fault = ({ path }) => (isTouched(path) ? empty : undefined);
    expect((await student.sync()).outcome).not.toBe('complete');
    server.fault = () => undefined;
    const strays = server.all('folder').filter(({ parent_folder_id }) => Number.isNaN(parent_folder_id));
    expect(strays, 'folders without a path').toEqual([]);
    expect(Object.keys(shelf.tree()).filter((path) => path.includes('new') && path !== 'week/new.txt')).toEqual([]);
  }
  expect(await student.sync()).toMatchObject({ outcome: 'complete' });
  expect(shelf.tree()).toMatchObject({ 'a.txt': 'a', 'week/new.txt': 'new' });
});

test.each([
  ['5xx', { status: 502, body: 'Bad gateway' }],
  ['reset connections', 'cut'],
] as const)('a server that only answers with %s is offline', async (_, fault) => {
  course.file('slides.txt', 'slides');
  for (const isFirst of [true, false]) {
    server.fault = () => fault;
    expect(await student.sync(), `${isFirst}`).toMatchObject({ outcome: 'offline', issues: [{ what: 'offline' }] });
    server.fault = () => undefined;
    if (isFirst) expect(await student.sync()).toMatchObject({ outcome: 'complete' });
  }
});

test('a damaged token is not shown, and the user is asked to sign in', async () => {
  const { store } = student;
  const account = readdirSync(store, { withFileTypes: true }).find((entry) => entry.isDirectory())?.name ?? '';
  for (const damaged of ['se\u0000cret\nse\u00e9cret', '{"token":"secr', '{"refresh":"secret"}']) {
    writeFileSync(join(store, account, 'token'), damaged);
    const { status, out, err } = await runCarrel(['sync', '--json'], { store });
    expect(status).toBe(3);
    expect(out + err).not.toContain('cret');
  }
});

test('an address that is not a web server’s, or that works only without https, is refused in clear words', async () => {
  const store = join(student.home, 'another');
  const login = (url: string) => runCarrel(['login', '--url', url, '--token', 'a-token'], { store });
  expect((await login('ftp://canvas.example.edu')).err).toContain('ftp:// is not an address of a web server');
  const plain = createServer((_, response) => response.end('hello'));
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  const { port } = plain.address() as AddressInfo;
  const { err } = await login(`https://127.0.0.1:${port}`);
  plain.close();
  expect(err).toContain(`It responds at http://127.0.0.1:${port}, without encryption`);
});

test('a command that cannot read its data says so without the database’s error text', async () => {
  const { store } = student;
  const account = readdirSync(store, { withFileTypes: true }).find((entry) => entry.isDirectory())?.name ?? '';
  await student.study.close();
  rmSync(join(store, account, 'cache.db'));
  const { status, err } = await runCarrel(['status'], { store });
  expect(status).toBe(1);
  expect(err).toContain('The data of this account cannot be opened');
  expect(err).not.toMatch(/sqlite|unable to open/i);
  await student.restart();
});

describe('two desks in one study folder', () => {
  let root: string;
  const path = () => join(root, '.carrel/lock');
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'carrel-lock-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));
  const left = (holder: object) => {
    mkdirSync(join(root, '.carrel'), { recursive: true });
    writeFileSync(path(), JSON.stringify({ pid: process.pid, host: hostname(), began: '', token: 'another', ...holder }));
  };

  test('the second waits, and is refused if that takes too long', async () => {
    const unlock = await lockFolder(root);
    await expect(lockFolder(root, 200)).rejects.toThrow('another Carrel program is syncing');
    const second = lockFolder(root, 5000);
    unlock();
    (await second)();
    expect(existsSync(path())).toBe(false);
    expect(readdirSync(join(root, '.carrel'))).toEqual([]);
  });

  test('a lock left by a crash is taken over: of a process that is gone, of a process id in use again, of none', async () => {
    for (const stale of [{ pid: 2 ** 22 + 1 }, { began: '1' }, { pid: 'none' }]) {
      left(stale);
      (await lockFolder(root, 2000))();
      expect(existsSync(path())).toBe(false);
    }
  });

  test('another computer on a shared disk counts as running while it renews its lock', async () => {
    left({ host: 'another', pid: 1 });
    await expect(lockFolder(root, 200)).rejects.toThrow('another Carrel program is syncing');
    expect(JSON.parse(readFileSync(path(), 'utf8'))).toMatchObject({ host: 'another' });
  });

  test('a sync waits until another desk has finished with the folder', async () => {
    const unlock = await lockFolder(student.folder);
    const syncing = student.sync();
    // Shorter than in production.
    setTimeout(unlock, 500);
    expect(await syncing).toMatchObject({ outcome: 'complete' });
  });
});
