// When and how fast files are downloaded: rules, pauses during a transfer, and a full disk.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from '@carrel/desktop/cli/arguments';
import { ruleLines, rulesByWords } from '@carrel/desktop/cli/transfers';
import type { TransferConditions, TransferRules, WaitsFor } from '@carrel/desktop/contract/transfers';
import { changeRules } from '@carrel/desktop/engine/channels/transfers';
import { diskAt } from '@carrel/desktop/engine/disk/disk';
import { readRules, Transfers, usualRules, waitsFor } from '@carrel/desktop/engine/server/transfer_rules';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aFakeCourse, type FakeCourse } from './support/course';
import { FakeServer } from './support/fake_server';
import { Student } from './support/student';

const cases: readonly [
  rules: Partial<TransferRules>,
  around: Partial<TransferConditions>,
  isUrged: boolean,
  expected: WaitsFor | undefined,
][] = [
  [{}, {}, false, undefined],
  [{}, { metered: true }, false, 'metered'],
  [{}, { metered: true }, true, undefined],
  [{ wait_on_metered: false }, { metered: true }, false, undefined],
  [{}, { battery: true }, false, undefined],
  [{ wait_on_battery: true }, { battery: true }, false, 'battery'],
  [{ wait_on_battery: true }, { battery: true }, true, undefined],
  [{ paused: true }, {}, true, 'hand'],
  [{ paused: true }, { metered: true }, false, 'hand'],
];
test.each(cases)('with the rules %o and %o, requested now: %s, files wait for: %s', (rules, around, isUrged, expected) =>
  expect(waitsFor({ ...usualRules, ...rules }, { metered: false, battery: false, ...around }, isUrged)).toBe(expected),
);

