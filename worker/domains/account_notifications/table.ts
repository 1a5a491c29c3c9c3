// Account notifications, and who has dismissed them.

import { index, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core';
import { created, id, int, json, state, string, time } from '../../database/columns';

export const icons = ['warning', 'information', 'question', 'error', 'calendar'] as const;

export const account_notifications = sqliteTable(
  'account_notifications',
  {
    id: id(),
    account_id: int().notNull(),
    /** The author. */
    user_id: int().notNull(),
    subject: string().notNull(),
    message: string().notNull(),
    start_at: time().notNull(),
    end_at: time().notNull(),
    icon: state(...icons)
      .notNull()
      .default('warning'),
    /** Empty means every role. */
    role_ids: json<number[]>().notNull().default([]),
    ...created(),
  },
  (one) => [
    index('account_notifications_in_account').on(one.account_id, one.end_at, one.id),
    index('account_notifications_of_author').on(one.user_id),
  ],
);

export const closed_account_notifications = sqliteTable(
  'closed_account_notifications',
  { account_notification_id: int().notNull(), user_id: int().notNull(), closed_at: time().notNull() },
  (one) => [primaryKey({ columns: [one.account_notification_id, one.user_id] })],
);
