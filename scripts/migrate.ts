// `npm run migrate -- --remote` (or `--local`): applies the migrations that a database lacks, then creates the triggers that have changed.

import './usage.ts';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install, type Reached } from '../worker/database/install.ts';

const root = join(import.meta.dirname, '..');
const where = process.argv.slice(2);
if (!where.includes('--remote') && !where.includes('--local')) {
  console.error('Say which database: npm run migrate -- --remote, or --local.');
  process.exit(64);
}

const wrangler = (args: readonly string[]): string => {
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'node_modules/wrangler/bin/wrangler.js'), 'd1', ...args, ...where], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['inherit', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0) return stdout;
  console.error(stdout);
  process.exit(status ?? 1);
};

const database: Reached = {
  async read(queries) {
    const answers = JSON.parse(wrangler(['execute', 'carrel', '--json', '--command', queries.join(';\n')])) as {
      results: Record<string, unknown>[];
    }[];
    return answers.map(({ results }) => results);
  },
  async write(statements) {
    const folder = mkdtempSync(join(tmpdir(), 'carrel-triggers-'));
    try {
      // As a file: it is uploaded and run as a whole, or not at all.
      writeFileSync(join(folder, 'triggers.sql'), statements.join('\n'));
      wrangler(['execute', 'carrel', '--yes', '--file', join(folder, 'triggers.sql')]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

console.log(wrangler(['migrations', 'apply', 'carrel']).trim());
const count = await install(database);
console.log(count === 0 ? 'The triggers are up to date.' : `The triggers are brought up to date (${count} statements).`);
