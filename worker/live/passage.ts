// How work goes through a turnstile, as the one who sends it in sees it.

import type { Meter } from '../database/open';
import type { Call } from '../http/call';
import { Problem } from '../http/problem';

/** How a piece of work went. Refusals come as values, because an error loses its class on the way out of an object. */
export type Passage<T> = { readonly meter: Meter; readonly bookmark: string | null } & (
  | { readonly outcome: 'done'; readonly result: T }
  | { readonly outcome: 'refused'; readonly status: number; readonly body: unknown }
  | { readonly outcome: 'repeated'; readonly message: string }
);

/** Waits for a passage, counts its cost as the request's own, and throws what the object refused. */
export async function passed<T>({ db, meter }: Pick<Call, 'db' | 'meter'>, passage: Promise<unknown>): Promise<T> {
  const through = (await passage) as Passage<T>;
  meter.object_calls += 1;
  for (const name of ['d1_trips', 'rows_read', 'rows_written'] as const) meter[name] += through.meter[name];
  if (through.bookmark) db.continueFrom(through.bookmark);
  if (through.outcome === 'refused') throw new Problem(through.status, through.body);
  // The runner knows a repeated request by these words, and answers as the first one was answered.
  if (through.outcome === 'repeated') throw new Error(through.message);
  return through.result;
}
