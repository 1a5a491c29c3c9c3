// Writes the first migration from the tables, triggers and initial data. There is one migration until the first release; later changes each add one.

import './usage.ts';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beginning } from '../worker/database/beginning.ts';
import { triggers } from '../worker/database/triggers.ts';

const root = join(import.meta.dirname, '..');
const tables = execFileSync(join(root, 'worker/node_modules/.bin/drizzle-kit'), ['export', '--config=drizzle.config.ts'], {
  cwd: join(root, 'worker'),
  encoding: 'utf8',
});
/** The exporter splits an index expression at its commas and quotes the parts; they are joined again until the brackets match. */
function mendIndex(line: string): string {
  if (!/^CREATE (UNIQUE )?INDEX/.test(line)) return line;
  const cut = /`([^`]*\([^`)]*)`,`([^`]*)`/;
  let mended = line;
  while (cut.test(mended)) mended = mended.replace(cut, '`$1,$2`');
  return mended.replace(/`([^`]*\([^`]*)`(?=[,)])/g, '$1');
}

const start = tables.indexOf('CREATE TABLE');
if (start < 0) throw new Error(tables);
const file = join(root, 'worker/database/migrations/0001_beginning.sql');
writeFileSync(file, `${[tables.slice(start).trim().split('\n').map(mendIndex).join('\n'), ...triggers(), ...beginning()].join('\n')}\n`);
console.log(`wrote ${file.slice(root.length + 1)}`);
