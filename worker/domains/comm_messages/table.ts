// What has happened of which people are to be told, and the letters that come of it.

import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { id, int, state, string, time } from '../../database/columns';

/** Written by triggers and by whoever makes something happen; each is gone once everybody has been written to. */
export const happenings = sqliteTable(
  'happenings',
  {
    id: id(),
    notification: string().notNull(),
    item_id: int().notNull(),
    /** Nobody is told before. */
    not_before: time().notNull(),
    /** The last person who has been written to: people are told in the order of their ids, some at a time. */
    told_up_to: int().notNull().default(0),
  },
  (one) => [index('happenings_due').on(one.not_before, one.id), uniqueIndex('happenings_once').on(one.notification, one.item_id)],
);

export const comm_messages = sqliteTable(
  'comm_messages',
  {
    id: id(),
    user_id: int().notNull(),
    communication_channel_id: int().notNull(),
    /** Whose administrators may read it. */
    account_id: int().notNull(),
    notification: string().notNull(),
    from: string().notNull().default(''),
    from_name: string().notNull(),
    to: string().notNull(),
    reply_to: string().notNull().default(''),
    subject: string().notNull(),
    body: string().notNull(),
    html_body: string(),
    /** When a letter that waits for others is sent with them. */
    due_at: time(),
    /** When it was handed to the queue. */
    queued_at: time(),
    attempts: int().notNull().default(0),
    sent_at: time(),
    /** `staged` waits for others, `dashboard` is kept to be read because nothing here can send letters, `closed` went with others. */
    workflow_state: state('created', 'staged', 'sending', 'sent', 'bounced', 'dashboard', 'closed', 'cancelled').notNull(),
    created_at: time().notNull(),
  },
  (one) => [
    index('comm_messages_of_user').on(one.user_id, one.created_at, one.id),
    index('comm_messages_to_do').on(one.workflow_state, one.due_at, one.id),
    index('comm_messages_by_age').on(one.created_at),
  ],
);
