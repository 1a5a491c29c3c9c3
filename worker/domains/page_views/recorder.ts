// Buffers page views in memory and writes them in batches after the responses. Views in a Worker that is stopped are lost, which is the price of
// adding no cost to requests.

import { sql } from 'drizzle-orm';
import { newMeter, open } from '../../database/open';
import type { RecordedView } from './view';

/** Plain data, because a later request may write it. */
const waiting: RecordedView[] = [];
let due = 0;

const pause = 1000;
const enough = 200;
/** Failed writes are retried, up to this many views. */
const most = 2000;

const fields = [
  'uuid',
  'user_id',
  'real_user_id',
  'context_type',
  'context_id',
  'asset_type',
  'asset_id',
  'controller',
  'action',
  'participated',
  'user_request',
  'http_method',
  'url',
  'user_agent',
  'remote_ip',
  'app_name',
  'render_time',
  'created_at',
] as const satisfies readonly (keyof RecordedView)[];

/** Writes the buffered views in one statement. */
export async function writePageViews(d1: D1Database): Promise<void> {
  const views = waiting.splice(0, enough * 2);
  if (views.length === 0) return;
  const db = open(d1, newMeter(), 'first-primary');
  try {
    await db.perform([
      db.build.run(sql`insert into page_views (${sql.raw(fields.join(', '))})
        select ${sql.raw(fields.map((name) => `value ->> '${name}'`).join(', '))} from json_each(${JSON.stringify(views)})`),
    ]);
  } catch (error) {
    if (waiting.length + views.length <= most) waiting.unshift(...views);
    throw error;
  }
}

/**
 * Buffers a view.
 * @param later keeps the Worker alive until the work is done
 */
export function record(view: RecordedView, d1: D1Database, later: (work: Promise<unknown>) => void, at = Date.now()): void {
  waiting.push(view);
  if (waiting.length >= enough) {
    later(writePageViews(d1));
    return;
  }
  // If the request that should have written was cancelled, the next one writes.
  if (at < due) return;
  due = at + pause;
  later(new Promise((done) => setTimeout(done, pause)).then(() => writePageViews(d1)));
}
