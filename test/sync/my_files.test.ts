// Own files, synced in both directions: what is uploaded, what is downloaded, and that nothing is lost between two devices.

import { mkdirSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fold, type Trees } from '@carrel/desktop/engine/model/trees';
import { type PushStep, pushPlan } from '@carrel/desktop/engine/planner/push_plan';
import { pushRules } from '@carrel/desktop/engine/sync/uploads/push_up';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { colons } from '../support/systems';
import { setContent } from './support/course';
import { FakeServer } from './support/fake_server';
import { filesBelow, Student } from './support/student';
import { takesFiles } from './support/takes_files';

const at = 'My files/a.txt';
const moved = 'My files/week 1/b.txt';
type Sides = {
  base?: string;
  here?: string | 'unseen';
  hereAt?: string;
  there?: string;
  thereAt?: string;
  unwanted?: true;
  strangers?: string[];
};

const treesOf = ({ base, here, hereAt = at, there, thereAt = at, unwanted, strangers = [] }: Sides): Trees => ({
  remote: new Map(there ? [['file:1', { path: thereAt, hash: there, size: 1, available: true, generated: false }]] : []),
  withdrawn: new Set(),
  base: new Map(base ? [['file:1', { wanted: at, path: at, hash: base }]] : []),
  local: new Map<string, 'unseen' | { path: string; hash: string }>(
    here === 'unseen' ? [['file:1', here]] : here ? [['file:1', { path: hereAt, hash: here }]] : [],
  ),
  strangers: new Map(strangers.map((path) => [fold(path), { path, hash: '' }])),
  unwanted: new Set(unwanted ? ['file:1'] : []),
});

const tell = (step: PushStep): string =>
  step.do === 'refuse'
    ? `refuse ${step.path}: ${step.why}`
    : step.do === 'rename'
      ? `rename ${step.from} to ${step.to}`
      : `${step.do} ${step.path}`;

const cases: readonly [says: string, sides: Sides, expected: string[]][] = [
  ['an unchanged file stays', { base: '1', here: '1', there: '1' }, []],
  ['changed on the desk, it is uploaded', { base: '1', here: 'mine', there: '1' }, [`replace ${at}`]],
  ['changed on both sides, it is left to the download', { base: '1', here: 'mine', there: '2' }, []],
  ['moved on the desk, it is moved on the server', { base: '1', here: '1', hereAt: moved, there: '1' }, [`rename ${at} to ${moved}`]],
  ['moved and changed on the desk: the bytes first', { base: '1', here: 'mine', hereAt: moved, there: '1' }, [`replace ${moved}`]],
  ['moved out of “My files”, it stays on the server', { base: '1', here: '1', hereAt: 'Uni/Algebra/a.txt', there: '1' }, []],
  ['deleted on the desk, it is deleted on the server', { base: '1', there: '1' }, [`delete ${at}`]],
  ['deleted on the desk, changed on the server: it is restored', { base: '1', there: '2' }, []],
  ['a file that could not be checked is not deleted', { base: '1', here: 'unseen', there: '1' }, []],
  ['a file that is not wanted on this computer is not deleted', { base: '1', there: '1', unwanted: true }, []],
  ['a file that was never here is not deleted', { there: '1' }, []],
  ['deleted on the server, nothing is uploaded', { base: '1', here: '1' }, []],
  ['a file that is only on the desk is uploaded', { strangers: [moved] }, [`add ${moved}`]],
  ['files of courses are not uploaded', { strangers: ['Uni/Algebra/notes.txt', 'My files.txt'] }, []],
  [
    'temporary and system files are not uploaded',
    { strangers: ['My files/.DS_Store', 'My files/~$a.docx', 'My files/x.part', 'My files/.git/config'] },
    [],
  ],
  ['copies of files that were deleted elsewhere are not uploaded', { strangers: ['My files/Deleted elsewhere/a.txt'] }, []],
  ['a name that some systems refuse is not uploaded', { strangers: ['My files/a:b.txt'] }, ['refuse My files/a:b.txt: name']],
  ['a decomposed name equals the composed one', { strangers: ['My files/cafe\u0301.txt'] }, ['add My files/cafe\u0301.txt']],
  [
    'a path that is taken on the server is not used twice',
    { there: '1', unwanted: true, strangers: ['My files/A.txt'] },
    ['refuse My files/A.txt: twin'],
  ],
];

test.each(cases)('%s', (_says, sides, expected) =>
  expect(pushPlan(treesOf(sides), { home: 'My files', keys: new Set(['file:1']) }, pushRules).map(tell)).toEqual(expected),
);

