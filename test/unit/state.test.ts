// The state folder of a local service between two starts.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fingerprints, isNewest, isOutdated, markOf } from '../support/state';

const folder = mkdtempSync(join(tmpdir(), 'carrel-state-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a database made by an older first migration is recognised before it is used', () => {
  const [state, migrations] = [mkdtempSync(join(folder, 'state-')), mkdtempSync(join(folder, 'migrations-'))];
  const say = (name: string, text: string) => writeFileSync(join(migrations, name), text);
  const told = () => [isOutdated(state, migrations), isNewest(state, migrations)];
  say('0001_beginning.sql', 'create table courses (id integer)');
  expect(told(), 'no state yet').toEqual([false, false]);
  writeFileSync(markOf(state), JSON.stringify(fingerprints(migrations)));
  expect(told()).toEqual([false, true]);
  say('0002_names.sql', 'alter table courses add name text');
  expect(told(), 'one more can be applied').toEqual([false, false]);
  say('0001_beginning.sql', 'create table courses (id integer, name text)');
  expect(told(), 'the first is another one').toEqual([true, false]);
  writeFileSync(markOf(state), '0001_beginning.sql');
  expect(told(), 'a mark without hashes').toEqual([true, false]);
});
