// What clients see of a user's profile (reference of the API: Users).

import { bool, int, json, listOf, maybe, object, optional, text } from '../wire/fields';
import { resource } from './resource';

export const Profile = resource('Profile', {
  id: int,
  name: text,
  short_name: text,
  sortable_name: text,
  /** When the institution shows avatars. */
  avatar_url: optional(text),
  title: maybe(text),
  bio: maybe(text),
  pronouns: maybe(text),
  pronunciation: maybe(text),
  primary_email: optional(maybe(text)),
  login_id: optional(text),
  sis_user_id: optional(maybe(text)),
  integration_id: optional(maybe(text)),
  time_zone: text,
  locale: maybe(text),
  effective_locale: text,
  calendar: optional(object({ ics: text })),
  lti_user_id: optional(text),
  k5_user: bool,
  use_classic_font_in_k5: bool,
  links: optional(listOf(json)),
  user_services: optional(listOf(json)),
  uuid: optional(text),
});
