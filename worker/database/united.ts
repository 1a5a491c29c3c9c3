// Many selects as one: D1 unites at most five at once.

import { type SQL, sql } from 'drizzle-orm';

const unitedAtOnce = 4;

export const groupsOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));

/** Every part of a statement may unite at most five selects. */
export function united(selects: readonly SQL[]): SQL {
  if (selects.length <= unitedAtOnce) return sql.join([...selects], sql` union all `);
  return united(groupsOf(selects, unitedAtOnce).map((group) => sql`select * from (${united(group)})`));
}
