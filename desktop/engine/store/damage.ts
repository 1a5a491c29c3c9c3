// Databases that a disk has lost bits of: known for what they are, and what can still be read of the person's own is saved.

import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { t } from '../../ui/words/texts';
import { type Database, openDatabase, transaction } from './driver';

/** What was kept is not what was stored. */
export class Damaged extends Error {
  override readonly name = 'Damaged';
}

/** As SQLite counts; what it says more exactly stands in the higher bits. */
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

/** Reads all of it: only where there is reason to doubt. */
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

export const remove = (path: string): void => {
  for (const beside of besides) rmSync(path + beside, { force: true });
};

/**
 * Sets a damaged database aside, as it is, and makes a new one of all that can be read of it.
 * @returns where the damaged one lies now
 */
export function salvage(path: string, migrations: readonly string[], now: Date): string {
  const aside = `${path}.damaged-${now.toISOString().replaceAll(/[:.]/g, '-')}`;
  for (const beside of besides) if (existsSync(path + beside)) renameSync(path + beside, aside + beside);
  const fresh = openDatabase({ path, migrations });
  // Looking into it may change it: it is looked at in a copy.
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
    // Not one page of it can be made out. Anything else is no reason to give it up.
    if (!isDamage(problem)) {
      fresh.close();
      remove(path);
      for (const beside of besides) if (existsSync(aside + beside)) renameSync(aside + beside, path + beside);
      throw problem;
    }
  } finally {
    if (fresh.isOpen) fresh.close();
    remove(copy);
  }
  return aside;
}

/** From the front to where it breaks, and from the back. */
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
          // A row that is none any more.
        }
      }
      return;
    } catch (problem) {
      if (!isDamage(problem)) throw problem;
    }
  }
}

/** What looks like JSON is some. */
function isWhole(value: unknown): boolean {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return true;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
