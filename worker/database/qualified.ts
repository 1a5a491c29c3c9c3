// A column together with its table, so that no nested query can take a column of its own for it.

import { type Column, getTableName, type SQL, sql } from 'drizzle-orm';

/** Written out, because drizzle leaves the table away in what a statement selects from one table. */
export const qualified = (column: Column): SQL => sql`${sql.identifier(getTableName(column.table))}.${sql.identifier(column.name)}`;
