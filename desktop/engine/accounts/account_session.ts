// The session of one account: its data, the live connection to the server, and regular syncs.

import type { D1Bookmark } from '@carrel/shared/sync/d1_bookmark';
import type { ChangedArea } from '../../contract/channels';
import type { Trash } from '../disk/disk';
import { type Bearer, bearerOf } from '../server/bearer';
import { type LiveConnection, listen } from '../server/live';
import type { Clock } from '../server/session';
import type { ReaderOptions, WordReader } from '../text/extract/reader';
import { accountIdOf, type Secrets, type SignedIn } from './account';
import { RegularSyncs } from './regular_syncs';
import { Workspace } from './workspace';

export interface AccountSessionOptions {
  readonly store: string;
  readonly signedIn: SignedIn;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly http?: typeof fetch;
  /** How the words of files are read. */
  readonly reading?: ReaderOptions | WordReader;
  readonly trash?: Trash;
  /** Syncs only when asked to: neither live nor at intervals. */
  readonly isManual: boolean;
  readonly onChanged: (parts: readonly ChangedArea[]) => void;
}

export class AccountSession {
  readonly id: string;
  #live: LiveConnection | undefined;
  #regular: RegularSyncs | undefined;

  private constructor(
    readonly study: Workspace,
    readonly bearer: Bearer,
    private readonly given: AccountSessionOptions,
  ) {
    this.id = accountIdOf(given.signedIn);
    if (given.isManual) return;
    this.#regular = new RegularSyncs({
      clock: given.clock,
      isConnected: () => this.#live?.isOpen === true,
      sync: () => this.syncSoon(),
    });
    this.#listen();
  }

  static async take(given: AccountSessionOptions): Promise<AccountSession> {
    const { store, signedIn, secrets, clock, http, reading, trash, onChanged } = given;
    const bearer = await bearerOf(accountIdOf(signedIn), signedIn.url, secrets, clock, http);
    const isWatching = !given.isManual;
    let accountSession: AccountSession | undefined;
    const onSettled = () => accountSession?.syncSoon();
    const workspace = new Workspace({ store, signedIn, token: bearer, clock, http, reading, trash, isWatching, onSettled, onChanged });
    accountSession = new AccountSession(workspace, bearer, given);
    return accountSession;
  }

  /** Errors are part of the report of the sync; the caller does not wait. */
  syncSoon(): void {
    if (this.given.isManual) return;
    void this.study
      .sync({ isThorough: false })
      .then((report) => {
        this.#regular?.ended(report);
        this.#listen();
      })
      .catch(() => this.#regular?.ended({ outcome: 'failed' }));
  }

  #syncFrom(bookmark: D1Bookmark): void {
    this.study.session.bookmark.note(bookmark);
    this.syncSoon();
  }

  /** Starts nothing more, and waits for what is running; the databases stay open. */
  async standUp(): Promise<void> {
    this.#live?.close();
    this.#live = undefined;
    this.#regular?.close();
    await this.study.rest();
  }

  async leave(): Promise<void> {
    await this.standUp();
    await this.study.close();
  }

  /** A server without a feed has no live connection; one that has not answered yet may have it. */
  #listen(): void {
    const { signedIn, clock } = this.given;
    if (this.study.way === 'lists') {
      this.#live?.close();
      this.#live = undefined;
    } else if (!this.study.session.isClosed)
      this.#live ??= listen({ url: signedIn.url, bearing: this.bearer, clock, onSignal: (bookmark) => this.#syncFrom(bookmark) });
  }
}
