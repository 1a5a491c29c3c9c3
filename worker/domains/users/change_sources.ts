// Writes that change a user in the feed.

import { me, type TriggerSource } from '../../database/triggers/source.ts';

export const userSources: readonly TriggerSource[] = [
  // The feed does not contain the last login, which is written on its own.
  { table: 'users', kind: 'user', item: '$.id', scope: "'user_' || $.id", onUpdate: 'new.last_login is old.last_login' },
  { table: 'logins', kind: 'user', item: '$.user_id', scope: me },
  { table: 'communication_channels', kind: 'user', item: '$.user_id', scope: me },
];
