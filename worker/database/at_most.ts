// The row limit of a statement, as a literal. SQLite uses the number for its plan: if it were bound, the statement would be prepared again on each
// run.

import { type SQL, sql } from 'drizzle-orm';

/** Numbers that are not safe integers are bound: clients may ask for any page. */
export const atMost = (count: number): SQL => (Number.isSafeInteger(count) ? sql.raw(String(count)) : sql`${count}`);

/** The same for drizzle's `limit`, whose type knows numbers and placeholders only. */
export const limitOf = (count: number): number => atMost(count) as unknown as number;
