// Moves rows from one user to another: recorded first, then moved, so that they can be moved back.

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { type OwnedColumn, ownedColumns } from './owned_columns';

/** Source and destination. Statements are written for `anyPair`, and get the ids of a merge as parameters from `forPair`. */
export interface MergePair {
  readonly source: number;
  readonly destination: number;
}

/** Ids that no user has: the text of a statement must not depend on who is merged. */
export const anyPair: MergePair = { source: Number.MAX_SAFE_INTEGER - 1, destination: Number.MAX_SAFE_INTEGER - 2 };

/** String literals, quoted names, parameters, and the ids of `anyPair`. */
const marks = new RegExp(`'(?:[^']|'')*'|"[^"]*"|\\?|${anyPair.source}|${anyPair.destination}`, 'g');

/** A statement for `anyPair` with the ids of two users. */
export function forPair(db: Database, pair: MergePair, statement: Statement): Statement {
  const { sql: text, params } = (statement as unknown as { getQuery(): { sql: string; params: unknown[] } }).getQuery();
  const idOf = (value: unknown) => (value === anyPair.source ? pair.source : value === anyPair.destination ? pair.destination : value);
  const values: unknown[] = [];
  let nth = 0;
  const bound = text.replace(marks, (mark) => {
    const isParameter = mark === '?';
    if (!isParameter && !/^\d/.test(mark)) return mark;
    values.push(idOf(isParameter ? params[nth++] : Number(mark)));
    // D1 sends numbers as floating-point values, which would be visible in texts.
    return isParameter ? '?' : 'cast(? as integer)';
  });
  return db.again(bound, values);
}

/** `over` in a merge, `back` in a split. */
export type MergeDirection = 'over' | 'back';

/** The current merge of the two; all statements are conditional on it. */
export const openMerge = ({ source, destination }: MergePair): string =>
  `(select id from user_merges where source_id = ${source} and destination_id = ${destination} and split_at is null)`;

/** The recorded items of one kind that move. */
export const underWay = (pair: MergePair, kind: string, way: MergeDirection): string =>
  `merge_id = ${openMerge(pair)} and kind = '${kind}' and step = '${way === 'over' ? 'going' : 'returning'}'`;

export const runSql = (db: Database, statement: string | SQL): Statement =>
  db.build.run(typeof statement === 'string' ? sql.raw(statement) : statement);

/**
 * Records rows.
 * @param chosen the select list: key and previous values of the rows to move
 */
export const noteMerge = (db: Database, pair: MergePair, kind: string, chosen: { key: string; before?: string; from: string }): Statement =>
  runSql(
    db,
    `insert or ignore into user_merge_items (merge_id, kind, row_key, before)
      select ${openMerge(pair)}, '${kind}', ${chosen.key}, ${chosen.before ?? 'null'} from ${chosen.from} and ${openMerge(pair)} is not null`,
  );

const kindOf = ({ table, column }: OwnedColumn): string => `${table}.${column}`;
const value = ({ isCode }: OwnedColumn, id: number): string => (isCode ? `'user_' || ${id}` : String(id));

/** The source's rows of a holding, except those that conflict with the destination's. */
function noteHolding(db: Database, pair: MergePair, holding: OwnedColumn): Statement {
  const { table, column, key, isOnce, where = '1' } = holding;
  const clash = holding.clash ?? (isOnce ? key.map((one) => `d.${one} = t.${one}`).join(' and ') : undefined);
  const free = clash
    ? ` and not exists (select 1 from ${table} d where d.${column} = ${value(holding, pair.destination)} and ${clash})`
    : '';
  const chosen = where.replaceAll('$source', String(pair.source)).replaceAll('$destination', String(pair.destination));
  return noteMerge(db, pair, kindOf(holding), {
    key: `json_array(${key.map((one) => `t.${one}`).join(', ')})`,
    from: `${table} t where t.${column} = ${value(holding, pair.source)} and ${chosen}${free}`,
  });
}

/** Moves the recorded rows. Rows that conflict by now are not moved. */
function passHolding(db: Database, pair: MergePair, holding: OwnedColumn, way: MergeDirection): Statement {
  const { table, column, key } = holding;
  const [from, to] = way === 'over' ? [pair.source, pair.destination] : [pair.destination, pair.source];
  const parts = key.map((_, at) => `row_key ->> '$[${at}]'`).join(', ');
  const keys = key.length === 1 ? key[0] : `(${key.join(', ')})`;
  return runSql(
    db,
    `update or ignore ${table} set ${column} = ${value(holding, to)}
      where ${column} = ${value(holding, from)} and ${keys} in (select ${parts} from user_merge_items where ${underWay(pair, kindOf(holding), way)})`,
  );
}

export const noteOwnedColumns = (db: Database, pair: MergePair): Statement[] =>
  ownedColumns.map((holding) => noteHolding(db, pair, holding));
export const passOwnedColumns = (db: Database, pair: MergePair, way: MergeDirection): Statement[] =>
  ownedColumns.map((holding) => passHolding(db, pair, holding, way));
