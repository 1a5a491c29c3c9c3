// Syncs without a signal or an edit: at intervals, in case a signal was lost.

import type { Clock } from '../server/session';
import type { SyncReport } from '../sync/engine';

const minute = 60_000;
/** Without a live connection, or while something is to be tried again. */
const often = 10 * minute;
/** A live connection reports every change at once. */
const seldom = 30 * minute;

interface Given {
  readonly clock: Pick<Clock, 'now'>;
  /** Whether a live connection is open. */
  readonly isConnected: () => boolean;
  readonly sync: () => void;
}

/** Looks once a minute instead of after a long wait, because timers stop while a computer sleeps. */
export class RegularSyncs {
  #last: number;
  #isComplete = false;
  readonly #timer: NodeJS.Timeout;

  constructor(private readonly given: Given) {
    this.#last = given.clock.now().getTime();
    this.#timer = setInterval(() => this.#look(), minute);
  }

  /** Called after each sync. */
  ended({ outcome }: Pick<SyncReport, 'outcome'>): void {
    this.#last = this.given.clock.now().getTime();
    this.#isComplete = outcome === 'complete';
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const { clock, isConnected, sync } = this.given;
    const now = clock.now().getTime();
    const age = now - this.#last;
    const isDue = age >= (this.#isComplete && isConnected() ? seldom : often);
    // A negative age: the clock of the computer was set back.
    if (!isDue && age >= 0) return;
    // The next look does not repeat it while it runs.
    this.#last = now;
    sync();
  }
}
