// Bytes of a row with its index entries, measured by filling a table.

import type { DatabaseSync } from 'node:sqlite';
import type { Growth } from './growth.ts';

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
  readonly hidden: number;
}

const rows = 2000;

const isTime = (name: string): boolean => /(_at|^at|^hour|_date|^cut)$/.test(name);

/** A text of this length that differs in each row, as SQL over `n`. */
const textOf = (length: number): string =>
  `printf('%06d', n) || substr(replace(hex(zeroblob(${Math.ceil(length / 2)})), '00', 'xy'), 1, ${length - 6})`;

/** A typical value of a column, as SQL over `n`. */
function typicalOf({ name, type, notnull }: Column, lengths: Growth['lengths']): string {
  const length = lengths?.[name];
  if (length !== undefined) return textOf(length);
  if (isTime(name)) return `strftime('%Y-%m-%dT%H:%M:%SZ', 1780000000 + n * 37, 'unixepoch')`;
  if (/^real/i.test(type)) return '12.5 + n';
  if (/^int/i.test(type)) return /^is_|^has_/.test(name) ? 'n % 2' : /position|attempts?$/.test(name) ? 'n % 20' : '100000 + n * 37';
  if (!notnull) return 'null';
  if (/hash|fingerprint|digest|sha/.test(name)) return textOf(64);
  if (/uuid|^key$/.test(name)) return textOf(36);
  if (/state|type|kind|^op$/.test(name)) return `'available'`;
  return `n || ' Introduction to botany'`;
}

/** Rounded to ten bytes. The table is empty before. */
export function bytesOfRow(database: DatabaseSync, table: string, { lengths }: Growth): number {
  const columns = database.prepare(`pragma table_xinfo(${table})`).all() as unknown as Column[];
  const filled = columns.filter(({ hidden, name, pk, type }) => hidden === 0 && !(name === 'id' && pk === 1 && /^int/i.test(type)));
  const pages = () => (database.prepare('pragma page_count').get() as { page_count: number }).page_count;
  const { page_size } = database.prepare('pragma page_size').get() as { page_size: number };
  const before = pages();
  database.exec(
    `insert into ${table} (${filled.map(({ name }) => `"${name}"`).join(', ')}) with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${rows})
      select ${filled.map((column) => typicalOf(column, lengths)).join(', ')} from counted`,
  );
  return Math.round(((pages() - before) * page_size) / rows / 10) * 10;
}
