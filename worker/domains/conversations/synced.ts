// The caller's conversation in the feed.

import { sql } from 'drizzle-orm';
import { rows } from '../../http/listing';
import type { SyncedKind } from '../../rules/synced_kind';
import { conversation } from './json';
import { conversations } from './table';

export const conversationSynced: SyncedKind = {
  kind: 'conversation',
  serializer: conversation,
  listing: ({ me }) =>
    rows(conversations, {
      where: sql`exists (select 1 from conversation_participants p where p.conversation_id = ${conversations.id} and p.user_id = ${me.id} and p.message_count > 0)`,
    }),
};
