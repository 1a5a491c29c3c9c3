// A page that a user has opened (reference of the API: History).

import { int, maybe, text, time } from '../wire/fields';
import { resource } from './resource';

export const HistoryEntry = resource('HistoryEntry', {
  asset_code: text,
  asset_name: text,
  asset_icon: text,
  asset_readable_category: text,
  context_type: text,
  context_id: int,
  context_name: text,
  visited_url: text,
  visited_at: time,
  interaction_seconds: maybe(int),
});
