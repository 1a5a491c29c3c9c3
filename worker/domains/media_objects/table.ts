// Titles that users have given to recordings.

import { sqliteTable } from 'drizzle-orm/sqlite-core';
import { created, int, string } from '../../database/columns';

export const media_titles = sqliteTable('media_titles', {
  /** The file. */
  id: int().primaryKey(),
  user_entered_title: string().notNull(),
  ...created(),
});
