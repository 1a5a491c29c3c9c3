// The data of one account on this device: its databases, its session, and its syncs, which run one after the other.

import type { ChangedArea } from '../../contract/channels';
import type { SyncStatus } from '../../contract/state';
import { diskAt, type Net, type Trash } from '../disk/disk';
import { checkFolder, studyFolderOf } from '../disk/folder';
import { recoveryOf } from '../disk/safety_net';
import type { Disk } from '../model/ports';
import { changedAreasOf } from '../model/shown_in';
import type { Key, Path } from '../model/trees';
import { isWord } from '../outbox/intents';
import type { Outbox } from '../outbox/outbox';
import { QuizSender } from '../outbox/quiz_sender';
import type { MassRemovalLimit } from '../planner/mass_removal_limit';
import { type PullMethod, pull, wayOf } from '../server/pull';
import { type Bearing, type Clock, Offline, Session, systemClock } from '../server/session';
import { readRules, rulesSetting, Transfers } from '../server/transfer_rules';
import type { Cache } from '../store/cache';
import { isDamage } from '../store/damage';
import { chosenForGrading } from '../store/kept_choices';
import type { UserStore } from '../store/user';
import { runSync, type SyncReport } from '../sync/engine';
import { FolderFreshness } from '../sync/folder_freshness';
import type { WordsOfFiles } from '../sync/index_files';
import type { LeftUndone, SyncProgress } from '../sync/request';
import { isAsAgreed } from '../sync/settled';
import { rebuiltLately, troubleKept } from '../sync/trouble';
import { type VerificationVerdict, verdictOf } from '../sync/verify/verdict';
import { verify } from '../sync/verify/verify';
import { derive } from '../sync/wanted/derive';
import type { SyncAccount } from '../sync/wanted/wanted';
import type { SignedIn } from './account';
import { type StoresGiven, StudyStores } from './study_stores';

export interface WorkspaceOptions extends StoresGiven {
  readonly token: string | Bearing;
  readonly clock?: Clock;
  readonly http?: typeof fetch;
  readonly brake?: MassRemovalLimit;
  readonly diskOf?: (root: string, net?: Net) => Disk;
  /** The trash of the host; without one, files that were deleted elsewhere go to a folder. */
  readonly trash?: Trash;
  /** Receives events for changes in the folder, so that a sync need not scan everything. */
  readonly isWatching?: boolean;
  /** Called, while watching, when the user's changes in the folder have come to rest and are to be synced. */
  readonly onSettled?: () => void;
  readonly onProgress?: (progress: SyncProgress) => void;
}

const none: ReadonlySet<Key> = new Set();
const nothing: SyncProgress = { done: 0, total: 0, bytes_done: 0, bytes_total: 0 };

export class Workspace {
  readonly session: Session;
  readonly #stores: StudyStores;
  /** A query has met damage in a database. */
  #isDoubted = false;
  readonly signedIn: SignedIn;
  readonly downloading = new Set<Key>();
  readonly failed = new Map<Key, string>();
  readonly now: () => Date;
  readonly #account: SyncAccount;
  readonly #clock: Clock;
  #phase: SyncStatus['phase'] = 'idle';
  #progress = nothing;
  #left: LeftUndone = {};
  readonly transfers: Transfers;
  readonly quizzes: QuizSender;
  #running: Promise<SyncReport> | undefined;
  #next: Promise<SyncReport> | undefined;
  /** For the next sync. */
  #isThorough = false;
  /** The keys that were scanned since their words were last read; undefined: all. */
  #looked: ReadonlySet<Key> | undefined;
  readonly #standing: FolderFreshness | undefined;

  constructor(private readonly given: WorkspaceOptions) {
    const { signedIn, token, clock = systemClock, http } = given;
    this.#clock = clock;
    this.now = clock.now;
    this.signedIn = signedIn;
    this.#stores = new StudyStores(given, clock.now);
    this.transfers = new Transfers(clock, () => readRules(this.user.setting(rulesSetting)));
    this.session = new Session(signedIn.url, token, clock, http);
    this.quizzes = new QuizSender(this, () => given.onChanged?.(['courses', 'status']));
    const { isWatching, onSettled } = given;
    const toSync = onSettled && ((paths: readonly Path[]) => void (paths.every((path) => isAsAgreed(this.user, path)) || onSettled()));
    this.#standing = isWatching ? new FolderFreshness(clock.now, toSync) : undefined;
    this.#account = { base: signedIn.url, user_id: signedIn.user_id, institution: signedIn.institution };
  }

  get cache(): Cache {
    return this.#stores.cache;
  }

  get user(): UserStore {
    return this.#stores.user;
  }

  get outbox(): Outbox {
    return this.#stores.outbox;
  }

  get words(): WordsOfFiles | undefined {
    return this.#stores.words;
  }

  get account(): SyncAccount {
    return this.#account;
  }

  /** How the server reports changes: undefined before the first request. */
  get way(): PullMethod | undefined {
    return wayOf(this.cache);
  }

