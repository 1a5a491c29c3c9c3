// View models of the versions of a text.

import type { Reading, Reference } from './reading';

/** Identifies a version: a page revision of the server, or a text stored by this computer. */
export type VersionKey = `r${number}` | `k${string}`;

export interface VersionCard {
  readonly key: VersionKey;
  /** The server's revision number. */
  readonly number: number | null;
  readonly title: string | null;
  readonly at: string | null;
  readonly by: string | null;
  /** When it was replaced. */
  readonly until: string | null;
  /** Its text is on this computer. */
  readonly here: boolean;
  /** The changes in the next version; `words` is null when the text was replaced altogether. */
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
  /** Whether the server lets this user read its revisions. */
  readonly may_ask: boolean;
  /** Newest first, without the current version. */
  readonly earlier: readonly VersionCard[];
}

/** Whether the server's list could be loaded; otherwise only the versions stored here are shown. */
export type VersionsAvailability = 'told' | 'not told' | 'not reached';

export interface VersionReading {
  readonly card: VersionCard;
  /** The text of that version. */
  readonly as_it_was: Reading;
  /** The current text with the differences marked; null when there is nothing to compare. */
  readonly compared: Reading | null;
  readonly differs: VersionCard['became'];
  readonly newer: VersionKey | null;
  readonly older: VersionKey | null;
}
