// The channel of the path: by id, or by type and address.

import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import { readId } from '../../contexts/references';
import { communication_channels as channels } from '../users/table';

type Named = { readonly channel: string } | { readonly type: string; readonly address: string };

export const channelNamed = (user_id: number, path: Named): SQL | undefined =>
  and(
    eq(channels.user_id, user_id),
    ne(channels.workflow_state, 'deleted'),
    'channel' in path
      ? eq(channels.id, readId(path.channel) ?? 0)
      : sql`${channels.type} = ${path.type} and lower(${channels.address}) = ${path.address.toLowerCase()}`,
  );
