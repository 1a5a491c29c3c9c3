// Server problems: no wrong data is ever stored, one bad item does not stop the others, and the outcome reports it.

import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskAt } from '@carrel/desktop/engine/disk/disk';
import type { Disk } from '@carrel/desktop/engine/model/ports';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aFakeCourse, type FakeCourse, setContent } from './support/course';
import { type FakeRequest, FakeServer, type ServerFault } from './support/fake_server';
import { randomFrom } from './support/random';
import { filesBelow, hurriedClock, Student } from './support/student';
import { takesFiles } from './support/takes_files';

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

const isDownload = ({ path }: FakeRequest, id?: number) => path.startsWith(id === undefined ? '/files/' : `/files/${id}/`);
/** The fault, for the first `times` requests. */
const first = (times: number, fault: ServerFault, on: (asked: FakeRequest) => boolean = isDownload) => {
  let left = times;
  return (asked: FakeRequest) => (on(asked) && left-- > 0 ? fault : undefined);
};
const parts = () => filesBelow(student.folder).filter((path) => path.endsWith('.part'));
const throttle: ServerFault = { status: 403, headers: { 'content-type': 'text/plain' }, body: '403 Forbidden (Rate Limit Exceeded)\n' };
const big = Buffer.alloc(2_000_000, 'carrel ');

describe('temporary problems', () => {
  const passing: [string, ServerFault][] = [
    ['a 500', { status: 500 }],
    ['a 503 with Retry-After', { status: 503, headers: { 'retry-after': '0' } }],
    ['a 403 throttle', throttle],
    ['a 429', { status: 429 }],
    ['a cut connection', 'cut'],
    ['a truncated body', 'truncate'],
    ['a slow answer', { wait: 50 }],
  ];
  test.each(passing)('%s is retried', async (_, fault) => {
    course.file('small.txt', 'small');
    course.file('big.bin', big);
    server.fault = first(2, fault);
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 2 });
    expect(student.read('Algebra', 'small.txt')).toBe('small');
    expect(parts()).toEqual([]);
  });

  test.each(passing)('%s of the feed is retried', async (_, fault) => {
    course.file('small.txt', 'small');
    server.fault = first(2, fault, ({ path }) => path.startsWith('/api/sync'));
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 1 });
  });

  test('wrong bytes that arrive once are downloaded again', async () => {
    course.file('small.txt', 'small');
    server.fault = first(1, 'wrong bytes');
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 1 });
    expect(student.read('Algebra', 'small.txt')).toBe('small');
  });
});

describe('permanent problems of one item', () => {
  const lasting: [string, ServerFault, RegExp][] = [
    ['wrong bytes', 'wrong bytes', /not those the server announced/],
    ['a truncated body', 'truncate', /./],
    ['a 500', { status: 500 }, /500/],
    ['an error page with status 404', { status: 404, body: '<h1>Not found</h1>' }, /404/],
    ['an error page with status 200', { status: 200, body: '<h1>Please log in</h1>' }, /bytes instead of/],
    ['a refusal', { status: 403, body: '{"message":"forbidden"}' }, /forbidden/],
    [
      'a 401 for this file only',
      { status: 401, body: '{"status":"unauthorized","errors":[{"message":"user not authorized"}]}' },
      /not authorized/,
    ],
  ];
  test.each(lasting)('%s: the other files arrive, this one does not, and the outcome reports it', async (_, fault, why) => {
    const bad = course.file('bad.txt', 'what should be there');
    const worse = course.file('worse.bin', big);
    for (let nth = 0; nth < 10; nth++) course.file(`good ${nth}.txt`, `good ${nth}`);
    server.fault = (asked) => (isDownload(asked, bad) || isDownload(asked, worse) ? fault : undefined);
    const report = await student.sync();
    expect(report).toMatchObject({ outcome: 'complete with issues', downloaded: 10 });
    expect(report.issues.map(({ what, where }) => [what, where]).sort()).toEqual([
      ['download', 'Test University/Algebra/bad.txt'],
      ['download', 'Test University/Algebra/worse.bin'],
    ]);
    expect(report.issues[0]?.why).toMatch(why);
    expect(Object.keys(student.tree()).filter((path) => !path.includes('good'))).toEqual([]);

    server.fault = () => undefined;
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 2, issues: [] });
    expect(student.study.status().issues).toEqual([]);
    expect(parts()).toEqual([]);
  });

  test('a version that cannot be downloaded leaves the earlier one in place', async () => {
    const id = course.file('slides.txt', 'v1');
    await student.sync();
    setContent(server, id, 'v2');
    server.fault = first(99, 'wrong bytes');
    expect(await student.sync()).toMatchObject({ outcome: 'complete with issues' });
    expect(student.tree()).toEqual({ 'Algebra/slides.txt': 'v1' });
  });
});

