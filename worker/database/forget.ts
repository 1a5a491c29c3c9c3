// Deletes expired rows of the housekeeping tables.

import { wireTime } from '@carrel/shared/wire/fields';
import { eq, sql } from 'drizzle-orm';
import { atMost } from './at_most';
import { changes, facts, log_marks } from './housekeeping';
import type { Database } from './open';
import { countUpTo, type Retention } from './retention';

const day = 86_400_000;
const before = (now: string, days: number) => wireTime(Date.parse(now) - days * day);

/** Idempotency keys are kept for two days: longer than any client retries. */
export const keyRetention: Retention = { table: 'idempotency_keys', by: 'created_at', days: 2 };

/** Tombstones are kept for 15 months. */
export const tombstonesFrom = (now: string): string => before(now, 456);

/** Rows deleted in one run. */
const atOnce = 1000;

/**
 * Log marks are deleted with the tombstones, except the newest old one, which covers the log up to the next.
 * @returns how many are left, as far as they were counted
 */
export async function forgetMarks(db: Database, now: string): Promise<number> {
  const newestOld = sql`(select max(first_seq) from log_marks where changed_at < ${tombstonesFrom(now)})`;
  const old = sql`from log_marks where first_seq < ${newestOld}`;
  const [, counted] = await db.perform([
    db.build.delete(log_marks).where(sql`first_seq in (select first_seq ${old} order by first_seq limit ${atMost(atOnce)})`),
    countUpTo(db, old),
  ]);
  return counted[0]?.count ?? 0;
}

/** The oldest first; cursors older than the newest deleted tombstone must refetch. @returns how many are left, as far as they were counted */
export async function forgetTombstones(db: Database, now: string): Promise<number> {
  const old = sql`from changes where op = 'delete' and changed_at < ${tombstonesFrom(now)}`;
  const some = sql`select seq ${old} order by changed_at, seq limit ${atMost(atOnce)}`;
  const [, , counted] = await db.perform([
    db.build
      .update(facts)
      .set({ value: sql`cast(max(cast(value as integer), coalesce((select max(seq) from (${some})), 0)) as text)` })
      .where(eq(facts.name, 'oldest_seq')),
    db.build.delete(changes).where(sql`seq in (${some})`),
    countUpTo(db, old),
  ]);
  return counted[0]?.count ?? 0;
}
