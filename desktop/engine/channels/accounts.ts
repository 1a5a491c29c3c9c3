// The channels for accounts: list them, sign in with a token or in the browser, switch between them, sign out.

import type { ChangedArea, Channel, ChannelParams, ChannelResult } from '../../contract/channels';
import type { BrowsingView, DeskAccount } from '../../contract/state';
import { t } from '../../language/texts';
import { type AccountId, accountIdOf, dropAccount, readAccounts, type Secrets, type SignedIn, showAccount } from '../accounts/account';
import { AccountSession, type AccountSessionOptions } from '../accounts/account_session';
import { type Browsing, startBrowserSignIn } from '../accounts/browser_sign_in';
import { forgetCache, giveBack, leaving, removeFiles } from '../accounts/leaving';
import { signIn } from '../accounts/sign_in';
import type { Workspace } from '../accounts/workspace';
import type { Trash } from '../disk/disk';
import type { Clock } from '../server/session';
import type { WordReader } from '../text/extract/reader';

type AccountChannel = Extract<Channel, `account.${string}` | `accounts.${string}`>;

export type AccountChannels = { readonly [C in AccountChannel]: (given: ChannelParams<C>) => Promise<ChannelResult<C>> };

interface Around {
  readonly store: string;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly http?: typeof fetch;
  /** All accounts share one thread that reads files. */
  readonly reading?: WordReader;
  readonly trash?: Trash;
  readonly usualFolder?: string;
  readonly isManual: boolean;
  /** Called with the parts of the shown account that have changed. */
  readonly tell: (parts: readonly ChangedArea[]) => void;
}

export const allAreas: readonly ChangedArea[] = ['account', 'status', 'courses', 'planner', 'files', 'announcements', 'inbox', 'news'];

export class AccountSessions {
  readonly #seats = new Map<AccountId, AccountSession>();
  #shown: AccountId | undefined;
  #browsing: (Browsing & { readonly failure: string | null }) | undefined;

  constructor(private readonly around: Around) {}

  /** Opens every account of this device, with or without a token: what is stored can be read offline. */
  async open(): Promise<void> {
    const { shown, all } = readAccounts(this.around.store);
    for (const signedIn of all) await this.#take(signedIn);
    this.#shown = shown ?? undefined;
    for (const accountSession of this.#seats.values()) accountSession.syncSoon();
  }

  get shown(): AccountSession | undefined {
    return this.#shown === undefined ? undefined : this.#seats.get(this.#shown);
  }

  readonly studies = (): readonly Workspace[] => [...this.#seats.values()].map(({ study }) => study);

  readonly syncSoon = (workspace: Workspace): void => this.#seats.get(accountIdOf(workspace.signedIn))?.syncSoon();

  async close(): Promise<void> {
    this.#browsing?.stop();
    await Promise.all([...this.#seats.values()].map((seat) => seat.leave()));
    this.#seats.clear();
  }

  readonly channels: AccountChannels = {
    'account.current': async () => (this.shown ? this.#told(this.shown) : null),
    'accounts.list': async () => Promise.all([...this.#seats.values()].map((seat) => this.#told(seat))),
    'account.show': async ({ id }) => {
      this.#seat(id);
      showAccount(this.around.store, id);
      this.#shown = id;
      this.around.tell(allAreas);
      return null;
    },
    'account.login': async ({ url, token, folder }) => this.#come(await this.#signIn(url, token, folder)),
    'account.browse': async ({ url, folder, client_id }) => {
      this.#browsing?.stop();
      const { clock, http, tell } = this.around;
      const begun = await startBrowserSignIn({ url, client_id, clock, http });
      this.#browsing = { ...begun, failure: null };
      const isCurrent = () => this.#browsing?.address === begun.address;
      begun.credential
        .then(async (credential) => this.#come(await this.#signIn(begun.url, credential, folder)))
        .then(
          () => {
            if (isCurrent()) this.#browsing = undefined;
          },
          (problem: Error) => {
            if (isCurrent()) this.#browsing = { ...begun, failure: problem.message };
          },
        )
        .finally(() => tell(['account']));
      tell(['account']);
      return { address: begun.address };
    },
    'account.browsing': async () => this.#browsingTold(),
    'account.browse_stop': async () => {
      const stopped = this.#browsing;
      this.#browsing = undefined;
      stopped?.stop();
      this.around.tell(['account']);
      return null;
    },
    'account.leaving': async ({ id }) => {
      const { study } = this.#seat(id);
      return leaving(study.user, study.now);
    },
    'account.leave': async ({ id, files }) => {
      const { store, secrets, clock, http, tell } = this.around;
      const seat = this.#seat(id);
      // Nothing may be running when the files are removed.
      this.#seats.delete(id);
      const { study } = seat;
      const { signedIn } = study;
      const { user } = study;
      try {
        await seat.standUp();
        return { kept: files === 'remove' ? await removeFiles(user, study.cache) : 0 };
      } finally {
        await seat.leave();
        await giveBack(seat.bearer, signedIn.url, clock, http);
        await secrets.remove(id);
        await forgetCache(store, signedIn);
        dropAccount(store, id);
        this.#shown = readAccounts(store).shown ?? undefined;
        tell(allAreas);
      }
    },
  };

  #seat(id: AccountId): AccountSession {
    const seat = this.#seats.get(id);
    if (!seat) throw new Error(t('why.noSuchAccount'));
    return seat;
  }

  #signIn(url: string, token: Parameters<typeof signIn>[0]['token'], folder: string | undefined): Promise<SignedIn> {
    const { store, secrets, usualFolder, clock, http } = this.around;
    return signIn({ store, secrets, url, token, folder, usualFolder, clock, http });
  }

  /** Opens the account, or opens it again so that it uses the new token. */
  async #come(signedIn: SignedIn): Promise<DeskAccount> {
    const id = accountIdOf(signedIn);
    await this.#seats.get(id)?.leave();
    const seat = await this.#take(signedIn);
    this.#shown = id;
    this.around.tell(allAreas);
    seat.syncSoon();
    return this.#told(seat);
  }

  async #take(signedIn: SignedIn): Promise<AccountSession> {
    const { store, secrets, clock, http, reading, trash, isManual, tell } = this.around;
    const id = accountIdOf(signedIn);
    const seating: AccountSessionOptions = {
      store,
      signedIn,
      secrets,
      clock,
      http,
      reading,
      trash,
      isManual,
      // Of the other accounts only the status and notifications are shown.
      onChanged: (parts) => tell(this.#shown === id ? parts : parts.filter((part) => part === 'status' || part === 'news')),
    };
    const seat = await AccountSession.take(seating);
    this.#seats.set(id, seat);
    return seat;
  }

  async #told({ id, study }: AccountSession): Promise<DeskAccount> {
    const { url, user_id, name, institution } = study.signedIn;
    const { phase, pending_edits } = study.status();
    const keeping = await this.around.secrets.keeping(id);
    return { id, url, user_id, name, institution, shown: id === this.#shown, phase, pending_edits, keeping };
  }

  #browsingTold(): BrowsingView | null {
    const { url, address, failure } = this.#browsing ?? {};
    return url === undefined || address === undefined ? null : { url, address, failure: failure ?? null };
  }
}
