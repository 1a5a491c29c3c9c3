// When to query the feed after signals of the live connection. The server says over how much time its clients should spread: it sends the same signal to
// thousands of them.

import { type D1Bookmark, newestBookmark } from '@carrel/shared/sync/d1_bookmark';
import type { ChangeSignal } from '@carrel/shared/sync/protocol';

const longestSpread = 10 * 60_000;

export class SpreadSignals {
  #newest: D1Bookmark = null;
  #timer: { readonly spread: number; readonly at: number; readonly id: NodeJS.Timeout } | undefined;

  /** @param random 0 ≤ x < 1 */
  constructor(
    private readonly random: () => number,
    private readonly act: (bookmark: D1Bookmark) => void,
  ) {}

  take(signal: Pick<ChangeSignal, 'bookmark' | 'spread'>): void {
    this.#newest = newestBookmark(this.#newest, typeof signal.bookmark === 'string' ? signal.bookmark : null);
    const spread = typeof signal.spread === 'number' && signal.spread > 0 ? Math.min(longestSpread, signal.spread) : 0;
    // The request at the end of the wait covers this signal. Another random wait for each signal would make the earliest one likely.
    if (this.#timer && this.#timer.spread <= spread) return;
    const wait = this.random() * spread;
    if (wait < 1) this.#pass();
    else this.#passAfter(wait, spread);
  }

  #passAfter(wait: number, spread: number): void {
    const at = performance.now() + wait;
    if (this.#timer && this.#timer.at <= at) return;
    clearTimeout(this.#timer?.id);
    this.#timer = { spread, at, id: setTimeout(() => this.#pass(), wait) };
  }

  close(): void {
    clearTimeout(this.#timer?.id);
    this.#timer = undefined;
  }

  #pass(): void {
    this.close();
    const bookmark = this.#newest;
    this.#newest = null;
    this.act(bookmark);
  }
}
