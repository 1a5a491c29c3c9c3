// What clients see of a user in a course roster.

import { bool, int, json, listOf, maybe, optional, text } from '../wire/fields';
import { resource } from './resource';
import { User } from './user';

export const CourseUser = resource('CourseUser', {
  ...User.fields,
  /** With `include[]`. */
  enrollments: optional(listOf(json)),
  sections: optional(listOf(json)),
  group_ids: optional(listOf(int)),
  custom_links: optional(listOf(json)),
  observed_users: optional(listOf(json)),
  locked: optional(bool),
  can_be_removed: optional(bool),
  past_uuid: optional(maybe(text)),
});

export const LastAttended = resource('LastAttended', { date: maybe(text) });
