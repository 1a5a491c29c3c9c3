// Deletes expired rows of the housekeeping tables.

import { wireTime } from '@carrel/shared/wire/fields';
import { and, eq, lt, sql } from 'drizzle-orm';
import { atMost } from './at_most';
import { changes, facts, idempotency_keys, log_marks } from './housekeeping';
import type { Database, Statement } from './open';

const day = 86_400_000;
const before = (now: string, days: number) => wireTime(Date.parse(now) - days * day);

/** Idempotency keys are kept for two days: longer than any client retries. */
export const forgetKeys = ({ build }: Database, now: string): Statement[] => [
  build.delete(idempotency_keys).where(lt(idempotency_keys.created_at, before(now, 2))),
];

/** Tombstones are kept for 15 months. */
export const tombstonesFrom = (now: string): string => before(now, 456);

/** Maximum number of rows deleted per run. */
const mostMarks = 1000;

/** Log marks are deleted with the tombstones, except the newest old one, which covers the log up to the next. */
export const forgetMarks = ({ build }: Database, now: string): Statement[] => [
  build
    .delete(log_marks)
    .where(
      sql`${log_marks.first_seq} in (select first_seq from log_marks where first_seq < (select max(first_seq) from log_marks where changed_at < ${tombstonesFrom(now)}) order by first_seq limit ${atMost(mostMarks)})`,
    ),
];

/** Cursors older than the newest deleted tombstone must refetch. */
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
