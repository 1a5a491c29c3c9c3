// The lists that change when a change of the user reaches the server. The response itself is stored at once; these are its side effects.

import type { Kind } from '@carrel/shared/sync/protocol';
import type { Intent } from '../../outbox/intents';
import { collectionNameOf } from './collections';

export function listsTouchedBy({ verb, body }: Intent): string[] {
  const at = (place: number | null, ...kinds: Kind[]) => kinds.map((kind) => collectionNameOf({ kind, place }));
  switch (verb) {
    case 'announce':
      return at(body.course_id, 'discussion_topic');
    case 'author':
      return at(body.course_id, body.kind, 'module');
    case 'reply':
    case 'read entries':
      return at(body.course_id, 'discussion_topic', ...(body.course_id > 0 ? (['module'] as const) : []));
    case 'view':
    case 'done':
    case 'undone':
      return at(body.course_id, 'module');
    case 'hand in':
      return at(body.course_id, 'submission', 'assignment', 'module');
    case 'write':
    case 'compose':
    case 'open':
      return at(null, 'conversation');
    default:
      return [];
  }
}
