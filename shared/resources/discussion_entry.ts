// What clients see of a discussion entry or reply, and of a full discussion.

import { bool, int, json, listOf, maybe, object, optional, text, time } from '../wire/fields';
import { File } from './file';
import { resource } from './resource';
import { UserDisplay } from './user_display';

const entry = {
  id: int,
  parent_id: maybe(int),
  created_at: time,
  updated_at: time,
  rating_count: maybe(int),
  rating_sum: maybe(int),
  user_id: optional(int),
  user_name: optional(maybe(text)),
  user: optional(UserDisplay.field),
  message: optional(maybe(text)),
  read_state: text,
  forced_read_state: bool,
  editor_id: optional(int),
  attachment: optional(File.field),
  attachments: optional(listOf(File.field)),
  deleted: optional(bool),
  deleted_at: optional(time),
};

export const DiscussionEntry = resource('DiscussionEntry', {
  ...entry,
  /** At most ten, newest first; only for top-level entries with replies. */
  recent_replies: optional(listOf(object(entry))),
  has_more_replies: optional(bool),
});

export const DiscussionView = resource('DiscussionView', {
  participants: listOf(json),
  unread_entries: listOf(int),
  forced_entries: listOf(int),
  entry_ratings: json,
  /** Nested entries, under `replies`. */
  view: listOf(json),
  new_entries: listOf(json),
});
