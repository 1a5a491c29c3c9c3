// External feeds of courses and groups, and their entries.

import { sql } from 'drizzle-orm';
import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { created, id, int, state, string, time } from '../../database/columns';

export const verbosities = ['full', 'truncate', 'link_only'] as const;

export const external_feeds = sqliteTable(
  'external_feeds',
  {
    id: id(),
    context_type: state('Course', 'Group').notNull(),
    context_id: int().notNull(),
    /** The user who added it. */
    user_id: int().notNull(),
    url: string().notNull(),
    /** The feed's own title; null until it has been read. */
    title: string(),
    header_match: string(),
    verbosity: state(...verbosities).notNull(),
    /** When it is due to be read again. */
    refresh_at: time().notNull(),
    consecutive_failures: int().notNull().default(0),
    /** Validator for the next conditional request. */
    etag: string(),
    last_modified: string(),
    ...created(),
  },
  (feed) => [
    index('external_feeds_in_context').on(feed.context_type, feed.context_id, feed.id),
    // `external_feeds_once` is in migrations/0002_by_hand.sql.
    index('external_feeds_due').on(feed.refresh_at).where(sql`consecutive_failures < 5`),
  ],
);

export const external_feed_entries = sqliteTable(
  'external_feed_entries',
  {
    id: id(),
    external_feed_id: int().notNull(),
    /** The feed's id of the entry. */
    key: string().notNull(),
    /** Hash of the announced content; a different one updates the announcement. */
    digest: string().notNull(),
    discussion_topic_id: int().notNull(),
    created_at: time().notNull(),
  },
  (entry) => [uniqueIndex('external_feed_entries_once').on(entry.external_feed_id, entry.key)],
);
