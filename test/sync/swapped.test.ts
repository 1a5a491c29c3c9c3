// A folder of the study folder is swapped for a link to elsewhere, and back, again and again while syncs write, replace, move and remove
// files in it. Nothing is ever written, renamed or removed where the link leads.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aCourse, type Course, upload } from './support/course';
import { FakeServer } from './support/fake_server';
import { randomFrom } from './support/random';
import { Student } from './support/student';

let server: FakeServer;
let course: Course;
let student: Student;

beforeEach(async () => {
  server = await new FakeServer().start();
  course = aCourse(server);
  student = await Student.at(server);
});
afterEach(async () => {
  await student.leave();
  await server.stop();
});

/** Swaps `folder` for a link until it is stopped. Sometimes the folder itself goes to where the link leads. */
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

test('a link that takes the place of a folder at any moment leads no write outside', { timeout: 60_000 }, async () => {
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
  const worker = new Worker(swapping, { eval: true, workerData: { folder, outside, aside: student.path('Algebra', 'aside'), control } });
  const ended = new Promise((resolve, reject) => worker.once('exit', resolve).once('error', reject));
  for (let nth = 0; Atomics.load(state, 1) < 400 || nth < 40; nth++) {
    for (let many = 0; many < 4; many++) {
      const id = random.pick(ids);
      if (random.chance(0.7)) upload(server, id, `${nth} ${many}`);
      else server.change('file', id, { display_name: `${random.below(12)}.txt` });
    }
    const report = await student.study.sync({ isConfirmed: true });
    expect(report.outcome).toMatch(/complete|failed|paused/);
  }
  Atomics.store(state, 0, 1);
  await ended;
  const there = readdirSync(outside, { withFileTypes: true }).filter((entry) => entry.isFile());
  expect(there.map(({ name }) => name).sort()).toEqual(ids.map((_, nth) => `${nth}.txt`).sort());
  expect(new Set(there.map(({ name }) => readFileSync(join(outside, name), 'utf8')))).toEqual(new Set(['outside']));
  // When it is over, everything is as on the server.
  expect(Atomics.load(state, 1), 'swaps').toBeGreaterThan(300);
});
