// The fields of a new message.

import { bool, commaList, idField, oneOf, optional, text } from '@carrel/shared/wire/fields';

export const messageParams = {
  attachment_ids: optional(commaList(idField('file'))),
  media_comment_id: optional(text),
  media_comment_type: optional(oneOf('audio', 'video')),
  user_note: optional(bool),
};
