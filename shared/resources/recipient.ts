// A possible recipient of a message: users have numeric ids, contexts have codes.

import { int, json, listOf, mapOf, optional, text } from '../wire/fields';
import { resource } from './resource';

export const Recipient = resource('Recipient', {
  id: json,
  name: text,
  type: optional(text),
  avatar_url: optional(text),
  user_count: optional(int),
  item_count: optional(int),
  permissions: optional(json),
  context_name: optional(text),
  parent: optional(text),
  full_name: optional(text),
  pronouns: optional(text),
  common_courses: optional(mapOf(listOf(text))),
  common_groups: optional(mapOf(listOf(text))),
  user_id: optional(int),
});
