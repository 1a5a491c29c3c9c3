// The fields of a new message, and how a media comment is stored.

import { bool, commaList, idField, oneOf, optional, text } from '@carrel/shared/wire/fields';

export const messageParams = {
  attachment_ids: optional(commaList(idField('file'))),
  media_comment_id: optional(text),
  media_comment_type: optional(oneOf('audio', 'video')),
  user_note: optional(bool),
};
export const mediaCommentOf = (params: { media_comment_id?: string; media_comment_type?: string }) =>
  params.media_comment_id
    ? {
        media_id: params.media_comment_id,
        media_type: params.media_comment_type ?? 'video',
        display_name: null,
        'content-type': `${params.media_comment_type ?? 'video'}/mp4`,
        url: null,
      }
    : null;
