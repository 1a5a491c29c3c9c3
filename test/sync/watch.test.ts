// `carrel watch`, the real program: what a person does in the folder is on the server a moment later, and never half.

import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { isWindows } from '../support/systems';
import { aCourse } from './support/course';
import { FakeServer } from './support/fake_server';
import { carrel, runCarrel } from './support/program';
import { takesFiles } from './support/takes_files';

test('watch sends local changes when they have settled, never a half-written file, and repeats no report', {
  timeout: 60_000,
}, async () => {
  const server = await new FakeServer().start();
  const home = mkdtempSync(join(tmpdir(), 'carrel-watch-'));
  const store = join(home, 'desk');
  const folder = join(home, 'Study');
  const mine = (...names: string[]) => join(folder, 'My files', ...names);
  try {
    aCourse(server).file('slides.txt', 'slides');
    const shelf = takesFiles(server);
    shelf.file('known.txt', 'known');
    await runCarrel(['login', '--url', server.url, '--token', server.token, '--folder', folder], { store });
    const watching = carrel(['watch', '--json'], { store });
    const lines = () => watching.said().trim().split('\n');
    const isThere = (expected: object) => vi.waitFor(() => expect(shelf.tree()).toMatchObject(expected), { timeout: 15_000, interval: 20 });
    await vi.waitFor(() => expect(watching.said()).toContain('complete'), { timeout: 20_000 });

    const begun = Date.now();
    writeFileSync(mine('new.txt'), 'new');
    await isThere({ 'new.txt': 'new' });
    expect(Date.now() - begun, 'milliseconds until it was sent').toBeLessThan(4000);

    // Written for a while, with a server that asks for a sync in the middle.
    const seen = new Set<string | undefined>();
    for (let nth = 0; nth < 4; nth++) {
      appendFileSync(mine('slow.txt'), `part ${nth} `);
      server.nudge();
      await sleep(400);
      seen.add(shelf.tree()['slow.txt']);
    }
    expect([...seen], 'sent while it was being written').toEqual([undefined]);
    await isThere({ 'slow.txt': 'part 0 part 1 part 2 part 3 ' });

    mkdirSync(mine('week'));
    writeFileSync(mine('week', 'in a new folder.txt'), 'deep');
    await isThere({ 'week/in a new folder.txt': 'deep' });
    await sleep(1500);
    appendFileSync(mine('week', 'in a new folder.txt'), ' and deeper');
    await isThere({ 'week/in a new folder.txt': 'deep and deeper' });
    renameSync(mine('new.txt'), mine('newer.txt'));
    unlinkSync(mine('known.txt'));
    await vi.waitFor(
      () => expect(Object.keys(shelf.tree()).sort()).toEqual(['newer.txt', 'slides.txt', 'slow.txt', 'week/in a new folder.txt']),
      {
        timeout: 15_000,
      },
    );

    // At rest, it asks for nothing by itself, and says nothing twice.
    await sleep(2500);
    server.count();
    const before = lines();
    await sleep(1500);
    expect(server.count(), 'requests at rest').toMatchObject({ all: 0 });
    for (let nth = 0; nth < 5; nth++) {
      server.nudge();
      await sleep(100);
    }
    expect(lines()).toEqual(before);
    watching.child.kill('SIGTERM');
    const ending = await watching.ended;
    if (!isWindows) expect(ending).toMatchObject({ status: 0, err: '' });
  } finally {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  }
});
