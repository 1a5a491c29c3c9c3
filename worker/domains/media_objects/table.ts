// Titles that users have given to recordings, and the captions of recordings.

import { sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { created, id, int, state, string } from '../../database/columns';

export const media_titles = sqliteTable('media_titles', {
  /** The file. */
  id: int().primaryKey(),
  user_entered_title: string().notNull(),
  ...created(),
});

export const media_tracks = sqliteTable(
  'media_tracks',
  {
    id: id(),
    file_id: int().notNull(),
    locale: string().notNull(),
    kind: state('subtitles', 'captions', 'descriptions', 'chapters', 'metadata').notNull(),
    /** SubRip or WebVTT. */
    content: string().notNull(),
    user_id: int().notNull(),
    ...created(),
  },
  (track) => [uniqueIndex('media_tracks_by_file').on(track.file_id, track.locale)],
);
