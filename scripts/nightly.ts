// The checks that take too long for every change: a thousand kills of the real program, simulated runs of a folder and of several desks, every order
// in which two desks can sync, ten minutes with two real desks, and every write endpoint tried with one permission at a time.

import './usage.ts';
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

interface Part {
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
}

const parts: Readonly<Record<string, Part>> = {
  /** The real program, killed a thousand times during a sync. */
  killed: { file: 'test/sync/killed.test.ts', env: { CARREL_KILLS: '1000' } },
  /** Simulated lives of a folder. */
  simulation: { file: 'test/sync/simulation.test.ts', env: { CARREL_SEEDS: '100000' } },
  /** Every order in which two simulated desks can sync, and random lives of one, two and three. */
  interleavings: { file: 'test/sync/interleavings.test.ts', env: { CARREL_STRIDE: '1', CARREL_LIVES: '100000' } },
  /** Ten minutes of two real desks on one real server. */
  real_server: { file: 'test/sync/real_server.test.ts', env: { CARREL_MINUTES: '10' } },
  /** Every write endpoint, called by people who hold one permission each. */
  permissions: { file: 'test/api/partial_rights.test.ts', env: { CARREL_EACH_PERMISSION: '1' } },
};

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. Parts: ${Object.keys(parts).join(', ')}`);
  process.exit(64);
}

const run = ({ file, env }: Part) =>
  new Promise<number>((settle) => {
    const child = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', file], {
      cwd: root,
      stdio: 'inherit',
      env: { ...env, ...process.env },
    });
    child.on('exit', (code) => settle(code ?? 1));
  });

let failed = 0;
for (const [name, part] of Object.entries(parts)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  if ((await run(part)) !== 0) failed += 1;
}
process.exit(failed === 0 ? 0 : 1);
