// Moves rows from one user to another: recorded first, then moved, so that they can be moved back.

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { type Holding, holdings } from './holdings';

/** Source and destination. The ids are integers from the database, so they may be inlined in SQL. */
export interface Pair {
  readonly source: number;
  readonly destination: number;
}

/** `over` in a merge, `back` in a split. */
export type Way = 'over' | 'back';

/** The current merge of the two; all statements are conditional on it. */
export const openMerge = ({ source, destination }: Pair): string =>
  `(select id from user_merges where source_id = ${source} and destination_id = ${destination} and split_at is null)`;

/** The recorded items of one kind that move. */
export const underWay = (pair: Pair, kind: string, way: Way): string =>
  `merge_id = ${openMerge(pair)} and kind = '${kind}' and step = '${way === 'over' ? 'going' : 'returning'}'`;

export const run = (db: Database, statement: string | SQL): Statement =>
  db.build.run(typeof statement === 'string' ? sql.raw(statement) : statement);

/**
 * Records rows.
 * @param chosen the select list: key and previous values of the rows to move
 */
export const note = (db: Database, pair: Pair, kind: string, chosen: { key: string; before?: string; from: string }): Statement =>
  run(
    db,
    `insert or ignore into user_merge_items (merge_id, kind, row_key, before)
      select ${openMerge(pair)}, '${kind}', ${chosen.key}, ${chosen.before ?? 'null'} from ${chosen.from} and ${openMerge(pair)} is not null`,
  );

const kindOf = ({ table, column }: Holding): string => `${table}.${column}`;
const value = ({ isCode }: Holding, id: number): string => (isCode ? `'user_${id}'` : String(id));

/** The source's rows of a holding, except those that conflict with the destination's. */
function noteHolding(db: Database, pair: Pair, holding: Holding): Statement {
  const { table, column, key, isOnce, where = '1' } = holding;
  const clash = holding.clash ?? (isOnce ? key.map((one) => `d.${one} = t.${one}`).join(' and ') : undefined);
  const free = clash
    ? ` and not exists (select 1 from ${table} d where d.${column} = ${value(holding, pair.destination)} and ${clash})`
    : '';
  const chosen = where.replaceAll('$source', String(pair.source)).replaceAll('$destination', String(pair.destination));
  return note(db, pair, kindOf(holding), {
    key: `json_array(${key.map((one) => `t.${one}`).join(', ')})`,
    from: `${table} t where t.${column} = ${value(holding, pair.source)} and ${chosen}${free}`,
  });
}

/** Moves the recorded rows. Rows that conflict by now are not moved. */
function passHolding(db: Database, pair: Pair, holding: Holding, way: Way): Statement {
  const { table, column, key } = holding;
  const [from, to] = way === 'over' ? [pair.source, pair.destination] : [pair.destination, pair.source];
  const parts = key.map((_, at) => `row_key ->> '$[${at}]'`).join(', ');
  const keys = key.length === 1 ? key[0] : `(${key.join(', ')})`;
  return run(
    db,
    `update or ignore ${table} set ${column} = ${value(holding, to)}
      where ${column} = ${value(holding, from)} and ${keys} in (select ${parts} from user_merge_items where ${underWay(pair, kindOf(holding), way)})`,
  );
}

export const noteHoldings = (db: Database, pair: Pair): Statement[] => holdings.map((holding) => noteHolding(db, pair, holding));
export const passHoldings = (db: Database, pair: Pair, way: Way): Statement[] =>
  holdings.map((holding) => passHolding(db, pair, holding, way));
