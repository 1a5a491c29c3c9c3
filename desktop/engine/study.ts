// One account's study on this device: its databases, its session, and its syncs, one after the other.

import { join } from 'node:path';
import type { SyncStatus } from '../ui/views/state';
import { type SignedIn, storeOf } from './account';
import { diskAt, type Net, type Trash } from './adapters/disk';
import { pull, type Way, wayOf } from './adapters/pull';
import type { Bearing } from './bearer';
import type { Brake } from './brake';
import type { LeftUndone } from './bring_in_line';
import { derive } from './derive';
import { type Progress, type Report, sync } from './engine';
import type { Reading, WordReader } from './extract/reader';
import { WordsOfFiles } from './extract/words';
import { checkFolder, folderOf } from './folder';
import { isWord } from './intents';
import { recoveryOf } from './net';
import { Outbox } from './outbox';
import type { Disk } from './ports';
import { type Clock, Offline, Session, systemClock } from './remote';
import { isAsAgreed } from './settled';
import { type Part, partsOf } from './shown_in';
import { Standing } from './standing';
import { type Cache, openCache } from './store/cache';
import { isDamage, remove } from './store/damage';
import { openUser, saveUser, type UserStore } from './store/user';
import { readRules, rulesSetting, Transfers } from './transfers';
import type { Key, Path } from './trees';
import { rebuiltLately, troubleKept } from './trouble';
import { type Verdict, verdictOf } from './verdict';
import { verify } from './verify';
import type { Account } from './wanted';

export interface Studying {
  readonly store: string;
  readonly signedIn: SignedIn;
  readonly token: string | Bearing;
  readonly clock?: Clock;
  readonly http?: typeof fetch;
  readonly brake?: Brake;
  readonly diskOf?: (root: string, net?: Net) => Disk;
  /** Where the host has one; else what is deleted elsewhere goes to a folder. */
  readonly trash?: Trash;
  /** Reads the words out of files, so that they are found by them; undefined where nobody searches. */
  readonly reading?: Reading | WordReader;
  /** Only to look: another program may be at work on the same databases. */
  readonly readOnly?: boolean;
  /** Is told by the disk what the person does in the folder, so that a sync need not look for it. */
  readonly isWatching?: boolean;
  /** Told, while it is watching, when what the person has done in the folder has come to rest and is to be synced. */
  readonly onSettled?: () => void;
  readonly onChanged?: (parts: readonly Part[]) => void;
  readonly onProgress?: (progress: Progress) => void;
}

const none: ReadonlySet<Key> = new Set();
const nothing: Progress = { done: 0, total: 0, bytes_done: 0, bytes_total: 0 };

export class Study {
  readonly session: Session;
  #cache: Cache;
  #user: UserStore;
  #outbox: Outbox;
  /** Somebody met damage in a database. */
  #isDoubted = false;
  #words: WordsOfFiles | undefined;
  readonly signedIn: SignedIn;
  readonly downloading = new Set<Key>();
  readonly failed = new Map<Key, string>();
  readonly now: () => Date;
  readonly #account: Account;
  readonly #clock: Clock;
  #phase: SyncStatus['phase'] = 'idle';
  #progress = nothing;
  #left: LeftUndone = {};
  readonly transfers: Transfers;
  #running: Promise<Report> | undefined;
  #next: Promise<Report> | undefined;
  /** Of the sync that is to begin. */
  #isThorough = false;
  /** Of which the folder was looked at since the words in it were; undefined: of all. */
  #looked: ReadonlySet<Key> | undefined;
  readonly #standing: Standing | undefined;

  constructor(private readonly given: Studying) {
    const { store, signedIn, token, clock = systemClock, http, readOnly } = given;
    const folder = storeOf(store, signedIn);
    this.#clock = clock;
    this.now = clock.now;
    this.signedIn = signedIn;
    this.#cache = openCache(join(folder, 'cache.db'), readOnly);
    this.#user = openUser(join(folder, 'user.db'), clock.now, readOnly);
    this.#outbox = this.#takeUp();
    this.transfers = new Transfers(clock, () => readRules(this.user.setting(rulesSetting)));
    this.session = new Session(signedIn.url, token, clock, http);
    const { isWatching, onSettled } = given;
    const toSync = onSettled && ((paths: readonly Path[]) => void (paths.every((path) => isAsAgreed(this.user, path)) || onSettled()));
    this.#standing = isWatching ? new Standing(clock.now, toSync) : undefined;
    this.#account = { base: signedIn.url, user_id: signedIn.user_id, institution: signedIn.institution };
  }

  get cache(): Cache {
    return this.#cache;
  }

  get user(): UserStore {
    return this.#user;
  }

  get outbox(): Outbox {
    return this.#outbox;
  }

  get words(): WordsOfFiles | undefined {
    return this.#words;
  }

