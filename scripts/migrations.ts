// `npm run migrations -- --name NAME` writes the migration for the changed tables, with `--custom` an empty one to be written by hand. Each
// finished migration is listed with its hash and never edited again.

import './usage.ts';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { listNew } from '../test/support/migrations.ts';

const root = join(import.meta.dirname, '..');
const { status } = spawnSync(
  process.execPath,
  [join(root, 'worker/node_modules/drizzle-kit/bin.cjs'), 'generate', '--config=drizzle.config.ts', ...process.argv.slice(2)],
  { cwd: join(root, 'worker'), stdio: 'inherit' },
);
if (status !== 0) process.exit(status ?? 1);
// What is written by hand is listed by the next call, once it is written.
if (!process.argv.includes('--custom')) for (const name of listNew()) console.log(`listed ${name}`);
