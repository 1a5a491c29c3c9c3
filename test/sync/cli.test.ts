// The command line: its output, exit status and files.

import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { storeOf } from '@carrel/desktop/engine/accounts/account';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isWindows, signals } from '../support/systems';
import { aFakeCourse, type FakeCourse } from './support/course';
import { FakeServer } from './support/fake_server';
import { carrel, runCarrel } from './support/program';

let server: FakeServer;
let course: FakeCourse;
let home: string;
let store: string;

beforeEach(async () => {
  server = await new FakeServer().start();
  course = aFakeCourse(server);
  home = mkdtempSync(join(tmpdir(), 'carrel-cli-'));
  store = join(home, 'desk');
});
afterEach(async () => {
  rmSync(home, { recursive: true, force: true });
  await server.stop();
});

const run = (...words: string[]) => runCarrel(words, { store, cwd: home });
const inGerman = (...words: string[]) => runCarrel(words, { store, cwd: home, env: { LC_ALL: 'de_DE.UTF-8' } });
const login = () => run('login', '--url', server.url, '--token', server.token, '--folder', 'Study');

test('login, sync, status, verify, logout', { timeout: 60_000 }, async () => {
  course.file('plan.txt', 'the plan');
  expect(await login()).toMatchObject({ status: 0, out: expect.stringContaining(`Courses will be stored in ${join(home, 'Study')}`) });
  expect(readdirSync(join(home, 'Study'))).toContain('.carrel');
  const [account = ''] = readdirSync(store).filter((name) => name.endsWith('-7'));
  if (!isWindows) {
    expect(statSync(join(store, account, 'token')).mode & 0o777).toBe(0o600);
    expect(statSync(store).mode & 0o777).toBe(0o700);
  }

  const synced = await run('sync', '--json');
  expect(synced).toMatchObject({ status: 0, err: '' });
  expect(Object.keys(synced.json).sort()).toEqual(['bytes', 'downloaded', 'duration_ms', 'issues', 'outcome', 'requests', 'unchanged']);
  expect(synced.json).toMatchObject({ outcome: 'complete', requests: 2, downloaded: 1, bytes: 8, unchanged: 0, issues: [] });

  server.count();
  // Output for programs is always in English.
  const again = await inGerman('sync', '--json');
  expect(again.json).toMatchObject({ outcome: 'complete', requests: 1, downloaded: 0, unchanged: 1 });
  expect(server.count().all).toBe(1);

  expect(await run('status', '--json')).toMatchObject({ status: 0, json: { phase: 'idle', issues: [], folder: join(home, 'Study') } });
  expect(await run('verify', '--json')).toMatchObject({
    status: 0,
    json: { outcome: 'complete', requests: 2, checked: 1, edited: [], proven: [{ name: 'Algebra', files: 1, is_identical: true }] },
  });
  course.file('newer.txt', 'made since');
  expect(await run('verify')).toMatchObject({ status: 2, out: expect.stringContaining('Missing: Test University/Algebra/newer.txt') });
  expect(await inGerman('sync')).toMatchObject({
    status: 0,
    out: expect.stringMatching(/^Vollständig: 1 geholt \(1\d Byte\), 1 unverändert/),
  });
  expect(await inGerman('news', '--seen')).toMatchObject({ status: 0, out: 'Algebra\n  newer.txt: Neue Datei\nAls gesehen gemerkt.\n' });
  expect((await run('news', '--json')).json).toEqual({ news: [] });
  expect(await run('verify')).toMatchObject({ status: 0, out: expect.stringContaining('Algebra: identical to the server as of ') });

  expect(await run('logout')).toMatchObject({ status: 0, out: expect.stringContaining(`The files stay in ${join(home, 'Study')}`) });
  expect(await run('sync')).toMatchObject({ status: 3 });
});

