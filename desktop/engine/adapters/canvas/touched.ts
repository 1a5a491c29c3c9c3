// Which lists tell otherwise once the person's words have reached the server. What it answers to a word is kept at once; this is what else
// comes of it.

import type { Kind } from '@carrel/shared/sync/protocol';
import type { Intent } from '../../intents';
import { nameOf } from './shelves';

export function listsTouchedBy({ verb, body }: Intent): string[] {
  const at = (place: number | null, ...kinds: Kind[]) => kinds.map((kind) => nameOf({ kind, place }));
  switch (verb) {
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
