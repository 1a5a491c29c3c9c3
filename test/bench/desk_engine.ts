// The desk's engine against a real server: a first sync of many small and of few large files, next to curl on the same addresses.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { addressesOf, type Synced, signInDesk, syncDesk } from './engine';
import { openManyFiles, type Shelved } from './many_files';
import { type Fetched, fetchAll } from './peers';
import { programVersion } from './processes';
import { scratchFolder } from './scratch';
import { median, type Table, times } from './table';

const rounds = 3;
const smallest = 1000;
const largest = 20_000;
const largeFile = 100_000_000;

/** Evenly distributed sizes. */
const small = (files: number): Shelved => ({
  files,
  courses: 10,
  sizeOf: (nth) => smallest + ((nth * 7919) % (largest - smallest)),
  hasBytes: true,
});

export const syncTables = (files: number): Promise<Table[]> => firstSync(small(files), 'sync', '1.3×');

export function largeTables(megabytes: number): Promise<Table[]> {
  const files = Math.ceil((megabytes * 1e6) / largeFile);
  return firstSync({ files, courses: 1, sizeOf: () => largeFile, hasBytes: true }, 'large', '1.1×');
}

async function firstSync(shelved: Shelved, only: string, aim: string): Promise<Table[]> {
  const scratch = scratchFolder();
  const { files } = shelved;
  const { url, student, bytes, close } = await openManyFiles(shelved);
  console.error(`  ${files.toLocaleString('en-US')} files created on the server`);
  try {
    const warm = await signInDesk(join(scratch, 'warm'), url, student);
    const first = await syncDesk(warm);
    if (first.downloaded !== files) throw new Error(`${first.downloaded} of ${files} files downloaded: ${JSON.stringify(first)}`);
    const urls = addressesOf(warm, url, student);
    rmSync(warm.folder, { recursive: true, force: true });

    // The limit is curl at its best: with its default number of parallel transfers, or as many as the engine has.
    const widths: { readonly atOnce: number; readonly milliseconds: number }[] = [];
    for (const atOnce of [6, 50]) {
      const folder = join(scratch, `at-once-${atOnce}`);
      widths.push({ atOnce, milliseconds: (await fetchAll(urls, student.token, folder, atOnce)).milliseconds });
      rmSync(folder, { recursive: true, force: true });
    }
    const { atOnce } = widths.reduce((best, one) => (one.milliseconds < best.milliseconds ? one : best));

    const pairs: { readonly own: Synced; readonly limit: Fetched }[] = [];
    for (let round = 0; round < rounds; round++) {
      const place = join(scratch, `round-${round}`);
      const desk = await signInDesk(place, url, student);
      const curl = () => fetchAll(urls, student.token, join(place, 'fetched'), atOnce);
      const limit = round % 2 === 0 ? await curl() : undefined;
      const own = await syncDesk(desk);
      const pair = { own, limit: limit ?? (await curl()) };
      pairs.push(pair);
      console.error(
        `  first sync in ${(own.milliseconds / 1000).toFixed(1)} s, ${pair.limit.by} in ${(pair.limit.milliseconds / 1000).toFixed(1)} s`,
      );
      rmSync(place, { recursive: true, force: true });
    }
    const by = pairs[0]?.limit.by ?? '';
    const seconds = (of: (pair: (typeof pairs)[number]) => number) => median(pairs.map(of)) / 1000;
    const ratioOf = (own: (pair: (typeof pairs)[number]) => number) =>
      times(median(pairs.map((pair) => own(pair) / pair.limit.milliseconds)));
    const whole = ({ own }: (typeof pairs)[number]) => own.milliseconds;
    const engine = ({ own }: (typeof pairs)[number]) => own.duration_ms;
    return [
      {
        title: `First sync of ${files.toLocaleString('en-US')} files (${(bytes / 1e6).toFixed(1)} MB)`,
        columns: ['Program', 'Requests', 'Seconds', 'Ratio'],
        rows: [
          [by, urls.length, seconds(({ limit }) => limit.milliseconds), times(1)],
          ['carrel sync, the whole process', first.requests, seconds(whole), ratioOf(whole)],
          ['carrel sync, the engine in it', first.requests, seconds(engine), ratioOf(engine)],
        ],
        notes: [
          `Medians of ${rounds} alternating rounds, from the same workerd without the proxy of wrangler dev; ${programVersion('curl')} with ${atOnce} transfers at once (${widths.map((one) => `${one.atOnce}: ${(one.milliseconds / 1000).toFixed(1)} s`).join(', ')}), which computes no hash and does not flush to the disk. The aim is ${aim}.`,
          'Carrel also reads the feed, checks length and SHA-256, flushes every file to the disk and records it in its database.',
        ],
        only,
      },
    ];
  } finally {
    await close();
  }
}
