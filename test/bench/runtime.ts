// Workers in workerd as wrangler runs them, without the proxy of `wrangler dev`, whose cost would be measured, too.

import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const repositoryRoot = join(import.meta.dirname, '../..');
const wrangler = join(repositoryRoot, 'node_modules/wrangler/bin/wrangler.js');
const databaseId = '00000000-0000-0000-0000-000000000000';

export interface WorkerModule {
  readonly type: 'ESModule' | 'Text';
  readonly path: string;
  readonly contents: string;
}

interface WorkerOptions {
  readonly name: string;
  readonly modules: readonly WorkerModule[];
  readonly [option: string]: unknown;
}

/** The used part of R2. */
export interface Storage {
  put(key: string, value: Uint8Array): Promise<unknown>;
  createMultipartUpload(key: string): Promise<{
    uploadPart(number: number, value: Uint8Array): Promise<unknown>;
    complete(parts: readonly unknown[]): Promise<unknown>;
  }>;
}

export interface Runtime {
  readonly ready: Promise<URL>;
  unsafeGetDirectURL(worker: string): Promise<URL>;
  getR2Bucket(binding: string, worker: string): Promise<Storage>;
  /** With an inspector port among the options. */
  getInspectorURL(): Promise<URL>;
  dispose(): Promise<void>;
}

interface Miniflare {
  Miniflare: new (options: object) => Runtime;
  Log: new (level: number) => object;
  /** How wrangler itself converts its options. */
  convertV4MiniflareOptions(options: object): object;
}

/** Resolved from wrangler, so that both run the same workerd; it is not a dependency of this project. */
const miniflare = (): Miniflare => createRequire(createRequire(import.meta.url).resolve('wrangler/package.json'))('miniflare') as Miniflare;

/**
 * The upload as `wrangler deploy` builds it.
 * @param isBare without bindings, so without Carrel's Durable Objects
 */
export async function build(scratch: string, entry = 'worker/index.ts', isBare = false): Promise<WorkerModule[]> {
  const out = join(scratch, 'built', entry.replaceAll('/', '-'));
  await mkdir(out, { recursive: true });
  const config = join(out, 'wrangler.toml');
  const bare = 'name = "minimal"\nmain = ""\ncompatibility_date = "2026-09-25"\n';
  const whole = isBare ? bare : await readFile(join(repositoryRoot, 'wrangler.toml'), 'utf8');
  // Paths in a configuration are below its folder.
  const placed = whole
    .replace(/^main = .*$/m, `main = ${JSON.stringify(join(repositoryRoot, entry))}`)
    .replace(/^directory = "(.*)"$/m, (_, folder: string) => `directory = ${JSON.stringify(join(repositoryRoot, folder))}`);
  await writeFile(config, placed);
  await promisify(execFile)(process.execPath, [wrangler, 'deploy', '--dry-run', '--config', config, '--outdir', out], {
    cwd: repositoryRoot,
    env: { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false', NO_COLOR: '1' },
  });
  const found = (await readdir(out, { withFileTypes: true })).filter((one) => one.isFile()).map(({ name }) => name);
  const names = found.filter((name) => !name.endsWith('.map') && !['README.md', 'wrangler.toml'].includes(name));
  // The entry first: it is the only script; the other modules are texts.
  const ordered = names.sort((a, b) => Number(b.endsWith('.js')) - Number(a.endsWith('.js')));
  return Promise.all(
    ordered.map(async (path) => ({
      type: path.endsWith('.js') ? ('ESModule' as const) : ('Text' as const),
      path,
      contents: await readFile(join(out, path), 'utf8'),
    })),
  );
}

const dates = { compatibilityDate: '2026-09-25', unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }] };

/** Carrel with all of its bindings. */
export const carrelWorker = (name: string, modules: readonly WorkerModule[]): WorkerOptions => ({
  name,
  modulesRoot: '/',
  modules,
  ...dates,
  bindings: { SIGNING_SECRET: 'only for benchmarks', RATE_LIMIT: 'off' },
  d1Databases: { DB: databaseId },
  r2Buckets: { FILES: 'carrel-files' },
  queueProducers: { WORK: 'carrel-work' },
  durableObjects: Object.fromEntries(
    [
      ['CONVERSATION', 'Conversation'],
      ['COURSE_ROSTER', 'CourseRoster'],
      ['LIVE_SOCKETS', 'LiveSockets'],
    ].map(([binding, className]) => [binding, { className, useSQLite: true }]),
  ),
});

export const plainWorker = (name: string, modules: readonly WorkerModule[], rest: object = {}): WorkerOptions => ({
  name,
  modulesRoot: '/',
  modules,
  ...dates,
  ...rest,
});

export const withDatabaseBinding = { d1Databases: { DB: databaseId } };

/** On a state folder as `wrangler dev --persist-to` writes it. Several Workers share one workerd and one database. */
export async function startRuntime(persist: string | undefined, workers: readonly WorkerOptions[], options: object = {}): Promise<Runtime> {
  const { Miniflare, Log, convertV4MiniflareOptions } = miniflare();
  const kept = persist && { resourcePersistencePath: join(persist, 'v3') };
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port: 0,
      log: new Log(0),
      handleStructuredLogs: () => {},
      cf: false,
      ...kept,
      ...options,
      workers,
    }),
  );
  await runtime.ready;
  return runtime;
}
