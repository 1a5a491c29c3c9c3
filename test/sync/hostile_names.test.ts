// Hostile names on a real disk: nothing leaves the folder, nothing collides, everything arrives.

import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inside } from '@carrel/desktop/engine/disk/inside';
import { fold } from '@carrel/desktop/engine/model/trees';
import { expect, test } from 'vitest';
import { aFakeCourse } from './support/course';
import { FakeServer } from './support/fake_server';
import { filesBelow, Student } from './support/student';

/** Beside the desks of all tests, where other programs write as well. */
const outside = `carrel-outside-${process.pid}`;

const names = [
  `../${outside}`,
  '../../../../etc/passwd',
  '..',
  '.',
  'CON',
  'con.txt',
  'COM¹',
  'a/b',
  'a\\b',
  'caf\u00e9.txt',
  'cafe\u0301.txt',
  'CAF\u00c9.TXT',
  'trailing.',
  'trailing',
  'trailing. . .',
  ' ',
  '',
  'nul\0l',
  'line\nbreak',
  `${'界'.repeat(100)}.pdf`,
  `${'界'.repeat(100)}x.pdf`,
  'Pages',
  'pages',
  'Removed by teacher',
  '.carrel',
  'Notes (your copy 2026-11-20).txt',
  'מבחן.docx',
  'annex\u202efdp.exe',
  '😀'.repeat(80),
];

test('every file with a hostile name arrives at its own path, none outside the folder', async () => {
  const server = await new FakeServer().start();
  const evil = aFakeCourse(server, '../Evil/..');
  const twin = aFakeCourse(server, '../evil/..');
  for (const course of [evil, twin]) {
    const folder = course.folder('../up');
    const other = course.folder('..\\UP');
    for (const [nth, name] of names.entries())
      for (const parent of [course.root, folder, other]) course.file(name, `${course.id} ${parent} ${nth}`, parent);
  }
  const student = await Student.at(server);
  expect(await student.sync()).toMatchObject({ outcome: 'complete', issues: [], downloaded: names.length * 6 });
  const tree = student.tree();
  expect(Object.keys(tree)).toHaveLength(names.length * 6);
  expect(new Set(Object.values(tree)).size).toBe(names.length * 6);
  expect(new Set(Object.keys(tree).map(fold)).size).toBe(names.length * 6);
  // Next to the folder there is only the desk's own store, and in it only the institution and the program's marker file.
  expect(readdirSync(student.home).sort()).toEqual(['Study', 'desk']);
  expect(readdirSync(student.folder).sort()).toEqual(['.carrel', 'Test University']);
  expect(existsSync(join(dirname(student.home), outside))).toBe(false);
  expect(filesBelow(student.folder).every((path) => path.split('/').every((name) => Buffer.byteLength(name) <= 200))).toBe(true);

  const before = student.stamps();
  expect(await student.sync()).toMatchObject({ outcome: 'complete', requests: 1 });
  expect(student.stamps()).toEqual(before);
  await student.leave();
  await server.stop();
});

test('a path that is too long for the system is an issue of one file, and the rest arrives', async () => {
  const server = await new FakeServer().start();
  const course = aFakeCourse(server);
  let folder = course.root;
  for (let nth = 0; nth < 25; nth++) folder = course.folder(`${nth} ${'界'.repeat(60)}`, folder);
  course.file('deep.txt', 'deep', folder);
  course.file('flat.txt', 'flat');
  const student = await Student.at(server);
  expect(await student.sync()).toMatchObject({ outcome: 'complete with issues', issues: [{ reason: { code: 'why.nameTooLong' } }] });
  expect(student.tree()).toEqual({ 'Algebra/flat.txt': 'flat' });
  // And it is not downloaded again by every sync.
  expect(await student.sync()).toMatchObject({ outcome: 'complete with issues', requests: 1 });
  await student.leave();
  await server.stop();
});

test.each(['../x', '..', '', '.', 'a/../..', '/etc/passwd', 'a/../../x'])('%j is refused as a path below the root', (path) => {
  expect(() => inside('/home/ada/Study', path)).toThrow(/outside the study folder/);
});

test('a valid path below the root is unchanged', () => expect(inside('/home/ada/Study', 'a/..b')).toBe('/home/ada/Study/a/..b'));
