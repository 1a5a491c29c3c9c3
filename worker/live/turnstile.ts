// What every turnstile is: an object that lets one piece of work through at a time, and keeps nothing that D1 does not hold.

import { DurableObject } from 'cloudflare:workers';
import { type Database, newMeter, open } from '../database/open';
import { isReplay } from '../http/idempotency';
import { Problem } from '../http/problem';
import type { Platform } from '../platform';
import type { Passage } from './passage';

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
