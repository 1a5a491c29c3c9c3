// `npm run triggers`: writes docs/triggers.md. `--check` only compares.

import './usage.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { triggersPage } from './triggers_page.ts';

const page = join(import.meta.dirname, '../docs/triggers.md');
if (!process.argv.includes('--check')) writeFileSync(page, triggersPage());
else if (readFileSync(page, 'utf8') !== triggersPage()) {
  console.error('docs/triggers.md is out of date. Run `npm run triggers`.');
  process.exit(1);
}
