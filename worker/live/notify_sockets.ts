// Notifies the sockets of the users whom changes concern: after writes, when their responses are sent, and when a chore finds changes by the clock.

import type { D1Bookmark } from '@carrel/shared/sync/d1_bookmark';
import { afterResponses, type Database, open } from '../database/open';
import type { Platform } from '../platform';
import { type ConcernedUsers, everyone, readConcerned } from './concerned';
import { type FreshChanges, readFresh } from './fresh_changes';
import { spreadFor } from './signal_limiter';
import { numberOfObjects, socketsOf } from './socket_objects';

/** Writes within these milliseconds share a lookup. The first one does not wait. */
const pause = 250;
/** Calls that wait for their responses at the same time: the platform's limit for connections. */
const atOnce = 6;

/** When the oldest write began whose changes have not been looked up. */
let waitingSince: string | undefined;
let lastStart = 0;
let nextStart = 0;

/**
 * Requests never wait for one another's lookup, because the request that makes it may be cancelled; the next write then looks up these changes, too.
 * @param since when the writing request began
 */
export async function notifySockets(env: Platform, since: string): Promise<void> {
  waitingSince = waitingSince === undefined || since < waitingSince ? since : waitingSince;
  const now = Date.now();
  const wait = nextStart - now;
  // After a clock that was wrong, the times are meaningless.
  if (wait > 0 && wait <= pause) return;
  nextStart = lastStart > now ? now : Math.max(now, lastStart + pause);
  if (nextStart > now) await new Promise((resume) => setTimeout(resume, nextStart - now));
  const from = waitingSince;
  waitingSince = undefined;
  lastStart = Date.now();
  if (from !== undefined) await lookUpAndSignal(env, from);
}

async function lookUpAndSignal(env: Platform, since: string): Promise<void> {
  const db = open(env.DB, afterResponses, 'first-primary');
  const fresh = await readFresh(db, since);
  if (fresh.scopes.size > 0) await signalConcerned(env, db, fresh);
}

/**
 * Signals to the users whom the changes concern.
 * @param db a session that has read from the primary: its bookmark covers the changes
 */
export async function signalConcerned(env: Platform, db: Database, fresh: FreshChanges): Promise<void> {
  const concerned = await readConcerned(db, fresh);
  const calls = callsTo(env, concerned, db.bookmark());
  for (let begin = 0; begin < calls.length; begin += atOnce) {
    const batch = calls.slice(begin, begin + atOnce);
    afterResponses.object_calls += batch.length;
    const results = await Promise.allSettled(batch.map((call) => call()));
    for (const result of results) if (result.status === 'rejected') console.error(JSON.stringify({ live: String(result.reason) }));
  }
}

/** At most one call for each object. */
function callsTo(env: Platform, concerned: readonly ConcernedUsers[] | typeof everyone, bookmark: D1Bookmark): (() => Promise<void>)[] {
  const objects = numberOfObjects(env);
  if (concerned === everyone)
    return Array.from({ length: objects }, (_, object) => async () => socketsOf(object, env).signalAll(objects, bookmark));
  return [...Map.groupBy(concerned, ({ object }) => object)].map(([object, groups]) => {
    const recipients = groups.map(({ users, audience }) => ({ users, spread: spreadFor(audience) }));
    return async () => socketsOf(object, env).signal(object, bookmark, recipients);
  });
}
