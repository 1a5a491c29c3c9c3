// How the sync stands, and for whom.

import type { Key } from '../words/texts.ts';
import type { NoRoom, Waiting } from './transfers.ts';

/** What the sync would do to files that are here, and does not do before it is confirmed. */
export interface HeldBack {
  /** No longer in the courses: their copies would go to “Removed by teacher”. */
  readonly withdrawn: number;
  /** Newer on the server: they would be replaced. */
  readonly replaced: number;
  /** Gone from the folder: they would count as not wanted. */
  readonly missing: number;
  /** Gone from “My files”: they would be deleted on the server; there, `replaced` are those that would be overwritten. */
  readonly deleted?: number;
  /** All files that are followed here. */
  readonly of: number;
}

/** A text of the catalogue with its values: said in whatever language is spoken when it is looked at. */
export interface Reason {
  readonly code: Key;
  readonly values: Readonly<Record<string, string | number>>;
}

/** What could not be done, or waits: the words for it are the catalogue's (`words/issues.ts`). */
export interface Issue {
  readonly what: string;
  readonly where: string;
  /** As it was said when it happened; shown where nothing better is known. */
  readonly why: string;
  readonly reason?: Reason;
  readonly since: string;
}

export interface SyncStatus {
  readonly phase: 'idle' | 'syncing' | 'offline' | 'sign in' | 'paused';
  /** Set while the sync is paused because it would take away or replace very many files at once. */
  readonly held_back: HeldBack | null;
  /** Files that would come, and do not yet. */
  readonly waiting: Waiting | null;
  /** What is to come does not fit on the disk; none of it was fetched. */
  readonly no_room: NoRoom | null;
  /** When the last complete cycle ended; null before the first. */
  readonly last_complete_at: string | null;
  readonly done: number;
  readonly total: number;
  readonly bytes_done: number;
  readonly bytes_total: number;
  /** Notes and marks of the person that the server does not have yet. */
  readonly pending_edits: number;
  readonly issues: readonly Issue[];
  readonly folder: string | null;
  /** How the server is asked: by its feed, or, a Canvas server that has none, list by list; null before it has answered. */
  readonly way: 'feed' | 'lists' | null;
  /** What the last sync found between the account and its server. */
  readonly trouble: {
    /** `expired`, `revoked`: the token's time is over, or it was taken back. `gone`: something else answers at that address. */
    readonly kind: 'expired' | 'revoked' | 'unreachable' | 'no such host' | 'gone';
    readonly since: string;
    readonly why: string;
    readonly reason?: Reason;
  } | null;
  /** The server has begun another history, as after a restore, and everything was asked for anew: told for a week. */
  readonly rebuilt_at: string | null;
  /** In the recovery store: what a sync replaced or removed here and the server is not known to have. */
  readonly recovered: { readonly files: number; readonly bytes: number };
}

export interface Account {
  /** Names it on this device. */
  readonly id: string;
  readonly url: string;
  readonly user_id: number;
  readonly name: string;
  readonly institution: string;
  /** Its desk is before the eyes. */
  readonly shown: boolean;
  readonly phase: SyncStatus['phase'];
  readonly pending_edits: number;
  /** Where its token is kept. */
  readonly keeping: { readonly by: 'system' } | { readonly by: 'memory' } | { readonly by: 'file'; readonly path: string };
}

/** A sign-in that waits for the browser. */
export interface BrowsingView {
  readonly url: string;
  /** Where the browser has to go. */
  readonly address: string;
  readonly failure: string | null;
}

/** What an account would leave behind. */
export interface Leaving {
  readonly folder: string | null;
  readonly files: number;
  /** Words and work that wait to be sent. */
  readonly unsent: number;
}
