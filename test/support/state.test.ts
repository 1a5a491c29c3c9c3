// The state folder of a local service between two starts.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { hasMigrations, isMigrated, isOutdated, markNow, writeMark } from './state';

const folder = mkdtempSync(join(tmpdir(), 'carrel-state-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a start knows whether its database is up to date, lacks something, or cannot be brought up to date', () => {
  const [state, migrations] = [mkdtempSync(join(folder, 'state-')), mkdtempSync(join(folder, 'migrations-'))];
  const write = (name: string, text: string) => writeFileSync(join(migrations, name), text);
  const known = () => ({
    isOutdated: isOutdated(state, migrations),
    hasMigrations: hasMigrations(state, migrations),
    isNewest: isMigrated(state, migrations),
  });
  write('0001_baseline.sql', 'create table courses (id integer)');
  expect(known(), 'no state yet').toEqual({ isOutdated: false, hasMigrations: false, isNewest: false });
  writeMark(state, migrations);
  expect(known()).toEqual({ isOutdated: false, hasMigrations: true, isNewest: true });
  writeFileSync(join(state, 'migrated'), JSON.stringify({ ...markNow(migrations), triggers: 'others' }));
  expect(known(), 'a trigger has changed').toEqual({ isOutdated: false, hasMigrations: true, isNewest: false });
  write('0002_names.sql', 'alter table courses add name text');
  expect(known(), 'one more can be applied').toEqual({ isOutdated: false, hasMigrations: false, isNewest: false });
  write('0001_baseline.sql', 'create table courses (id integer, name text)');
  expect(known().isOutdated, 'the first has another text').toBe(true);
  writeFileSync(join(state, 'migrated'), JSON.stringify({ '0001_beginning.sql': 'a hash' }));
  expect(known().isOutdated, 'from before the baseline').toBe(true);
});
