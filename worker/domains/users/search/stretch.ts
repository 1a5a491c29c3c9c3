// A scan window of a list, as one of several ways to find rows (`firstOf`): a limited number of rows in list order, from where the page starts.

import { type SQL, sql } from 'drizzle-orm';
import { afterwards, limited, type Order, type PageRequest } from '../../../http/listing';

interface Stretch {
  /** The source for `from`, under the table's name. */
  readonly rows: SQL;
  /** The sort values of the last row, as `mark_0` and so on: one row if the list continues. */
  readonly last: SQL;
}

export function stretchOf(table: SQL, order: readonly Order[], { after }: PageRequest, most: number, when: SQL): Stretch {
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
    last: sql`select ${values} ${from} limit ${limited(1, when)} offset ${most - 1}`,
  };
}
