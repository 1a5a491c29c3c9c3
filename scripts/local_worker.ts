// The Worker on this machine: its state in one folder, migrated, served by wrangler.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..');
const wrangler = join(root, 'node_modules/.bin/wrangler');
const quiet = {
  ...process.env,
  WRANGLER_SEND_METRICS: 'false',
  NO_UPDATE_NOTIFIER: '1',
  WRANGLER_HIDE_BANNER: 'true',
  CI: '1',
  FORCE_COLOR: '0',
};

export async function isTaken(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const probe = createServer();
    probe.once('error', () => settle(true));
    probe.listen(port, '127.0.0.1', () => probe.close(() => settle(false)));
  });
}

/** Brings the database of a state folder to the newest migration. */
export async function migrate(state: string): Promise<void> {
  await promisify(execFile)(wrangler, ['d1', 'migrations', 'apply', 'carrel', '--local', '--persist-to', state], { cwd: root, env: quiet });
}

/** The secret that signs upload tickets: made once per state folder. */
function signingSecret(data: string): string {
  const file = join(data, 'signing-secret');
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

export interface LocalWorker {
  readonly url: string;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

/** Serves the Worker and waits until it answers. */
export async function serveWorker(given: { data: string; state: string; port: number }): Promise<LocalWorker> {
  const args = [
    'dev',
    '--ip',
    '127.0.0.1',
    '--port',
    String(given.port),
    '--inspector-port',
    '0',
    '--persist-to',
    given.state,
    '--log-level',
    'error',
    '--show-interactive-dev-session=false',
    '--var',
    `SIGNING_SECRET:${signingSecret(given.data)}`,
  ];
  const child = spawn(wrangler, args, { cwd: root, env: quiet, stdio: ['ignore', 'pipe', 'pipe'], detached: process.platform !== 'win32' });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said = (said + chunk).slice(-4000)));
  const url = `http://127.0.0.1:${given.port}`;
  const ended = new Promise<never>((_, fail) => child.once('exit', (code) => fail(new Error(`the Worker ended with ${code}:\n${said}`))));
  ended.catch(() => {});
  await Promise.race([answers(url), ended]);
  return { url, process: child, stop: () => end(child) };
}

async function answers(url: string): Promise<void> {
  for (const until = Date.now() + 60_000; Date.now() < until; ) {
    try {
      if ((await fetch(url)).ok) return;
    } catch {
      // Not yet.
    }
    await new Promise((next) => setTimeout(next, 150));
  }
  throw new Error(`${url} did not answer within a minute`);
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((settle) => {
    child.once('exit', () => settle());
    // The whole group: wrangler starts the runtime as a process of its own.
    if (child.pid && process.platform !== 'win32') process.kill(-child.pid, 'SIGTERM');
    else child.kill('SIGTERM');
    setTimeout(() => child.pid && process.platform !== 'win32' && kill(-child.pid), 4000).unref();
  });
}

const kill = (pid: number) => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
};
