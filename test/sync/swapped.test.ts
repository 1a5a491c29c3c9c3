// A folder in the study folder is swapped for a link to a place outside: before each single system call of a change on the disk,
// and at random while syncs run. Nothing is ever written, renamed or removed where the link leads.

import fs, { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { diskAt } from '@carrel/desktop/engine/disk/disk';
import { system } from '@carrel/desktop/engine/disk/handles';
import { Recovery } from '@carrel/desktop/engine/disk/recovery';
import type { Disk, Stamp } from '@carrel/desktop/engine/model/ports';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { onlyLinux } from '../support/systems';
import { aFakeCourse, type FakeCourse, setContent } from './support/course';
import { FakeServer } from './support/fake_server';
import { randomFrom } from './support/random';
import { filesBelow, Student } from './support/student';

beforeEach(onlyLinux('other systems resolve names by path, so a link that appears during a change is noticed afterwards'));

const calls = ['lstatSync', 'openSync', 'mkdirSync', 'linkSync', 'renameSync', 'unlinkSync', 'rmdirSync', 'copyFileSync'] as const;
type Call = (...given: unknown[]) => unknown;

/** Calls `happen` before the nth system call; false if there were fewer. */
async function interrupted(nth: number, happen: () => void, run: () => Promise<unknown>): Promise<boolean> {
  const files = fs as unknown as Record<string, Call>;
  const plain = new Map(calls.map((name) => [name, files[name] as Call]));
  let made = 0;
  let isBusy = false;
  for (const [name, call] of plain)
    files[name] = (...given) => {
      if (!isBusy && made++ === nth) {
        isBusy = true;
        happen();
        isBusy = false;
      }
      return call(...given);
    };
  syncBuiltinESMExports();
  try {
    await run().catch(() => {});
  } finally {
    for (const [name, call] of plain) files[name] = call;
    syncBuiltinESMExports();
  }
  return made > nth;
}

const treeOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(folder.length + 1), entry.isFile() ? readFileSync(path, 'utf8') : 'folder'];
    }),
  );

describe.each([true, false])('a folder that is swapped for a link before any system call, descriptors: %s', (hasDescriptors) => {
  beforeEach(() => {
    system.hasDescriptors = hasDescriptors;
  });
  afterEach(() => {
    system.hasDescriptors = true;
  });

  const changes: Readonly<Record<string, (disk: Disk, stamp: (path: string) => Stamp) => Promise<unknown>>> = {
    'a new file': (disk) => disk.place([{ staged: 'new.part', path: 'Course/Week/new.txt' }]),
    'a new file in a new folder': (disk) => disk.place([{ staged: 'new.part', path: 'Course/Week/deep/new.txt' }]),
    'another version': (disk, stamp) => disk.place([{ staged: 'new.part', path: 'Course/Week/a.txt', over: stamp('Course/Week/a.txt') }]),
    'a move into it': (disk, stamp) => disk.move('Course/c.txt', stamp('Course/c.txt'), 'Course/Week/c.txt'),
    'a move out of it': (disk, stamp) => disk.move('Course/Week/a.txt', stamp('Course/Week/a.txt'), 'Course/a.txt'),
    'a removal': (disk, stamp) => disk.remove('Course/Week/a.txt', stamp('Course/Week/a.txt')),
    'a folder that moves into it': async (disk) => disk.moveFolder?.('Course/Empty', 'Course/Week/Other'),
    'a new folder': async (disk) => disk.makeFolder?.('Course/Week/Made'),
    'a removed folder': async (disk) => disk.dropFolder?.('Course/Week/Gone'),
  };
  const swaps = { 'the folder stays next to it': 'Course/aside', 'the folder itself is moved outside': '../outside/moved' };

  for (const [what, change] of Object.entries(changes))
    test.each(Object.entries(swaps))(`${what}, %s`, async (_, aside) => {
      for (let nth = 0, isOver = false; !isOver; nth++) {
        const home = mkdtempSync(join(tmpdir(), 'carrel-swapped-'));
        const root = join(home, 'Study');
        const outside = join(home, 'outside');
        for (const folder of ['Course/Week/Gone', 'Course/Empty', '.carrel/staging']) mkdirSync(join(root, folder), { recursive: true });
        mkdirSync(join(outside, 'Gone'), { recursive: true });
        writeFileSync(join(root, '.carrel/staging/new.part'), 'new');
        for (const path of ['Course/Week/a.txt', 'Course/c.txt']) writeFileSync(join(root, path), 'here');
        writeFileSync(join(outside, 'a.txt'), 'outside');
        const week = join(root, 'Course/Week');
        const before = treeOf(week);
        const disk = diskAt(root, { net: { recovery: new Recovery(join(home, 'recovered')), isOnServer: () => false } });
        const stamp = (path: string) => disk.look?.(path) as Stamp;
        let given: unknown;
        const swap = () => {
          given = treeOf(week);
          renameSync(week, join(root, aside));
          symlinkSync(outside, week);
        };
        isOver = !(await interrupted(nth, swap, () => change(disk, stamp)));
        const there = treeOf(outside);
        const moved = Object.fromEntries(Object.entries(there).flatMap(([at, text]) => (/^moved./.test(at) ? [[at.slice(6), text]] : [])));
        const own = Object.fromEntries(Object.entries(there).filter(([at]) => !at.startsWith('moved')));
        expect(own, `call ${nth}`).toEqual({ 'a.txt': 'outside', Gone: 'folder' });
        // A folder that was moved outside has what it had before the change, or when it was moved.
        if (!isOver && existsSync(join(outside, 'moved'))) expect([before, given], `call ${nth}`).toContainEqual(moved);
        rmSync(home, { recursive: true });
      }
    });
});