test('the exit status reports issues, and an expired token', { timeout: 60_000 }, async () => {
  const bad = course.file('bad.txt', 'bad');
  course.file('good.txt', 'good');
  await login();
  server.fault = ({ path }) => (path.startsWith(`/files/${bad}/`) ? { status: 404 } : undefined);
  const synced = await run('sync');
  expect(synced).toMatchObject({ status: 2, out: expect.stringMatching(/^Complete with 1 issue: 1 downloaded/) });
  expect(synced.out).toContain('bad.txt');
  expect((await run('status')).status).toBe(2);
  server.token = 'another';
  expect(await run('sync', '--json')).toMatchObject({ status: 3, json: { outcome: 'sign in' } });
  expect((await run('status')).out).toContain('The token was revoked. Sign in again: carrel login');
  expect(await run('login', '--url', server.url, '--token', 'wrong', '--json')).toMatchObject({ status: 3 });
});

test('verify distinguishes damaged files from the user’s own edits', { timeout: 60_000 }, async () => {
  for (const name of ['damaged.txt', 'edited.txt', 'fine.txt']) course.file(name, 'as sent');
  await login();
  await run('sync');
  const path = (name: string) => join(home, 'Study', 'Test University', 'Algebra', name);
  const { atime, mtime } = statSync(path('damaged.txt'));
  writeFileSync(path('damaged.txt'), 'rotten!');
  const { utimesSync } = await import('node:fs');
  utimesSync(path('damaged.txt'), atime, mtime);
  writeFileSync(path('edited.txt'), 'my own');
  const { status, json } = await run('verify', '--json');
  expect(status).toBe(2);
  expect(json).toMatchObject({ checked: 3, edited: ['Test University/Algebra/edited.txt'], issues: [{ what: 'damaged' }] });
  expect(json.proven).toMatchObject([{ files: 3, is_identical: false, has_gap: false }]);
});

test('verify finds a file that the feed does not list, and adds it', { timeout: 60_000 }, async () => {
  const id = course.file('lost.txt', 'never told again');
  await login();
  await run('sync');
  const cache = new DatabaseSync(join(storeOf(store, { url: server.url, user_id: 7 }), 'cache.db'));
  cache.exec(`DELETE FROM resources WHERE kind = 'file' AND id = ${id}`);
  cache.close();
  expect((await run('sync', '--json')).json).toMatchObject({ outcome: 'complete', requests: 1, downloaded: 0 });
  expect(await run('verify', '--json')).toMatchObject({
    status: 0,
    json: { requests: 6, checked: 1, issues: [], proven: [{ files: 1, here: 1, is_identical: true, has_gap: false }] },
  });
  // Known but not in the folder: the course is not identical.
  rmSync(join(home, 'Study', 'Test University', 'Algebra', 'lost.txt'));
  expect((await run('verify', '--json')).json).toMatchObject({
    outcome: 'complete with issues',
    proven: [{ files: 1, here: 0, is_identical: false, has_gap: false }],
  });
});

test('after a change of folder, the new one is filled and the old one stays unchanged', { timeout: 60_000 }, async () => {
  course.file('plan.txt', 'the plan');
  await login();
  await run('sync');
  expect(await run('sync', '--folder', 'Other', '--json')).toMatchObject({ status: 0, json: { downloaded: 1 } });
  for (const folder of ['Study', 'Other']) expect(readdirSync(join(home, folder, 'Test University', 'Algebra'))).toEqual(['plan.txt']);
});

test('a second program on the same desk is refused; a stopped one leaves no partial file', { timeout: 60_000 }, async (context) => {
  signals(context);
  course.file('plan.txt', 'the plan');
  await login();
  server.fault = ({ path }) => (path.startsWith('/files/') ? { wait: 20_000 } : undefined);
  const first = carrel(['sync', '--json'], { store });
  await vi.waitFor(() => expect(server.asked.some(({ path }) => path.startsWith('/files/'))).toBe(true), { timeout: 20_000 });
  expect(await run('sync')).toMatchObject({ status: 1, err: expect.stringContaining('Another Carrel program') });
  expect((await run('status')).status).toBe(0);
  // Ctrl-C exits at once, and the next sync continues.
  first.child.kill('SIGINT');
  expect(await first.ended).toMatchObject({ status: 130, err: '', json: { outcome: 'interrupted' } });
  server.fault = () => undefined;
  expect((await run('sync', '--json')).json).toMatchObject({ outcome: 'complete', downloaded: 1 });
});

