// Asks the server what has changed: by its feed or, without one, by its lists.

import type { Cache } from '../store/cache';
import { type PullContext, pullListings } from './canvas/pull';
import { type FeedChoice, NoFeed, type Pulled, pullFeed } from './feed';
import type { Clock, Session } from './session';

/** How the cache is filled. */
export type PullMethod = 'feed' | 'lists';

const aDay = 24 * 3_600_000;

/** Undefined before the first response. */
export const wayOf = (cache: Cache): PullMethod | undefined =>
  cache.noted('no_feed_at') !== undefined ? 'lists' : cache.cursor() === undefined ? undefined : 'feed';

export async function pull(
  session: Session,
  cache: Cache,
  { now }: Pick<Clock, 'now'>,
  /** Which lists to request. The feed always returns everything. */
  which: Pick<PullContext, 'isThorough' | 'only'> & FeedChoice = {},
): Promise<Pulled> {
  const since = cache.noted('no_feed_at');
  // The server may be upgraded: the feed is tried again every day.
  if (since === undefined || now().getTime() - Date.parse(since) >= aDay || Date.parse(since) > now().getTime()) {
    try {
      const pulled = await pullFeed(session, cache, now, which);
      cache.note('no_feed_at', undefined);
      cache.note(unfed, undefined);
      return pulled;
    } catch (problem) {
      if (!(problem instanceof NoFeed) || isFedLately(cache, now())) throw problem;
      const pulled = await pullListings({ session, cache, now, ...which });
      // Noted only now: an error page that a proxy returns for an hour does not mean that the server has no feed.
      cache.note('no_feed_at', now().toISOString());
      cache.note(unfed, undefined);
      return pulled;
    }
  }
  return pullListings({ session, cache, now, ...which });
}

const unfed = 'feed missed since';

/** After an error page or a truncated response the server still counts as one with a feed; after a day of them it does not. */
function isFedLately(cache: Cache, now: Date): boolean {
  if (wayOf(cache) !== 'feed') return false;
  const since = cache.noted(unfed) ?? now.toISOString();
  cache.note(unfed, since);
  const age = now.getTime() - Date.parse(since);
  return age >= 0 && age < aDay;
}
