// The desk's engine against a real server: a first sync of many files beside curl, and a sync that finds nothing new beside rclone.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { addressesOf, idleWhileRunning, type Synced, signIn, sync } from './engine';
import { openLibrary } from './library';
import { type Fetched, fetchAll, relist } from './peers';
import { isThere, versionOf } from './processes';
import { scratchFolder } from './scratch';
import { median, type Table, times } from './table';

const rounds = 3;
const idleRounds = 10;

export async function syncTables(files: number): Promise<Table[]> {
  const scratch = scratchFolder();
  const { url, student, bytes, close } = await openLibrary(files);
  console.error(`  ${files.toLocaleString('en-US')} files put on the server`);
  try {
    const warm = await signIn(join(scratch, 'warm'), url, student);
    const first = await sync(warm);
    if (first.downloaded !== files) throw new Error(`${first.downloaded} of ${files} files came: ${JSON.stringify(first)}`);
    const urls = addressesOf(warm, url, student);

    // The limit is curl at its best: its own number of transfers at once, or as many as the engine has.
    const widths: { readonly atOnce: number; readonly milliseconds: number }[] = [];
    for (const atOnce of [6, 50]) {
      const folder = join(scratch, `at-once-${atOnce}`);
      widths.push({ atOnce, milliseconds: (await fetchAll(urls, student.token, folder, atOnce)).milliseconds });
      rmSync(folder, { recursive: true, force: true });
    }
    const atOnce = widths.reduce((best, one) => (one.milliseconds < best.milliseconds ? one : best)).atOnce;

    const pairs: { readonly own: Synced; readonly limit: Fetched }[] = [];
    for (let round = 0; round < rounds; round++) {
      const place = join(scratch, `round-${round}`);
      const desk = await signIn(place, url, student);
      const curl = () => fetchAll(urls, student.token, join(place, 'fetched'), atOnce);
      const limit = round % 2 === 0 ? await curl() : undefined;
      const own = await sync(desk);
      pairs.push({ own, limit: limit ?? (await curl()) });
      console.error(`  first sync in ${(own.milliseconds / 1000).toFixed(1)} s`);
      rmSync(place, { recursive: true, force: true });
    }
    const by = pairs[0]?.limit.by ?? '';
    const limit = median(pairs.map((pair) => pair.limit.milliseconds));
    const ratioOf = (own: (pair: (typeof pairs)[number]) => number) =>
      times(median(pairs.map((pair) => own(pair) / pair.limit.milliseconds)));

    const fresh = [];
    for (let round = 0; round < idleRounds; round++) fresh.push(await sync(warm));
    const running = await idleWhileRunning(warm, student, idleRounds);
    const relisted = await relist(warm.folder, scratch, idleRounds);
    const rclone = relisted && {
      requests: relisted[0]?.requests ?? 0,
      milliseconds: median(relisted.map(({ milliseconds }) => milliseconds)),
    };
    const fromRclone = (milliseconds: number) => (rclone ? times(milliseconds / rclone.milliseconds) : '');
    const freshly = median(fresh.map(({ milliseconds }) => milliseconds));
    return [
      {
        title: `First sync of ${files.toLocaleString('en-US')} files (${(bytes / 1e6).toFixed(1)} MB)`,
        columns: ['Program', 'Requests', 'Seconds', 'Ratio'],
        rows: [
          [by, urls.length, limit / 1000, times(1)],
          [
            'carrel sync, the whole process',
            first.requests,
            median(pairs.map(({ own }) => own.milliseconds)) / 1000,
            ratioOf(({ own }) => own.milliseconds),
          ],
          [
            'carrel sync, the engine in it',
            first.requests,
            median(pairs.map(({ own }) => own.duration_ms)) / 1000,
            ratioOf(({ own }) => own.duration_ms),
          ],
        ],
        notes: [
          `Medians of ${rounds} rounds, turn and turn about, from the same workerd without the proxy of wrangler dev; ${versionOf('curl')} with ${atOnce} transfers at once (${widths.map((one) => `${one.atOnce}: ${(one.milliseconds / 1000).toFixed(1)} s`).join(', ')}), which hashes nothing and makes nothing durable.`,
          'Carrel also reads the feed, checks length and SHA-256, syncs every file to the disk and notes it in its database.',
        ],
        only: 'sync',
      },
      {
        title: `A sync that finds nothing new among ${files.toLocaleString('en-US')} files`,
        columns: ['Program', 'Requests', 'Milliseconds', 'Ratio'],
        rows: [
          rclone
            ? ['rclone sync from rclone serve webdav', rclone.requests, Math.round(rclone.milliseconds), times(1)]
            : ['rclone sync (rclone is missing)', '', '', ''],
          ['carrel sync, a fresh process', fresh[0]?.requests ?? 0, Math.round(freshly), fromRclone(freshly)],
          ['the running engine', running.requests, Math.round(running.milliseconds), fromRclone(running.milliseconds)],
        ],
        notes: [
          `Medians of ${idleRounds}. ${isThere('rclone') ? versionOf('rclone') : 'rclone'} lists the tree that Carrel wrote, over loopback; a fresh Carrel process includes the start of Node and the compiling of its TypeScript.`,
        ],
        only: 'sync',
      },
    ];
  } finally {
    await close();
  }
}
