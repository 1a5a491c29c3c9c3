// What the housekeeping tables may forget.

import { wireTime } from '@carrel/shared/wire/fields';
import { and, eq, lt, sql } from 'drizzle-orm';
import { atMost } from './at_most';
import { changes, facts, idempotency_keys, log_marks } from './housekeeping';
import type { Database, Statement } from './open';

const day = 86_400_000;
const before = (now: string, days: number) => wireTime(Date.parse(now) - days * day);

/** A key is honoured for two days: longer than any client retries. */
export const forgetKeys = ({ build }: Database, now: string): Statement[] => [
  build.delete(idempotency_keys).where(lt(idempotency_keys.created_at, before(now, 2))),
];

/** From when on tombstones are kept: 15 months. */
export const tombstonesFrom = (now: string): string => before(now, 456);

/** Rows that one tick deletes at most. */
const mostMarks = 1000;

/** Marks go with the tombstones, but for the newest of the old ones: it covers the log up to the next. */
export const forgetMarks = ({ build }: Database, now: string): Statement[] => [
  build
    .delete(log_marks)
    .where(
      sql`${log_marks.first_seq} in (select first_seq from log_marks where first_seq < (select max(first_seq) from log_marks where changed_at < ${tombstonesFrom(now)}) order by first_seq limit ${atMost(mostMarks)})`,
    ),
];

/** Cursors older than the youngest tombstone forgotten must refetch. */
export function forgetTombstones({ build }: Database, now: string): Statement[] {
  const old = and(eq(changes.op, 'delete'), lt(changes.changed_at, tombstonesFrom(now)));
  return [
    build
      .update(facts)
      .set({ value: sql`cast(max(cast(value as integer), coalesce((select max(seq) from changes where ${old}), 0)) as text)` })
      .where(eq(facts.name, 'oldest_seq')),
    build.delete(changes).where(old),
  ];
}
