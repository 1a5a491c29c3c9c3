// Files above 50 MB: sent in parts, and continued after a restart or a lost connection.

import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partsAbove } from '@carrel/desktop/engine/server/upload_parts';
import type { SyncProgress } from '@carrel/desktop/engine/sync/request';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeRequest, FakeServer } from './support/fake_server';
import { carrel, runCarrel } from './support/program';
import { Student } from './support/student';
import { takesFiles } from './support/takes_files';
import { takesParts } from './support/takes_parts';

const partSize = 16 * 2 ** 20;
const size = partsAbove + 1;
const content = Buffer.alloc(size);
for (let nth = 0; nth * partSize < size; nth++) content.fill(`part ${nth} `, nth * partSize, Math.min(size, (nth + 1) * partSize));

let server: FakeServer;
let shelf: ReturnType<typeof takesFiles>;
let uploads: ReturnType<typeof takesParts>;
beforeEach(async () => {
  server = await new FakeServer().start();
  shelf = takesFiles(server);
});
afterEach(() => server.stop());

const partIn = ({ method, path }: FakeRequest) => (method === 'PUT' ? Number(/\/parts\/(\d+)/.exec(path)?.[1]) : 0);
const partsSent = () => server.asked.map(partIn).filter((number) => number > 0);
const begun = () => server.asked.filter(({ method, path }) => method === 'POST' && path === '/api/sync/v1/uploads').length;
const arrivedWhole = () => {
  const id = shelf.find('file', 'lecture.mp4');
  return id !== undefined && server.bytes.get(id)?.equals(content);
};

test('a program that is killed while it sends a large file sends only the missing parts after that', { timeout: 60_000 }, async () => {
  uploads = takesParts(server, shelf, partSize);
  const home = mkdtempSync(join(tmpdir(), 'carrel-large-'));
  const [store, folder] = [join(home, 'desk'), join(home, 'Study')];
  try {
    await runCarrel(['login', '--url', server.url, '--token', server.token, '--folder', folder], { store });
    mkdirSync(join(folder, 'My files'), { recursive: true });
    writeFileSync(join(folder, 'My files', 'lecture.mp4'), content);
    const { child, ended } = carrel(['sync', '--json'], { store });
    // Parts 1 and 2 arrive, then the program is killed.
    server.hold = async (asked) => {
      if (partIn(asked) < 3) return;
      while ([...uploads.values()][0]?.parts.size !== 2) await new Promise((resolve) => setTimeout(resolve, 5));
      child.kill('SIGKILL');
      // What the system has sent of these parts must not arrive later.
      await new Promise(() => {});
    };
    expect((await ended).status).toBe(null);
    server.hold = () => undefined;
    expect(arrivedWhole()).toBe(false);
    server.asked.length = 0;
    expect((await runCarrel(['sync', '--json'], { store })).json).toMatchObject({ outcome: 'complete', issues: [] });
    expect(partsSent().sort()).toEqual([3, 4]);
    expect(begun()).toBe(0);
    expect(arrivedWhole()).toBe(true);
    server.asked.length = 0;
    expect((await runCarrel(['sync', '--json'], { store })).json).toMatchObject({ outcome: 'complete', issues: [] });
    expect(partsSent()).toEqual([]);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

test('a lost connection costs a part, a changed file starts over, and progress is shown', { timeout: 60_000 }, async () => {
  uploads = takesParts(server, shelf, partSize);
  const progress: SyncProgress[] = [];
  const student = await Student.at(server, { onProgress: (now) => progress.push(now) });
  try {
    const file = join(student.folder, 'My files', 'lecture.mp4');
    mkdirSync(join(student.folder, 'My files'), { recursive: true });
    writeFileSync(file, content.subarray().fill('before', size - 100));
    server.fault = (asked) => (partIn(asked) === 4 ? 'cut' : undefined);
    await student.sync().catch(() => {});
    const [first] = [...uploads.values()];
    expect([...(first?.parts.keys() ?? [])].sort()).toEqual([1, 2, 3]);
    expect(shelf.tree()).toEqual({});

    // Another content: the parts of the first are of no use, and do not count against the quota any longer.
    const end = openSync(file, 'r+');
    writeSync(end, 'after', size - 5);
    closeSync(end);
    content.write('after', size - 5);
    await student.restart({ onProgress: (now) => progress.push(now) });
    // The response of one part is lost: it is sent again.
    let isLost = false;
    server.fault = (asked) => {
      if (isLost || partIn(asked) !== 2) return undefined;
      isLost = true;
      return 'unanswered';
    };
    server.asked.length = 0;
    expect(await student.sync()).toMatchObject({ outcome: 'complete', issues: [] });
    expect(uploads.has(first?.id ?? 0)).toBe(false);
    expect(partsSent().sort()).toEqual([1, 2, 2, 3, 4]);
    expect(arrivedWhole()).toBe(true);
    expect(progress.map(({ bytes_done }) => bytes_done)).toContain(partSize);
    expect(progress.filter(({ bytes_total }) => bytes_total > 0).at(-1)).toMatchObject({ bytes_done: size, bytes_total: size });
  } finally {
    await student.leave();
  }
});

test('a server without parts receives a large file in one request', async () => {
  const student = await Student.at(server);
  try {
    mkdirSync(join(student.folder, 'My files'), { recursive: true });
    writeFileSync(join(student.folder, 'My files', 'lecture.mp4'), content);
    server.fault = ({ path }) => (path === '/bytes' ? { status: 413, body: '{"message":"too large"}' } : undefined);
    expect((await student.sync()).issues).toMatchObject([{ what: 'send: add' }]);
    expect(server.asked.filter(({ path }) => path === '/bytes')).toHaveLength(1);
    expect(server.asked.filter(({ path }) => path.includes('/uploads'))).toEqual([]);
  } finally {
    await student.leave();
  }
});
