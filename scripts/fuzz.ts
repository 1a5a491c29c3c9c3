// `npm run fuzz`: sends malformed requests to every endpoint of a running service, as administrator, teacher and student, and prints every 5xx
// response and every request without a response. Without `--url` it starts its own service with the demo data.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { furnish, prepare } from '../test/support/demo/institution.ts';
import { type FuzzReport, fuzz, type Service } from '../test/support/fuzz.ts';
import { groundOf } from '../test/support/ground.ts';
import { startServer, withDatabase } from '../test/support/server.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    url: { type: 'string' },
    /** The first token is an administrator's, which builds the scenes; the others are additional callers. */
    tokens: { type: 'string' },
    /** Only endpoints whose `METHOD /path` contains this. */
    only: { type: 'string' },
    /** The number of parallel requests. */
    parallel: { type: 'string', default: '8' },
    help: { type: 'boolean', default: false },
  },
});
const numbers = [values.requests, values.seed, values.parallel].map(Number) as [number, number, number];
if (values.help || numbers.some((number) => !Number.isSafeInteger(number) || number < 0) || (values.url && !values.tokens)) {
  console.error(
    'npm run fuzz -- [--requests 100000] [--seed 1] [--only "PUT /courses"] [--parallel 4] [--url http://… --tokens <administrator>[,<more callers>]]',
  );
  process.exit(values.help ? 0 : 64);
}
const [requests, seed, parallel] = numbers;

/** Starts a service on a free port, with a folder that is deleted afterwards. */
async function ownService(): Promise<Service & { close(): Promise<void> }> {
  const persist = mkdtempSync(join(tmpdir(), 'carrel-fuzz-'));
  const now = Date.now();
  const prepared = await withDatabase(persist, (d1) => prepare(groundOf(d1), now));
  const server = await startServer({ persist, vars: { RATE_LIMIT: 'off' } });
  await furnish(prepared, server.url, now);
  return {
    url: server.url,
    tokens: [prepared.people.admin.token, prepared.people.teacher.token, prepared.people.student.token],
    printed: server.printed,
    async close() {
      await server.stop();
      rmSync(persist, { recursive: true, force: true });
    },
  };
}

const given: Service | undefined = values.url
  ? { url: values.url.replace(/\/$/, ''), tokens: (values.tokens ?? '').split(',') }
  : undefined;
let own = given ? undefined : await ownService();

function print({ requests, scenes, statuses, broken, seconds }: FuzzReport): void {
  for (const [kind, found] of broken) {
    console.log(`\n${kind}: ${found.length} times, the first:\n  ${found[0]?.what}\n  ${found[0]?.curl}`);
  }
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  console.log(`\n${requests} requests, seed ${seed}, ${scenes} scenes, ${seconds} s\n${counts.join('  ')}`);
  console.log(broken.size === 0 ? 'No endpoint failed.' : `${broken.size} endpoints failed.`);
}

let isOver = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    isOver = true;
  });

const report = await fuzz({
  requests,
  seed,
  parallel,
  only: values.only,
  service: () => (given ?? own) as Service,
  /** A request has broken the administrator who builds the scenes: our own service is restarted, another one cannot be. */
  restart: async () => {
    if (!own) return false;
    await own.close();
    own = await ownService();
    return true;
  },
  isOver: () => isOver,
  say: (text) => console.error(text),
});
await own?.close();
print(report);
process.exit(report.broken.size === 0 ? 0 : 1);
