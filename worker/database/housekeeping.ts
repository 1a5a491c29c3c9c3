// Tables that belong to no domain: the change log, scheduled changes, idempotency keys.

import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { id, int, state, string, time } from './columns';

/** One live row per item and scope; a newer change replaces the older. Written by triggers only. */
export const changes = sqliteTable(
  'changes',
  {
    /** Numbered by the triggers. No autoincrement, which would write a row for each change. */
    seq: int().primaryKey(),
    /** `course_1`: every user of the course; `user_2`: that user only. */
    scope: string().notNull(),
    kind: string().notNull(),
    item_id: int().notNull(),
    op: state('upsert', 'delete').notNull(),
    changed_at: time().notNull(),
  },
  (change) => [
    uniqueIndex('changes_once').on(change.scope, change.kind, change.item_id),
    index('changes_in_scope').on(change.scope, change.seq),
    index('changes_deleted').on(change.changed_at, change.seq).where(sql`op = 'delete'`),
  ],
);

/**
 * A random text for each second in which the log grew, from the first change of that second on. A cursor carries the one of the newest change
 * it covers, so that a log that was replaced by an older one is noticed, also when it has grown again. Written by a trigger only.
 */
export const log_marks = sqliteTable(
  'log_marks',
  { changed_at: time().primaryKey(), nonce: string().notNull(), first_seq: int().notNull() },
  (mark) => [uniqueIndex('log_marks_by_seq').on(mark.first_seq)],
);

/** Scheduled changes: times at which an item changes without a write: unlock, lock, post. Written by triggers only. */
export const scheduled_changes = sqliteTable(
  'scheduled_changes',
  { scope: string().notNull(), kind: string().notNull(), item_id: int().notNull(), field: string().notNull(), at: time().notNull() },
  (change) => [
    primaryKey({ columns: [change.kind, change.item_id, change.scope, change.field] }),
    index('scheduled_changes_in_scope').on(change.scope, change.at),
    index('scheduled_changes_due').on(change.at, change.scope),
  ],
);

/** The triggers of this database, each with the hash of its statement: `install.ts` creates the others again. */
export const trigger_hashes = sqliteTable('trigger_hashes', { name: string().primaryKey(), hash: string().notNull() });

/** Facts about the database itself: `epoch`, `oldest_seq`; and `signalled_up_to`, the time up to which due changes were signalled. */
export const facts = sqliteTable('facts', { name: string().primaryKey(), value: string().notNull() });

/** One row per accepted `Idempotency-Key`, written in the batch of the change. */
export const idempotency_keys = sqliteTable(
  'idempotency_keys',
  {
    user_id: int().notNull(),
    key: string().notNull(),
    /** SHA-256 of method, path and parameters: a key is valid for one request only. */
    fingerprint: string().notNull(),
    /** The response if it was known before the change; otherwise null, and `row_ids` are read again. */
    response: string(),
    row_ids: string(),
    created_at: time().notNull(),
  },
  (key) => [primaryKey({ columns: [key.user_id, key.key] }), index('idempotency_keys_by_age').on(key.created_at)],
);

/**
 * Users with an open socket, written by the objects that hold the sockets. An outdated row costs one useless entry in a call, and is deleted by
 * that call or within an hour.
 */
export const live_users = sqliteTable(
  'live_users',
  {
    user_id: id(),
    /** The number of the object. */
    object: int().notNull().default(0),
    connected_at: time().notNull(),
  },
  (live) => [index('live_users_by_object').on(live.object)],
);
