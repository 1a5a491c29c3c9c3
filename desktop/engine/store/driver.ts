// The thin driver below both databases: opening, numbered migrations, statements, transactions.

import { accessSync, constants, copyFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { t } from '../../language/texts';

export type { DatabaseSync as Database } from 'node:sqlite';

/** Written by a newer program. It is left unchanged. */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema';
  constructor(path: string, found: number, known: number) {
    super(t('why.newerSchema', { path, found, known }));
  }
}

/** The disk of the store is read-only. */
export class StoreReadOnly extends Error {
  override readonly name = 'StoreReadOnly';
}

/** The error code of SQLite. */
const readOnlyCode = 8;
const cannotOpen = 14;

const codeOf = (problem: unknown): number => (problem instanceof Error && 'errcode' in problem ? Number(problem.errcode) % 256 : 0);

export const isStoreReadOnly = (problem: unknown): boolean => problem instanceof StoreReadOnly || codeOf(problem) === readOnlyCode;

/** SQLite reports only that it cannot open the file: this finds the reason, if possible. */
export function openingProblem(problem: unknown, path: string): unknown {
  if (codeOf(problem) !== cannotOpen && codeOf(problem) !== readOnlyCode) return problem;
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch (why) {
    if (why instanceof Error && 'code' in why && why.code === 'EROFS')
      return new StoreReadOnly(t('why.storeReadOnly', { path: dirname(path) }));
  }
  return new Error(t('why.storeNotOpened', { path }), { cause: problem });
}

interface Opening {
  readonly path: string;
  /** Forward only; the nth brings the schema to n. */
  readonly migrations: readonly string[];
  readonly readOnly?: boolean;
}

export function openDatabase({ path, migrations, readOnly = false }: Opening): DatabaseSync {
  if (!readOnly) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const database = open(path, readOnly);
  try {
    const schema = schemaOf(database);
    if (schema > migrations.length) throw new NewerSchema(path, schema, migrations.length);
    if (readOnly) return database;
    // With WAL a crash loses at most the last transactions, never their order: what was not noted is found again on disk.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;');
    if (schema > 0 && schema < migrations.length) keepCopy(database, path, schema);
    for (const [at, migration] of migrations.entries()) {
      if (at < schema) continue;
      transaction(database, () => {
        // SQLite stores the text of a table as it is given, and all of them have to fit on the first page.
        database.exec(migration.replaceAll(/\s+/g, ' '));
        database.exec(`PRAGMA user_version = ${at + 1}`);
      });
    }
    return database;
  } catch (problem) {
    database.close();
    throw openingProblem(problem, path);
  }
}

function open(path: string, readOnly: boolean): DatabaseSync {
  try {
    return new DatabaseSync(path, { readOnly, timeout: 5000 });
  } catch (problem) {
    throw openingProblem(problem, path);
  }
}

export type Prepare = (sql: string) => StatementSync;

const returnsNoRows = (sql: string) => /^\s*(?:insert|update|delete|replace)\b/i.test(sql) && !/\breturning\b/i.test(sql);

/** After a write Node also reads the last row id, which the full-text index may have set to more than a number can hold. */
function prepared(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql);
  if (returnsNoRows(sql)) statement.setReadBigInts(true);
  return statement;
}

/** Each statement is prepared once, when it is first needed. */
export function prepareOnce(database: DatabaseSync): Prepare {
  const known = new Map<string, StatementSync>();
  return (sql) => {
    const statement = known.get(sql) ?? prepared(database, sql);
    known.set(sql, statement);
    return statement;
  };
}

export function transaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (problem) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw problem;
  }
}

/** A change of the user must survive a power cut from the moment that it is shown as done. */
export function durably<T>(database: DatabaseSync, work: () => T): T {
  database.exec('PRAGMA synchronous = FULL');
  try {
    return transaction(database, work);
  } finally {
    database.exec('PRAGMA synchronous = NORMAL');
  }
}

const schemaOf = (database: DatabaseSync): number => Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);

function keepCopy(database: DatabaseSync, path: string, schema: number): void {
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  copyFileSync(path, `${path}.schema-${schema}`);
}
