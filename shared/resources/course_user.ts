// What clients see of a user in a course roster.

import { bool, int, json, list, maybe, optional, text } from '../wire/fields';
import { resource } from './resource';
import { User } from './user';

export const CourseUser = resource('CourseUser', {
  ...User.fields,
  /** With `include[]`. */
  enrollments: optional(list(json)),
  sections: optional(list(json)),
  group_ids: optional(list(int)),
  custom_links: optional(list(json)),
  observed_users: optional(list(json)),
  locked: optional(bool),
  can_be_removed: optional(bool),
  past_uuid: optional(maybe(text)),
});

export const LastAttended = resource('LastAttended', { date: maybe(text) });
