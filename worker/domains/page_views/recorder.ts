// Page views on their way into the database: gathered in memory and written many at a time, after the answers have gone. What a Worker that
// is stopped had not written is lost; that is the price of costing a request nothing.

import { sql } from 'drizzle-orm';
import { newMeter, open } from '../../database/open';
import type { View } from './view';

/** Plain data: what one request has left here, another one writes. */
const waiting: View[] = [];
let due = 0;

const pause = 1000;
const enough = 200;
/** Views that the database would not take are tried again, but not hoarded. */
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
] as const satisfies readonly (keyof View)[];

/** Writes what waits, in one statement however many there are. */
export async function write(d1: D1Database): Promise<void> {
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
 * Keeps a view to be written with others.
 * @param later holds the Worker until the work is done
 */
export function record(view: View, d1: D1Database, later: (work: Promise<unknown>) => void, at = Date.now()): void {
  waiting.push(view);
  if (waiting.length >= enough) {
    later(write(d1));
    return;
  }
  // A request that was to write and never came to it is not waited for.
  if (at < due) return;
  due = at + pause;
  later(new Promise((done) => setTimeout(done, pause)).then(() => write(d1)));
}
