// How many rows a statement reads at most, written into it. SQLite plans by that number: where it is bound, the statement is read and planned
// a second time, each time it runs, once the number is known.

import { type SQL, sql } from 'drizzle-orm';

/** What is no number that can be written is bound: a client may ask for any page. */
export const atMost = (count: number): SQL => (Number.isSafeInteger(count) ? sql.raw(String(count)) : sql`${count}`);
