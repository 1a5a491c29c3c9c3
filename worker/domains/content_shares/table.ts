// Content that one user has shared with others: a row for the sender, and one for each receiver.

import { sql } from 'drizzle-orm';
import { index, sqliteTable } from 'drizzle-orm/sqlite-core';
import { created, id, int, state, string } from '../../database/columns';

export const sharedTypes = ['assignment', 'attachment', 'discussion_topic', 'page', 'quiz', 'module', 'module_item'] as const;
export type SharedType = (typeof sharedTypes)[number];

export const content_shares = sqliteTable(
  'content_shares',
  {
    id: id(),
    /** Whose list it is in. */
    user_id: int().notNull(),
    sender_id: int().notNull(),
    kind: state('sent', 'received').notNull(),
    /** The same in all rows of one share. */
    share_uuid: string().notNull(),
    name: string().notNull(),
    content_type: state(...sharedTypes).notNull(),
    content_id: int().notNull(),
    course_id: int().notNull(),
    content_export_id: int().notNull(),
    read_state: state('unread', 'read').notNull(),
    ...created(),
  },
  (share) => [
    index('content_shares_of_user').on(share.user_id, share.kind, share.id),
    index('content_shares_together').on(share.share_uuid, share.kind, share.user_id),
    index('content_shares_of_export').on(share.content_export_id, share.user_id),
    index('content_shares_unread').on(share.user_id).where(sql`read_state = 'unread'`),
  ],
);
