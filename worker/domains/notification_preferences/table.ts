// Notification preferences that users have changed from the default.

import { primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core';
import { int, state, string } from '../../database/columns';

export const notification_preferences = sqliteTable(
  'notification_preferences',
  {
    communication_channel_id: int().notNull(),
    notification: string().notNull(),
    frequency: state('immediately', 'daily', 'weekly', 'never').notNull(),
  },
  (one) => [primaryKey({ columns: [one.communication_channel_id, one.notification] })],
);
