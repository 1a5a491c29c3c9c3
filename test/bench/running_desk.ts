// A measured process: the desk from its start, or a running engine. It takes commands and reports as lines.

import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { beginCounting, type DiskCounts, takeCounts } from '../support/counted';

beginCounting();
const [how = '', store = '', token = ''] = process.argv.slice(2);
const root = join(import.meta.dirname, '../..');
const say = (answer: object): void => void process.stdout.write(`${JSON.stringify(answer)}\n`);

export interface Usable extends DiskCounts {
  /** Since the process started, including its start and compilation. */
  readonly milliseconds: number;
  /** The part of it since the desk was opened. */
  readonly opening: number;
}

export interface InLine extends DiskCounts {
  readonly milliseconds: number;
  /** The longest block of the event loop. */
  readonly longest: number;
  readonly megabytes: number;
}

export interface MeasuredStep extends DiskCounts {
  readonly milliseconds: number;
  readonly requests: number;
  readonly downloaded: number;
  readonly outcome: string;
}

/** The parts of the desk that are used here; its own types need another runtime than the Worker's. */
interface Desk {
  'account.current'(given: unknown): Promise<unknown>;
  'courses.list'(given: unknown): Promise<unknown>;
  'today.list'(given: unknown): Promise<unknown>;
  'sync.status'(given: unknown): Promise<{ phase: string; last_complete_at: string | null; issues: readonly unknown[] }>;
  close(): Promise<void>;
}

interface Study {
  sync(given: object): Promise<MeasuredStep>;
  close(): Promise<void>;
}

const engine = <T>(file: string): Promise<T> => import(join(root, 'desktop/engine', file)) as Promise<T>;
const megabytes = (): number => {
  globalThis.gc?.();
  return process.memoryUsage.rss() / 1e6;
};

async function desk(): Promise<void> {
  const { openDesk } = await engine<{ openDesk(opening: object): Promise<Desk> }>('desk.ts');
  takeCounts();
  const from = performance.now();
  const began = new Date().toISOString();
  const desk = await openDesk({ store });
  // The requests of the first screen.
  await desk['account.current']({});
  await desk['courses.list']({});
  await desk['today.list']({ from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' });
  await desk['sync.status']({});
  say({ ...takeCounts(), milliseconds: performance.now(), opening: performance.now() - from } satisfies Usable);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  for (;;) {
    const status = await desk['sync.status']({});
    if (status.phase !== 'syncing' && (status.last_complete_at ?? '') > began) break;
    await new Promise((resume) => setTimeout(resume, 20));
  }
  const longest = delay.max / 1e6;
  say({ ...takeCounts(), milliseconds: performance.now() - from, longest, megabytes: megabytes() } satisfies InLine);
  await desk.close();
}

async function running(): Promise<void> {
  const { Workspace } = await engine<{ Workspace: new (given: object) => Study }>('accounts/workspace.ts');
  const { readAccounts } = await engine<{ readAccounts(store: string): { all: readonly unknown[] } }>('accounts/account.ts');
  const workspace = new Workspace({ store, signedIn: readAccounts(store).all[0], token, isWatching: true });
  await workspace.sync({ isThorough: false });
  say({ megabytes: megabytes() });
  for await (const _ of createInterface({ input: process.stdin })) {
    takeCounts();
    const from = performance.now();
    const { requests, downloaded, outcome } = await workspace.sync({ isThorough: false });
    say({ ...takeCounts(), milliseconds: performance.now() - from, requests, downloaded, outcome } satisfies MeasuredStep);
  }
  await workspace.close();
}

await (how === 'desk' ? desk() : running());
process.exit(0);