  /** What stands on the two databases. */
  #takeUp(): Outbox {
    const { reading, onChanged } = this.given;
    this.#cache.owner = this.signedIn.user_id;
    this.#words =
      reading &&
      new WordsOfFiles({
        cache: this.#cache,
        user: this.#user,
        reading,
        onFound: () => onChanged?.(['courses']),
        onNews: () => onChanged?.(['news']),
      });
    return new Outbox(this.#user, this.now);
  }

  get account(): Account {
    return this.#account;
  }

  /** How the server tells what has changed: undefined before it was asked. */
  get way(): Way | undefined {
    return wayOf(this.cache);
  }

  /**
   * Runs now, or once more after the one that runs: what it has seen already may be older than the wish.
   * @param isThorough looks at every file, also where the disk has told of nothing
   */
  sync({ isConfirmed = false, isUrged = false, isThorough = true } = {}): Promise<Report> {
    // Said once, it holds until this sync is over.
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
   * Asks the server what has changed, and only keeps it: the folder stays as it is. False where the server cannot be reached.
   * @throws SignIn
   */
  async ask(): Promise<boolean> {
    try {
      await pull(this.session, this.cache, this.#clock);
      return true;
    } catch (problem) {
      if (problem instanceof Offline) return false;
      throw problem;
    }
  }

  /**
   * Reads every file again, and has the server prove that no other is missing.
   * @throws FolderMissing, SignIn
   */
  async verify(): Promise<Verdict> {
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

  /**
   * Fetches anew what is missing or damaged. What lies there keeps its bytes under a visible name: perhaps they are the person's after all.
   */
  repair(keys: readonly Key[]): Promise<Report> {
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
      folder: folderOf(this.user) ?? null,
      way: this.way ?? null,
      trouble: troubleKept(this.user),
      rebuilt_at: rebuiltLately(this.user, this.now()),
      recovered: recoveryOf(this.user, this.now).amount(),
    };
  }

  /** A database has turned out to be damaged: it is mended when nothing runs on it, and what is missing then is asked for. */
  mend(): Promise<Report> {
    this.#isDoubted = true;
    return this.sync();
  }

  async #mend(): Promise<void> {
    this.#isDoubted = false;
    await this.#words?.close();
    const isUserSound = this.#user.isSound();
    const isCacheSound = this.#cache.isSound();
    const folder = storeOf(this.given.store, this.signedIn);
    this.#cache.close();
    this.#user.close();
    if (!isCacheSound) remove(join(folder, 'cache.db'));
    const path = join(folder, 'user.db');
    this.#user = isUserSound ? openUser(path, this.now) : saveUser(path, this.now);
    this.#cache = openCache(join(folder, 'cache.db'));
    this.#outbox = this.#takeUp();
    this.#standing?.close();
    this.#looked = undefined;
  }

  /** Ends what runs; nothing is asked any more. */
  async rest(): Promise<void> {
    // Whatever runs is safe to be cut off, but not to lose its databases under its feet.
    this.session.close();
    await Promise.allSettled([this.#next, this.#running]);
  }

  async close(): Promise<void> {
    await this.rest();
    this.#standing?.close();
    await this.words?.close();
    this.cache.close();
    this.user.close();
  }

  #start(isConfirmed: boolean): Promise<Report> {
    this.#running = this.#run(isConfirmed).finally(() => {
      this.#running = undefined;
      if (!this.#next) this.transfers.isUrged = false;
      if (this.#phase === 'syncing') this.#phase = 'idle';
      // Whatever came of it: what lies in the folder can be read.
      void this.words?.run(this.#looked).catch(() => {});
      this.#looked = none;
    });
    return this.#running;
  }

  async #run(isConfirmed: boolean): Promise<Report> {
    const { given } = this;
    const tell = (...parts: Part[]) => given.onChanged?.(parts);
    const isThorough = this.#isThorough;
    this.#isThorough = false;
    this.#phase = 'syncing';
    this.#progress = nothing;
    this.failed.clear();
    tell('status');
    let told = 0;
    const run = (isMended: boolean): Promise<Report> =>
      sync(
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
          account: this.#account,
          isConfirmed,
          isThorough,
          isRestless: isThorough ? undefined : (path, there) => this.#standing?.isRestless(path, there) ?? false,
          onLooked: (keys) => {
            this.#looked = keys && this.#looked && new Set([...this.#looked, ...keys]);
          },
          onPulled: (kinds) => tell(...partsOf(kinds), 'news'),
          onLeft: (left) => {
            this.#left = left;
          },
          onProgress: (progress) => {
            this.#progress = progress;
            given.onProgress?.(progress);
            const now = this.#clock.now().getTime();
            if (now - told < 250) return;
            told = now;
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
    // What was sent shows as confirmed, what was refused with its reason.
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
