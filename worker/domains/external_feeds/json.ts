// External feeds as clients see them.

import { ExternalFeed } from '@carrel/shared/resources/external_feed';
import { sql } from 'drizzle-orm';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { external_feeds } from './table';

type Row = RowOf<typeof external_feeds> & { readonly entries?: number };

export const externalFeed = serializer({
  resource: ExternalFeed,
  table: external_feeds,
  columns: () => ({
    entries: sql<number>`(select count(*) from external_feed_entries e where e.external_feed_id = external_feeds.id)`.as('entries'),
  }),
  json: (row: Row) => ({
    ...row,
    display_name: row.title || `${new URL(row.url).origin} feed`,
    external_feed_entries_count: row.entries ?? 0,
  }),
});
