// The result of a call to a Durable Object, as its caller sees it.

import type { Meter } from '../database/open';
import type { Call } from '../http/call';
import { Problem } from '../http/problem';

/** The result of a call. Errors are values, because an error loses its class on the way out of an object. */
export type ObjectCallResult<T> = { readonly meter: Meter; readonly bookmark: string | null } & (
  | { readonly outcome: 'done'; readonly result: T }
  | { readonly outcome: 'refused'; readonly status: number; readonly body: unknown }
  | { readonly outcome: 'repeated'; readonly message: string }
);

/** Waits for a call, adds its cost to the request's, and throws the error that the object returned. */
export async function objectResult<T>({ db, meter }: Pick<Call, 'db' | 'meter'>, callResult: Promise<unknown>): Promise<T> {
  const through = (await callResult) as ObjectCallResult<T>;
  meter.object_calls += 1;
  for (const name of ['d1_trips', 'rows_read', 'rows_written'] as const) meter[name] += through.meter[name];
  if (through.bookmark) db.continueFrom(through.bookmark);
  if (through.outcome === 'refused') throw new Problem(through.status, through.body);
  // The runner recognises a repeated request by this message, and returns the first response.
  if (through.outcome === 'repeated') throw new Error(through.message);
  return through.result;
}