test('a file waits for a name whose file could not be checked', () => {
  const [one, two] = ['My files/a.txt', 'My files/x/b.txt'];
  const sides = (held: 'unseen' | undefined): Trees => ({
    ...treesOf({}),
    remote: new Map([one, two].map((path, at) => [`file:${at}`, { path, hash: `${at}`, size: 1, available: true, generated: false }])),
    base: new Map([one, two].map((path, at) => [`file:${at}`, { wanted: path, path, hash: `${at}` }])),
    local: new Map<string, 'unseen' | { path: string; hash: string }>([
      ...(held ? [['file:0', held] as const] : []),
      ['file:1', { path: one, hash: '1' }],
    ]),
  });
  const planned = (held: 'unseen' | undefined) =>
    pushPlan(sides(held), { home: 'My files', keys: new Set(['file:0', 'file:1']) }, pushRules).map(tell);
  expect(planned(undefined)).toEqual([`delete ${one}`, `rename ${two} to ${one}`]);
  expect(planned('unseen')).toEqual([]);
});

describe('in the folder', () => {
  let server: FakeServer;
  let mine: ReturnType<typeof takesFiles>;
  let student: Student;

  beforeEach(async () => {
    server = await new FakeServer().start();
    mine = takesFiles(server);
    student = await Student.at(server);
    await student.sync();
  });
  afterEach(async () => {
    await student.leave();
    await server.stop();
  });

  const my = (...names: string[]) => join(student.folder, 'My files', ...names);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(my(path)), { recursive: true });
    writeFileSync(my(path), text);
  };
  const here = () => Object.fromEntries(filesBelow(my()).map((path) => [path.slice(my().length + 1), readFileSync(path, 'utf8')]));
  const rests = async () => {
    const before = server.asked.length;
    expect(await student.sync()).toMatchObject({ outcome: 'complete', requests: 1, downloaded: 0 });
    expect(server.asked.length).toBe(before + 1);
  };

  test('new files are uploaded into their folders, each once, and nothing is downloaded again', async () => {
    write('essay.txt', 'my essay');
    write('drafts/one/first.txt', 'first');
    write('drafts/one/second.txt', 'second');
    write('.DS_Store', 'junk');
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 0 });
    const all = { 'drafts/one/first.txt': 'first', 'drafts/one/second.txt': 'second', 'essay.txt': 'my essay' };
    expect(mine.tree()).toEqual(all);
    expect(mine.folders().sort()).toEqual(['drafts', 'my files', 'one']);
    await rests();
    await student.restart();
    await rests();
  });

  test('edits, renames, moves and deletions are sent; a deleted folder is removed with its last file', async () => {
    for (const name of ['a', 'b', 'c', 'd']) mine.file(`${name}.txt`, name.toUpperCase(), name === 'd' ? mine.folder('old') : undefined);
    expect(await student.sync()).toMatchObject({ downloaded: 4 });
    write('a.txt', 'A, edited');
    renameSync(my('b.txt'), my('renamed.txt'));
    unlinkSync(my('c.txt'));
    mkdirSync(my('new'));
    renameSync(my('old', 'd.txt'), my('new', 'd.txt'));
    rmSync(my('old'), { recursive: true });
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 0 });
    const all = { 'a.txt': 'A, edited', 'new/d.txt': 'D', 'renamed.txt': 'B' };
    expect(mine.tree()).toEqual(all);
    expect(here()).toEqual(all);
    expect(mine.folders().sort()).toEqual(['my files', 'new']);
    await rests();
  });

  test('an edited and renamed file is sent as both', async () => {
    mine.file('a.txt', 'A');
    await student.sync();
    write('a.txt', 'A, edited');
    renameSync(my('a.txt'), my('b.txt'));
    expect(await student.sync()).toMatchObject({ outcome: 'complete' });
    expect(mine.tree()).toEqual({ 'b.txt': 'A, edited' });
    await rests();
  });

  test('a file that two devices changed is kept twice, under visible names, on both', async () => {
    const id = mine.file('a.txt', 'A');
    await student.sync();
    write('a.txt', 'A of this device');
    setContent(server, id, 'A of the other');
    expect(await student.sync()).toMatchObject({ outcome: 'complete' });
    expect(Object.values(mine.tree()).sort()).toEqual(['A of the other', 'A of this device'].sort());
    expect(mine.tree()).toEqual(here());
    expect(Object.keys(here()).some((name) => /^a \(your copy \d{4}-\d\d-\d\d\)\.txt$/.test(name))).toBe(true);
    await rests();
  });

  test('what another device changes between the check and the upload is not overwritten', async () => {
    const id = mine.file('a.txt', 'A');
    await student.sync();
    write('a.txt', 'A of this device');
    let isOnce = true;
    server.onAsked = ({ method, path }) => {
      if (!isOnce || method !== 'GET' || path !== `/api/v1/files/${id}`) return;
      isOnce = false;
      setContent(server, id, 'A of the other');
    };
    await student.sync();
    expect(mine.tree()['a.txt']).toBe('A of the other');
    expect(Object.values(mine.tree()).sort()).toEqual(['A of the other', 'A of this device'].sort());
  });

  test('what another device deletes goes to “Deleted elsewhere”; what was edited here is uploaded again under its name', async () => {
    const id = mine.file('a.txt', 'A');
    const edited = mine.file('b.txt', 'B', mine.folder('drafts'));
    await student.sync();
    write('drafts/b.txt', 'B, edited');
    server.remove('file', id);
    server.remove('file', edited);
    expect(await student.sync()).toMatchObject({ outcome: 'complete' });
    expect(here()).toEqual({ 'Deleted elsewhere/a.txt': 'A', 'drafts/b.txt': 'B, edited' });
    expect(mine.tree()).toEqual({ 'drafts/b.txt': 'B, edited' });
    await rests();
  });

  test('files go to the system’s trash if there is one, unchanged; those that it refuses go to the folder', async () => {
    const old = mine.folder('old');
    const ids = ['a', 'b', 'c'].map((name) => mine.file(`${name}.txt`, name, old));
    const thrown: string[] = [];
    const trash = async (path: string) => {
      if (path.endsWith('c.txt')) throw new Error('this disk has none');
      thrown.push(path);
      unlinkSync(path);
    };
    await student.restart({ trash });
    await student.sync();
    write('old/b.txt', 'b, edited');
    for (const id of ids) server.remove('file', id);
    expect(await student.sync()).toMatchObject({ outcome: 'complete' });
    expect(thrown).toEqual([my('old', 'a.txt')]);
    expect(here()).toEqual({ 'Deleted elsewhere/old/c.txt': 'c', 'old/b.txt': 'b, edited' });
    await rests();
  });

  test('a lost response creates no second file', async () => {
    write('essay.txt', 'my essay');
    server.fault = ({ path }) => (path === '/bytes' ? 'unanswered' : undefined);
    await student.sync();
    server.fault = () => undefined;
    await student.restart();
    await student.sync();
    expect(mine.tree()).toEqual({ 'essay.txt': 'my essay' });
    await rests();
  });

  test('a missing folder does not delete everything: the sync waits for confirmation', async () => {
    for (const name of ['a', 'b', 'c']) mine.file(`${name}.txt`, name);
    await student.sync();
    rmSync(my(), { recursive: true });
    write('new.txt', 'new');
    expect(await student.sync()).toMatchObject({ outcome: 'paused', issues: [{ what: 'many changes' }] });
    expect(student.study.status().held_back).toMatchObject({ deleted: 3, of: 4 });
    // Uploads are sent anyway.
    expect(Object.keys(mine.tree())).toHaveLength(4);
    expect(await student.sync({ isConfirmed: true })).toMatchObject({ outcome: 'complete' });
    expect(mine.tree()).toEqual({ 'new.txt': 'new' });
  });

  test('one file that the server refuses is reported, and does not stop the others', async (context) => {
    colons(context);
    write('a.txt', 'A');
    write('b:c.txt', 'B');
    write('d.txt', 'D');
    server.fault = ({ method, path }) =>
      method === 'POST' && path.endsWith('/files') && mine.tree()['a.txt']
        ? { status: 400, body: '{"message":"file size exceeds quota"}' }
        : undefined;
    const report = await student.sync();
    expect(report.outcome).toBe('complete with issues');
    expect(report.issues.map(({ what, why }) => `${what} (${why})`)).toEqual(
      expect.arrayContaining(['send: add (file size exceeds quota)', expect.stringMatching(/^send: name \(its name does not work/)]),
    );
    expect(mine.tree()).toEqual({ 'a.txt': 'A' });
    server.fault = () => undefined;
    await student.sync();
    expect(mine.tree()).toEqual({ 'a.txt': 'A', 'd.txt': 'D' });
  });

  test('what is deselected on this computer is neither uploaded nor deleted', async () => {
    const drafts = mine.folder('drafts');
    mine.file('a.txt', 'A', drafts);
    await student.sync();
    student.study.user.set('choices', JSON.stringify({ marks: { [`folder:${drafts}`]: false } }));
    expect(await student.sync()).toMatchObject({ outcome: 'complete' });
    write('drafts/b.txt', 'B');
    write('c.txt', 'C');
    expect(await student.sync()).toMatchObject({ outcome: 'complete', issues: [] });
    expect(mine.tree()).toEqual({ 'drafts/a.txt': 'A', 'c.txt': 'C' });
    expect(here()).toEqual({ 'drafts/b.txt': 'B', 'c.txt': 'C' });
    student.study.user.set('choices', JSON.stringify({ marks: { 'mine:1': false } }));
    write('d.txt', 'D');
    await student.sync();
    expect(here()).toEqual({ 'd.txt': 'D', 'drafts/b.txt': 'B' });
    expect(Object.keys(mine.tree()).sort()).toEqual(['c.txt', 'drafts/a.txt']);
  });

  test('submitted files are not among them, and a pause stops uploads, too', async () => {
    const shut = mine.folder('Submissions');
    server.change('folder', shut, { for_submissions: true });
    mine.file('handed in.txt', 'H', shut);
    student.study.user.set('transfers', JSON.stringify({ paused: true }));
    write('a.txt', 'A');
    expect(await student.sync()).toMatchObject({ outcome: 'waiting', downloaded: 0 });
    expect(student.study.status().waiting).toEqual({ why: 'hand', files: 1, bytes: 1 });
    student.study.user.set('transfers', undefined);
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 0 });
    expect(here()).toEqual({ 'a.txt': 'A' });
  });
});
