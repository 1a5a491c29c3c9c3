// What clients see of a discussion entry or reply, and of a full discussion.

import { bool, group, int, json, list, maybe, optional, text, time } from '../wire/fields';
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
  attachments: optional(list(File.field)),
  deleted: optional(bool),
  deleted_at: optional(time),
};

export const DiscussionEntry = resource('DiscussionEntry', {
  ...entry,
  /** At most ten, newest first; only for top-level entries with replies. */
  recent_replies: optional(list(group(entry))),
  has_more_replies: optional(bool),
});

export const DiscussionView = resource('DiscussionView', {
  participants: list(json),
  unread_entries: list(int),
  forced_entries: list(int),
  entry_ratings: json,
  /** Nested entries, under `replies`. */
  view: list(json),
  new_entries: list(json),
});
