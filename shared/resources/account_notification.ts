// What clients see of an account notification (reference of the API: Account Notifications).

import { bool, int, listOf, maybe, object, optional, text, time } from '../wire/fields';
import { resource } from './resource';

export const AccountNotification = resource('AccountNotification', {
  id: int,
  subject: text,
  message: text,
  start_at: time,
  end_at: time,
  icon: text,
  /** Names of the roles that it is for; empty means everyone. */
  roles: listOf(text),
  role_ids: listOf(int),
  author: maybe(object({ id: int, name: text })),
  /** Whether the caller has dismissed it; on request. */
  closed: optional(bool),
});
