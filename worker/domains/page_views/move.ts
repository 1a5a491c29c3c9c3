// Moves the page views of an earlier version from D1 to R2, in limited steps. Called by the scheduled run.

import { asc, lte, sql } from 'drizzle-orm';
import type { Database } from '../../database/open';
import type { ViewStore } from './objects';
import { storeViews } from './recorder';
import { page_views } from './table';

const atOnce = 2000;
const mostSteps = 10;

/** In the keys of their batches. */
const mark = '-moved-';
export const isMovedBatch = (key: string): boolean => key.includes(mark);

/**
 * Stores the views before it deletes their rows. If it stops in between, the next run stores the same views under the same key, or once more;
 * repetitions are dropped when they are taken in or read.
 */
export async function moveViews(env: ViewStore, db: Database): Promise<void> {
  for (let step = 0; step < mostSteps; step++) {
    const [views] = await db.perform([db.build.select().from(page_views).orderBy(asc(page_views.id)).limit(atOnce)]);
    const [first] = views;
    const last = views.at(-1);
    if (!first || !last) return;
    await storeViews(env, views, `${first.created_at}${mark}${String(first.id).padStart(12, '0')}`);
    await db.perform([db.build.delete(page_views).where(lte(page_views.id, sql`${last.id}`))]);
    if (views.length < atOnce) return;
  }
}
