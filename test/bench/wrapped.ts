// Carrel behind the wrapper that counts and fails (`wrapped_worker`), in workerd, with every binding of wrangler.toml.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bindingsOf, build, carrelWorker, type Runtime, repositoryRoot, startRuntime, type WorkerModule, wranglerToml } from './runtime';
import type { UsageCounts } from './wrapped_worker/counts';
import type { Faults } from './wrapped_worker/faults';

/** Written for each run, because the entry has to export every class of objects that wrangler.toml names. */
export async function buildWrapped(scratch: string): Promise<WorkerModule[]> {
  const entry = join(scratch, 'wrapped.ts');
  const from = (path: string) => JSON.stringify(join(repositoryRoot, path));
  const classes = Object.values(bindingsOf(await wranglerToml()).durableObjects);
  await writeFile(
    entry,
    `import carrel, * as all from ${from('worker/index.ts')};
import { countedObject } from ${from('test/bench/wrapped_worker/objects.ts')};
import { countedWorker } from ${from('test/bench/wrapped_worker/worker.ts')};
export default countedWorker(carrel);
${classes.map((name) => `export const ${name} = countedObject(all.${name});`).join('\n')}
`,
  );
  return build(scratch, entry);
}

export interface UsageReading {
  readonly counts: UsageCounts;
  readonly pending: number;
  readonly d1_bytes: number;
}

export interface Wrapped {
  readonly url: URL;
  readonly runtime: Runtime;
  read(): Promise<UsageReading>;
  /** Once all work after responses and all queued messages are done: nothing is pending, and no count has moved for a while. */
  settled(): Promise<UsageReading>;
  /** Once no count has moved for a while: after resets of objects, the work that they cut off stays pending. */
  quiet(): Promise<UsageReading>;
  tick(at?: number): Promise<void>;
  /** The same, until all chores have run. */
  tickAndSettle(at?: number): Promise<void>;
  /** The keys of all objects in a bucket. */
  keysOf(binding: string): Promise<readonly string[]>;
  setFaults(faults: Partial<Faults>): Promise<void>;
  faultsSoFar(): Promise<Readonly<Record<keyof Faults, number>>>;
}

const quiet = 1200;
const longestWait = 2500;
const patience = 90_000;
const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms));

/** @param port where it serves; any free one when 0 */
export async function startWrapped(persist: string, modules: readonly WorkerModule[], options: object = {}, port = 0): Promise<Wrapped> {
  const worker = await carrelWorker('carrel', modules, { MAIL_FROM: 'school@example.edu', PUBLIC_ADDRESS: 'https://learn.example.edu' });
  const queues = bindingsOf(await wranglerToml()).queues;
  const runtime = await startRuntime(
    persist,
    [
      {
        ...worker,
        unsafeDirectSockets: [{ host: '127.0.0.1', port }],
        // One message at a time, as when they are spread: of several chores in a delivery, all but one are sent again.
        queueConsumers: Object.fromEntries(queues.map((name) => [name, { maxBatchSize: 1, maxBatchTimeout: 0, maxRetries: 5 }])),
      },
    ],
    options,
  );
  const url = await runtime.unsafeGetDirectURL('carrel');
  const read = async () => (await fetch(new URL('/bench/counts', url))).json() as Promise<UsageReading>;
  /** @param isDone waits for pending work, unless that waits itself: a buffer that is written in a minute belongs to all requests until then */
  async function still(isDone: boolean): Promise<UsageReading> {
    const deadline = Date.now() + patience;
    let since = Date.now();
    for (let before = await read(); ; ) {
      await pause(quiet);
      const now = await read();
      const isStill = JSON.stringify(now) === JSON.stringify(before);
      if (!isStill) since = Date.now();
      if (isStill && (now.pending <= 0 || !isDone || Date.now() - since > longestWait)) return now;
      if (Date.now() > deadline) throw new Error(`work is pending after ${patience / 1000} s: ${JSON.stringify(now)}`);
      before = now;
    }
  }
  async function tick(at = Date.now()): Promise<void> {
    const answer = await fetch(new URL(`/bench/tick?at=${at}`, url), { method: 'POST' });
    if (!answer.ok) throw new Error(`the tick answers ${answer.status} ${await answer.text()}`);
  }
  return {
    url,
    runtime,
    read,
    settled: () => still(true),
    quiet: () => still(false),
    tick,
    /** A chore is due until its run has been recorded, so ticks wait for the runs of earlier ones. */
    async tickAndSettle(at?: number) {
      await tick(at);
      await still(true);
    },
    async keysOf(binding) {
      const bucket = await runtime.getR2Bucket(binding, 'carrel');
      const keys: string[] = [];
      for (let cursor: string | undefined, more = true; more; ) {
        const page = await bucket.list({ ...(cursor && { cursor }) });
        keys.push(...page.objects.map(({ key }) => key));
        cursor = page.cursor;
        more = page.truncated;
      }
      return keys;
    },
    async setFaults(faults) {
      await fetch(new URL('/bench/faults', url), { method: 'POST', body: JSON.stringify(faults) });
    },
    faultsSoFar: async () => (await fetch(new URL('/bench/faults', url))).json() as Promise<Record<keyof Faults, number>>,
  };
}
