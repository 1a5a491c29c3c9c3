// Expressions in SQLite may be nested a hundred levels deep, and each `and` is a level. SQLite does not count what is in `from`.

import { type SQL, sql } from 'drizzle-orm';

/** The same condition, counted as one level. It cannot use an index. */
export const shallow = (condition: SQL): SQL => sql`exists (select 1 from (select 1 where ${condition}))`;
