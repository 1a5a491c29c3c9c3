// The migrations with their hashes: as files, and as the list of those that may no longer be edited.

import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Reached } from '@carrel/worker/database/install';

export const migrations = join(import.meta.dirname, '../../worker/database/migrations');
const list = join(migrations, 'SHA256SUMS');

/** Every migration with a hash of its text, by name. */
export const fingerprints = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith('.sql'))
      .sort()
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      ]),
  );

/** The list, as `sha256sum` writes and checks it. */
export const listedMigrations = (): Record<string, string> =>
  Object.fromEntries(
    readFileSync(list, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split('  ').reverse() as [string, string]),
  );

/** Adds the migrations that the list does not have yet, and returns their names. */
export function listNew(): string[] {
  const before = listedMigrations();
  const added = Object.entries(fingerprints(migrations)).filter(([name]) => !(name in before));
  appendFileSync(list, added.map(([name, hash]) => `${hash}  ${name}\n`).join(''));
  return added.map(([name]) => name);
}

const inOrder = () => Object.keys(fingerprints(migrations));

/** The statements of each migration, in order: migrations have no triggers, so that a semicolon at the end of a line ends a statement. */
export const statementsOfMigrations = (): { readonly name: string; readonly statements: readonly string[] }[] =>
  inOrder().map((name) => ({
    name,
    statements: readFileSync(join(migrations, name), 'utf8')
      .split(/;[^\S\n]*(?:-->.*)?$/m)
      .filter((sql) => sql.replaceAll(/^\s*--.*$/gm, '').trim() !== ''),
  }));

/** A database in memory that has all migrations, and none of the triggers. */
export function migrated(names: readonly string[] = inOrder()): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  for (const name of names) database.exec(readFileSync(join(migrations, name), 'utf8'));
  return database;
}

/**
 * The statements that create what all migrations together lead to, without triggers. A database made with them equals a migrated one, and
 * each test file makes one: renaming a table or dropping a column takes longer than all of them.
 */
export function schema(): string[] {
  const database = migrated();
  const rows = database.prepare('select name, sql from sqlite_master where sql is not null order by rowid').all() as {
    name: string;
    sql: string;
  }[];
  database.close();
  const virtual = rows.filter(({ sql }) => /^create virtual table/i.test(sql)).map(({ name }) => name);
  const isMadeBySqlite = (name: string) => name.startsWith('sqlite_') || virtual.some((table) => name.startsWith(`${table}_`));
  return rows.filter(({ name }) => !isMadeBySqlite(name)).map(({ sql }) => sql);
}

export const overSqlite = (database: DatabaseSync): Reached => ({
  read: async (queries) => queries.map((query) => database.prepare(query).all()),
  async write(statements) {
    database.exec(['begin;', ...statements, 'commit;'].join('\n'));
  },
});
