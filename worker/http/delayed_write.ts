// Writes what requests leave in memory, after their responses: each write costs the same for many requests as for one.

import type { Platform } from '../platform';

/** The platform stops work 30 seconds after its response, so a timer is shorter. */
const pause = 20_000;
/** Tests wait for work after a response. */
const pauseOfTests = 1000;

/** Writes once no request has come for a pause, or once what is in memory has waited for some pauses. */
export class DelayedWrite {
  #due = 0;
  /** When the newest timer was started. */
  #newest = 0;
  #oldest: number | undefined;

  /** @param mostPauses how long memory may wait while requests continue */
  constructor(
    private readonly write: (env: Platform) => Promise<void>,
    private readonly mostPauses: number,
  ) {}

  /** Memory was written, or is being written. */
  written(): void {
    this.#oldest = undefined;
  }

  /**
   * Something was left in memory.
   * @param later keeps the Worker alive until the work is done
   */
  soon(env: Platform, later: (work: Promise<unknown>) => void, at = Date.now()): void {
    this.#oldest ??= at;
    // If the request that should have written was cancelled, the next one writes.
    if (at < this.#due) return;
    const ms = env.ORACLE === '1' ? pauseOfTests : pause;
    this.#due = at + ms / 2;
    this.#newest = at;
    later(
      new Promise((done) => setTimeout(done, ms)).then(async () => {
        const isOld = this.#oldest !== undefined && this.#oldest < Date.now() - this.mostPauses * ms;
        if (at === this.#newest || isOld) await this.write(env);
      }),
    );
  }
}
