// All columns that refer to a user, and what a merge does with them.

import { globSync } from 'node:fs';
import { join } from 'node:path';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { expect, test } from 'vitest';
import { ownedColumns, stays } from './owned_columns';

const worker = join(import.meta.dirname, '../..');
const modules = await Promise.all(
  ['database/housekeeping.ts', ...globSync('domains/**/table.ts', { cwd: worker })].map(
    (path) => import(join(worker, path)) as Promise<Record<string, object>>,
  ),
);
const tables = modules
  .flatMap((one) => Object.values(one))
  .filter((one) => one instanceof SQLiteTable)
  .map((one) => getTableConfig(one));
const namesSomebody = /^(user|author|owner|student|observer|observed_user|editor|grader|assessor|real_user|merged_into_user)_id$/;
const followed = new Set(ownedColumns.map(({ table, column }) => `${table}.${column}`));

test('a merge moves every column that refers to a user, or an exception gives the reason', () => {
  const columns = tables.flatMap(({ name, columns: all }) => all.map((one) => `${name}.${one.name}`));
  const undecided = columns.filter((one) => namesSomebody.test(one.split('.')[1] ?? '') && !followed.has(one) && !(one in stays));
  expect(undecided, 'neither in `holdings` nor in `stays` of user_merges/owned_columns.ts').toEqual([]);
  expect([...followed, ...Object.keys(stays)].filter((one) => !columns.includes(one))).toEqual([]);
});
