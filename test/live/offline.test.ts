// Every command of the project starts without a network once the dependencies are installed.

import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { signals } from '../support/systems';
import { unusedPort } from '../support/unused_port';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'carrel-offline-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
const commands = Object.entries(scripts).filter(([, line]) => line.startsWith('node scripts/run.mjs '));

/** Fake package managers that record their calls, and fail as without a network. */
const called = join(folder, 'called');
for (const name of ['npx', 'npm', 'pnpm', 'corepack']) {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\necho "${name} $*" >> '${called}'\nexit 1\n`);
  chmodSync(file, 0o755);
}

const nowhere = 'http://127.0.0.1:9/';
const env = {
  ...process.env,
  PATH: `${folder}${delimiter}${process.env.PATH}`,
  npm_config_registry: nowhere,
  HTTP_PROXY: nowhere,
  HTTPS_PROXY: nowhere,
  NO_PROXY: '127.0.0.1,localhost',
  CARREL_DESK: join(folder, 'desk'),
  CARREL_DATA: join(folder, 'data'),
};

/** Windows cannot run the shell scripts: there only the output of the commands is checked. */
const begin = (args: readonly string[], more: Record<string, string> = {}): ChildProcess & { printed: () => string } => {
  const child = spawn(process.execPath, [join(root, 'scripts/run.mjs'), ...args], {
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (printed += chunk));
  return Object.assign(child, { printed: () => printed });
};
const ended = (child: ChildProcess) => new Promise<number | null>((settle) => child.on('exit', (code) => settle(code)));

test.each(commands.map(([name, line]) => [name, line.split(' ')[2] as string]))('npm run %s starts without a network', async (_, task) => {
  const child = begin([task, '--help']);
  expect({ code: await ended(child), printed: child.printed() }).toEqual({ code: 0, printed: expect.stringMatching(/\S/) });
  expect(existsSync(called) ? readFileSync(called, 'utf8') : '').toBe('');
});

test('npm start serves the API and the desk without a network', async (context) => {
  signals(context);
  const [port, deskPort] = [await unusedPort(), await unusedPort()];
  const child = begin(['start'], { PORT: String(port), DESK_PORT: String(deskPort), TRUST_PROXY: '1' });
  const exit = ended(child);
  await expect.poll(child.printed, { timeout: 150_000 }).toContain('Carrel is running');
  expect((await fetch(`http://127.0.0.1:${port}/api/v1/courses`)).status).toBe(401);
  // Environment variables are passed to the service: here, TRUST_PROXY.
  const { token } = JSON.parse(readFileSync(join(env.CARREL_DATA, 'credentials.json'), 'utf8')).users.admin;
  const headers = { Authorization: `Bearer ${token}`, 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'school.example' };
  const listed = await fetch(`http://127.0.0.1:${port}/api/v1/accounts`, { headers });
  expect(listed.headers.get('link')).toContain('<https://school.example/api/v1/accounts?');
  const served = await fetch(`http://127.0.0.1:${port}/api/openapi.json`);
  expect(served.headers.get('access-control-allow-origin')).toBe('*');
  const document = (await served.json()) as { openapi: string; paths: object };
  expect(document.openapi).toBe('3.1.0');
  expect(Object.keys(document.paths)).toContain('/api/v1/courses/{course_id}/assignment_groups');
  expect((await fetch(`http://127.0.0.1:${port}/docs/scalar.js`)).headers.get('content-type')).toContain('javascript');
  child.kill('SIGTERM');
  await exit;
  expect(existsSync(called) ? readFileSync(called, 'utf8') : '').toBe('');
});

test('carrel status answers without a network', async () => {
  const child = begin(['carrel', 'status']);
  await ended(child);
  expect(child.printed()).toMatch(/carrel login|Sign in|account/i);
  expect(existsSync(called) ? readFileSync(called, 'utf8') : '').toBe('');
});
