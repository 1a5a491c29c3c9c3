// Positions in a manually ordered list: 1-based; an insert shifts the members after it.

import { type SQL, sql } from 'drizzle-orm';

/**
 * The position of a new or moved member: the requested one, else last.
 * @param last a select of the highest position
 */
export const positionAt = (asked: number | undefined, last: SQL): SQL | number =>
  asked === undefined ? sql`coalesce((${last}), 0) + 1` : sql`min(${Math.max(1, asked)}, coalesce((${last}), 0) + 1)`;
