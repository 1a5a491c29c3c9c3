// The notification queue, and the messages created from it.

import { sql } from 'drizzle-orm';
import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { id, int, state, string, time } from '../../database/columns';

/** Written by `rules/notify.ts` and by routes; a row is deleted once all recipients have a message. */
export const notification_queue = sqliteTable(
  'notification_queue',
  {
    id: id(),
    notification: string().notNull(),
    item_id: int().notNull(),
    /** No messages before this time. */
    not_before: time().notNull(),
    /** The last recipient who has a message: recipients are processed in the order of their ids, in batches. */
    told_up_to: int().notNull().default(0),
  },
  (one) => [
    index('notification_queue_due').on(one.not_before, one.id),
    uniqueIndex('notification_queue_once').on(one.notification, one.item_id),
  ],
);

/** Messages that are still to be sent: literal, to match the partial index, which a change between these states does not write. */
export const isUnsettled = sql`workflow_state in ('created', 'staged', 'sending')`;

export const comm_messages = sqliteTable(
  'comm_messages',
  {
    id: id(),
    user_id: int().notNull(),
    communication_channel_id: int().notNull(),
    /** The account whose administrators may read it. */
    account_id: int().notNull(),
    notification: string().notNull(),
    from: string().notNull().default(''),
    from_name: string().notNull(),
    to: string().notNull(),
    reply_to: string().notNull().default(''),
    subject: string().notNull(),
    body: string().notNull(),
    html_body: string(),
    /** When a summary message is sent. */
    due_at: time(),
    /** When it was put on the queue. */
    queued_at: time(),
    attempts: int().notNull().default(0),
    sent_at: time(),
    /** `staged`: waits for a summary. `dashboard`: can be read but not sent, because no mailer is configured. `closed`: was sent as part of a summary. */
    workflow_state: state('created', 'staged', 'sending', 'sent', 'bounced', 'dashboard', 'closed', 'cancelled').notNull(),
    created_at: time().notNull(),
  },
  (one) => [
    index('comm_messages_of_user').on(one.user_id, one.created_at, one.id),
    index('comm_messages_to_do').on(one.due_at, one.id).where(isUnsettled),
  ],
);
