// Recordings in a media service: Carrel stores their id and type, not their bytes.

import { maybe, oneOf, optional, text } from '@carrel/shared/wire/fields';

export const mediaFields = { media_comment_id: optional(maybe(text)), media_comment_type: optional(maybe(oneOf('audio', 'video'))) };

interface Recorded {
  readonly media_comment_id?: string | null;
  readonly media_comment_type?: 'audio' | 'video' | null;
}

/** The recording as clients see it, without an address because its bytes are elsewhere; undefined without a recording. */
export const mediaCommentJson = ({ media_comment_id: id, media_comment_type: type }: Recorded) =>
  id
    ? {
        'content-type': `${type ?? 'video'}/mp4`,
        display_name: null,
        media_id: id,
        media_type: type ?? 'video',
        url: null,
      }
    : undefined;