describe('an interrupted download', () => {
  test('continues where it stopped, in the same sync and in the next', async () => {
    const id = course.file('film.bin', big);
    server.fault = (asked) => (isDownload(asked) ? 'truncate' : undefined);
    expect(await student.sync()).toMatchObject({ outcome: 'complete with issues' });
    const ranges = server.asked.flatMap(({ headers }) => headers.range ?? []);
    expect(ranges.length).toBeGreaterThan(0);
    expect(parts()).toHaveLength(1);
    await student.restart();
    server.fault = () => undefined;
    server.count();
    const report = await student.sync();
    expect(report).toMatchObject({ outcome: 'complete', downloaded: 1 });
    expect(report.bytes).toBeLessThan(big.length / 2);
    expect(student.read('Algebra', 'film.bin')).toBe(big.toString());
    expect(parts()).toEqual([]);
    expect(server.get('file', id).size).toBe(big.length);
  });

  test('starts over when the file changed in between', async () => {
    const id = course.file('film.bin', big);
    server.fault = (asked) => (isDownload(asked) ? 'truncate' : undefined);
    await student.sync();
    const other = Buffer.alloc(1_500_000, 'other ');
    setContent(server, id, other);
    server.fault = () => undefined;
    expect(await student.sync()).toMatchObject({ outcome: 'complete' });
    expect(student.read('Algebra', 'film.bin')).toBe(other.toString());
    expect(parts()).toEqual([]);
  });
});

