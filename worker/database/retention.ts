// Retention as data: which rows leave a table, found by the index of their age, in bounded steps.

import { wireTime } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { atMost } from './at_most';
import type { Database, Statement } from './open';

const day = 86_400_000;

export interface Retention {
  readonly table: string;
  /** The column of the age, which an index begins with: a time, or Unix seconds. */
  readonly by: string;
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

const oldRows = ({ table, by }: Retention, limit: string | number) => sql`from ${sql.raw(table)} where ${sql.raw(by)} < ${limit}`;

/** Deletes the oldest rows. */
export const forget = ({ build }: Database, retention: Retention, now: string): Statement => {
  const { table, by } = retention;
  return build.run(
    sql`delete from ${sql.raw(table)} where rowid in (select rowid ${oldRows(retention, limitOf(retention, now))} order by ${sql.raw(by)} limit ${atMost(deletedAtOnce)})`,
  );
};

/** Counts what a select finds, up to a limit: one row with `count`. */
export const countUpTo = ({ build }: Database, rows: ReturnType<typeof sql>): Statement & PromiseLike<{ count: number }[]> =>
  build.all<{ count: number }>(sql`select count(*) as count from (select 1 ${rows} limit ${atMost(mostCounted)})`);

/** @returns how many rows are left, as far as they were counted */
export async function forgetOld(db: Database, retentions: readonly Retention[], now: string): Promise<number> {
  const counts = retentions.map((retention) => countUpTo(db, oldRows(retention, limitOf(retention, now))));
  const results = await db.perform([...retentions.map((retention) => forget(db, retention, now)), ...counts]);
  const counted = results.slice(retentions.length) as { count: number }[][];
  return counted.reduce((sum, [row]) => sum + (row?.count ?? 0), 0);
}
