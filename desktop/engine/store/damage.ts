// Databases that a disk has damaged: detects the damage, and saves what can still be read of the user's data.

import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { t } from '../../language/texts';
import { type Database, openDatabase, transaction } from './driver';

/** The data that was read is not the data that was stored. */
export class Damaged extends Error {
  override readonly name = 'Damaged';
}

/** The error code of SQLite; the higher bits contain details. */
const corrupt = 11;
const notADatabase = 26;

export function isDamage(problem: unknown): boolean {
  if (problem instanceof Damaged) return true;
  const code = problem instanceof Error && 'errcode' in problem ? Number(problem.errcode) % 256 : 0;
  return code === corrupt || code === notADatabase;
}

export function stored<T>(json: unknown): T {
  try {
    return JSON.parse(String(json)) as T;
  } catch {
    throw new Damaged(t('why.storeDamaged'));
  }
}

/** Reads everything, so it is called only when damage is suspected. */
export function isSound(database: Database, jsonIn: readonly (readonly [table: string, column: string])[]): boolean {
  try {
    if (database.prepare('PRAGMA quick_check(1)').get()?.quick_check !== 'ok') return false;
    const broken = ([table, column]: readonly [string, string]) =>
      database.prepare(`SELECT 1 FROM ${table} WHERE ${column} IS NOT NULL AND NOT json_valid(${column}) LIMIT 1`).get() !== undefined;
    return !jsonIn.some(broken);
  } catch (problem) {
    if (isDamage(problem)) return false;
    throw problem;
  }
}

const besides = ['', '-wal', '-shm'];

export const removeDatabase = (path: string): void => {
  for (const beside of besides) rmSync(path + beside, { force: true });
};

/**
 * Moves a damaged database aside unchanged, and creates a new one from everything that can be read.
 * @returns the path of the damaged one
 */
export function salvage(path: string, migrations: readonly string[], now: Date): string {
  const aside = `${path}.damaged-${now.toISOString().replaceAll(/[:.]/g, '-')}`;
  for (const beside of besides) if (existsSync(path + beside)) renameSync(path + beside, aside + beside);
  const fresh = openDatabase({ path, migrations });
  // Opening a database may change it, so a copy is opened.
  const copy = `${aside}.copy`;
  for (const beside of besides) if (existsSync(aside + beside)) copyFileSync(aside + beside, copy + beside);
  try {
    const old = openDatabase({ path: copy, migrations });
    try {
      const tables = fresh.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all();
      for (const { name } of tables) transaction(fresh, () => saveTable(String(name), old, fresh));
    } finally {
      old.close();
    }
  } catch (problem) {
    // No page of it can be read. Any other error is no reason to discard it.
    if (!isDamage(problem)) {
      fresh.close();
      removeDatabase(path);
      for (const beside of besides) if (existsSync(aside + beside)) renameSync(aside + beside, path + beside);
      throw problem;
    }
  } finally {
    if (fresh.isOpen) fresh.close();
    removeDatabase(copy);
  }
  return aside;
}

/** Reads from the start up to the damaged part, and then from the end. */
function saveTable(table: string, old: Database, fresh: Database): void {
  const info = fresh.prepare(`PRAGMA table_info(${table})`).all();
  const columns = info.map(({ name }) => String(name));
  const keys = info
    .filter(({ pk }) => Number(pk) > 0)
    .sort((a, b) => Number(a.pk) - Number(b.pk))
    .map(({ name }) => String(name));
  const insert = fresh.prepare(`INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`);
  for (const order of ['ASC', 'DESC']) {
    try {
      const rows = old.prepare(`SELECT ${columns.join(', ')} FROM ${table} ORDER BY ${keys.map((key) => `${key} ${order}`).join(', ')}`);
      for (const row of rows.iterate()) {
        const values = columns.map((column) => row[column] ?? null);
        if (!values.every(isWhole)) continue;
        try {
          insert.run(...values);
        } catch {
          // The row cannot be read.
        }
      }
      return;
    } catch (problem) {
      if (!isDamage(problem)) throw problem;
    }
  }
}

/** False for damaged JSON. */
function isWhole(value: unknown): boolean {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return true;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
