// Own files that change while they are uploaded: the version at that time or the newer one is uploaded, and the program continues.

import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isWindows } from '../support/systems';
import { FakeServer } from './support/fake_server';
import { carrel, runCarrel } from './support/program';
import { Student } from './support/student';
import { takesFiles } from './support/takes_files';

/** More than the system buffers while the server does not read. */
const size = 6_000_000;
const changes: Readonly<Record<string, (path: string) => void>> = {
  appended: (path) => appendFileSync(path, 'one more line'),
  truncated: (path) => truncateSync(path, 500_000),
  touched: (path) => utimesSync(path, new Date(), new Date()),
  'overwritten in place': (path) => writeFileSync(path, Buffer.alloc(size, 'y'), { flag: 'r+' }),
  'replaced by an editor that writes a temporary file': (path) => {
    writeFileSync(`${path}~`, Buffer.alloc(size, 'z'));
    renameSync(`${path}~`, path);
  },
};

let server: FakeServer;
let mine: ReturnType<typeof takesFiles>;

beforeEach(async () => {
  server = await new FakeServer().start();
  mine = takesFiles(server);
});
afterEach(() => server.stop());

/** Once, when the first bytes have arrived. */
function whileSent(act: () => void): void {
  let isOnce = true;
  server.hold = async ({ path }) => {
    if (!isOnce || path !== '/bytes') return;
    isOnce = false;
    await new Promise((resolve) => setTimeout(resolve, 50));
    act();
  };
}

describe('a file that changes while it is uploaded', () => {
  for (const [how, change] of Object.entries(changes))
    test(`${how}: the server has the final version`, async () => {
      const student = await Student.at(server);
      try {
        const path = join(student.folder, 'My files', 'large.txt');
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, Buffer.alloc(size, 'x'));
        whileSent(() => change(path));
        expect(await student.sync()).toMatchObject({ outcome: 'complete', issues: [] });
        expect(await student.sync()).toMatchObject({ outcome: 'complete', issues: [], downloaded: 0 });
        expect(Object.keys(mine.tree())).toEqual(['large.txt']);
        expect(mine.tree()['large.txt'] === readFileSync(path, 'utf8')).toBe(true);
      } finally {
        await student.leave();
      }
    });

  test('neither `sync` nor `watch` exits because of it', async () => {
    const home = mkdtempSync(join(tmpdir(), 'carrel-sent-'));
    const store = join(home, 'desk');
    const path = join(home, 'Study', 'My files', 'large.txt');
    try {
      await runCarrel(['login', '--url', server.url, '--token', server.token, '--folder', join(home, 'Study')], { store });
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, Buffer.alloc(size, 'x'));
      whileSent(() => truncateSync(path, 1_500_000));
      expect(await runCarrel(['sync', '--json'], { store })).toMatchObject({ status: 0, err: '', json: { outcome: 'complete' } });
      expect(mine.tree()['large.txt']?.length).toBe(1_500_000);

      writeFileSync(path, Buffer.alloc(size, 'y'));
      whileSent(() => truncateSync(path, 1_000_000));
      const { child, ended } = carrel(['watch', '--json'], { store });
      await expect.poll(() => mine.tree()['large.txt']?.length, { timeout: 20_000 }).toBe(1_000_000);
      child.kill('SIGTERM');
      const ending = await ended;
      if (!isWindows) expect(ending).toMatchObject({ status: 0, err: '' });
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});
