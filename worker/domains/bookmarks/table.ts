// Bookmarks of users, in an order of their own.

import { index, sqliteTable } from 'drizzle-orm/sqlite-core';
import { created, id, int, json, string } from '../../database/columns';

export const bookmarks = sqliteTable(
  'bookmarks',
  {
    id: id(),
    user_id: int().notNull(),
    name: string().notNull(),
    url: string().notNull(),
    /** From one, without gaps. */
    position: int().notNull(),
    data: json<unknown>(),
    ...created(),
  },
  (bookmark) => [index('bookmarks_of_user').on(bookmark.user_id, bookmark.position, bookmark.id)],
);
