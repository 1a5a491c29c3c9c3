// What clients see of a communication channel (reference of the API: Communication Channels).

import { bool, int, maybe, optional, text, time } from '../wire/fields';
import { resource } from './resource';

export const CommunicationChannel = resource('CommunicationChannel', {
  id: int,
  address: text,
  type: text,
  position: int,
  user_id: int,
  workflow_state: text,
  created_at: time,
  /** The following fields are for users who manage logins: whether emails bounce. */
  bouncing: optional(bool),
  bounce_count: optional(int),
  last_bounce_at: optional(maybe(time)),
  last_bounce_summary: optional(maybe(text)),
});
