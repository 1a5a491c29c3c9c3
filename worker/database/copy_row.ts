// Copies a row inside the database, including columns that the caller does not know.

import { lookUp } from '@carrel/shared/wire/look_up';
import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Database, Statement } from './open';

/** @param changes values that differ in the copy, as stored: 0 and 1 for booleans, text for JSON */
export function copyRow(
  db: Database,
  table: SQLiteTable,
  id: number,
  changes: Readonly<Record<string, SQL | string | number | null>>,
): Statement {
  // Generated columns cannot be written.
  const written = Object.entries(getTableColumns(table)).filter(([, column]) => column.generated === undefined);
  const chosen = written.map(([name, column]) =>
    Object.hasOwn(changes, name) ? sql`${lookUp(changes, name)}` : name === 'id' ? sql.raw('null') : sql`${sql.identifier(column.name)}`,
  );
  return db.build.insert(table).select(sql`select ${sql.join(chosen, sql`, `)} from ${table} where id = ${id}`);
}
