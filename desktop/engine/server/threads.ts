// The text of discussions and conversations and the members of groups: requested after the feed reports a change, and stored for offline
// reading.

import type { Kind } from '@carrel/shared/sync/protocol';
import { addressOfPlace } from '../model/places';
import type { MemberJson } from '../model/resources';
import type { Cache } from '../store/cache';
import type { CachedJson } from '../store/cached_items';
import type { KeptThread } from '../store/kept_threads';
import { pagesOf } from './paged';
import { Declined, type Session, Troubled } from './session';

/** Parallel requests. */
const lanes = 4;

const addressOf = ({ kind, id, course_id }: KeptThread): string =>
  kind === 'group'
    ? `/api/v1/groups/${id}/users?per_page=100`
    : kind === 'conversation'
      ? // The desk's own request must not mark it as read; only the user does.
        `/api/v1/conversations/${id}?auto_mark_as_read=false`
      : `${addressOfPlace(course_id ?? 0)}/discussion_topics/${id}/view`;

/** All members of a group, on all pages. */
async function wordsOf(thread: KeptThread, session: Session): Promise<CachedJson> {
  if (thread.kind !== 'group') return session.json<CachedJson>(addressOf(thread));
  const members = new Map<number, MemberJson>();
  // A member who joins meanwhile moves others to the next page.
  for await (const page of pagesOf<MemberJson>(session, addressOf(thread))) for (const one of page) members.set(one.id, one);
  return [...members.values()] as unknown as CachedJson;
}

/** Returns the kinds that have changed. Requests that fail are repeated in the next sync. */
export async function fetchThreads(session: Session, cache: Cache, now: () => Date): Promise<ReadonlySet<Kind>> {
  const waiting = cache.threads.stale()[Symbol.iterator]();
  const fetched = new Set<Kind>();
  const lane = async (): Promise<void> => {
    for (const thread of waiting) {
      try {
        cache.keepThread(thread, await wordsOf(thread, session), now());
      } catch (problem) {
        if (problem instanceof Troubled) continue;
        if (!(problem instanceof Declined)) throw problem;
        // The user has to post before they can read the others.
        cache.keepThread(thread, undefined);
      }
      fetched.add(thread.kind);
    }
  };
  const endings = await Promise.allSettled(Array.from({ length: lanes }, lane));
  for (const ending of endings) if (ending.status === 'rejected') throw ending.reason;
  return fetched;
}
