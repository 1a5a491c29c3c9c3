// Folders that differ in letter case only, created or renamed on two desks or on one: both sides end with the same folders and files.

import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FakeServer } from './support/fake_server';
import { filesBelow, Student } from './support/student';
import { takesFiles } from './support/takes_files';

let server: FakeServer;
let mine: ReturnType<typeof takesFiles>;
let desks: readonly [Student, Student];

beforeEach(async () => {
  server = await new FakeServer().start();
  mine = takesFiles(server);
  mine.file('b.txt', 'b', mine.folder('x'));
  desks = [await Student.at(server), await Student.at(server)];
  for (const desk of desks) await desk.sync();
});
afterEach(async () => {
  for (const desk of desks) await desk.leave();
  await server.stop();
});

const my = (desk: Student, path: string) => join(desk.folder, 'My files', path);
const write = (desk: Student, path: string, text: string) => {
  mkdirSync(dirname(my(desk, path)), { recursive: true });
  writeFileSync(my(desk, path), text);
};
const here = (desk: Student) =>
  Object.fromEntries(filesBelow(my(desk, '')).map((path) => [path.slice(my(desk, '').length + 1), readFileSync(path, 'utf8')]));
const foldersHere = (desk: Student) =>
  readdirSync(my(desk, ''), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
const foldersThere = () =>
  server
    .all('folder')
    .filter(({ parent_folder_id }) => parent_folder_id !== null)
    .map(({ name }) => name);

async function settle(): Promise<void> {
  for (let nth = 0; nth < 3; nth++) for (const desk of desks) await desk.sync();
  for (const desk of desks) {
    expect(await desk.sync()).toMatchObject({ outcome: 'complete', issues: [] });
    expect(here(desk)).toEqual(mine.tree());
    expect(foldersHere(desk).sort()).toEqual(foldersThere().sort());
  }
}

describe('folders that differ in letter case only', () => {
  test('created on two desks, become one with the files of both', async () => {
    const [one, two] = desks;
    write(one, 'New/a.txt', 'a of one');
    write(two, 'new/b.txt', 'b of two');
    await one.sync();
    await settle();
    expect(mine.tree()).toEqual({ 'New/a.txt': 'a of one', 'New/b.txt': 'b of two', 'x/b.txt': 'b' });
  });

  test('renamed on two desks, get one name', async () => {
    const [one, two] = desks;
    renameSync(my(one, 'x'), my(one, 'X'));
    await one.sync();
    renameSync(my(two, 'x'), my(two, 'y'));
    renameSync(my(two, 'y'), my(two, 'X'));
    write(two, 'x/c.txt', 'c of two');
    await settle();
    expect(mine.tree()).toEqual({ 'X/b.txt': 'b', 'X/c.txt': 'c of two' });
  });

  test('on one desk: the second is merged with its folders and files, and nothing is overwritten', async () => {
    const [one] = desks;
    write(one, 'X/b.txt', 'another b');
    write(one, 'X/Deep/c.txt', 'c');
    write(one, 'x/deep/d.txt', 'd');
    mkdirSync(my(one, 'X/empty'));
    await one.sync();
    for (const desk of desks) await desk.sync();
    for (const desk of desks) expect(await desk.sync()).toMatchObject({ outcome: 'complete', issues: [] });
    expect(mine.tree()).toEqual({ 'x/b.txt': 'b', 'x/b (2).txt': 'another b', 'x/deep/c.txt': 'c', 'x/deep/d.txt': 'd' });
    for (const desk of desks) expect(here(desk)).toEqual(mine.tree());
    expect(foldersThere().sort()).toEqual(['deep', 'empty', 'x']);
  });

  test('an empty second one is removed', async () => {
    mkdirSync(my(desks[0], 'X'));
    expect(await desks[0].sync()).toMatchObject({ outcome: 'complete', issues: [] });
    await settle();
    expect(foldersThere()).toEqual(['x']);
  });

  test('one that cannot be merged is reported as a folder', async () => {
    const [one] = desks;
    mkdirSync(my(one, 'X'));
    symlinkSync(my(one, 'x/b.txt'), my(one, 'X/link'));
    const { outcome, issues } = await one.sync();
    expect(outcome).toBe('complete with issues');
    expect(issues).toMatchObject([{ what: 'send: name', where: 'My files/X', why: expect.stringMatching(/^another folder/) }]);
  });
});