describe('problems of the whole server', () => {
  test('an expired token stops everything and asks to sign in', async () => {
    course.file('a.txt', 'A');
    server.token = 'another';
    expect(await student.sync()).toMatchObject({ outcome: 'sign in', downloaded: 0 });
    expect(student.study.status()).toMatchObject({ phase: 'sign in', last_complete_at: null });
  });

  test('a token that expires between downloads stops them', async () => {
    for (let nth = 0; nth < 40; nth++) course.file(`${nth}.txt`, `${nth}`);
    let left = 10;
    const expired: ServerFault = {
      status: 401,
      headers: { 'www-authenticate': 'Bearer realm="canvas-lms"' },
      body: '{"errors":[{"message":"Expired access token."}]}',
    };
    server.fault = (asked) => (isDownload(asked) && left-- <= 0 ? expired : undefined);
    const report = await student.sync();
    expect(report.outcome).toBe('sign in');
    expect(report.downloaded).toBe(Object.keys(student.tree()).length);
    expect(report.downloaded).toBeLessThan(20);
  });

  test('a feed that keeps failing is no complete sync', async () => {
    course.file('a.txt', 'A');
    server.fault = ({ path }) => (path.startsWith('/api/sync') ? { status: 500 } : undefined);
    expect(await student.sync()).toMatchObject({ outcome: 'offline', issues: [{ what: 'offline' }] });
    expect(student.study.status().last_complete_at).toBeNull();
    server.fault = () => undefined;
    expect(await student.sync()).toMatchObject({ outcome: 'complete', issues: [] });
  });

  test('an unreachable server is reported as offline, at once', async () => {
    course.file('a.txt', 'A');
    await student.sync();
    await server.stop();
    const report = await student.sync();
    expect(report.outcome).toBe('offline');
    expect(student.read('Algebra', 'a.txt')).toBe('A');
    server = await new FakeServer().start();
  });

  test('a full disk is reported, no partial file is stored, and the rest is downloaded when there is space', async () => {
    for (let nth = 0; nth < 40; nth++) course.file(`${nth}.txt`, `${nth}`);
    let room = 12;
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    await student.restart({
      diskOf(root): Disk {
        const disk = diskAt(root);
        const place: Disk['place'] = async (placements) => {
          const fitting = placements.slice(0, Math.max(0, room));
          room -= placements.length;
          const placed = await disk.place(fitting);
          return placements.map((_, at) => placed[at] ?? full);
        };
        return { ...disk, place: (placements) => (room > 1000 ? disk.place(placements) : place(placements)) };
      },
    });
    const report = await student.sync();
    expect(report.outcome).toBe('complete with issues');
    expect(report.issues).toContainEqual(expect.objectContaining({ what: 'disk full' }));
    expect(Object.keys(student.tree()).length).toBeLessThanOrEqual(12);
    room = 1_000_000;
    expect(await student.sync()).toMatchObject({ outcome: 'complete', issues: [] });
    expect(Object.keys(student.tree())).toHaveLength(40);
    expect(existsSync(join(student.folder, '.carrel', 'staging')) ? readdirSync(join(student.folder, '.carrel', 'staging')) : []).toEqual(
      [],
    );
  });

  test('a disk that fails at any point, full, read-only, or with files open elsewhere, ends equal to the server', async () => {
    const random = randomFrom(5);
    const mine = takesFiles(server);
    const drafts = mine.folder('drafts');
    for (let nth = 0; nth < 6; nth++) mine.file(`m${nth}.txt`, `mine ${nth}`, drafts);
    for (let nth = 0; nth < 12; nth++) course.file(`${nth}.txt`, `file ${nth}`);
    let isOdd = true;
    const codes = new Set<string>();
    const refuse = () => {
      if (!isOdd || !random.chance(0.3)) return undefined;
      const code = random.pick(['ENOSPC', 'EROFS', 'EBUSY', 'EPERM']);
      codes.add(code);
      return Object.assign(new Error(`${code}: not now`), { code });
    };
    const guarded =
      <Given extends unknown[], Told>(act: ((...given: Given) => Promise<Told>) | undefined) =>
      async (...given: Given): Promise<Told> => {
        const problem = refuse();
        if (problem) throw problem;
        return act?.(...given) as Promise<Told>;
      };
    await student.restart({
      diskOf(root): Disk {
        const disk = diskAt(root);
        const { copy, place, move, remove, makeFolder, dropFolder, moveFolder } = disk;
        return {
          ...disk,
          copy: guarded(copy),
          place: guarded(place),
          move: guarded(move),
          remove: guarded(remove),
          makeFolder: guarded(makeFolder),
          dropFolder: guarded(dropFolder),
          moveFolder: guarded(moveFolder),
        };
      },
    });
    const notes = student.path('Algebra', '0.txt');
    for (let nth = 0; nth < 8; nth++) {
      const { outcome } = await student.sync();
      expect(['complete', 'complete with issues']).toContain(outcome);
      const files = server.all('file').filter(({ course_id }) => course_id === undefined);
      server.change('folder', drafts, { name: `drafts ${nth}` });
      mine.folder(`empty ${nth}`);
      server.change('file', Number(random.pick(files).id), { display_name: `renamed ${nth}.txt` });
      if (nth === 4 && existsSync(notes)) writeFileSync(notes, 'mine');
      if (nth === 5)
        setContent(server, Number(server.all('file').find(({ display_name }) => display_name === '0.txt')?.id), 'file 0, again');
    }
    expect(codes.size).toBe(4);
    isOdd = false;
    await student.sync();
    expect(await student.sync()).toMatchObject({ outcome: 'complete', issues: [], downloaded: 0 });
    const here = Object.values(Object.fromEntries(filesBelow(student.folder).map((path) => [path, readFileSync(path, 'utf8')])));
    for (const [id, bytes] of server.bytes) if (server.all('file').some((file) => file.id === id)) expect(here).toContain(bytes.toString());
    expect(readdirSync(join(student.folder, 'My files')).sort()).toEqual(
      mine
        .all('folder')
        .map(([path]) => path)
        .sort(),
    );
  });

  test('bytes that change without a file event are found within days, reported, and kept as the user’s own', async () => {
    const plan = course.file('plan.txt', 'the plan');
    course.file('notes.txt', 'notes');
    await student.sync();
    const path = student.path('Algebra', 'plan.txt');
    const { mtime } = statSync(path);
    writeFileSync(path, 'the PLAN');
    utimesSync(path, mtime, mtime);
    const days = (count: number) => ({ ...hurriedClock, now: () => new Date(Date.now() + count * 24 * 3_600_000) });
    expect(await student.sync()).toMatchObject({ outcome: 'complete' });
    await student.restart({ clock: days(2) });
    expect(await student.sync()).toMatchObject({ outcome: 'complete with issues', issues: [{ what: 'damaged' }] });
    await student.restart({ clock: days(4) });
    expect(await student.sync()).toMatchObject({ outcome: 'complete', issues: [] });
    setContent(server, plan, 'another');
    await student.sync();
    expect(Object.values(student.tree()).sort()).toEqual(['another', 'notes', 'the PLAN']);
  });

  test('with all these problems at once, the desk ends equal to the server', { timeout: 60_000 }, async () => {
    const random = randomFrom(20261120);
    for (let nth = 0; nth < 200; nth++) course.file(`${nth}.txt`, random.chance(0.1) ? Buffer.alloc(400_000, `${nth} `) : `file ${nth}`);
    const faults: ServerFault[] = [{ status: 500 }, throttle, 'cut', 'truncate', 'wrong bytes', { status: 503 }, { wait: 5 }];
    server.fault = (asked) => (asked.path !== '/api/v1/users/self' && random.chance(0.25) ? random.pick(faults) : undefined);
    for (let nth = 0; nth < 6; nth++) await student.sync();
    server.fault = () => undefined;
    expect(await student.sync()).toMatchObject({ outcome: 'complete' });
    const expected = Object.fromEntries(
      server.all('file').map((file) => [`Algebra/${file.display_name}`, server.bytes.get(Number(file.id))?.toString()]),
    );
    expect(student.tree()).toEqual(expected);
    expect(parts()).toEqual([]);
  });
});

