// Retention of page views, in limited steps. Called by the scheduled run.

import { wireTime } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { among } from '../../database/ids';
import type { Database } from '../../database/open';
import { runViews, type ViewStore } from './objects';

export const keptDays = 60;
const day = 86_400_000;
/** Requests that read an object have ended by then. */
const grace = 10 * 60_000;
/** R2 deletes at most this many keys per call. */
const most = 1000;

const before = (now: string, ms: number): string => wireTime(Date.parse(now) - ms);

/** The earliest time from which views are kept. */
export const keptFrom = (now: string): string => before(now, keptDays * day);

/**
 * Deletes expired runs and those that have been merged: first the bytes, then the rows, so that nothing is left behind when this stops in between.
 */
export async function forgetViews(env: ViewStore, db: Database, now: string): Promise<void> {
  const [, objects] = await db.perform([
    db.build.run(
      sql`update page_view_runs set workflow_state = 'deleted', updated_at = ${now} where workflow_state = 'active' and to_time < ${keptFrom(now)}`,
    ),
    db.build.all<{ id: number; key: string }>(
      sql`select o.id, o.key from page_view_runs r join page_view_objects o on o.run_id = r.id
        where r.workflow_state = 'deleted' and r.updated_at < ${before(now, grace)} order by r.updated_at limit ${sql.raw(String(most))}`,
    ),
  ]);
  if (objects.length > 0) await env.FILES.delete(objects.map(({ key }) => key));
  await db.perform([
    db.build.run(
      sql`delete from page_view_objects where ${among(
        sql`id`,
        objects.map(({ id }) => id),
      )}`,
    ),
    db.build.run(
      sql`delete from page_view_runs where id in (select r.id from page_view_runs r where r.workflow_state = 'deleted' and r.updated_at < ${before(now, grace)}
        and not exists (select 1 from page_view_objects o where o.run_id = r.id) limit ${sql.raw(String(most))})`,
    ),
  ]);
}

/** Deletes objects of days that have expired and that no row names: a chore was stopped after it had stored them. */
export async function forgetUnregisteredViews(env: ViewStore, now: string): Promise<void> {
  const last = `${runViews}${before(now, (keptDays + 3) * day).slice(0, 10)}`;
  const { objects } = await env.FILES.list({ prefix: runViews, limit: most });
  const expired = objects.map(({ key }) => key).filter((key) => key < last);
  if (expired.length > 0) await env.FILES.delete(expired);
}
