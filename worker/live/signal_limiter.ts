// What limits the signals and what they cause: at most one signal per user and second, and a time over which clients spread their requests. The last
// signal is always sent, at the end of the second.

import { type D1Bookmark, newestBookmark } from '@carrel/shared/sync/d1_bookmark';

export interface Signal {
  readonly bookmark: D1Bookmark;
  /** In milliseconds. */
  readonly spread: number;
}

const second = 1000;

/**
 * How long the requests that follow a signal are spread over: a hundred requests a second for large audiences, none for small ones.
 * @param audience the number of users who receive it
 */
export function spreadFor(audience: number): number {
  const [smallest, each, longest] = [10, 10, 300_000];
  return audience <= smallest ? 0 : Math.min(audience * each, longest);
}

const both = (one: Signal, other: Signal): Signal => ({
  bookmark: newestBookmark(one.bookmark, other.bookmark),
  spread: Math.min(one.spread, other.spread),
});

export class SignalLimiter {
  /** When each user was last sent a signal, the oldest first; only the last second. */
  readonly #sent = new Map<number, number>();
  readonly #waiting = new Map<number, Signal>();
  #timer: { readonly at: number; readonly id: ReturnType<typeof setTimeout> } | undefined;

  constructor(private readonly send: (user: number, signal: Signal) => void) {}

  signal(users: Iterable<number>, signal: Signal): void {
    const now = Date.now();
    this.#forget(now);
    for (const user of users) {
      const before = this.#waiting.get(user);
      if (before) this.#waiting.set(user, both(before, signal));
      else this.#begin(user, signal, now);
    }
  }

  #begin(user: number, signal: Signal, now: number): void {
    const last = this.#sent.get(user);
    if (last === undefined) this.#pass(user, signal, now);
    else {
      this.#waiting.set(user, signal);
      this.#wakeAt(last + second, now);
    }
  }

  #pass(user: number, signal: Signal, now: number): void {
    this.#sent.set(user, now);
    this.send(user, signal);
  }

  /** A timer and not an alarm: it only keeps the object in memory for the rest of the second. */
  #wakeAt(at: number, now: number): void {
    if (this.#timer && this.#timer.at <= at) return;
    if (this.#timer) clearTimeout(this.#timer.id);
    this.#timer = { at, id: setTimeout(() => this.#wake(), at - now) };
  }

  #wake(): void {
    this.#timer = undefined;
    const now = Date.now();
    this.#forget(now);
    for (const [user, signal] of this.#waiting) {
      const last = this.#sent.get(user);
      if (last !== undefined) this.#wakeAt(last + second, now);
      else {
        this.#waiting.delete(user);
        this.#pass(user, signal, now);
      }
    }
  }

  #forget(now: number): void {
    for (const [user, at] of this.#sent) {
      // A clock that was set back must not delay signals.
      if (at <= now && now - at < second) return;
      this.#sent.delete(user);
    }
  }
}
