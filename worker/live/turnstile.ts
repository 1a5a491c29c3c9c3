// What every turnstile is: an object that lets one piece of work through at a time, and keeps nothing that D1 does not hold.

import { DurableObject } from 'cloudflare:workers';
import { type Database, type Meter, newMeter, open } from '../database/open';
import type { Call } from '../http/call';
import { isReplay } from '../http/idempotency';
import { Problem } from '../http/problem';
import type { Platform } from '../platform';

/** How a piece of work went. Refusals come as values, because an error loses its class on the way out of an object. */
export type Passage<T> = { readonly meter: Meter; readonly bookmark: string | null } & (
  | { readonly outcome: 'done'; readonly result: T }
  | { readonly outcome: 'refused'; readonly status: number; readonly body: unknown }
  | { readonly outcome: 'repeated'; readonly message: string }
);

export class Turnstile extends DurableObject<Platform> {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the work after all that came before it: awaiting D1 lets other calls in, so the order is kept here. */
  protected inOrder<T>(work: (db: Database) => Promise<T>): Promise<Passage<T>> {
    const turn = this.#last.then(() => this.#pass(work));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #pass<T>(work: (db: Database) => Promise<T>): Promise<Passage<T>> {
    const meter = newMeter();
    const db = open(this.env.DB, meter, 'first-primary');
    try {
      const result = await work(db);
      return { outcome: 'done', result, meter, bookmark: db.bookmark() };
    } catch (error) {
      if (error instanceof Problem) return { outcome: 'refused', status: error.status, body: error.body, meter, bookmark: db.bookmark() };
      if (isReplay(error)) return { outcome: 'repeated', message: String(error), meter, bookmark: db.bookmark() };
      throw error;
    }
  }
}

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
