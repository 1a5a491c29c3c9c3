// The API in the Workers runtime with D1, R2 and Durable Objects.

import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineProject } from 'vitest/config';
import { installation, nothing } from '../../worker/database/install.ts';
import { builtWorker } from '../support/built_worker.ts';
import { testJwtKey } from '../support/client_keys.ts';
import { schema } from '../support/migrations.ts';
import { publicWeb } from '../support/public_web.ts';

const root = join(import.meta.dirname, '../..');

/**
 * A tmpfs for what tests write, which saves a tenth of a runtime's time. Only for the runtimes of these tests, which start after the
 * processes of the other projects have their environment.
 */
const memory = inMemory();
function inMemory(): string | undefined {
  const shared = '/dev/shm';
  const enough = 4 * 1024 ** 3;
  try {
    const { bavail, bsize } = statfsSync(shared);
    if (bavail * bsize < enough) return undefined;
    for (const left of readdirSync(shared).filter((name) => name.startsWith('carrel-api-')))
      if (!existsSync(`/proc/${left.split('-')[2]}`)) rmSync(join(shared, left), { recursive: true, force: true });
    const folder = mkdtempSync(join(shared, `carrel-api-${process.pid}-`));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    return folder;
  } catch {
    return undefined;
  }
}

// A young generation of 32 MB: garbage of a request is dead before it is scanned, which saves a tenth of the time.
process.env.MINIFLARE_WORKERD_V8_FLAGS ??= '--min-semi-space-size=32';

export default defineProject(() => {
  // In parallel with everything else before the first test.
  const building = builtWorker();
  // Reported when it is awaited; until then a failure must not end the run.
  building.catch(() => undefined);
  // As a deployment leaves it: what the migrations lead to, and what an empty database lacks. `test/live/upgrade.test.ts` runs the migrations.
  const statements = [...schema(), ...installation(nothing)];
  return {
    root,
    logLevel: 'error' as const,
    plugins: [
      cloudflareTest(async () => {
        // Every test file loads it again, and hundreds of modules would take seconds each time.
        const { script } = await building;
        if (memory) process.env.TMPDIR = memory;
        return {
          main: script,
          wrangler: { configPath: join(root, 'wrangler.toml') },
          miniflare: {
            outboundService: async (request: {
              url: string;
              method: string;
              headers: { get(name: string): string | null };
              text(): Promise<string>;
            }) => {
              const { url, method, headers } = request;
              const { status, body, location, etag } = publicWeb(url, {
                method,
                headers,
                body: method === 'POST' ? await request.text() : '',
              });
              return new Response(body ?? null, { status, headers: { ...(location && { location }), ...(etag && { etag }) } }) as never;
            },
            d1Databases: { REPLICA: 'replica' },
            bindings: {
              ORACLE: '1',
              WORKER: script,
              SIGNING_SECRET: 'only for tests',
              SETUP_SECRET: 'only for tests, and long enough',
              RATE_LIMIT: 'off',
              READ_REPLICATION: 'off',
              JWT_KEY: testJwtKey,
              EACH_PERMISSION: process.env.CARREL_EACH_PERMISSION ?? '',
              BUDGET_ROWS: process.env.BUDGET_ROWS ?? '10000',
              SCHEMA: statements,
            },
          },
        };
      }),
    ],
    test: {
      root,
      name: 'api',
      include: ['test/api/**/*.test.ts'],
      setupFiles: ['test/api/setup.ts'],
      // Files share a runtime, whose start takes longer than most of them; their data is deleted between them (setup.ts).
      isolate: false,
      // Logs written outside a test, by the queue or an object, cannot always be delivered, and the runner would wait forever.
      disableConsoleIntercept: true,
      // Everything happens at once, unless the machine is busy with other work.
      expect: { poll: { timeout: 20_000 } },
      testTimeout: process.env.BUDGET_ROWS || process.env.CARREL_EACH_PERMISSION ? 1_200_000 : 60_000,
    },
  };
});
