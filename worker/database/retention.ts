// Retention as data: which rows leave a table, found by the index of their age or in the order of their ids, in bounded steps.

import { wireTime } from '@carrel/shared/wire/fields';
import { type SQL, sql } from 'drizzle-orm';
import { atMost } from './at_most';
import type { Database, Statement } from './open';

const day = 86_400_000;

export interface Retention {
  readonly table: string;
  /** The column of the age: a time, or Unix seconds. */
  readonly by: string;
  /** Ids grow with the age, so that the oldest rows are the first ones. Otherwise an index begins with the column. */
  readonly isInIdOrder?: true;
  /** How long a row is kept after that time. */
  readonly days: number;
  readonly isInSeconds?: true;
}

/** Rows of a table that one run deletes. */
export const deletedAtOnce = 1000;
/** Rows left behind are counted up to this number. */
export const mostCounted = 10_000;

const limitOf = ({ days, isInSeconds }: Retention, now: string): string | number => {
  const time = Date.parse(now) - days * day;
  return isInSeconds ? Math.floor(time / 1000) : wireTime(time);
};

/** The rows beyond the limit, oldest first; in the order of ids, those among the first `most`. */
function oldRows({ table, by, isInIdOrder }: Retention, limit: string | number, most: number): SQL {
  const [rows, age] = [sql.raw(table), sql.raw(by)];
  return isInIdOrder
    ? sql`from (select rowid, ${age} from ${rows} order by rowid limit ${atMost(most)}) where ${age} < ${limit}`
    : sql`from ${rows} where ${age} < ${limit} order by ${age}`;
}

/** Deletes the oldest rows. */
export const forget = ({ build }: Database, retention: Retention, now: string): Statement => {
  const old = oldRows(retention, limitOf(retention, now), deletedAtOnce);
  return build.run(sql`delete from ${sql.raw(retention.table)} where rowid in (select rowid ${old} limit ${atMost(deletedAtOnce)})`);
};

/** Counts what a select finds, up to a limit: one row with `count`. */
export const countUpTo = ({ build }: Database, rows: ReturnType<typeof sql>): Statement & PromiseLike<{ count: number }[]> =>
  build.all<{ count: number }>(sql`select count(*) as count from (select 1 ${rows} limit ${atMost(mostCounted)})`);

/** @returns how many rows are left, as far as they were counted; 0 or 1 where they are in the order of their ids */
export async function forgetOld(db: Database, retentions: readonly Retention[], now: string): Promise<number> {
  const counts = retentions.map((retention) =>
    countUpTo(db, oldRows(retention, limitOf(retention, now), retention.isInIdOrder ? 1 : mostCounted)),
  );
  const results = await db.perform([...retentions.map((retention) => forget(db, retention, now)), ...counts]);
  const counted = results.slice(retentions.length) as { count: number }[][];
  return counted.reduce((sum, [row]) => sum + (row?.count ?? 0), 0);
}
