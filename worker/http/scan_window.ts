// Lists whose conditions no index serves: a page scans a limited window of rows in list order. If too few match, the page is short, and the next one
// continues after the window.

import { type SQL, sql } from 'drizzle-orm';
import { atMost } from '../database/at_most';
import { afterwards, type Listing, type Order, type PageRequest } from './listing';

/** All rows in list order, along an index. */
export interface Walk {
  readonly from: SQL;
  /** Joins that the conditions need. */
  readonly join?: SQL;
  readonly where: SQL;
  /** Ascending, plain columns only: SQLite uses no index for a row comparison of expressions. */
  readonly order: readonly Order[];
  readonly id: SQL;
}

const mostLookedAt = 250;
/** Sorts after every number and text. */
const endless = sql.raw("x''");

/**
 * The scan window of a page, as a table `found` with ids, to start a listing from.
 * @param conditions each is evaluated as soon as its tables have been read
 */
export function scanWindow(walk: Walk, conditions: readonly SQL[], { per_page, after }: PageRequest): Pick<Listing, 'from' | 'columns'> {
  const by = walk.order.map((one) => sql`${one.by}`);
  const names = by.map((_, at) => sql.raw(`stop_${at}`));
  const order = sql.join(by, sql`, `);
  const where = after === undefined ? walk.where : sql`${walk.where} and ${afterwards(walk.order, after)}`;
  const stop = sql.join(
    names.map((name) => sql`coalesce((select ${name} from stop), ${endless})`),
    sql`, `,
  );
  const upToStop = sql`(${order}) <= (${stop})`;
  const stopAt = sql`stop(stop_id, ${sql.join(names, sql`, `)}) as materialized (select ${walk.id}, ${order} from ${walk.from} where ${where} order by ${order} limit 1 offset ${sql.raw(String(mostLookedAt - 1))})`;
  const chosen = conditions.map((one) => sql` and ${one}`);
  const seen = sql`seen(found_id) as materialized (select ${walk.id} from ${walk.from}${walk.join ?? sql``} where ${where} and ${upToStop}${sql.join(chosen)} order by ${order} limit ${atMost(per_page + 1)})`;
  return {
    // The last row of the window is included even if it does not match: the next page continues from there.
    from: sql`(with ${stopAt}, ${seen} select found_id, found_id is (select stop_id from stop) as is_stop, 0 as is_passed from seen
      union all select stop_id, 1, 1 from stop where stop_id not in (select found_id from seen)) found`,
    columns: { is_stop: sql`found.is_stop`.as('is_stop'), is_passed: sql`found.is_passed`.as('is_passed') },
  };
}

/** The columns of a scanned row: whether it matches, and whether the list continues. */
export const seenOf = (row: unknown) => {
  const { is_stop, is_passed } = (row ?? {}) as { readonly is_stop?: number; readonly is_passed?: number };
  return { isStop: Boolean(is_stop), isPassed: Boolean(is_passed) };
};