test('watch syncs after each notification, and exits cleanly', { timeout: 60_000 }, async (context) => {
  signals(context);
  await login();
  const watching = carrel(['watch'], { store });
  await vi.waitFor(() => expect(watching.said()).toContain('Complete'), { timeout: 20_000 });
  course.file('new.txt', 'new');
  await vi.waitFor(
    () => {
      server.nudge();
      expect(watching.said()).toContain('1 downloaded');
    },
    { timeout: 20_000, interval: 100 },
  );
  watching.child.kill('SIGTERM');
  expect(await watching.ended).toMatchObject({ status: 0, err: '' });
});

test('watch follows every account, reports the state of each, and continues with the others when one has to sign in again', {
  timeout: 60_000,
}, async () => {
  const other = await new FakeServer().start();
  const poetry = aFakeCourse(other, 'Poetry');
  try {
    await login();
    await run('login', '--url', other.url, '--token', other.token, '--folder', 'Other');
    const [first, second] = [server, other].map(({ url }) => `127.0.0.1_${new URL(url).port}-7`);
    const watching = carrel(['watch', '--json'], { store });
    const result = () =>
      watching
        .said()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as { account: string; outcome: string; downloaded?: number });
    const hears = (expected: object) =>
      vi.waitFor(() => expect(result()).toContainEqual(expect.objectContaining(expected)), { timeout: 20_000 });
    await hears({ account: first, outcome: 'complete' });
    await hears({ account: second, outcome: 'complete' });
    server.token = 'another';
    await vi.waitFor(
      () => {
        server.nudge();
        expect(result()).toContainEqual(expect.objectContaining({ account: first, outcome: 'sign in' }));
      },
      { timeout: 20_000, interval: 100 },
    );
    poetry.file('new.txt', 'new');
    await vi.waitFor(
      () => {
        other.nudge();
        expect(result()).toContainEqual(expect.objectContaining({ account: second, outcome: 'complete', downloaded: 1 }));
      },
      { timeout: 20_000, interval: 100 },
    );
    watching.child.kill('SIGTERM');
    const ending = await watching.ended;
    if (!isWindows) expect(ending).toMatchObject({ status: 0, err: '' });
    expect((await run('accounts')).out).toMatch(/1 {2}Ada.*\n {5}\S.*\n\* 2 {2}Ada.*\n$/);
    other.token = 'another';
    expect(await run('watch', '--json')).toMatchObject({ status: 3 });
  } finally {
    await other.stop();
  }
});

test('unknown commands and options are refused', { timeout: 60_000 }, async () => {
  mkdirSync(store, { recursive: true });
  expect(await run('frobnicate')).toMatchObject({ status: 1, err: expect.stringContaining('Unknown command frobnicate') });
  expect(await inGerman('sync', '--frob')).toMatchObject({ status: 1, err: expect.stringContaining('Die Option --frob gibt es nicht') });
  expect(await run('status', '--seen')).toMatchObject({
    status: 1,
    err: 'carrel: carrel status has no option --seen. Try carrel status --help.\n',
  });
  const help = await inGerman('news', '--help');
  expect([help.out.split('\n')[0], help.status]).toEqual([
    '  carrel news           was sich geändert hat, seit du zuletzt nachgesehen hast',
    0,
  ]);
  expect(await run('--help')).toMatchObject({ status: 0, out: expect.stringContaining("system's secret store") });
});
