// The recovery store alone: whatever the planner decides, what a sync overwrites or removes on the desk can be restored.

import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { restore } from '@carrel/desktop/engine/channels/recovered';
import { expired, type RecoverableFile, Recovery } from '@carrel/desktop/engine/disk/recovery';
import { recoveryOf } from '@carrel/desktop/engine/disk/safety_net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aFakeCourse, type FakeCourse, setContent } from './support/course';
import { FakeServer } from './support/fake_server';
import { runCarrel } from './support/program';
import { Student } from './support/student';
import { takesFiles } from './support/takes_files';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

let server: FakeServer;
let course: FakeCourse;
let student: Student;
let shelf: ReturnType<typeof takesFiles>;

beforeEach(async () => {
  server = await new FakeServer().start();
  course = aFakeCourse(server);
  shelf = takesFiles(server);
  student = await Student.at(server);
});
afterEach(async () => {
  await student.leave();
  await server.stop();
});

const mine = (name: string) => join(student.folder, 'My files', name);
const kept = () => {
  const recovery = recoveryOf(student.study.user);
  return recovery.all().map((one) => readFileSync(recovery.fileOf(one), 'utf8'));
};

/** As a faulty planner or a reused id would have it: the local state is recorded as agreed by both sides. */
function agreeOnWhatIsHere(): void {
  const { user } = student.study;
  user.note(
    [...user.rows()].map(([put, row]) => {
      const hash = hashOf(readFileSync(join(student.folder, row.path), 'utf8'));
      return { put, agreed: { wanted: row.wanted, path: row.path, hash }, seen: { ...row.seen, hash } };
    }),
  );
}

test('two devices edit one file, and the planner considers the other version newer: the lost version is kept', async () => {
  const id = shelf.file('essay.txt', 'first');
  await student.sync();
  writeFileSync(mine('essay.txt'), 'second, by this device');
  agreeOnWhatIsHere();
  setContent(server, id, 'third, by another device');
  await student.sync();
  expect(readFileSync(mine('essay.txt'), 'utf8')).toBe('third, by another device');
  expect(kept()).toEqual(['second, by this device']);
  expect(student.study.status().recovered).toEqual({ files: 1, bytes: 22 });
  // Next to the current file.
  const { file } = await restore(student.study.user, 'essay.txt');
  expect(file).toBe(mine('essay (recovered).txt'));
  expect(readFileSync(file, 'utf8')).toBe('second, by this device');
});

test('a restored server uses the ids of own files for others: everything that they replace is kept', async () => {
  const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt'];
  const ids = names.map((name) => shelf.file(name, `own ${name}`));
  await student.sync();
  for (const [nth, id] of ids.entries()) {
    const other = `other ${nth}.txt`;
    server.put('file', id, { ...server.get('file', id), display_name: other, filename: other });
    setContent(server, id, `the restored server's file ${nth}`);
  }
  await student.sync({ isConfirmed: true });
  const left = names.filter((name) => !kept().includes(`own ${name}`));
  expect(left, 'lost').toEqual([]);
});

test('what the server still has is removed without a copy, and what it no longer has is kept', async () => {
  const [held, lost] = [course.file('held.txt', 'held'), course.file('lost.txt', 'lost')];
  course.file('the same bytes.txt', 'held');
  await student.sync();
  const { cache, user } = student.study;
  // Agreed, and no longer on the server under any name.
  cache.put('file', lost, { ...cache.get<Record<string, unknown>>('file', lost), sha256: hashOf('another') }, course.id);
  for (const id of [held, lost]) user.want(`file:${id}`, false);
  await student.sync();
  expect(student.tree()).toEqual({ 'Algebra/the same bytes.txt': 'held' });
  expect(kept()).toEqual(['lost']);
});

test('pages that are generated again leave no copies', async () => {
  const page = course.page('Notice', '<p>First</p>');
  await student.sync();
  server.put('page', page, { ...server.get('page', page), body: '<p>Second</p>', updated_at: '2026-11-02T10:00:00Z' }, course.id);
  await student.sync();
  expect(kept()).toEqual([]);
});

test('the command line lists what is kept, counts it in the status, and restores it', async () => {
  const id = course.file('slides.txt', 'v1');
  await student.sync();
  setContent(server, id, 'v2');
  await student.sync();
  const { store } = student;
  const path = 'Test University/Algebra/slides.txt';
  const listed = await runCarrel(['recovered', '--json'], { store });
  expect(listed.json).toMatchObject({ recovered: [{ number: 1, path, size: 2, why: 'replaced', sha256: hashOf('v1') }] });
  expect((await runCarrel(['status', '--json'], { store })).json).toMatchObject({ recovered: { files: 1, bytes: 2 } });
  expect((await runCarrel(['status'], { store })).out).toContain('carrel recovered');
  const to = join(student.home, 'there.txt');
  const restored = await runCarrel(['restore', 'slides.txt', '--to', to, '--json'], { store });
  expect(restored, restored.err).toMatchObject({ status: 0, json: { outcome: 'restored', file: to } });
  expect(readFileSync(to, 'utf8')).toBe('v1');
  const again = await runCarrel(['restore', '1', '--to', to], { store });
  expect(again).toMatchObject({ status: 1, err: expect.stringContaining('There is already a file') });
  expect((await runCarrel(['restore', '7'], { store })).err).toContain('No recovered file is called 7');
});

const aDay = 24 * 3_600_000;
const now = new Date('2026-11-22T12:00:00Z');
const one = (number: number, path: string, age: number, size = 10): RecoverableFile => ({
  number,
  path,
  at: new Date(now.getTime() - age * aDay).toISOString(),
  size,
  why: 'replaced',
});

test('files older than 30 days are removed, then the oldest beyond the size limit, but never the last copy of the day', () => {
  const all = [one(1, 'a', 31), one(2, 'b', 20), one(3, 'c', 10), one(4, 'a', 0.5), one(5, 'a', 0.1)];
  const numbers = (limit: number) => expired(all, now, limit).map(({ number }) => number);
  expect(numbers(1000)).toEqual([1]);
  expect(numbers(30)).toEqual([1, 2]);
  expect(numbers(0)).toEqual([1, 2, 3, 4]);
});

test('an index that was cut off in the middle of a line keeps the lines before and after it', async () => {
  const folder = join(student.home, 'recovered');
  const there = join(student.home, 'x.txt');
  mkdirSync(folder);
  const keep = async (text: string) => {
    writeFileSync(there, text);
    await new Recovery(folder).take(there, 'x.txt').settle(() => false);
  };
  await keep('one');
  appendFileSync(join(folder, 'index.jsonl'), '{"number":9,"pa');
  await keep('two');
  expect(new Recovery(folder).all().map(({ number, size, sha256 }) => [number, size, sha256])).toEqual([
    [2, 3, hashOf('two')],
    [1, 3, hashOf('one')],
  ]);
});
