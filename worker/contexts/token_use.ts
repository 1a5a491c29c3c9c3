// Last use of a token or session: recorded after the response, and at most every ten minutes (reference 01 A7).

import { wireTime } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import { newMeter, open } from '../database/open';
import { sessions } from '../domains/login/table';
import { tokens } from '../domains/tokens/table';
import type { RowOf } from '../http/listing';

const pause = 10 * 60_000;

/** Records the use, unless the last record is recent. A database session of its own, because the request's meter must not count this work. */
export function noteUse(d1: D1Database, token: RowOf<typeof tokens>, now: string): Promise<unknown> | undefined {
  const stale = wireTime(Date.parse(now) - pause);
  if (token.last_used_at !== null && token.last_used_at > stale) return undefined;
  const db = open(d1, newMeter(), 'first-primary');
  return db.perform([
    db.build
      .update(tokens)
      .set({ last_used_at: now })
      .where(and(eq(tokens.id, token.id), sql`coalesce(last_used_at, '') <= ${stale}`)),
  ]);
}

const day = 24 * 60 * 60_000;

/** When a session used now expires: after a day, or two weeks if the user chose to stay signed in, and at most a month after it began. */
export const lastsUntil = (session: { is_remembered: boolean; created_at: string }, now: string): string =>
  wireTime(Math.min(Date.parse(now) + (session.is_remembered ? 14 : 1) * day, Date.parse(session.created_at) + 30 * day));

/** The same for a session, whose expiry moves with its use. */
export function noteSession(d1: D1Database, session: RowOf<typeof sessions>, now: string): Promise<unknown> | undefined {
  const stale = wireTime(Date.parse(now) - pause);
  if (session.last_used_at !== null && session.last_used_at > stale) return undefined;
  const db = open(d1, newMeter(), 'first-primary');
  return db.perform([
    db.build
      .update(sessions)
      .set({ last_used_at: now, expires_at: lastsUntil(session, now) })
      .where(and(eq(sessions.id, session.id), sql`coalesce(last_used_at, '') <= ${stale}`)),
  ]);
}
