// The changes of the log since a write that this isolate has not looked up yet.

import { sql } from 'drizzle-orm';
import { atMost } from '../database/at_most';
import type { Database } from '../database/open';

/** Scopes with changes, the changed submissions, and the changed memberships: a user who has just left a group is no longer found by its scope. */
export interface FreshChanges {
  readonly scopes: ReadonlySet<string>;
  readonly memberships: readonly number[];
  /** They concern the students' observers, too. */
  readonly submissions: readonly number[];
  /** There are more changes than are read. */
  readonly isCut: boolean;
}

const pageSize = 1000;
const mostPages = 20;

/** Everything that was logged from `since` to `seq` is looked up. */
let seen = { since: '', seq: 0 };

interface FreshRow {
  readonly seq: number;
  readonly scope: string;
  readonly kind: string;
  readonly item_id: number;
}

/** The mark of the second in which the write began shows where its changes begin. A restored database can have smaller numbers than this isolate has seen. */
const first = (db: Database, since: string, after: number) =>
  db.build.all<FreshRow>(sql`select seq, scope, kind, item_id from changes where seq > max(
      (select first_seq - 1 from log_marks where changed_at >= ${since} order by changed_at limit 1),
      case when ${after} <= (select max(seq) from changes) then ${after} else 0 end)
    order by seq limit ${atMost(pageSize)}`);

const further = (db: Database, after: number) =>
  db.build.all<FreshRow>(sql`select seq, scope, kind, item_id from changes where seq > ${after} order by seq limit ${atMost(pageSize)}`);

/** @param since when the oldest of the writes began */
export async function readFresh(db: Database, since: string): Promise<FreshChanges> {
  const scopes = new Set<string>();
  const memberships = new Set<number>();
  const submissions = new Set<number>();
  let [rows] = await db.perform([first(db, since, since >= seen.since ? seen.seq : 0)]);
  for (let page = 1; ; page++) {
    for (const { scope, kind, item_id } of rows) {
      scopes.add(scope);
      if (kind === 'group_membership') memberships.add(item_id);
      if (kind === 'submission') submissions.add(item_id);
    }
    const last = rows.at(-1);
    if (last) seen = { since, seq: last.seq };
    const isLast = rows.length < pageSize;
    if (isLast || !last || page === mostPages)
      return { scopes, memberships: [...memberships], submissions: [...submissions], isCut: !isLast };
    [rows] = await db.perform([further(db, last.seq)]);
  }
}
