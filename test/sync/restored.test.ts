// A server is restored to an older state and continues: ids belong to other files by then, and the desk has files that the server lost.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aFakeCourse, type FakeCourse, setContent } from './support/course';
import { FakeServer } from './support/fake_server';
import { filesBelow, Student } from './support/student';
import { takesFiles } from './support/takes_files';

let server: FakeServer;
let mine: ReturnType<typeof takesFiles>;
let course: FakeCourse;
let student: Student;

beforeEach(async () => {
  server = await new FakeServer().start();
  mine = takesFiles(server);
  course = aFakeCourse(server);
  mine.file('kept.txt', 'kept');
  student = await Student.at(server);
  await student.sync();
});
afterEach(async () => {
  await student.leave();
  await server.stop();
});

const my = (path: string) => join(student.folder, 'My files', path);
const write = (path: string, text: string) => {
  mkdirSync(dirname(my(path)), { recursive: true });
  writeFileSync(my(path), text);
};
const here = () => Object.fromEntries(filesBelow(my('.')).map((path) => [path.slice(my('.').length + 1), readFileSync(path, 'utf8')]));
const contents = () => Object.values(mine.tree()).sort();
const five = ['one', 'two', 'three', 'four', 'five'];

/** With or without the step that the operator is asked for. */
const ways: Readonly<Record<string, () => void>> = {
  'and the epoch is changed': () => server.forgetHistory(),
  'and the epoch stays': () => {},
};

async function rests(): Promise<void> {
  expect(await student.sync({ isConfirmed: true })).toMatchObject({ outcome: 'complete', issues: [] });
  expect(await student.sync()).toMatchObject({ outcome: 'complete', requests: 1, downloaded: 0 });
  expect(mine.tree()).toEqual(here());
}

for (const [way, changeEpoch] of Object.entries(ways))
  describe(`an older state is restored, ${way}:`, () => {
    test('what only the desk has is uploaded again, though other files have the ids now', async () => {
      const restore = server.backup();
      for (const text of five) write(`${text}.txt`, text);
      expect(await student.sync()).toMatchObject({ outcome: 'complete' });
      restore();
      for (const nth of five.keys()) mine.file(`from the web ${nth}.txt`, `web ${nth}`);
      changeEpoch();
      await rests();
      expect(contents()).toEqual([...five, 'kept', ...five.map((_, nth) => `web ${nth}`)].sort());
    });

    test('other files with the same names and ids are kept next to those of the desk', async () => {
      const restore = server.backup();
      for (const text of five) write(`${text}.txt`, text);
      await student.sync();
      restore();
      for (const text of five) mine.file(`${text}.txt`, `other ${text}`);
      changeEpoch();
      await rests();
      expect(contents()).toEqual([...five, 'kept', ...five.map((text) => `other ${text}`)].sort());
    });

    test('a newer version that only the desk has keeps its name, and replaces the older one', async () => {
      const restore = server.backup();
      for (const text of ['newer', 'newest']) {
        write('kept.txt', text);
        await student.sync();
      }
      restore();
      mine.file('web.txt', 'web');
      changeEpoch();
      await rests();
      expect(mine.tree()).toEqual({ 'kept.txt': 'newest', 'web.txt': 'web' });
    });

    test('a newer version is kept next to one that another person has saved since', async () => {
      const restore = server.backup();
      write('kept.txt', 'newer');
      await student.sync();
      restore();
      setContent(server, Number(server.all('file').find(({ display_name }) => display_name === 'kept.txt')?.id), 'of the web');
      mine.file('web.txt', 'web');
      changeEpoch();
      await rests();
      expect(mine.tree()['kept.txt']).toBe('of the web');
      expect(contents()).toEqual(['newer', 'of the web', 'web']);
    });

    test('a file that has the number of one that is not wanted here is downloaded', async () => {
      const restore = server.backup();
      course.file('not wanted.txt', 'not wanted');
      await student.sync();
      rmSync(student.path('Algebra', 'not wanted.txt'));
      await student.sync();
      expect(student.study.user.unwanted().size).toBe(1);
      restore();
      course.file('wanted.txt', 'wanted');
      changeEpoch();
      await student.sync();
      await student.sync();
      expect(student.tree()).toEqual({ 'Algebra/wanted.txt': 'wanted' });
    });

    test('folders with other ids, and other folders with theirs, keep everything in them', async () => {
      const restore = server.backup();
      write('drafts/deep/a.txt', 'draft');
      mkdirSync(my('empty'));
      await student.sync();
      restore();
      mine.file('web.txt', 'web', mine.folder('of the web'));
      mine.folder('another');
      changeEpoch();
      await rests();
      expect(mine.tree()).toEqual({ 'drafts/deep/a.txt': 'draft', 'kept.txt': 'kept', 'of the web/web.txt': 'web' });
      expect(existsSync(my('empty'))).toBe(true);
      expect(existsSync(my('another'))).toBe(true);
    });

    test('a file of a course with the number of another removes nothing', async () => {
      const restore = server.backup();
      course.file('lost.txt', 'lost on the server');
      await student.sync();
      writeFileSync(student.path('Algebra', 'lost.txt'), 'lost on the server, with notes');
      restore();
      course.file('other.txt', 'other');
      changeEpoch();
      await student.sync();
      await student.sync();
      expect(student.tree()).toEqual({ 'Algebra/lost.txt': 'lost on the server, with notes', 'Algebra/other.txt': 'other' });
    });
  });

