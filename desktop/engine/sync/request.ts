// What one sync is given, and what it leaves undone.

import type { Kind } from '@carrel/shared/sync/protocol';
import type { HeldBack } from '../../contract/state';
import type { NoRoom, WaitingTransfers } from '../../contract/transfers';
import type { Net, Trash } from '../disk/disk';
import type { Disk, Stamp } from '../model/ports';
import type { Key, Path } from '../model/trees';
import type { QuizSender } from '../outbox/quiz_sender';
import type { MassRemovalLimit } from '../planner/mass_removal_limit';
import type { Clock, Session } from '../server/session';
import type { Transfers } from '../server/transfer_rules';
import type { Cache } from '../store/cache';
import type { UserStore } from '../store/user';
import type { FolderFreshness } from './folder_freshness';
import type { SyncProblem } from './reason';
import type { SyncAccount } from './wanted/wanted';

/** What was not done: mass changes that need confirmation, files that have to wait, files that do not fit. */
export interface LeftUndone {
  readonly heldBack?: HeldBack;
  readonly waiting?: WaitingTransfers;
  readonly noRoom?: NoRoom;
  /** Something was uploaded: the next feed request returns the result. */
  readonly hasSent?: boolean;
  /** What could not be sent because it changed at that moment. */
  readonly stale?: readonly SyncProblem[];
}

export interface SyncProgress {
  readonly done: number;
  readonly total: number;
  readonly bytes_done: number;
  readonly bytes_total: number;
}

export interface SyncEngine {
  readonly cache: Cache;
  readonly user: UserStore;
  readonly clock: Clock;
  readonly brake?: MassRemovalLimit;
  readonly transfers?: Transfers;
  /** The disk below the folder; tests use one that is full. */
  readonly diskOf?: (root: string, net?: Net) => Disk;
  readonly trash?: Trash;
  /** What is known of the folder while it is watched. */
  readonly standing?: FolderFreshness;
}

export interface SyncRunOptions {
  readonly session: Session;
  /** Sends the answers of attempts at quizzes. */
  readonly quizzes?: QuizSender;
  readonly account: SyncAccount;
  readonly isConfirmed?: boolean;
  /** Damage of the databases was already repaired, so a new failure is final. Otherwise damage is thrown to the caller. */
  readonly isMended?: boolean;
  /** Called before anything is changed in the folder. */
  readonly enter?: () => Promise<void>;
  /** Scans the whole folder, whatever is known of it. */
  readonly isThorough?: boolean;
  /** A file that is still being written waits, unless the user starts the sync. */
  readonly isRestless?: (path: Path, there: Stamp) => boolean;
  readonly onProgress?: (progress: SyncProgress) => void;
  /** Called when the changes of the feed can be read in the cache. */
  readonly onPulled?: (kinds: ReadonlySet<Kind>) => void;
  /** Called after each scan of the folder, with what was not done. */
  readonly onLeft?: (left: LeftUndone) => void;
  /** Called with the keys that were scanned; undefined: all. */
  readonly onLooked?: (keys: ReadonlySet<Key> | undefined) => void;
  readonly onItem?: (key: Key, state: 'downloading' | 'done' | 'failed', why?: string) => void;
}
