// Asks the server what has changed: by its feed, or, where it has none, by its lists.

import type { Clock, Session } from '../remote';
import type { Cache } from '../store/cache';
import { type Listing, pullListings } from './canvas/pull';
import { NoFeed, type Pulled, pullFeed } from './carrel';

/** By which way the cache is filled. */
export type Way = 'feed' | 'lists';

const aDay = 24 * 3_600_000;

/** Undefined before the first answer. */
export const wayOf = (cache: Cache): Way | undefined =>
  cache.noted('no_feed_at') !== undefined ? 'lists' : cache.cursor() === undefined ? undefined : 'feed';

export async function pull(
  session: Session,
  cache: Cache,
  { now }: Pick<Clock, 'now'>,
  /** Of lists: which of them. The feed tells everything at once. */
  which: Pick<Listing, 'isThorough' | 'only'> = {},
): Promise<Pulled> {
  const since = cache.noted('no_feed_at');
  // A server may learn it: it is asked anew each day.
  if (since === undefined || now().getTime() - Date.parse(since) >= aDay || Date.parse(since) > now().getTime()) {
    try {
      const pulled = await pullFeed(session, cache, now);
      cache.note('no_feed_at', undefined);
      cache.note(unfed, undefined);
      return pulled;
    } catch (problem) {
      if (!(problem instanceof NoFeed) || isFedLately(cache, now())) throw problem;
      const pulled = await pullListings({ session, cache, now, ...which });
      // Only now: a page that stands in front of everything for an hour is no server without a feed.
      cache.note('no_feed_at', now().toISOString());
      cache.note(unfed, undefined);
      return pulled;
    }
  }
  return pullListings({ session, cache, now, ...which });
}

const unfed = 'feed missed since';

/** A page that stands in front of a server for a while, or an answer cut short, does not take its feed away; a day of them does. */
function isFedLately(cache: Cache, now: Date): boolean {
  if (wayOf(cache) !== 'feed') return false;
  const since = cache.noted(unfed) ?? now.toISOString();
  cache.note(unfed, since);
  const age = now.getTime() - Date.parse(since);
  return age >= 0 && age < aDay;
}
