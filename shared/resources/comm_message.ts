// What clients see of a message that the service has sent to a user (reference of the API: CommMessages).

import { int, maybe, text, time } from '../wire/fields';
import { resource } from './resource';

export const CommMessage = resource('CommMessage', {
  id: int,
  created_at: time,
  sent_at: maybe(time),
  workflow_state: text,
  from: text,
  from_name: text,
  to: text,
  reply_to: text,
  subject: text,
  body: text,
  html_body: maybe(text),
});
