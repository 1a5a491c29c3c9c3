// What the desk shows of the texts that a thing has had.

import type { Reading, Reference } from './reading';

/** Which version: the nth of the server's revisions of a page, or a text that this desk has kept. */
export type VersionKey = `r${number}` | `k${string}`;

export interface VersionCard {
  readonly key: VersionKey;
  /** As the server counts. */
  readonly number: number | null;
  readonly title: string | null;
  readonly at: string | null;
  readonly by: string | null;
  /** When another text came in its place. */
  readonly until: string | null;
  /** Its text is on this computer. */
  readonly here: boolean;
  /** What the next one made of it; `words` is null where it is another text altogether. */
  readonly became: {
    readonly title: string | null;
    readonly words: { readonly inserted: number; readonly deleted: number } | null;
  } | null;
}

export interface VersionsView {
  readonly reference: Reference;
  readonly title: string;
  readonly course_name: string;
  readonly current: { readonly at: string | null; readonly by: string | null };
  /** The server may tell this person what it keeps itself. */
  readonly may_ask: boolean;
  /** The newest first, without the text that it has now. */
  readonly earlier: readonly VersionCard[];
}

/** How asking went: what is shown may be all that there is, or only what this desk has kept. */
export type AskedForVersions = 'told' | 'not told' | 'not reached';

export interface VersionReading {
  readonly card: VersionCard;
  /** As it was then. */
  readonly as_it_was: Reading;
  /** As it is now, with what differs marked; null where there is nothing to compare it with. */
  readonly compared: Reading | null;
  readonly differs: VersionCard['became'];
  readonly newer: VersionKey | null;
  readonly older: VersionKey | null;
}
