// Positions in a list that people order by hand: 1-based, an insert shifts what stands behind it.

import { type SQL, sql } from 'drizzle-orm';

/**
 * The position for a new or moved member: as asked, else after the last.
 * @param last a select of the highest position there is
 */
export const positionAt = (asked: number | undefined, last: SQL): SQL | number =>
  asked === undefined ? sql`coalesce((${last}), 0) + 1` : sql`min(${Math.max(1, asked)}, coalesce((${last}), 0) + 1)`;
