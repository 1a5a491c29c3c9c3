// Content that users share with one another (reference of the API: Content shares).

import { int, listOf, maybe, object, oneOf, optional, text, time } from '../wire/fields';
import { ContentExport } from './content_export';
import { resource } from './resource';
import { UserDisplay } from './user_display';

export const ContentShare = resource('ContentShare', {
  id: int,
  name: text,
  content_type: oneOf('assignment', 'attachment', 'discussion_topic', 'page', 'quiz', 'module', 'module_item'),
  created_at: time,
  updated_at: time,
  user_id: int,
  /** For receivers. */
  sender: maybe(UserDisplay.field),
  /** For the sender. */
  receivers: listOf(UserDisplay.field),
  source_course: maybe(object({ id: int, name: text })),
  read_state: oneOf('unread', 'read'),
  content_export: optional(maybe(ContentExport.field)),
});

export const UnreadShares = resource('UnreadShares', { unread_count: int });
export const DeletedShare = resource('DeletedShare', { message: text });
