// Syncs on a real disk: what a student finds in the folder, and what a sync costs.

import { existsSync, mkdirSync, renameSync, rmSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aFakeCourse, type FakeCourse, setContent } from './support/course';
import { FakeServer } from './support/fake_server';
import { filesBelow, Student } from './support/student';

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

describe('the first sync', () => {
  test('downloads every course as plain files in plain folders', async () => {
    const week = course.folder('Week 1');
    course.file('plan.txt', 'the plan');
    course.file('notes.txt', 'first week', week);
    course.file('deep.txt', 'deep', course.folder('more', week));
    const report = await student.sync();
    expect(report).toMatchObject({ outcome: 'complete', downloaded: 3, requests: 4, issues: [] });
    expect(report.bytes).toBe('the planfirst weekdeep'.length);
    expect(student.tree()).toEqual({
      'Algebra/plan.txt': 'the plan',
      'Algebra/Week 1/notes.txt': 'first week',
      'Algebra/Week 1/more/deep.txt': 'deep',
    });
  });

  test('gives files the date that they have on the server', async () => {
    const id = course.file('plan.txt', 'the plan');
    await student.sync();
    expect(statSync(student.path('Algebra', 'plan.txt')).mtime.toISOString()).toBe(server.get('file', id).modified_at);
  });

  test('adopts files that are already there instead of downloading them', async () => {
    course.file('plan.txt', 'the plan');
    mkdirSync(student.path('Algebra'), { recursive: true });
    writeFileSync(student.path('Algebra', 'plan.txt'), 'the plan');
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 0 });
  });

  test('leaves out locked files, and downloads them when they are unlocked', async () => {
    const id = course.file('exam.txt', 'questions');
    server.change('file', id, { url: '', locked_for_user: true });
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 0 });
    setContent(server, id, 'questions');
    server.change('file', id, { locked_for_user: false });
    expect(await student.sync()).toMatchObject({ downloaded: 1 });
  });

  test('copies equal bytes instead of downloading them twice', async () => {
    course.file('a.txt', 'the same');
    await student.sync();
    course.file('b.txt', 'the same');
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 0, requests: 1 });
    expect(student.tree()).toEqual({ 'Algebra/a.txt': 'the same', 'Algebra/b.txt': 'the same' });
  });
});

describe('a sync with nothing to do', () => {
  test('is one request and changes no file', async () => {
    for (let nth = 0; nth < 30; nth++) course.file(`${nth}.txt`, `file ${nth}`);
    course.page('Welcome', '<p>Hello</p>');
    await student.sync();
    const before = student.stamps();
    server.count();
    expect(await student.sync()).toMatchObject({ outcome: 'complete', requests: 1, downloaded: 0, unchanged: 31 });
    await student.restart();
    expect(await student.sync()).toMatchObject({ outcome: 'complete', requests: 1, downloaded: 0 });
    expect(server.count().all).toBe(2);
    expect(student.stamps()).toEqual(before);
  });

  test('does not grow the databases', async () => {
    for (let nth = 0; nth < 30; nth++) course.file(`${nth}.txt`, `file ${nth}`);
    await student.sync();
    await student.restart();
    const size = () => filesBelow(student.store).map((path) => [path, path.endsWith('-shm') ? 0 : statSync(path).size]);
    await student.sync();
    const before = size();
    for (let nth = 0; nth < 5; nth++) await student.sync();
    // Only the time of the last complete sync is written.
    const grown = size().map(([path, bytes], at) => [path, Number(bytes) - Number(before[at]?.[1])]);
    expect(grown.reduce((sum, [, bytes]) => sum + Number(bytes), 0)).toBeLessThan(100_000);
  });
});

