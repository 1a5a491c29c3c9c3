// `carrel watch`, the real program: a change in the folder is on the server a moment later, and never half-written.

import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Settling } from '@carrel/desktop/engine/sync/settled';
import { expect, test, vi } from 'vitest';
import { isWindows } from '../support/systems';
import { aFakeCourse } from './support/course';
import { FakeServer } from './support/fake_server';
import { carrel, runCarrel } from './support/program';
import { hurriedClock, Student } from './support/student';
import { takesFiles } from './support/takes_files';

const isTicket = (method: string, path: string) => method === 'POST' && /\/folders\/\d+\/files$/.test(path);

test('a change has settled one second after the last write, however the writes are spaced', () => {
  vi.useFakeTimers();
  try {
    const settled: { path: string; at: number }[] = [];
    const settling = new Settling((paths) => settled.push(...paths.map((path) => ({ path, at: Date.now() }))));
    const begin = Date.now();
    let last = 0;
    for (let nth = 0; nth < 200; nth++) {
      // Pauses of every length below a second, and another file that is written all the time.
      vi.advanceTimersByTime((nth * 37) % 1000);
      settling.hear('a.txt');
      settling.hear('log.txt');
      last = Date.now();
    }
    for (let nth = 0; nth < 20; nth++) {
      vi.advanceTimersByTime(100);
      settling.hear('log.txt');
    }
    expect(settled.filter(({ path }) => path === 'a.txt' && last - begin < 300_000)).toEqual([{ path: 'a.txt', at: expect.any(Number) }]);
    expect(settled[0]?.at).toBeGreaterThanOrEqual(last + 1000);
    expect(settled[0]?.at).toBeLessThanOrEqual(last + 1050);
    settling.close();
  } finally {
    vi.useRealTimers();
  }
});

test('a new file in a folder that is too new to be watched is uploaded once it has rested', () => {
  vi.useFakeTimers();
  try {
    const settled: string[] = [];
    const settling = new Settling((paths) => settled.push(...paths));
    const written = Date.now();
    settling.hear('My files/week');
    vi.advanceTimersByTime(1005);
    // The disk reported the folder only; the file was written 10 ms after it.
    expect(settling.isRestless('My files/week/a.txt', { mtime: `${(written + 10) * 1_000_000}` } as never)).toBe(true);
    vi.advanceTimersByTime(1000);
    expect(settled).toEqual(['My files/week', 'My files/week/a.txt']);
    settling.close();
  } finally {
    vi.useRealTimers();
  }
});

test('once a change has settled, nothing waits before the upload: two requests and no pause', { timeout: 20_000 }, async () => {
  const server = await new FakeServer().start();
  const shelf = takesFiles(server);
  shelf.file('known.txt', 'known');
  let pauses = 0;
  let onSettled = () => {};
  const student = await Student.at(server, {
    clock: { ...hurriedClock, sleep: async () => void pauses++ },
    isWatching: true,
    onSettled: () => onSettled(),
  });
  try {
    await student.sync();
    // The folders that the sync created are reported, too.
    await sleep(1300);
    const settled = new Promise<void>((resolve) => {
      onSettled = resolve;
    });
    server.count();
    writeFileSync(join(student.folder, 'My files', 'new.txt'), 'new');
    await settled;
    await student.study.sync({ isThorough: false });
    const asked = server.asked.map(({ method, path }) => `${method} ${path.split('?')[0]}`);
    // The folder on the server is looked up once in a sync.
    expect(asked.slice(0, 3)).toEqual([
      'GET /api/sync/v1/changes',
      'GET /api/v1/users/self/folders/root',
      expect.stringMatching(/^POST \/api\/v1\/folders\/\d+\/files$/),
    ]);
    expect(pauses).toBe(0);
    expect(shelf.tree()).toMatchObject({ 'new.txt': 'new' });
  } finally {
    await student.leave();
    await server.stop();
  }
});

test('watch sends local changes when they have settled, never a half-written file, and repeats no report', {
  timeout: 60_000,
}, async () => {
  const server = await new FakeServer().start();
  const home = mkdtempSync(join(tmpdir(), 'carrel-watch-'));
  const store = join(home, 'desk');
  const folder = join(home, 'Study');
  const mine = (...names: string[]) => join(folder, 'My files', ...names);
  try {
    aFakeCourse(server).file('slides.txt', 'slides');
    const shelf = takesFiles(server);
    shelf.file('known.txt', 'known');
    await runCarrel(['login', '--url', server.url, '--token', server.token, '--folder', folder], { store });
    const watching = carrel(['watch', '--json'], { store });
    const lines = () => watching.said().trim().split('\n');
    const isThere = (expected: object) => vi.waitFor(() => expect(shelf.tree()).toMatchObject(expected), { timeout: 15_000, interval: 20 });
    await vi.waitFor(() => expect(watching.said()).toContain('complete'), { timeout: 20_000 });

    // A busy machine may delay any one of them, not all.
    const delays: number[] = [];
    for (let nth = 0; nth < 4 && !delays.some((delay) => delay <= 2000); nth++) {
      const begun = Promise.withResolvers<number>();
      server.onAsked = ({ method, path }) => isTicket(method, path) && begun.resolve(Date.now());
      const last = Date.now();
      writeFileSync(mine('new.txt'), `new ${nth}`);
      delays.push((await begun.promise) - last);
      await isThere({ 'new.txt': `new ${nth}` });
      await sleep(300);
    }
    expect(Math.min(...delays), `milliseconds from the last write to the start of the upload: ${delays}`).toBeLessThanOrEqual(2000);
    expect(Math.min(...delays), 'not before the file has rested for a second').toBeGreaterThanOrEqual(990);

    // Written for a while, with a notification from the server in the middle.
    const seen = new Set<string | undefined>();
    for (let nth = 0; nth < 4; nth++) {
      appendFileSync(mine('slow.txt'), `part ${nth} `);
      server.nudge();
      await sleep(400);
      seen.add(shelf.tree()['slow.txt']);
    }
    expect([...seen], 'sent while it was being written').toEqual([undefined]);
    await isThere({ 'slow.txt': 'part 0 part 1 part 2 part 3 ' });

    mkdirSync(mine('week'));
    writeFileSync(mine('week', 'in a new folder.txt'), 'deep');
    await isThere({ 'week/in a new folder.txt': 'deep' });
    await sleep(1500);
    appendFileSync(mine('week', 'in a new folder.txt'), ' and deeper');
    await isThere({ 'week/in a new folder.txt': 'deep and deeper' });
    renameSync(mine('new.txt'), mine('newer.txt'));
    unlinkSync(mine('known.txt'));
    await vi.waitFor(
      () => expect(Object.keys(shelf.tree()).sort()).toEqual(['newer.txt', 'slides.txt', 'slow.txt', 'week/in a new folder.txt']),
      {
        timeout: 15_000,
      },
    );

    // When nothing changes, it sends no requests and repeats no output.
    await sleep(2500);
    server.count();
    const before = lines();
    await sleep(1500);
    expect(server.count(), 'requests without changes').toMatchObject({ all: 0 });
    for (let nth = 0; nth < 5; nth++) {
      server.nudge();
      await sleep(100);
    }
    expect(lines()).toEqual(before);
    watching.child.kill('SIGTERM');
    const ending = await watching.ended;
    if (!isWindows) expect(ending).toMatchObject({ status: 0, err: '' });
  } finally {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  }
});