describe('between the account and its server', () => {
  const trouble = () => student.study.status().trouble;

  test('an expired token is distinguished from a revoked one', async () => {
    server.fault = () => ({
      status: 401,
      headers: { 'www-authenticate': 'Bearer realm="canvas-lms"' },
      body: '{"errors":[{"message":"Expired access token."}]}',
    });
    expect(await student.sync()).toMatchObject({ outcome: 'sign in' });
    expect(trouble()).toMatchObject({ kind: 'expired', why: 'Expired access token.' });
    server.fault = () => undefined;
    server.token = 'another';
    await student.sync();
    expect(trouble()).toMatchObject({ kind: 'revoked', why: 'Invalid access token.' });
    server.token = 'a-token';
    await student.sync();
    expect(trouble()).toBeNull();
  });

  test('another service at its address is not an offline server, and removes nothing', async () => {
    course.file('plan.txt', 'the plan');
    await student.sync();
    server.fault = () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>This domain is for sale</h1>' });
    expect(await student.sync()).toMatchObject({ outcome: 'failed' });
    expect(trouble()).toMatchObject({ kind: 'gone' });
    // It intercepts the feed only: that is not a server without a feed.
    const { fault } = server;
    server.fault = (asked) => (asked.path.startsWith('/api/sync') ? fault(asked) : undefined);
    expect(await student.sync()).toMatchObject({ outcome: 'failed' });
    server.fault = () => undefined;
    expect(await student.sync()).toMatchObject({ outcome: 'complete' });
    expect(student.study.status()).toMatchObject({ way: 'feed', rebuilt_at: null });
    expect(Object.keys(student.tree())).toEqual(['Algebra/plan.txt']);
  });

  test('another history is reported, and changes no file on the disk', async () => {
    course.file('plan.txt', 'the plan');
    await student.sync();
    expect(student.study.status().rebuilt_at).toBeNull();
    server.forgetHistory();
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 0 });
    expect(student.study.status().rebuilt_at).not.toBeNull();
  });
});
