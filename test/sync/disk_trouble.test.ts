// Disk problems: messages are accurate and say what to do, and no incomplete sync is reported as complete.

import fs, {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { storeOf } from '@carrel/desktop/engine/accounts/account';
import { diskAt, type Net } from '@carrel/desktop/engine/disk/disk';
import { reserveOf } from '@carrel/desktop/engine/disk/free_space';
import type { Disk } from '@carrel/desktop/engine/model/ports';
import { openingProblem } from '@carrel/desktop/engine/store/driver';
import { isReadOnly } from '@carrel/desktop/engine/sync/disk_problems';
import { whyOf } from '@carrel/desktop/engine/sync/reason';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aFakeCourse, type FakeCourse } from './support/course';
import { FakeServer } from './support/fake_server';
import { runCarrel } from './support/program';
import { filesBelow, Student } from './support/student';
import { takesFiles } from './support/takes_files';

let server: FakeServer;
let course: FakeCourse;
let student: Student;
let shelf: ReturnType<typeof takesFiles>;
let trouble: Partial<Disk> | undefined;

const failing = (code: string) => Object.assign(new Error(`${code}: as the system says`), { code });

beforeEach(async () => {
  server = await new FakeServer().start();
  course = aFakeCourse(server);
  shelf = takesFiles(server);
  trouble = undefined;
  student = await Student.at(server, { diskOf: (root: string, net?: Net) => ({ ...diskAt(root, { net }), ...trouble }) });
});
afterEach(async () => {
  await student.leave();
  await server.stop();
});

const mine = (name: string) => join(student.folder, 'My files', name);

test('an own file that cannot be read is an issue, not skipped', async () => {
  shelf.file('a.txt', 'a');
  await student.sync();
  writeFileSync(mine('locked.txt'), 'locked');
  const isLocked = (path: string) => path.endsWith('locked.txt');
  const disk = diskAt(student.folder);
  trouble = {
    hash: async (path) => (isLocked(path) ? undefined : disk.hash(path)),
    whyUnread: (path) => (isLocked(path) ? failing('EACCES') : undefined),
  };
  for (let nth = 0; nth < 2; nth++) {
    const report = await student.study.sync({ isThorough: nth === 0 });
    expect(report).toMatchObject({
      outcome: 'complete with issues',
      issues: [{ what: 'unreadable', where: 'My files/locked.txt', reason: { code: 'why.fileUnreadable' } }],
    });
  }
  trouble = undefined;
  expect(await student.sync()).toMatchObject({ outcome: 'complete' });
  expect(shelf.tree()).toMatchObject({ 'locked.txt': 'locked' });
});

test.runIf(process.platform !== 'win32')(
  'a file without read permission is an issue, and so is a folder that cannot be listed',
  async () => {
    shelf.file('a.txt', 'a');
    await student.sync();
    mkdirSync(mine('shut'));
    writeFileSync(mine('shut/inside.txt'), 'inside');
    writeFileSync(mine('locked.txt'), 'locked');
    chmodSync(mine('locked.txt'), 0);
    chmodSync(mine('shut'), 0);
    const report = await withoutPrivileges(student.home, () => student.sync());
    expect(report).toMatchObject({ outcome: 'complete with issues' });
    expect(report.issues).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          what: 'unreadable',
          where: 'My files/locked.txt',
          reason: expect.objectContaining({ code: 'why.fileUnreadable' }),
        }),
        expect.objectContaining({ where: 'My files/shut', reason: expect.objectContaining({ code: 'why.folderUnreadable' }) }),
      ]),
    );
    expect(Object.keys(shelf.tree())).toEqual(['a.txt']);
    chmodSync(mine('locked.txt'), 0o600);
    chmodSync(mine('shut'), 0o700);
    expect(await student.sync()).toMatchObject({ outcome: 'complete' });
    expect(shelf.tree()).toMatchObject({ 'locked.txt': 'locked', 'shut/inside.txt': 'inside' });
  },
);

/** Root may read everything: then the test runs as another user, who owns the folder. */
async function withoutPrivileges<T>(home: string, act: () => Promise<T>): Promise<T> {
  const { getuid, seteuid } = process;
  if (getuid?.() !== 0 || !seteuid) return act();
  const nobody = 65534;
  for (const path of ['', ...readdirSync(home, { recursive: true, encoding: 'utf8' })]) chownSync(join(home, path), nobody, nobody);
  seteuid(nobody);
  try {
    return await act();
  } finally {
    seteuid(0);
  }
}

