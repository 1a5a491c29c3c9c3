// A column qualified by its table, so that a nested query cannot confuse it with one of its own.

import { type Column, getTableName, type SQL, sql } from 'drizzle-orm';

/** Written as SQL, because drizzle omits the table in a select from a single table. */
export const qualified = (column: Column): SQL => sql`${sql.identifier(getTableName(column.table))}.${sql.identifier(column.name)}`;
