// Custom data: JSON stored per user and namespace by applications.

import { primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core';
import { int, string, time } from '../../database/columns';

export const custom_data = sqliteTable(
  'custom_data',
  { user_id: int().notNull(), namespace: string().notNull(), data: string().notNull(), updated_at: time().notNull() },
  (one) => [primaryKey({ columns: [one.user_id, one.namespace] })],
);
