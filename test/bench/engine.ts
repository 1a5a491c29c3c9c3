// The command line with the real engine as its own process, and the same engine kept running.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Person } from '../support/ground';
import { runToEnd } from './processes';
import { repositoryRoot } from './runtime';

export interface BenchDesk {
  readonly store: string;
  readonly folder: string;
}

export interface Synced {
  /** Of the whole process, including its start. */
  readonly milliseconds: number;
  /** As the engine reports it. */
  readonly duration_ms: number;
  readonly requests: number;
  readonly downloaded: number;
  readonly outcome: string;
}

const carrel = (desk: BenchDesk, ...words: string[]) =>
  runToEnd(process.execPath, ['--import', 'tsx', join(repositoryRoot, 'desktop/cli/main.ts'), ...words], {
    cwd: repositoryRoot,
    env: { CARREL_DESK: desk.store, CARREL_CWD: repositoryRoot, NO_COLOR: '1' },
  });

export async function signInDesk(place: string, url: string, student: Person): Promise<BenchDesk> {
  const desk = { store: join(place, 'desk'), folder: join(place, 'Study') };
  mkdirSync(place, { recursive: true });
  await carrel(desk, 'login', '--url', url, '--token', student.token, '--folder', desk.folder);
  return desk;
}

export async function syncDesk(desk: BenchDesk): Promise<Synced> {
  const { milliseconds, out } = await carrel(desk, 'sync', '--json');
  return { ...(JSON.parse(out.trim().split('\n').at(-1) ?? '{}') as Omit<Synced, 'milliseconds'>), milliseconds };
}

/** The addresses of the files that the engine has just downloaded. */
export function addressesOf(desk: BenchDesk, url: string, student: Person): string[] {
  const database = new DatabaseSync(join(desk.store, `${new URL(url).host.replaceAll(/[^\w.-]/g, '_')}-${student.id}`, 'cache.db'), {
    readOnly: true,
  });
  const rows = database.prepare("select json from resources where kind = 'file'").all();
  database.close();
  return rows.map(({ json }) => new URL((JSON.parse(String(json)) as { url: string }).url, url).href);
}