  /**
   * Runs now, or once more after the current sync, which may have read its data before this call.
   * @param isThorough scans every file, even without an event from the disk
   */
  sync({ isConfirmed = false, isUrged = false, isThorough = true } = {}): Promise<SyncReport> {
    // It applies until the end of this sync.
    if (isUrged) this.transfers.isUrged = true;
    if (isThorough) this.#isThorough = true;
    if (!this.#running) return this.#start(isConfirmed);
    const settled = this.#running.catch(() => undefined);
    this.#next ??= settled.then(() => {
      this.#next = undefined;
      return this.#start(isConfirmed);
    });
    return this.#next;
  }

  /**
   * Requests and stores the changes of the server without changing the folder. False if the server cannot be reached.
   * @throws SignIn
   */
  async ask(): Promise<boolean> {
    try {
      await pull(this.session, this.cache, this.#clock, { graded: chosenForGrading(this.user) });
      return true;
    } catch (problem) {
      if (problem instanceof Offline) return false;
      throw problem;
    }
  }

  /**
   * Reads every file again, and lets the server prove that none is missing.
   * @throws FolderMissing, SignIn
   */
  async verify(): Promise<VerificationVerdict> {
    const disk = (this.given.diskOf ?? diskAt)(checkFolder(this.user));
    return verdictOf({
      cache: this.cache,
      session: this.session,
      now: this.now,
      look: () => verify(disk, this.user, derive(this.cache, this.user, this.#account)),
      ask: () => this.ask(),
      heardAt: () => this.user.setting('last_complete_at'),
    });
  }

  /** Downloads what is missing or damaged again. The current bytes are kept under a visible name, because they may be the user's. */
  repair(keys: readonly Key[]): Promise<SyncReport> {
    this.user.note(keys.map((key) => ({ drop: key })));
    return this.sync();
  }

  status(): SyncStatus {
    return {
      phase: this.#phase,
      last_complete_at: this.user.setting('last_complete_at') ?? null,
      held_back: this.#phase === 'paused' ? (this.#left.heldBack ?? null) : null,
      waiting: this.#left.waiting ?? null,
      no_room: this.#left.noRoom ?? null,
      ...this.#progress,
      pending_edits: this.outbox.pending().filter(isWord).length,
      issues: this.user.issues.all(),
      folder: studyFolderOf(this.user) ?? null,
      way: this.way ?? null,
      trouble: troubleKept(this.user),
      rebuilt_at: rebuiltLately(this.user, this.now()),
      recovered: recoveryOf(this.user, this.now).amount(),
    };
  }

  /** A database is damaged: it is repaired when nothing uses it, and missing data is requested again. */
  mend(): Promise<SyncReport> {
    this.#isDoubted = true;
    return this.sync();
  }

  async #mend(): Promise<void> {
    this.#isDoubted = false;
    await this.#stores.mend();
    this.#standing?.close();
    this.#looked = undefined;
  }

  /** Ends what is running; nothing more is started. */
  async rest(): Promise<void> {
    // Running work may be interrupted, but must end before its databases are closed.
    this.session.close();
    await Promise.allSettled([this.#next, this.#running, this.quizzes.close()]);
  }

  async close(): Promise<void> {
    await this.rest();
    this.#standing?.close();
    await this.#stores.close();
  }

  #start(isConfirmed: boolean): Promise<SyncReport> {
    this.#running = this.#run(isConfirmed).finally(() => {
      this.#running = undefined;
      if (!this.#next) this.transfers.isUrged = false;
      if (this.#phase === 'syncing') this.#phase = 'idle';
      // Whatever the result was, the files in the folder can be read.
      void this.words?.run(this.#looked).catch(() => {});
      this.#looked = none;
    });
    return this.#running;
  }

  async #run(isConfirmed: boolean): Promise<SyncReport> {
    const { given } = this;
    const tell = (...parts: ChangedArea[]) => given.onChanged?.(parts);
    const isThorough = this.#isThorough;
    this.#isThorough = false;
    this.#phase = 'syncing';
    this.#progress = nothing;
    this.failed.clear();
    tell('status');
    let result = 0;
    const run = (isMended: boolean): Promise<SyncReport> =>
      runSync(
        {
          cache: this.cache,
          user: this.user,
          clock: this.#clock,
          brake: given.brake,
          diskOf: given.diskOf,
          trash: given.trash,
          transfers: this.transfers,
          standing: this.#standing,
        },
        {
          isMended,
          session: this.session,
          quizzes: this.quizzes,
          account: this.#account,
          isConfirmed,
          isThorough,
          isRestless: isThorough ? undefined : (path, there) => this.#standing?.isRestless(path, there) ?? false,
          onLooked: (keys) => {
            this.#looked = keys && this.#looked && new Set([...this.#looked, ...keys]);
          },
          onPulled: (kinds) => tell(...changedAreasOf(kinds), 'news'),
          onLeft: (left) => {
            this.#left = left;
          },
          onProgress: (progress) => {
            this.#progress = progress;
            given.onProgress?.(progress);
            const now = this.#clock.now().getTime();
            if (now - result < 250) return;
            result = now;
            tell('status', 'files');
          },
          onItem: (key, state, why) => {
            if (state === 'downloading') this.downloading.add(key);
            else this.downloading.delete(key);
            if (state === 'failed') this.failed.set(key, why ?? '');
          },
        },
      );
    if (this.#isDoubted) await this.#mend();
    const report = await run(false).catch(async (problem: unknown) => {
      if (!isDamage(problem)) throw problem;
      await this.#mend();
      return run(true);
    });
    this.downloading.clear();
    this.#phase = phases[report.outcome];
    // Sent changes are shown as confirmed, refused ones with their reason.
    tell('status', 'files', 'planner', 'announcements', 'inbox', 'courses');
    return report;
  }
}

const phases = {
  complete: 'idle',
  'complete with issues': 'idle',
  paused: 'paused',
  waiting: 'idle',
  offline: 'offline',
  'sign in': 'sign in',
  failed: 'idle',
} as const;
