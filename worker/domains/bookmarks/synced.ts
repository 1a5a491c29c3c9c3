// The caller's bookmark in the feed.

import { eq } from 'drizzle-orm';
import { rows } from '../../http/listing';
import type { SyncedKind } from '../../rules/synced_kind';
import { bookmark } from './json';
import { bookmarks } from './table';

export const bookmarkSynced: SyncedKind = {
  kind: 'bookmark',
  serializer: bookmark,
  listing: ({ me }) => rows(bookmarks, { where: eq(bookmarks.user_id, me.id) }),
};
