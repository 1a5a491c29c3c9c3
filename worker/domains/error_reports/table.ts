// Problems that users have reported.

import { sqliteTable } from 'drizzle-orm/sqlite-core';
import { created, id, int, json, string } from '../../database/columns';

export const error_reports = sqliteTable('error_reports', {
  id: id(),
  user_id: int().notNull(),
  subject: string().notNull(),
  url: string(),
  /** As the user wrote it, for an answer. */
  email: string(),
  comments: string(),
  http_env: json<Readonly<Record<string, string>>>().notNull(),
  ...created(),
});