describe('what the server changes', () => {
  test('one file among 2,000 costs at most 3 requests', { timeout: 60_000 }, async () => {
    const ids = Array.from({ length: 2000 }, (_, nth) => course.file(`${nth}.txt`, `file ${nth}`));
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 2000 });
    server.count();
    setContent(server, ids[1234] ?? 0, 'another text');
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 1, unchanged: 1999 });
    expect(server.count().all).toBeLessThanOrEqual(3);
    expect(student.read('Algebra', '1234.txt')).toBe('another text');
  });

  test('a rename, a move and a renamed folder are applied without a download', async () => {
    const week = course.folder('Week 1');
    const a = course.file('a.txt', 'A');
    course.file('b.txt', 'B', week);
    await student.sync();
    server.change('file', a, { display_name: 'first.txt', folder_id: week });
    server.change('folder', week, { name: 'Week one' });
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 0, requests: 1 });
    expect(student.tree()).toEqual({ 'Algebra/Week one/first.txt': 'A', 'Algebra/Week one/b.txt': 'B' });
    expect(existsSync(student.path('Algebra', 'Week 1'))).toBe(false);
  });

  test('two files whose names are swapped are swapped', async () => {
    const a = course.file('a.txt', 'A');
    const b = course.file('b.txt', 'B');
    await student.sync();
    server.change('file', a, { display_name: 'b.txt' });
    server.change('file', b, { display_name: 'a.txt' });
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 0 });
    expect(student.tree()).toEqual({ 'Algebra/a.txt': 'B', 'Algebra/b.txt': 'A' });
    expect(existsSync(join(student.folder, '.carrel', 'parked'))).toBe(false);
  });

  test('a change of letter case only is a rename', async () => {
    const id = course.file('notes.txt', 'A');
    await student.sync();
    server.change('file', id, { display_name: 'Notes.txt' });
    await student.sync();
    expect(student.tree()).toEqual({ 'Algebra/Notes.txt': 'A' });
  });

  test('a removed file goes to "Removed by teacher"', async () => {
    const id = course.file('old.txt', 'old', course.folder('Week 1'));
    await student.sync();
    server.remove('file', id);
    expect(await student.sync()).toMatchObject({ outcome: 'complete', issues: [] });
    expect(student.tree()).toEqual({ 'Algebra/Removed by teacher/Week 1/old.txt': 'old' });
  });

  test('the files of a lost course are kept with the removed ones', async () => {
    course.file('old.txt', 'old');
    course.page('Welcome', '<p>Hello</p>');
    await student.sync();
    server.remove('course', course.id);
    await student.sync();
    expect(Object.keys(student.tree())).toEqual(['Algebra/Removed by teacher/Pages/Welcome.html', 'Algebra/Removed by teacher/old.txt']);
  });

  test('a new upload that replaces a file takes its path, though it has another id', async () => {
    const id = course.file('slides.txt', 'v1');
    await student.sync();
    server.remove('file', id);
    course.file('slides.txt', 'v2');
    await student.sync();
    expect(student.tree()).toEqual({ 'Algebra/slides.txt': 'v2' });
  });

  test('many removals at once need confirmation', async () => {
    const ids = Array.from({ length: 80 }, (_, nth) => course.file(`${nth}.txt`, `${nth}`));
    await student.sync();
    for (const id of ids) server.remove('file', id);
    expect(await student.sync()).toMatchObject({ outcome: 'paused' });
    expect(student.study.status()).toMatchObject({ phase: 'paused', held_back: { withdrawn: 80, replaced: 0, missing: 0, of: 80 } });
    expect(Object.keys(student.tree())).toHaveLength(80);
    expect(existsSync(student.path('Algebra', 'Removed by teacher'))).toBe(false);
    expect(await student.sync({ isConfirmed: true })).toMatchObject({ outcome: 'complete' });
    expect(existsSync(student.path('Algebra', 'Removed by teacher', '7.txt'))).toBe(true);
    expect(student.study.status().held_back).toBeNull();
  });

  test('a server that starts over deletes nothing on the desk', async () => {
    const kept = course.file('kept.txt', 'kept');
    course.file('also.txt', 'also');
    await student.sync();
    server.remove('file', kept);
    server.forgetHistory();
    server.count();
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 0 });
    expect(Object.keys(student.tree())).toEqual(['Algebra/also.txt', 'Algebra/kept.txt']);
    expect(server.count().all).toBe(2);
  });
});

