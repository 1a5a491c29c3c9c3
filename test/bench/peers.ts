// Well-known programs on the same machine: curl for downloads, rclone for finding that nothing has changed.

import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unusedPort } from '../support/unused_port';
import { isInstalled, runToEnd, startProcess } from './processes';
import { median } from './table';

export interface Fetched {
  readonly milliseconds: number;
  readonly by: string;
}

/** Downloads all addresses into a folder without hashing or fsync: the limit of what a client can do. */
export async function fetchAll(urls: readonly string[], token: string, folder: string, atOnce: number): Promise<Fetched> {
  mkdirSync(folder, { recursive: true });
  if (!isInstalled('curl')) return fetchHere(urls, token, folder, atOnce);
  const list = `${folder}.list`;
  writeFileSync(list, urls.map((url, nth) => `url = "${url}"\noutput = "${join(folder, String(nth))}"`).join('\n'));
  const { milliseconds } = await runToEnd('curl', [
    '--silent',
    '--show-error',
    '--fail',
    '--parallel',
    '--parallel-max',
    String(atOnce),
    '--header',
    `Authorization: Bearer ${token}`,
    '--config',
    list,
  ]);
  return { milliseconds, by: 'curl --parallel' };
}

async function fetchHere(urls: readonly string[], token: string, folder: string, atOnce: number): Promise<Fetched> {
  const started = performance.now();
  const waiting = urls.entries();
  const lane = async () => {
    for (const [nth, url] of waiting) {
      const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      await writeFile(join(folder, String(nth)), new Uint8Array(await response.arrayBuffer()));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return { milliseconds: performance.now() - started, by: 'a fetch loop (curl is missing)' };
}

export interface Relisted {
  readonly requests: number;
  /** Milliseconds, medians. */
  readonly idle: number;
  readonly changed: number;
}

/** What rclone needs to compare two equal trees, and two with one change. */
export async function relisting(
  served: string,
  tree: string,
  scratch: string,
  rounds: number,
  pathOf: (nth: number) => string,
): Promise<Relisted> {
  const port = await unusedPort();
  const quiet = { RCLONE_CONFIG: join(scratch, 'rclone.conf'), RCLONE_CACHE_DIR: join(scratch, 'rclone-cache') };
  writeFileSync(quiet.RCLONE_CONFIG, '');
  const serving = startProcess('rclone', ['serve', 'webdav', served, '--addr', `127.0.0.1:${port}`, '--read-only'], { env: quiet });
  try {
    await answering(`http://127.0.0.1:${port}/`);
    const remote = `:webdav,vendor=rclone,url='http://127.0.0.1:${port}':`;
    const sync = (...more: string[]) => runToEnd('rclone', ['sync', remote, tree, ...more], { env: quiet });
    await sync();
    const counted = await sync('--dump', 'headers');
    const requests = counted.err.match(/HTTP REQUEST/g)?.length ?? 0;
    const [idle, changed]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      idle.push((await sync()).milliseconds);
      appendFileSync(pathOf(round), ' and more');
      changed.push((await sync()).milliseconds);
    }
    return { requests, idle: median(idle), changed: median(changed) };
  } finally {
    serving.child.kill('SIGTERM');
    await serving.ended;
  }
}

async function answering(url: string): Promise<void> {
  for (let nth = 0; nth < 100; nth++) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return;
    await new Promise((resume) => setTimeout(resume, 100));
  }
  throw new Error('rclone did not begin to serve');
}
