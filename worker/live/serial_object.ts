// Base of Durable Objects that run one operation at a time. They store nothing that is not in D1.

import { DurableObject } from 'cloudflare:workers';
import { type Database, newMeter, open } from '../database/open';
import { isReplay } from '../http/idempotency';
import { Problem } from '../http/problem';
import type { Platform } from '../platform';
import type { ObjectCallResult } from './call_result';

export class SerialObject extends DurableObject<Platform> {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs operations in order of arrival. Needed because other calls may start while one awaits D1. */
  protected inOrder<T>(work: (db: Database) => Promise<T>): Promise<ObjectCallResult<T>> {
    const turn = this.#last.then(() => this.#pass(work));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #pass<T>(work: (db: Database) => Promise<T>): Promise<ObjectCallResult<T>> {
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
