// A select in place of a table.

import { getTableColumns, getTableName, type SQL, Subquery } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';

/** @param select has the columns of the table */
export const selectInPlace = <T extends SQLiteTable>(table: T, select: SQL): T =>
  new Subquery(select, getTableColumns(table), getTableName(table)) as unknown as T;
