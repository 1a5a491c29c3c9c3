// Communication channels as clients see them.

import { CommunicationChannel } from '@carrel/shared/resources/communication_channel';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { holds } from '../users/json';
import { communication_channels } from '../users/table';

export const communicationChannel = serializer({
  resource: CommunicationChannel,
  table: communication_channels,
  json(row: RowOf<typeof communication_channels>, call) {
    const { bounce_count, last_bounce_at, last_bounce_summary, ...plain } = row;
    const seesBounces = holds(call, 'manage_user_logins');
    return { ...plain, ...(seesBounces && { bouncing: bounce_count > 0, bounce_count, last_bounce_at, last_bounce_summary }) };
  },
});