describe('what the user does in the folder', () => {
  const edit = (name: string, text: string) => writeFileSync(student.path('Algebra', name), text);

  test('an edit stays', async () => {
    course.file('essay.txt', 'draft');
    await student.sync();
    edit('essay.txt', 'my words');
    expect(await student.sync()).toMatchObject({ outcome: 'complete', requests: 1 });
    expect(student.tree()).toEqual({ 'Algebra/essay.txt': 'my words' });
  });

  test('an edit is kept next to the server’s new version', async () => {
    const id = course.file('essay.txt', 'draft');
    await student.sync();
    edit('essay.txt', 'my words');
    setContent(server, id, 'second draft');
    await student.sync();
    const copy = Object.keys(student.tree()).find((path) => path.includes('your copy')) ?? '';
    expect(copy).toMatch(/^Algebra\/essay \(your copy \d{4}-\d\d-\d\d\)\.txt$/);
    expect(student.tree()).toEqual({ 'Algebra/essay.txt': 'second draft', [copy]: 'my words' });
  });

  test('a deleted file is not downloaded again until the user asks for it', async () => {
    const id = course.file('big.txt', 'big');
    await student.sync();
    unlinkSync(student.path('Algebra', 'big.txt'));
    expect(await student.sync()).toMatchObject({ outcome: 'complete', requests: 1 });
    setContent(server, id, 'bigger');
    expect(await student.sync()).toMatchObject({ downloaded: 0 });
    student.study.user.want(`file:${id}`, true);
    expect(await student.sync()).toMatchObject({ downloaded: 1 });
    expect(student.tree()).toEqual({ 'Algebra/big.txt': 'bigger' });
  });

  test('a deselected file is removed, unless it was edited', async () => {
    const a = course.file('a.txt', 'A');
    const b = course.file('b.txt', 'B');
    await student.sync();
    edit('b.txt', 'my B');
    student.study.user.want(`file:${a}`, false);
    student.study.user.want(`file:${b}`, false);
    await student.sync();
    expect(student.tree()).toEqual({ 'Algebra/b.txt': 'my B' });
  });

  test('a moved file stays where the user moved it, and is updated there', async () => {
    const id = course.file('a.txt', 'A');
    await student.sync();
    mkdirSync(student.path('Algebra', 'mine'));
    renameSync(student.path('Algebra', 'a.txt'), student.path('Algebra', 'mine', 'a.txt'));
    await student.sync();
    setContent(server, id, 'A2');
    await student.sync();
    expect(student.tree()).toEqual({ 'Algebra/mine/a.txt': 'A2' });
  });

  test('a user’s file at the path of a new one is moved aside', async () => {
    mkdirSync(student.path('Algebra'), { recursive: true });
    edit('plan.txt', 'mine');
    course.file('plan.txt', 'the plan');
    await student.sync();
    expect(Object.values(student.tree()).sort()).toEqual(['mine', 'the plan']);
    expect(student.read('Algebra', 'plan.txt')).toBe('the plan');
  });

  test('a missing study folder pauses everything', async () => {
    course.file('a.txt', 'A');
    await student.sync();
    rmSync(student.folder, { recursive: true });
    expect(await student.sync()).toMatchObject({ outcome: 'paused' });
    expect(student.study.status().held_back).toBeNull();
    mkdirSync(student.folder);
    expect(await student.sync()).toMatchObject({ outcome: 'paused' });
    expect(student.study.user.rows().size).toBe(1);
  });
});

test('missing and damaged files are downloaded again; the damaged ones are kept', async () => {
  for (const name of ['damaged.txt', 'missing.txt', 'fine.txt']) course.file(name, 'as sent');
  await student.sync();
  const path = student.path('Algebra', 'damaged.txt');
  const { atime, mtime } = statSync(path);
  writeFileSync(path, 'rotten!');
  utimesSync(path, atime, mtime);
  unlinkSync(student.path('Algebra', 'missing.txt'));
  const { issues } = await student.study.verify();
  expect(issues.map(({ what, where }) => `${what} ${where.split('/').at(-1)}`).sort()).toEqual([
    'damaged damaged.txt',
    'missing missing.txt',
  ]);
  expect(await student.study.repair(issues.map(({ key }) => key))).toMatchObject({ outcome: 'complete' });
  expect(await student.study.verify()).toMatchObject({ checked: 3, edited: [], issues: [] });
  expect(Object.values(student.tree()).sort()).toEqual(['as sent', 'as sent', 'as sent', 'rotten!']);
});
