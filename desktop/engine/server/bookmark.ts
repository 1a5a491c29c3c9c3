// The newest database state that this desk knows of: from its own writes and from signals. A read that sends it never gets an older state, whichever
// replica responds.

import { type D1Bookmark, newestBookmark } from '@carrel/shared/sync/d1_bookmark';

/** Replicas are behind by seconds at most; a bookmark of a database that was restored meanwhile must not be sent for long. */
const validFor = 5 * 60_000;
const header = 'x-d1-bookmark';

export class NewestBookmark {
  #newest: D1Bookmark = null;
  #notedAt = 0;

  constructor(private readonly now: () => Date) {}

  note(bookmark: D1Bookmark | undefined): void {
    // It is sent as a header.
    if (!bookmark || !/^[\w-]{1,200}$/.test(bookmark)) return;
    this.#newest = newestBookmark(this.#current, bookmark);
    this.#notedAt = this.now().getTime();
  }

  noteResponse({ headers }: Response): void {
    this.note(headers.get(header));
  }

  get headers(): Readonly<Record<string, string>> {
    const newest = this.#current;
    return newest === null ? {} : { [header]: newest };
  }

  get #current(): D1Bookmark {
    return this.now().getTime() - this.#notedAt < validFor ? this.#newest : null;
  }
}
