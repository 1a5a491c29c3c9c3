// Deletes the results of queries for page views after a day. Called by the scheduled run.

import { wireTime } from '@carrel/shared/wire/fields';
import { asc, eq, lt } from 'drizzle-orm';
import type { Database } from '../../../database/open';
import type { ViewStore } from '../objects';
import { page_view_queries } from '../table';
import { piecesOf } from './result';

const kept = 24 * 3_600_000;
const mostQueries = 20;
/** R2 deletes at most this many keys per call. */
const mostPieces = 1000;

/** First the bytes, then the row: an interruption in between is repaired by the next run. */
export async function forgetPageViewQueries(env: ViewStore, db: Database, now: string): Promise<void> {
  const { id, uuid, created_at } = page_view_queries;
  const [old] = await db.perform([
    db.build
      .select({ id, uuid })
      .from(page_view_queries)
      .where(lt(created_at, wireTime(Date.parse(now) - kept)))
      .orderBy(asc(created_at))
      .limit(mostQueries),
  ]);
  for (const query of old) {
    const { objects, truncated } = await env.FILES.list({ prefix: piecesOf(query), limit: mostPieces });
    if (objects.length > 0) await env.FILES.delete(objects.map(({ key }) => key));
    if (!truncated) await db.perform([db.build.delete(page_view_queries).where(eq(id, query.id))]);
  }
}
