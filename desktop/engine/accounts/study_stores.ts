// The two databases of an account, the objects that use them, and their repair.

import { join } from 'node:path';
import type { ChangedArea } from '../../contract/channels';
import { Outbox } from '../outbox/outbox';
import { type Cache, openCache } from '../store/cache';
import { removeDatabase } from '../store/damage';
import { openUser, saveUser, type UserStore } from '../store/user';
import { WordsOfFiles } from '../sync/index_files';
import type { ReaderOptions, WordReader } from '../text/extract/reader';
import { type SignedIn, storeOf } from './account';

export interface StoresGiven {
  readonly store: string;
  readonly signedIn: SignedIn;
  /** Reads the words of files for the search; undefined for a host without search. */
  readonly reading?: ReaderOptions | WordReader;
  /** Read-only: another program may be using the same databases. */
  readonly readOnly?: boolean;
  readonly onChanged?: (parts: readonly ChangedArea[]) => void;
}

/** What uses the databases. */
interface Users {
  readonly outbox: Outbox;
  readonly words: WordsOfFiles | undefined;
}

export class StudyStores {
  #cache: Cache;
  #user: UserStore;
  #users: Users;

  constructor(
    private readonly given: StoresGiven,
    private readonly now: () => Date,
  ) {
    const { readOnly } = given;
    this.#cache = openCache(this.#pathOf('cache.db'), readOnly);
    this.#user = openUser(this.#pathOf('user.db'), now, readOnly);
    this.#users = this.#takeUp();
  }

  get cache(): Cache {
    return this.#cache;
  }

  get user(): UserStore {
    return this.#user;
  }

  get outbox(): Outbox {
    return this.#users.outbox;
  }

  get words(): WordsOfFiles | undefined {
    return this.#users.words;
  }

  /** Opens both databases again; a damaged one is repaired. To be called when nothing uses them. */
  async mend(): Promise<void> {
    await this.words?.close();
    const isUserSound = this.user.isSound();
    const isCacheSound = this.cache.isSound();
    this.cache.close();
    this.user.close();
    if (!isCacheSound) removeDatabase(this.#pathOf('cache.db'));
    const path = this.#pathOf('user.db');
    this.#user = isUserSound ? openUser(path, this.now) : saveUser(path, this.now);
    this.#cache = openCache(this.#pathOf('cache.db'));
    this.#users = this.#takeUp();
  }

  async close(): Promise<void> {
    await this.words?.close();
    this.cache.close();
    this.user.close();
  }

  #takeUp(): Users {
    const { signedIn, reading, onChanged } = this.given;
    const [cache, user] = [this.#cache, this.#user];
    cache.owner = signedIn.user_id;
    const onFound = () => onChanged?.(['courses']);
    const onNews = () => onChanged?.(['news']);
    const words = reading && new WordsOfFiles({ cache, user, reading, onFound, onNews });
    return { outbox: new Outbox(user, this.now), words };
  }

  #pathOf(name: string): string {
    return join(storeOf(this.given.store, this.given.signedIn), name);
  }
}
