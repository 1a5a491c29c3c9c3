// Combines many selects: D1 allows at most five per compound select.

import { type SQL, sql } from 'drizzle-orm';

const unitedAtOnce = 4;

export const inGroupsOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));

/** At most five selects per level, so parts are nested. */
export function united(selects: readonly SQL[]): SQL {
  if (selects.length <= unitedAtOnce) return sql.join([...selects], sql` union all `);
  return united(inGroupsOf(selects, unitedAtOnce).map((group) => sql`select * from (${united(group)})`));
}
