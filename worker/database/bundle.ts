// Rows of several tables in one statement or column, so that the ids of a page are evaluated only once.

import { lookUp } from '@carrel/shared/wire/look_up';
import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Database } from './open';
import { type RowValues, readColumns } from './read_rows';
import { withColumns } from './together';

/** For each name, a table and a condition. Parts that are not wanted are undefined. */
export type Parts = Readonly<Record<string, { readonly table: SQLiteTable; readonly where: SQL } | undefined>>;
type Tables = Readonly<Record<string, SQLiteTable>>;

/** SQLite functions take at most 32 arguments, so columns are passed in groups. */
const atOnce = 32;

/** No keyword of SQLite looks like this, apart from `current_date` and its like. */
const isPlain = (name: string): boolean => name.includes('_') && !name.startsWith('current_');

type Texts = WeakMap<SQLiteTable, SQL>;
const texts: Texts = new WeakMap();

/** The row of the only table of a select as JSON. The SQL text is cached, because building it from the columns takes longer than the round trip. */
function cells(table: SQLiteTable): SQL {
  const known = texts.get(table);
  if (known) return known;
  const columns = Object.values(getTableColumns(table)).map(({ name }) => (isPlain(name) ? name : `"${name}"`));
  const groups = Array.from({ length: Math.ceil(columns.length / atOnce) }, (_, at) => columns.slice(at * atOnce, (at + 1) * atOnce));
  const arrays = groups.map((group) => `json_array(${group.join(', ')})`);
  const text = sql.raw(arrays.length === 1 ? (arrays[0] as string) : `json_array(${arrays.join(', ')})`);
  texts.set(table, text);
  return text;
}

/** All selected rows of the only table of a select as one JSON text. */
const jsonOf = (table: SQLiteTable): SQL => sql`json_group_array(${cells(table)})`;

/** The current row in the same format: an array of one. For a select whose `from` is this table only. */
export const rowAsJson = (table: SQLiteTable): SQL => sql`json_array(${cells(table)})`;

/** Rows as a JSON array of arrays: a column next to the rows they belong to. */
export const rowsAsJson = (table: SQLiteTable, where: SQL): SQL<string> =>
  sql<string>`(select ${jsonOf(table)} from ${table} where ${where})`;

/**
 * One row whose columns hold the rows of each part.
 * @param values additional computed columns
 */
export const bundle = (db: Database, commonTables: SQL, parts: Parts, values: Readonly<Record<string, SQL>> = {}) => {
  const all = [
    ...Object.entries(parts).flatMap(([name, part]) => (part ? [[name, rowsAsJson(part.table, part.where)] as const] : [])),
    ...Object.entries(values),
  ];
  return withColumns(
    db.build.all<Record<string, string>>(
      sql`${commonTables} select ${sql.join(
        all.map(([name, column]) => sql`${column} as ${sql.identifier(name)}`),
        sql`, `,
      )}`,
    ),
    all.map(([name]) => name),
  );
};

const readers = new WeakMap<SQLiteTable, (values: RowValues) => Record<string, unknown>>();

/** Reads the rows of a table with all of its columns. */
function readerOfTable(table: SQLiteTable) {
  const known = readers.get(table);
  if (known) return known;
  const read = readColumns(Object.entries(getTableColumns(table)));
  readers.set(table, read);
  return read;
}

/** Parses the result of `rowsAsJson`; empty for parts that were not requested. */
export function rowsOfJson<T extends SQLiteTable>(table: T, json: string | undefined | null): T['$inferSelect'][] {
  if (!json || json === '[]') return [];
  const read = readerOfTable(table);
  // A row is its values, or lists of them.
  return (JSON.parse(json) as unknown[][]).map((row) => read(row.flat())) as T['$inferSelect'][];
}

export type Unbundled<P extends Tables> = { readonly [K in keyof P]: P[K]['$inferSelect'][] };

export const unbundle = <P extends Tables>(tables: P, row: Record<string, string> | undefined): Unbundled<P> =>
  Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, rowsOfJson(table, lookUp(row, name))])) as Unbundled<P>;
