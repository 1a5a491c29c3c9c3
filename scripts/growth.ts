// `npm run growth`: measures the rows of large tables and writes the tables of docs/scale.md.

import './usage.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withGrowth } from '../test/support/growth_page.ts';

const page = join(import.meta.dirname, '../docs/scale.md');
writeFileSync(page, withGrowth(readFileSync(page, 'utf8')));
