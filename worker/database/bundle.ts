// Rows of several tables in one statement or one column, so that the ids of a page are read once however much belongs to it.

import { lookUp } from '@carrel/shared/wire/look_up';
import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Database } from './open';
import { named } from './together';

/** For each name: a table, and which of its rows. What is not wanted is undefined. */
export type Parts = Readonly<Record<string, { readonly table: SQLiteTable; readonly where: SQL } | undefined>>;
type Tables = Readonly<Record<string, SQLiteTable>>;

/** Functions take at most 32 arguments, so the columns of a row come in groups. */
const atOnce = 32;

const texts = new WeakMap<SQLiteTable, string>();

/** The row of a table as JSON. Its text is the same in every request, so it is made once: made of its columns each time, it costs more than the trip. */
function cells(table: SQLiteTable): SQL {
  let text = texts.get(table);
  if (text === undefined) {
    const columns = Object.values(getTableColumns(table)).map((column) => `"${getTableName(table)}"."${column.name}"`);
    const groups = Array.from({ length: Math.ceil(columns.length / atOnce) }, (_, at) => columns.slice(at * atOnce, (at + 1) * atOnce));
    text = `json_array(${groups.map((group) => `json_array(${group.join(', ')})`).join(', ')})`;
    texts.set(table, text);
  }
  return sql.raw(text);
}

/** All rows of a table that a select finds, as one JSON text. */
const jsonOf = (table: SQLiteTable): SQL => sql`json_group_array(${cells(table)})`;

/** The row at hand, told like such rows: an array of one. */
export const rowAsJson = (table: SQLiteTable): SQL => sql`json_array(${cells(table)})`;

/** Rows as a JSON array of arrays: a column beside the rows they belong to. */
export const rowsAsJson = (table: SQLiteTable, where: SQL): SQL<string> =>
  sql<string>`(select ${jsonOf(table)} from ${table} where ${where})`;

/**
 * One row, with the rows of a part in each column.
 * @param values more columns, computed
 */
export const bundle = (db: Database, commonTables: SQL, parts: Parts, values: Readonly<Record<string, SQL>> = {}) => {
  const all = [
    ...Object.entries(parts).flatMap(([name, part]) => (part ? [[name, rowsAsJson(part.table, part.where)] as const] : [])),
    ...Object.entries(values),
  ];
  return named(
    db.build.all<Record<string, string>>(
      sql`${commonTables} select ${sql.join(
        all.map(([name, column]) => sql`${column} as ${sql.identifier(name)}`),
        sql`, `,
      )}`,
    ),
    all.map(([name]) => name),
  );
};

const read = (column: SQLiteColumn, value: unknown) => (value === null ? null : column.mapFromDriverValue(value as never));

/** The rows that `rowsAsJson` told; none for what was not asked for. */
export function rowsOfJson<T extends SQLiteTable>(table: T, json: string | undefined | null): T['$inferSelect'][] {
  const columns = Object.entries(getTableColumns(table));
  const told = JSON.parse(json ?? '[]') as unknown[][][];
  return told.map((groups) => {
    const values = groups.flat();
    return Object.fromEntries(columns.map(([key, column], at) => [key, read(column, values[at])]));
  }) as T['$inferSelect'][];
}

export type Unbundled<P extends Tables> = { readonly [K in keyof P]: P[K]['$inferSelect'][] };

export const unbundle = <P extends Tables>(tables: P, row: Record<string, string> | undefined): Unbundled<P> =>
  Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, rowsOfJson(table, lookUp(row, name))])) as Unbundled<P>;
