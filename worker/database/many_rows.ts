// Many rows per statement: bound as one JSON text, because D1 allows 100 parameters per query.

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from './open';

/** Columns and their value expressions; `true` takes the member of the same name. */
export type Columns = Readonly<Record<string, SQL | true>>;

const member = (name: string): SQL => sql.raw(`j.value ->> '${name}'`);
const sourceOf = ([name, from]: [string, SQL | true]) => (from === true ? member(name) : from);

/** Rows per statement: a text may be up to 2 MB long. */
const most = 1000;

export const slicesOf = <T>(items: readonly T[], length: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / length) }, (_, at) => items.slice(at * length, (at + 1) * length));

/** Inserts one row per item. */
export function insertMany(db: Database, table: string, columns: Columns, items: readonly object[], atOnce = most): Statement[] {
  const parts = Object.entries(columns);
  const names = sql.raw(parts.map(([name]) => name).join(', '));
  const values = sql.join(parts.map(sourceOf), sql`, `);
  return slicesOf(items, atOnce).map((some) =>
    db.build.run(sql`insert into ${sql.raw(table)} (${names}) select ${values} from json_each(${JSON.stringify(some)}) j`),
  );
}

/** Updates the rows whose ids are in the items. */
export function updateMany(db: Database, table: string, columns: Columns, items: readonly { readonly id: number }[]): Statement[] {
  const sets = Object.entries(columns).map(([name, from]) => sql`${sql.raw(name)} = ${sourceOf([name, from])}`);
  return slicesOf(items, most).map((some) =>
    db.build.run(
      sql`update ${sql.raw(table)} set ${sql.join(sets, sql`, `)} from json_each(${JSON.stringify(some)}) j where ${sql.raw(table)}.id = cast(j.value ->> 'id' as integer)`,
    ),
  );
}

/** True when one of the rows was changed by hand since it was read. */
export const isMoved = (table: string, items: readonly { readonly id: number; readonly stuck: string | null }[]): SQL =>
  sql`exists (select 1 from json_each(${JSON.stringify(items.map(({ id, stuck }) => ({ id, stuck })))}) j cross join ${sql.raw(table)} t on t.id = cast(j.value ->> 'id' as integer) where t.stuck_sis_fields is not j.value ->> 'stuck')`;

/** The unique non-blank texts. */
export const distinct = (values: Iterable<string | undefined>): string[] =>
  [...new Set(values)].filter((value): value is string => !!value);

/** `column in (…)` over texts. */
export const inTexts = (column: string, values: readonly string[]): SQL =>
  sql`${sql.raw(column)} in (select value from json_each(${JSON.stringify(values)}))`;
