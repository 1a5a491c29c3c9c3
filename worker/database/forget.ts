// What the housekeeping tables may forget.

import { wireTime } from '@carrel/shared/wire/fields';
import { and, eq, lt, sql } from 'drizzle-orm';
import { changes, facts, idempotency_keys } from './housekeeping';
import type { Database, Statement } from './open';

const day = 86_400_000;
const before = (now: string, days: number) => wireTime(Date.parse(now) - days * day);

/** A key is honoured for two days: longer than any client retries. */
export const forgetKeys = ({ build }: Database, now: string): Statement[] => [
  build.delete(idempotency_keys).where(lt(idempotency_keys.created_at, before(now, 2))),
];

/** Tombstones stay 15 months; cursors older than the youngest one forgotten must refetch. */
export function forgetTombstones({ build }: Database, now: string): Statement[] {
  const old = and(eq(changes.op, 'delete'), lt(changes.changed_at, before(now, 456)));
  return [
    build
      .update(facts)
      .set({ value: sql`cast(max(cast(value as integer), coalesce((select max(seq) from changes where ${old}), 0)) as text)` })
      .where(eq(facts.name, 'oldest_seq')),
    build.delete(changes).where(old),
  ];
}
