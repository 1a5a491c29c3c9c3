// The sync status and the accounts.

import type { MessageKey } from '../language/texts.ts';
import type { NoRoom, WaitingTransfers } from './transfers.ts';

/** What the sync would do to existing files; it waits for confirmation. */
export interface HeldBack {
  /** No longer in the courses: the copies would move to “Removed by teacher”. */
  readonly withdrawn: number;
  /** Newer on the server: the copies would be replaced. */
  readonly replaced: number;
  /** Missing from the folder: they would count as removed by the user. */
  readonly missing: number;
  /** Missing from “My files”: they would be deleted on the server; `replaced` there means overwritten on the server. */
  readonly deleted?: number;
  /** All files that are synced here. */
  readonly of: number;
}

/** A message key with its values, so that it can be shown in the current language. */
export interface Reason {
  readonly code: MessageKey;
  readonly values: Readonly<Record<string, string | number>>;
}

/** A problem or something that waits; its text comes from the catalogue (`language/issues.ts`). */
export interface Issue {
  readonly what: string;
  readonly where: string;
  /** The text at the time; shown when there is no better one. */
  readonly why: string;
  readonly reason?: Reason;
  readonly since: string;
}

export interface SyncStatus {
  readonly phase: 'idle' | 'syncing' | 'offline' | 'sign in' | 'paused';
  /** Set while the sync is paused because it would remove or replace a large number of files. */
  readonly held_back: HeldBack | null;
  /** Files that wait to be transferred. */
  readonly waiting: WaitingTransfers | null;
  /** The downloads do not fit on the disk, so none was started. */
  readonly no_room: NoRoom | null;
  /** When the last complete sync ended; null before the first. */
  readonly last_complete_at: string | null;
  readonly done: number;
  readonly total: number;
  readonly bytes_done: number;
  readonly bytes_total: number;
  /** Unsent notes and marks of the user. */
  readonly pending_edits: number;
  readonly issues: readonly Issue[];
  readonly folder: string | null;
  /** The sync method: by the sync feed, or list by list for servers without one; null before the first answer. */
  readonly way: 'feed' | 'lists' | null;
  /** The connection problem that the last sync found. */
  readonly trouble: {
    /** `expired`, `revoked`: the token is no longer valid. `gone`: a different service responds at that address. */
    readonly kind: 'expired' | 'revoked' | 'unreachable' | 'no such host' | 'gone';
    readonly since: string;
    readonly why: string;
    readonly reason?: Reason;
  } | null;
  /** When the server was found to have another history, as after a restore, and everything was synced again; shown for a week. */
  readonly rebuilt_at: string | null;
  /** Files in the recovery store: replaced or removed by a sync, and possibly not on the server. */
  readonly recovered: { readonly files: number; readonly bytes: number };
}

export interface DeskAccount {
  /** Identifies the account on this computer. */
  readonly id: string;
  readonly url: string;
  readonly user_id: number;
  readonly name: string;
  readonly institution: string;
  /** It is the current account. */
  readonly shown: boolean;
  readonly phase: SyncStatus['phase'];
  readonly pending_edits: number;
  /** Where its token is stored. */
  readonly keeping: { readonly by: 'system' } | { readonly by: 'memory' } | { readonly by: 'file'; readonly path: string };
}

/** A sign-in that waits for the browser. */
export interface BrowsingView {
  readonly url: string;
  /** The address that the browser has to open. */
  readonly address: string;
  readonly failure: string | null;
}

/** What signing out of an account would leave behind. */
export interface Leaving {
  readonly folder: string | null;
  readonly files: number;
  /** Changes and submissions that wait to be sent. */
  readonly unsent: number;
}
