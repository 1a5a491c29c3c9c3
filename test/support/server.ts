// The service as its own process, which tests start on a state folder, kill at any moment, and restart.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { install, overBinding } from '@carrel/worker/database/install';
import type { D1Database } from '@cloudflare/workers-types';
import { getPlatformProxy } from 'wrangler';
import { builtWorker } from './built_worker.ts';
import { testJwtKey } from './client_keys.ts';
import { migrations, statementsOfMigrations } from './migrations.ts';
import { endGroup, startsGroup } from './process_group.ts';
import { hasMigrations, isMigrated, isOutdated, markNow, writeMark } from './state.ts';
import { unusedPort } from './unused_port.ts';

const root = join(import.meta.dirname, '../..');
const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js');
const quiet = { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false', NO_COLOR: '1' };

export interface Server {
  /** Scheme and host, without a path. */
  readonly url: string;
  /** Kills the runtime at once, like a power failure. */
  kill(): Promise<void>;
  /** Stops it in order. */
  stop(): Promise<void>;
  /** The end of its output so far. */
  printed(): string;
  /** Resolves with its last output when it has ended for any reason. */
  readonly ended: Promise<string>;
}

interface Start {
  /** The folder of the state; it survives restarts. */
  readonly persist: string;
  /** The same port as before; a free one when absent. */
  readonly port?: number;
  readonly vars?: Readonly<Record<string, string>>;
  /** Prints its errors as they come, for people; tests read them from `printed`. */
  readonly log?: boolean;
}

/** A state folder with an empty, current database, made once for all runs and then copied. */
async function pristine(): Promise<string> {
  const name = createHash('sha256')
    .update(JSON.stringify(markNow(migrations)))
    .digest('hex');
  const made = join(root, 'node_modules/.cache/carrel-pristine', name);
  if (isMigrated(made, migrations)) return made;
  await mkdir(dirname(made), { recursive: true });
  const making = await mkdtemp(`${made}-`);
  await apply(making);
  // Another run may have made it first.
  await rename(making, made).catch(() => rm(making, { recursive: true, force: true }));
  return made;
}

/** Applies the migrations and triggers that the state lacks; nothing to do costs nothing. */
export async function migrate(persist: string): Promise<void> {
  if (isMigrated(persist, migrations)) return;
  if (isOutdated(persist, migrations)) throw new Error(`the database in ${persist} was made by an older set of migrations`);
  if (existsSync(join(persist, 'v3'))) await apply(persist);
  else await cp(await pristine(), persist, { recursive: true });
}

async function apply(persist: string): Promise<void> {
  await mkdir(persist, { recursive: true });
  await withBinding(persist, async (d1) => {
    if (!hasMigrations(persist, migrations)) await applyMigrations(d1);
    await install(overBinding(d1));
  });
  writeMark(persist, migrations);
}

/** As `wrangler d1 migrations apply` does, with the same table of what was applied; wrangler starts a runtime for each migration. */
async function applyMigrations(d1: D1Database): Promise<void> {
  await d1
    .prepare(
      'create table if not exists d1_migrations (id integer primary key autoincrement, name text unique, applied_at timestamp default current_timestamp not null)',
    )
    .run();
  const { results } = await d1.prepare('select name from d1_migrations').all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  for (const { name, statements } of statementsOfMigrations().filter((one) => !applied.has(one.name)))
    await d1.batch([...statements, `insert into d1_migrations (name) values ('${name}')`].map((sql) => d1.prepare(sql)));
}

async function databaseConfig(): Promise<string> {
  const whole = await readFile(join(root, 'wrangler.toml'), 'utf8');
  const database = /\[\[d1_databases\]\][^[]*/.exec(whole)?.[0] ?? '';
  return `name = "carrel"\ncompatibility_date = "2026-09-25"\n\n${database}`;
}

/** The database in a state folder, for builders; only while no server uses it. */
export async function withDatabase<T>(persist: string, use: (d1: D1Database) => Promise<T>): Promise<T> {
  await migrate(persist);
  return withBinding(persist, use);
}

/** The same without applying migrations. */
export async function withBinding<T>(persist: string, use: (d1: D1Database) => Promise<T>): Promise<T> {
  // The database alone: the proxy cannot provide Durable Objects and warns about it at length.
  const configPath = join(persist, 'database.toml');
  await writeFile(configPath, await databaseConfig());
  const proxy = await getPlatformProxy<{ DB: D1Database }>({
    configPath,
    persist: { path: join(persist, 'v3') },
  });
  try {
    return await use(proxy.env.DB);
  } finally {
    await proxy.dispose();
  }
}

async function answers(url: string, hasEnded: () => boolean): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    if (hasEnded()) throw new Error('the server ended before it answered');
    const isUp = await fetch(`${url}/api/v1/courses`).then(
      (response) => response.status === 401,
      () => false,
    );
    if (isUp) return;
    await new Promise((resume) => setTimeout(resume, 100));
  }
  throw new Error('the server did not answer within a minute');
}

export async function startServer({ persist, port, vars, log }: Start): Promise<Server> {
  await migrate(persist);
  const { config } = await builtWorker();
  const at = port ?? (await unusedPort());
  const given = Object.entries({
    SIGNING_SECRET: 'only for tests',
    JWT_KEY: testJwtKey,
    RATE_LIMIT: 'off',
    ...vars,
  }).flatMap(([name, value]) => ['--var', `${name}:${value}`]);
  const options = [
    '--config',
    config,
    '--ip',
    '127.0.0.1',
    '--port',
    String(at),
    '--inspector-port',
    '0',
    '--persist-to',
    persist,
    '--log-level',
    'error',
  ];
  // In its own process group, because the runtime is a grandchild and has to be killed, too.
  const child = spawn(process.execPath, [wrangler, 'dev', '--local', '--show-interactive-dev-session=false', ...options, ...given], {
    cwd: root,
    env: quiet,
    detached: startsGroup,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said = (said + chunk).slice(-20_000);
      if (log) process.stderr.write(chunk);
    });
  let hasEnded = false;
  const ended = new Promise<string>((settle) => {
    child.once('exit', () => {
      hasEnded = true;
    });
    // Once the output has been read to its end.
    child.once('close', () => settle(said.trim().slice(-4000)));
  });
  const signal = async (name: 'SIGKILL' | 'SIGTERM') => {
    endGroup(child, name);
    await ended;
  };
  const last = () => signal('SIGKILL');
  process.once('exit', () => {
    if (!hasEnded) endGroup(child, 'SIGKILL');
  });
  const url = `http://127.0.0.1:${at}`;
  try {
    await answers(url, () => hasEnded);
  } catch (error) {
    await last();
    throw new Error(`${String(error)}\n${said}`);
  }
  return {
    url,
    printed: () => said,
    ended,
    kill: last,
    async stop() {
      await signal('SIGTERM');
      await last();
    },
  };
}

/**
 * Repeats a request when the connection is cut before a response: a restarting runtime closes open connections.
 * For reads, and for writes with an idempotency key.
 */
export async function fetchPatiently(to: string, init: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await fetch(to, init);
      // The local runtime's proxy returns its own error when the connection behind it breaks.
      if (answer.status !== 500 || attempt === 6 || !(await answer.clone().text()).includes('Network connection lost')) return answer;
      throw new Error('The connection behind the proxy was lost.');
    } catch (error) {
      if (attempt === 6) throw error;
      await new Promise((resume) => setTimeout(resume, 100 * attempt));
    }
  }
}
