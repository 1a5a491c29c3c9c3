// What clients see of an external feed (reference of the API: External Feeds).

import { int, maybe, text, time } from '../wire/fields';
import { resource } from './resource';

export const ExternalFeed = resource('ExternalFeed', {
  id: int,
  display_name: text,
  url: text,
  header_match: maybe(text),
  verbosity: text,
  created_at: time,
  external_feed_entries_count: int,
});
