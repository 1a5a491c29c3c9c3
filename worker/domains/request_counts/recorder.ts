// Counts requests in memory and writes the counts in batches after the responses. Counts in a Worker that is stopped are lost, as with page views.

import { sql } from 'drizzle-orm';
import { newMeter, open } from '../../database/open';
import { DelayedWrite } from '../../http/delayed_write';
import type { Platform } from '../../platform';
import type { request_counts } from './table';

type Count = { -readonly [name in keyof typeof request_counts.$inferSelect]: (typeof request_counts.$inferSelect)[name] };

interface Served {
  readonly route: string;
  readonly status: number;
  readonly ms: number;
}

const waiting = new Map<string, Count>();
/** Pauses that a count may wait: a write has a row for each route that was requested meanwhile, however often. */
const mostPauses = 15;
/** Rows per write; there are not many more routes than this. */
const most = 1000;

function add(count: Count): void {
  const key = `${count.hour} ${count.route} ${count.status_class}`;
  const before = waiting.get(key);
  if (before) {
    before.requests += count.requests;
    before.ms += count.ms;
    before.slowest_ms = Math.max(before.slowest_ms, count.slowest_ms);
  } else if (waiting.size < most) waiting.set(key, count);
}

/** Writes the buffered counts in one statement. */
export async function writeRequestCounts({ DB }: Pick<Platform, 'DB'>): Promise<void> {
  writing.written();
  const counts = [...waiting.values()];
  if (counts.length === 0) return;
  waiting.clear();
  const db = open(DB, newMeter(), 'first-primary');
  try {
    await db.perform([
      db.build.run(sql`insert into request_counts (hour, route, status_class, requests, ms, slowest_ms)
        select value ->> 'hour', value ->> 'route', value ->> 'status_class', value ->> 'requests', value ->> 'ms', value ->> 'slowest_ms'
        from json_each(${JSON.stringify(counts)}) where true
        on conflict do update set requests = requests + excluded.requests, ms = ms + excluded.ms, slowest_ms = max(slowest_ms, excluded.slowest_ms)`),
    ]);
  } catch (error) {
    for (const count of counts) add(count);
    throw error;
  }
}

const writing = new DelayedWrite(writeRequestCounts, mostPauses);

/**
 * Counts a request.
 * @param later keeps the Worker alive until the work is done
 */
export function count({ route, status, ms }: Served, env: Platform, later: (work: Promise<unknown>) => void, at = Date.now()): void {
  const hour = `${new Date(at).toISOString().slice(0, 13)}:00:00Z`;
  const status_class = Math.min(5, Math.max(2, Math.floor(status / 100)));
  add({ hour, route, status_class, requests: 1, ms, slowest_ms: ms });
  writing.soon(env, later, at);
}
