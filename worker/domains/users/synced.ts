// A user in the feed.

import { eq } from 'drizzle-orm';
import { rows } from '../../http/listing';
import type { SyncedKind } from '../../rules/synced_kind';
import { shownUser } from './json';
import { users } from './table';

export const userSynced: SyncedKind = {
  kind: 'user',
  serializer: shownUser,
  listing: ({ me }) => rows(users, { where: eq(users.id, me.id) }),
};
