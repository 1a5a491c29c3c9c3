// Recordings among the files of a course, a group or a user (reference of the API: Media objects).

import { bool, int, listOf, maybe, object, optional, text, time } from '../wire/fields';
import { resource } from './resource';

export const MediaObject = resource('MediaObject', {
  media_id: text,
  media_type: text,
  title: text,
  user_entered_title: maybe(text),
  created_at: time,
  can_add_captions: bool,
  media_tracks: optional(listOf(object({ id: int, locale: text, kind: text, url: text, created_at: time, updated_at: time }))),
  media_sources: optional(
    listOf(
      object({
        url: text,
        content_type: text,
        width: maybe(int),
        height: maybe(int),
        bitrate: maybe(int),
        size: int,
        fileExt: text,
        isOriginal: text,
      }),
    ),
  ),
  embedded_iframe_url: text,
  /** Of media attachments. */
  attachment_id: optional(int),
});
