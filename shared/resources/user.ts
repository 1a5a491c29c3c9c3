// What clients see of a user (reference of the API: Users).

import { bool, int, listOf, maybe, object, optional, text, time } from '../wire/fields';
import { resource } from './resource';

export const User = resource('User', {
  id: int,
  name: text,
  sortable_name: text,
  short_name: text,
  created_at: time,
  /** For callers with `read_sis` or `manage_sis`. */
  sis_user_id: optional(maybe(text)),
  integration_id: optional(maybe(text)),
  sis_import_id: optional(maybe(int)),
  /** For callers with `view_user_logins`. */
  login_id: optional(text),
  pronouns: optional(text),
  merged_into_user_id: optional(int),
  first_name: optional(text),
  last_name: optional(text),
  /** In rosters. */
  group_ids: optional(listOf(int)),
  avatar_url: optional(text),
  /** For callers with `manage_user_logins`. */
  avatar_state: optional(text),
  bio: optional(maybe(text)),
  title: optional(maybe(text)),
  /** For the user, and callers with `read_email_addresses`. */
  email: optional(maybe(text)),
  locale: optional(maybe(text)),
  effective_locale: optional(text),
  last_login: optional(maybe(time)),
  time_zone: optional(maybe(text)),
  uuid: optional(text),
  past_uuid: optional(text),
  /** In lists of observers and observees: the root accounts of the link. */
  observation_link_root_account_ids: optional(listOf(int)),
  /** In the response to a registration. */
  terms_of_use: optional(bool),
  confirmation_url: optional(text),
  permissions: optional(object({ can_update_name: bool, can_update_avatar: bool, limit_parent_app_web_access: bool })),
});
