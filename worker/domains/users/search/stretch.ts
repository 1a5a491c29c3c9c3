// A stretch of a list, as one of several ways to find rows of it (`firstOf`): its rows in their order, from where the page starts and no more
// of them than may be looked at.

import { type SQL, sql } from 'drizzle-orm';
import { afterwards, limited, type Order, type PageSought } from '../../../http/listing';

export interface Stretch {
  /** To read from, under the name of the table. */
  readonly rows: SQL;
  /** The order values of the last of them, as `mark_0` and so on: one row where there is something beyond. */
  last(when: SQL): SQL;
}

export function stretchOf(table: SQL, order: readonly Order[], { after }: PageSought, most: number, when: SQL): Stretch {
  const where = after === undefined ? sql`1` : afterwards(order, after);
  const by = sql.join(
    order.map((one) => (one.descending ? sql`${one.by} desc` : sql`${one.by}`)),
    sql`, `,
  );
  const values = sql.join(
    order.map((one, at) => sql`${one.by} as ${sql.raw(`mark_${at}`)}`),
    sql`, `,
  );
  const from = sql`from ${table} where ${where} order by ${by}`;
  return {
    rows: sql`(select * ${from} limit ${limited(most, when)}) ${table}`,
    last: (isWanted) => sql`select ${values} ${from} limit ${limited(1, isWanted)} offset ${most - 1}`,
  };
}
