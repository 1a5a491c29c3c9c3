// Rows of several tables in one statement, so that the ids of a page are read once however much belongs to it.

import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Database } from './open';

/** For each name: a table, and which of its rows. */
export type Parts = Readonly<Record<string, { readonly table: SQLiteTable; readonly where: SQL }>>;
export type Bundle<P extends Parts> = { readonly [K in keyof P]: P[K]['table']['$inferSelect'][] };

/** Functions take at most 32 arguments. */
const cells = (table: SQLiteTable): SQL => {
  const columns = Object.values(getTableColumns(table)).map((column) => sql`${column}`);
  if (columns.length > 32) throw new Error('a table with more than 32 columns cannot be bundled');
  return sql`json_array(${sql.join(columns, sql`, `)})`;
};

/** One row, with a JSON array of rows per part. */
export const bundle = (db: Database, commonTables: SQL, parts: Parts) =>
  db.build.all<Record<string, string>>(
    sql`${commonTables} select ${sql.join(
      Object.entries(parts).map(
        ([name, { table, where }]) =>
          sql`(select json_group_array(${cells(table)}) from ${table} where ${where}) as ${sql.identifier(name)}`,
      ),
      sql`, `,
    )}`,
  );

const read = (column: SQLiteColumn, value: unknown) => (value === null ? null : column.mapFromDriverValue(value as never));

/** @param parts the tables of the parts; their conditions do not matter here */
export function unbundle<P extends Record<string, SQLiteTable>>(
  parts: P,
  row: Record<string, string> | undefined,
): { readonly [K in keyof P]: P[K]['$inferSelect'][] } {
  return Object.fromEntries(
    Object.entries(parts).map(([name, table]) => {
      const columns = Object.entries(getTableColumns(table));
      const told = JSON.parse(row?.[name] ?? '[]') as unknown[][];
      return [name, told.map((values) => Object.fromEntries(columns.map(([key, column], at) => [key, read(column, values[at])])))];
    }),
  ) as { [K in keyof P]: P[K]['$inferSelect'][] };
}