test('all transfers together stay within the bandwidth limit, and a change of it applies at once', async () => {
  let time = 0;
  let wakes: { at: number; wake: () => void }[] = [];
  const clock = {
    now: () => new Date(time),
    random: () => 0,
    sleep: (milliseconds: number) => new Promise<void>((wake) => void wakes.push({ at: time + milliseconds, wake })),
  };
  let bandwidth: number | null = 100_000;
  const transfers = new Transfers(clock, () => ({ ...usualRules, bandwidth }));
  const lane = async (chunks: number) => {
    for (let nth = 0; nth < chunks; nth++) await transfers.pass(50_000);
  };
  let isDone = false;
  const all = Promise.all([lane(5), lane(5), lane(10)]).then(() => {
    isDone = true;
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  for (await settle(); !isDone; await settle()) {
    time = Math.min(...wakes.map(({ at }) => at));
    for (const { at, wake } of wakes) if (at <= time) wake();
    wakes = wakes.filter(({ at }) => at > time);
  }
  await all;
  expect(time).toBe(9500);
  bandwidth = null;
  await transfers.pass(1e9);
  expect(time).toBe(9500);
});

test('rules from outside are limited to valid values', () => {
  expect(readRules('{"bandwidth":3,"lanes":99}')).toMatchObject({ bandwidth: 16_000, lanes: 12, wait_on_metered: true });
  expect(readRules('{"bandwidth":"fast","lanes":"many"}')).toMatchObject({ bandwidth: null, lanes: 1 });
  expect(readRules(undefined)).toEqual(usualRules);
});

describe('in a sync', () => {
  let server: FakeServer;
  let course: FakeCourse;
  let student: Student;
  let room: number | undefined;

  beforeEach(async () => {
    server = await new FakeServer().start();
    course = aFakeCourse(server);
    room = undefined;
    student = await Student.at(server, { diskOf: (root) => ({ ...diskAt(root), room: async () => room, size: async () => undefined }) });
  });
  afterEach(async () => {
    await student.leave();
    await server.stop();
  });

  const say = (...words: string[]) => ruleLines(rulesByWords(student.study, readArguments(['transfers', ...words], '/')));
  const staged = () => readdirSync(join(student.folder, '.carrel', 'staging'));

  test('a manual pause makes files wait, and nothing else', async () => {
    course.file('a.txt', 'A');
    course.page('Welcome', '<p>Hello</p>');
    expect(say('pause')[0]).toBe('Transfers are paused. Resume them with: carrel transfers resume');
    student.study.outbox.createNote({ title: 'Buy ink', details: null, todo_date: '2026-11-21T10:00:00Z', course_id: null });
    expect(await student.sync()).toMatchObject({ outcome: 'waiting', downloaded: 0, issues: [] });
    expect(student.study.status()).toMatchObject({
      phase: 'idle',
      waiting: { why: 'hand', files: 1, bytes: 1 },
      last_complete_at: null,
      pending_edits: 0,
    });
    expect(Object.keys(student.tree())).toEqual(['Algebra/Pages/Welcome.html']);
    // If no download is waiting, everything is complete.
    say('resume');
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 1 });
    say('pause', '--parallel', '2', '--bandwidth', '500kB', '--metered', 'go');
    expect(await student.sync()).toMatchObject({ outcome: 'complete' });
    expect(student.study.transfers.rules()).toEqual({
      bandwidth: 500_000,
      lanes: 2,
      paused: true,
      wait_on_metered: false,
      wait_on_battery: false,
    });
  });

  test('a pause during a download keeps the received bytes, and after a restart only the rest is downloaded', async () => {
    const bytes = Buffer.alloc(3_000_000, 'long');
    course.file('long.bin', bytes);
    await student.restart({
      onProgress: ({ bytes_done }) => {
        if (bytes_done > 0) changeRules(student.study, { paused: true });
      },
    });
    expect(await student.sync()).toMatchObject({ outcome: 'waiting', downloaded: 0 });
    expect(student.study.status().waiting).toMatchObject({ why: 'hand', files: 1 });
    expect(staged()).toHaveLength(2);
    await student.restart();
    changeRules(student.study, { paused: false });
    server.count();
    const report = await student.sync();
    expect(report).toMatchObject({ outcome: 'complete', downloaded: 1 });
    expect(report.bytes).toBeLessThan(bytes.length);
    expect(student.read('Algebra', 'long.bin')).toBe(bytes.toString());
  });

  test('on a metered network files wait until it ends, or are downloaded once on request', async () => {
    course.file('a.txt', 'A');
    student.study.transfers.surroundings = { metered: true, battery: false };
    expect(await student.sync()).toMatchObject({ outcome: 'waiting' });
    expect(await student.study.sync({ isUrged: true })).toMatchObject({ outcome: 'complete', downloaded: 1 });
    course.file('b.txt', 'B');
    expect(await student.sync()).toMatchObject({ outcome: 'waiting' });
    student.study.transfers.surroundings = { metered: false, battery: true };
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 1 });
  });

  test('files that fit are downloaded, the others are not started and are reported; steps that need no space are done', async () => {
    const plan = course.file('plan.txt', 'the plan');
    await student.sync();
    course.file('a.bin', Buffer.alloc(2_000_000));
    course.file('b.bin', Buffer.alloc(1_500_000));
    server.change('file', plan, { display_name: 'first.txt' });
    room = 64 * 1024 * 1024 + 3_000_000;
    server.count();
    expect(await student.sync()).toMatchObject({
      outcome: 'complete with issues',
      downloaded: 1,
      issues: [
        {
          what: 'no room',
          why: 'there is not enough space: 1 file needs 2.0 MB, 68.6 MB are free, and 67.1 MB must stay free. Files that fit were downloaded.',
        },
      ],
    });
    expect(server.count().downloads).toBe(1);
    expect(student.study.status().no_room).toEqual({ files: 1, needs: 2_000_000, free: room - 1_500_000, reserve: 64 * 1024 * 1024 });
    expect(Object.keys(student.tree())).toEqual(['Algebra/b.bin', 'Algebra/first.txt']);
    room += 1_000_000;
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 1 });
    expect(student.study.status().no_room).toBeNull();
  });

  test('space that runs out stops the sync before the next large file, and leaves no partial file in the course', async () => {
    course.file('a.bin', Buffer.alloc(1_100_000));
    course.file('b.bin', Buffer.alloc(1_200_000));
    room = 1e9;
    server.onAsked = ({ path }) => {
      if (path.startsWith('/files/')) room = 1000;
    };
    changeRules(student.study, { lanes: 1 });
    expect(await student.sync()).toMatchObject({ downloaded: 1, issues: [{ what: 'no room' }] });
    expect(Object.keys(student.tree())).toEqual(['Algebra/a.bin']);
  });

  test('unknown arguments are refused', () => {
    for (const words of [['stop'], ['--parallel', '0'], ['--bandwidth', 'fast'], ['--metered', 'maybe']])
      expect(() => say(...words)).toThrow();
  });
});