test('a store of an older program, without uuids, loses nothing either', async () => {
  const restore = server.backup();
  write('mine.txt', 'mine');
  await student.sync();
  student.study.user.prepare('UPDATE agreed SET uuid = NULL').run();
  restore();
  mine.file('mine.txt', 'of the web');
  await student.restart();
  await rests();
  expect(contents()).toEqual(['kept', 'mine', 'of the web']);
});

test('uuids that an older program did not store are filled in', async () => {
  student.study.user.prepare('UPDATE agreed SET uuid = NULL').run();
  await student.restart();
  await student.sync();
  const rows = student.study.user.prepare('SELECT uuid FROM agreed').all();
  expect(rows.map(({ uuid }) => uuid)).toEqual(server.all('file').map(({ uuid }) => uuid));
});

test('after a gap in the same history, files that another device deleted are removed and do not come back', async () => {
  const id = mine.file('gone.txt', 'gone');
  const there = mine.folder('gone');
  const inCourse = course.file('gone.txt', 'gone');
  const locked = course.file('locked.txt', 'locked');
  await student.sync();
  server.remove('file', id);
  server.remove('folder', there);
  server.remove('file', inCourse);
  server.withhold('file', locked, { why: 'locked' });
  server.words.set(`/api/v1/files/${locked}`, { id: locked, locked_for_user: true });
  server.expire();
  expect(await student.sync()).toMatchObject({ outcome: 'complete', issues: [] });
  expect(mine.tree()).toEqual({ 'kept.txt': 'kept' });
  expect(here()).toEqual({ 'kept.txt': 'kept', 'Deleted elsewhere/gone.txt': 'gone' });
  expect(existsSync(my('gone'))).toBe(false);
  expect(student.tree()).toEqual({ 'Algebra/Removed by teacher/gone.txt': 'gone', 'Algebra/locked.txt': 'locked' });
  await student.sync();
  expect(mine.tree()).toEqual({ 'kept.txt': 'kept' });
});

test('a file deleted on the desk while the server was restored does not delete another file', async () => {
  const restore = server.backup();
  write('one.txt', 'one');
  await student.sync();
  rmSync(my('one.txt'));
  renameSync(my('kept.txt'), my('renamed.txt'));
  restore();
  mine.file('web.txt', 'web');
  await rests();
  expect(mine.tree()).toEqual({ 'renamed.txt': 'kept', 'web.txt': 'web' });
});