test('a file in the place of “My files” is an issue, and deletes nothing', async () => {
  for (const name of ['a.txt', 'b.txt']) shelf.file(name, name);
  await student.sync();
  renameSync(join(student.folder, 'My files'), join(student.home, 'elsewhere'));
  writeFileSync(join(student.folder, 'My files'), 'a plain file');
  const report = await student.sync();
  expect(report).toMatchObject({ outcome: 'complete with issues', issues: [{ where: 'My files', reason: { code: 'why.myFilesIsFile' } }] });
  expect(Object.keys(shelf.tree()).sort()).toEqual(['a.txt', 'b.txt']);
  rmSync(join(student.folder, 'My files'));
  renameSync(join(student.home, 'elsewhere'), join(student.folder, 'My files'));
  expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 0 });
});

test('too little space is reported with what is free and what must stay free', async () => {
  course.file('film.bin', Buffer.alloc(2_000_000));
  const megabytes = 1024 * 1024;
  trouble = { room: async () => 3 * megabytes, size: async () => undefined };
  const report = await student.sync();
  expect(report).toMatchObject({
    outcome: 'complete with issues',
    issues: [{ what: 'no room', reason: { code: 'why.tooFull', values: { free: 3 * megabytes, reserve: 64 * megabytes } } }],
  });
  expect(report.issues[0]?.why).toMatch(/67.1 MB must stay free/);
  expect(student.study.status().no_room).toMatchObject({ free: 3 * megabytes, reserve: 64 * megabytes });
});

test('a small disk receives what fits', async () => {
  course.file('film.bin', Buffer.alloc(2_000_000));
  trouble = { room: async () => 3_000_000, size: async () => 5_000_000 };
  expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 1 });
  expect(reserveOf(1_000_000_000_000)).toBe(64 * 1024 * 1024);
});

test('on a nearly full disk, files that fit are downloaded, and the rest is reported with the required space', async () => {
  for (const name of ['one.bin', 'two.bin', 'three.bin']) course.file(name, Buffer.alloc(1_000_000, name));
  const arrived = () => filesBelow(student.folder).filter((path) => /Algebra.*\.bin$/.test(path)).length;
  trouble = { room: async () => 2_500_000 - arrived() * 1_000_000, size: async () => 5_000_000 };
  mkdirSync(mine('.'), { recursive: true });
  writeFileSync(mine('own.txt'), 'written on a full disk');
  const report = await student.sync();
  expect(report).toMatchObject({ outcome: 'complete with issues', downloaded: 2 });
  expect(report.issues).toMatchObject([{ what: 'no room', reason: { values: { files: 1, free: 500_000 } } }]);
  expect(arrived()).toBe(2);
  expect(shelf.tree(), 'edits are sent').toMatchObject({ 'own.txt': 'written on a full disk' });
});

test('data on a read-only disk is reported as read-only, not as damaged', async () => {
  const path = '/data/carrel/canvas.example.edu-7/user.db';
  const cannotOpen = Object.assign(new Error('unable to open database file'), { errcode: 14 });
  const readOnly = vi.spyOn(fs, 'accessSync').mockImplementation(() => {
    throw failing('EROFS');
  });
  syncBuiltinESMExports();
  try {
    const problem = openingProblem(cannotOpen, path) as Error;
    expect(problem.message).toBe('Carrel cannot write its data: the disk of /data/carrel/canvas.example.edu-7 is read-only.');
    expect(isReadOnly(problem)).toBe(true);
    expect(whyOf(problem)).toMatchObject({ reason: { code: 'why.readOnly' } });
  } finally {
    readOnly.mockRestore();
    syncBuiltinESMExports();
  }
});

test('a read-only disk is reported as read-only even if it reports no free space', async () => {
  course.file('slides.txt', 'slides');
  trouble = { room: async () => 0, expectWritable: () => Promise.reject(failing('EROFS')) };
  expect(await student.sync()).toMatchObject({ issues: [{ what: 'read only', reason: { code: 'why.readOnly' } }] });
});

test('every command reports missing records, what is lost and what to do', async () => {
  shelf.file('a.txt', 'a');
  await student.sync();
  const path = join(storeOf(student.store, student.study.signedIn), 'user.db');
  const { store, folder } = student;
  await student.restart();
  await student.study.rest();
  const said = /records of this account .* are missing or empty.*Drafts.*carrel sync --folder/;
  for (const lose of [() => rmSync(path), () => truncateSync(path)]) {
    for (const beside of ['-wal', '-shm']) rmSync(path + beside, { force: true });
    lose();
    expect((await runCarrel(['status'], { store })).err).toMatch(said);
    expect(existsSync(path) && statSync(path).size > 0, 'created by a reading command').toBe(false);
    const synced = await runCarrel(['sync', '--json'], { store });
    expect(synced).toMatchObject({ status: 1, json: { outcome: 'failed', issues: [{ why: expect.stringMatching(said) }] } });
  }
  const again = await runCarrel(['sync', '--folder', folder, '--json'], { store });
  expect(again).toMatchObject({ status: 0, json: { outcome: 'complete', downloaded: 0 } });
});
