// The checks that take too long for every change: a thousand kills of the real program, simulated runs of a folder and of several desks, every order
// in which two desks can sync, ten minutes with two real desks, and every write endpoint tried with one permission at a time.

import './usage.ts';
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

interface Part {
  readonly files: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const parts: readonly Part[] = [
  {
    files: ['killed', 'simulation', 'interleavings', 'real_server'].map((name) => `test/sync/${name}.test.ts`),
    env: { CARREL_KILLS: '1000', CARREL_SEEDS: '100000', CARREL_LIVES: '100000', CARREL_STRIDE: '1', CARREL_MINUTES: '10' },
  },
  { files: ['test/api/partial_rights.test.ts'], env: { CARREL_EACH_PERMISSION: '1' } },
];

const run = ({ files, env }: Part) =>
  new Promise<number>((settle) => {
    const child = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...files, ...process.argv.slice(2)], {
      cwd: root,
      stdio: 'inherit',
      env: { ...env, ...process.env },
    });
    child.on('exit', (code) => settle(code ?? 1));
  });

const codes: number[] = [];
for (const part of parts) codes.push(await run(part));
process.exit(Math.max(...codes));
