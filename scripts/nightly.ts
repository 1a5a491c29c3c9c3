// The checks that take too long for every change: a thousand kills of the real program, simulated lives of a folder and of several desks, every
// order in which two desks can sync, ten minutes with two real desks, and every write endpoint tried with one permission at a time.

import './usage.ts';
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

interface Part {
  readonly file: string;
  /** Only tests whose name matches. */
  readonly only?: string;
  readonly env: Readonly<Record<string, string>>;
}

const parts: Readonly<Record<string, Part>> = {
  /** The real program, killed a thousand times during a sync. */
  killed: { file: 'test/sync/killed.test.ts', env: { CARREL_KILLS: '1000' } },
  /** Simulated lives of a folder. */
  simulation: { file: 'test/sync/simulation.test.ts', env: { CARREL_SEEDS: '100000' } },
  /** Every order in which one desk, or two, can carry out two operations. */
  interleavings: { file: 'test/sync/interleavings.test.ts', only: '^(?!.*lives of)', env: { CARREL_STRIDE: '1', CARREL_COUNT: '1' } },
  /** Random lives of one, two and three simulated desks: 105,000 in seven kinds. */
  lives: { file: 'test/sync/interleavings.test.ts', only: 'lives of', env: { CARREL_LIVES: '15000', CARREL_COUNT: '1' } },
  /** Ten minutes of two real desks on one real server. */
  real_server: { file: 'test/sync/real_server.test.ts', env: { CARREL_MINUTES: '10' } },
  /** Every write endpoint, called by users who have one permission each. */
  permissions: { file: 'test/api/partial_rights.test.ts', env: { CARREL_EACH_PERMISSION: '1' } },
};

/**
 * What runs at the same time when no part is chosen: two lanes, because a machine with two cores finishes them in one night. A life takes 30 to
 * 100 ms of a core, a pair of operations at one point 30 ms: the lives take about two hours, the interleavings one and a half.
 */
const lanes = [
  ['interleavings', 'killed', 'simulation'],
  ['lives', 'real_server', 'permissions'],
];

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. Parts: ${Object.keys(parts).join(', ')}`);
  process.exit(64);
}

const run = ({ file, only, env }: Part) =>
  new Promise<number>((settle) => {
    const args = [file, ...(only === undefined ? [] : ['-t', only])];
    const child = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...args], {
      cwd: root,
      stdio: 'inherit',
      env: { ...env, ...process.env },
    });
    child.on('exit', (code) => settle(code ?? 1));
  });

/** The number of parts that failed. */
async function failuresOf(names: readonly string[]): Promise<number> {
  let failed = 0;
  for (const name of names) if ((await run(parts[name] as Part)) !== 0) failed += 1;
  return failed;
}

const failures = await Promise.all((chosen.length > 0 ? [chosen] : lanes).map(failuresOf));
process.exit(failures.every((failed) => failed === 0) ? 0 : 1);
