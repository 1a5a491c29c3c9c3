// Who has been merged into whom, and what belonged where, so that a split puts it back.

import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { id, int, state, string, time } from '../../database/columns';

export const user_merges = sqliteTable(
  'user_merges',
  {
    id: id(),
    source_id: int().notNull(),
    destination_id: int().notNull(),
    /** Who merged the two; and the person behind them, where they acted as another. */
    actor_id: int().notNull(),
    real_actor_id: int().notNull(),
    /** What the source was before. */
    source_state: string().notNull(),
    created_at: time().notNull(),
    /** When what was under way during the merge had been looked for. */
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

/** A row that changed hands. */
export const user_merge_items = sqliteTable(
  'user_merge_items',
  {
    merge_id: int().notNull(),
    /** The holding that it is of (holdings.ts), or one of those that need words of their own. */
    kind: string().notNull(),
    /** What tells it from the other rows of its person, as JSON. */
    row_key: string().notNull(),
    /** What it was before, where that cannot be told from what it has become. */
    before: string(),
    step: state('going', 'gone', 'returning', 'returned').notNull().default('going'),
  },
  (item) => [primaryKey({ columns: [item.merge_id, item.kind, item.row_key] })],
);
