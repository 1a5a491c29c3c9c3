// What takes too long for every change: a thousand kills of the real program, and a hundred thousand simulated lives of a folder.

import './usage.ts';
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const much = { CARREL_KILLS: '1000', CARREL_SEEDS: '100000' };
const child = spawn(
  join(root, 'node_modules/.bin/vitest'),
  ['run', '--config', 'test/sync/vitest.config.ts', 'test/sync/killed.test.ts', 'test/sync/simulation.test.ts', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit', env: { ...much, ...process.env } },
);
child.on('exit', (code) => process.exit(code ?? 1));