describe('during syncs', () => {
  let server: FakeServer;
  let course: FakeCourse;
  let student: Student;

  beforeEach(async () => {
    server = await new FakeServer().start();
    course = aFakeCourse(server);
    student = await Student.at(server);
  });
  afterEach(async () => {
    system.hasDescriptors = true;
    await student.leave();
    await server.stop();
  });

  /** Swaps `folder` for a link again and again until it is stopped. Sometimes the folder itself is moved to the link's target. */
  const swapping = `
  const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
  const { workerData: { folder, outside, aside, control } } = require('node:worker_threads');
  const state = new Int32Array(control);
  const pause = (ms) => Atomics.wait(state, 2, 0, ms);
  for (let nth = 0; Atomics.load(state, 0) === 0; nth++) {
    const away = nth % 2 === 0 ? aside : outside + '/moved';
    try { renameSync(folder, away); } catch { pause(0.2); continue; }
    try { symlinkSync(nth % 2 === 0 ? outside : away, folder); } catch { /* A sync was faster. */ }
    pause(nth % 3);
    try { unlinkSync(folder); } catch { /* The sync has set it aside. */ }
    try { renameSync(away, folder); } catch { pause(0.2); renameSync(away, away + nth); }
    Atomics.add(state, 1, 1);
    pause(nth % 4);
  }
`;

  const runs = [
    { way: 'bound to open folders', hasDescriptors: true, swaps: 200 },
    { way: 'checked and undone', hasDescriptors: false, swaps: 60 },
  ];
  test.each(runs)(
    'a link that replaces a folder at any moment, names $way: nothing outside is changed',
    { timeout: 60_000 },
    async ({ hasDescriptors, swaps }) => {
      system.hasDescriptors = hasDescriptors;
      const random = randomFrom(7);
      const outside = join(student.home, 'outside');
      mkdirSync(outside);
      for (let nth = 0; nth < 12; nth++) writeFileSync(join(outside, `${nth}.txt`), 'outside');
      const week = course.folder('Week 1');
      const ids = Array.from({ length: 12 }, (_, nth) => course.file(`${nth}.txt`, `${nth}`, week));
      await student.sync();
      const control = new SharedArrayBuffer(12);
      const state = new Int32Array(control);
      const folder = student.path('Algebra', 'Week 1');
      const worker = new Worker(swapping, {
        eval: true,
        workerData: { folder, outside, aside: student.path('Algebra', 'aside'), control },
      });
      const ended = new Promise((resolve, reject) => worker.once('exit', resolve).once('error', reject));
      for (let nth = 0; Atomics.load(state, 1) < swaps || nth < 12; nth++) {
        for (let many = 0; many < 4; many++) {
          const id = random.pick(ids);
          if (random.chance(0.7)) setContent(server, id, `${nth} ${many}`);
          else server.change('file', id, { display_name: `${random.below(12)}.txt` });
        }
        const report = await student.study.sync({ isConfirmed: true });
        expect(report.outcome).toMatch(/complete|failed|paused/);
      }
      Atomics.store(state, 0, 1);
      await ended;
      const there = readdirSync(outside, { withFileTypes: true }).filter((entry) => entry.isFile());
      const own = ids.map((_, nth) => `${nth}.txt`).sort();
      const texts = new Map(there.map(({ name }) => [name, readFileSync(join(outside, name), 'utf8')]));
      // Without handles a file that was outside can be taken away between two system calls; it is then in the recovery store.
      if (hasDescriptors) expect([...texts.keys()].sort()).toEqual(own);
      expect(own).toEqual(expect.arrayContaining([...texts.keys()]));
      const kept = filesBelow(student.home).filter((path) => readFileSync(path, 'utf8') === 'outside');
      expect(kept.length).toBeGreaterThanOrEqual(own.length);
      expect(new Set(texts.values())).toEqual(new Set(['outside']));
      expect(Atomics.load(state, 1), 'swaps').toBeGreaterThanOrEqual(swaps);
    },
  );
});
