// Writes that change a user in the feed.

import { me, type TriggerSource } from '../../database/triggers/source.ts';

export const userSources: readonly TriggerSource[] = [
  { table: 'users', kind: 'user', item: '$.id', scope: "'user_' || $.id" },
  { table: 'logins', kind: 'user', item: '$.user_id', scope: me },
  { table: 'communication_channels', kind: 'user', item: '$.user_id', scope: me },
];
