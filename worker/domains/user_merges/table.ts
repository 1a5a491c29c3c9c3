// User merges, and the items moved in each, so that a split can restore them.

import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { id, int, state, string, time } from '../../database/columns';

export const user_merges = sqliteTable(
  'user_merges',
  {
    id: id(),
    source_id: int().notNull(),
    destination_id: int().notNull(),
    /** Who made the merge; and the real user, while masquerading. */
    actor_id: int().notNull(),
    real_actor_id: int().notNull(),
    /** The state of the source before the merge. */
    source_state: string().notNull(),
    created_at: time().notNull(),
    /** When rows written concurrently with the merge were moved. */
    settled_at: time(),
    split_at: time(),
    split_by_id: int(),
  },
  (merge) => [
    uniqueIndex('user_merges_of_source').on(merge.source_id).where(sql`split_at is null`),
    index('user_merges_into').on(merge.destination_id, merge.id),
    index('user_merges_by_age').on(merge.created_at),
    index('user_merges_by_split').on(merge.split_at).where(sql`split_at is not null`),
    index('user_merges_unsettled').on(merge.created_at).where(sql`settled_at is null`),
  ],
);

/** A moved row. */
export const user_merge_items = sqliteTable(
  'user_merge_items',
  {
    merge_id: int().notNull(),
    /** Its holding (owned_columns.ts), or a kind handled by a file of its own. */
    kind: string().notNull(),
    /** Identifies it among the user's rows, as JSON. */
    row_key: string().notNull(),
    /** Previous values that cannot be derived from the current ones. */
    before: string(),
    step: state('going', 'gone', 'returning', 'returned').notNull().default('going'),
  },
  (item) => [primaryKey({ columns: [item.merge_id, item.kind, item.row_key] })],
);
