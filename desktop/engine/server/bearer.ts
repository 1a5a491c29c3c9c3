// The token of an account: entered by the user, or issued in the browser sign-in and refreshed when it expires.

import type { AccountId, Secrets } from '../accounts/account';
import { type Bearing, Declined, Session } from './session';

export interface StoredCredential {
  readonly token: string;
  /** The refresh token, and the client that may use it. */
  readonly refresh?: { readonly token: string; readonly client_id: string };
}

/** A token that was entered by the user is stored as it is. */
export const encodeCredential = (credential: StoredCredential): string =>
  credential.refresh ? JSON.stringify(credential) : credential.token;

export const decodeCredential = (secret: string): StoredCredential => (secret.startsWith('{') ? exchanged(secret) : { token: secret });

/** A damaged one counts as missing: the user has to sign in again, and its content is never shown. */
function exchanged(secret: string): StoredCredential {
  try {
    const credential = JSON.parse(secret) as Partial<StoredCredential>;
    return typeof credential.token === 'string' ? { ...credential, token: credential.token } : { token: '' };
  } catch {
    return { token: '' };
  }
}

interface Exchanged {
  readonly access_token: string;
  readonly refresh_token?: string;
}

export class Bearer implements Bearing {
  #credential: StoredCredential;
  #renewing: Promise<boolean> | undefined;

  constructor(
    private readonly account: AccountId,
    secret: string,
    private readonly secrets: Secrets,
    /** A session without a token. */
    private readonly stranger: Session,
  ) {
    this.#credential = decodeCredential(secret);
  }

  get token(): string {
    return this.#credential.token;
  }

  /** Issued in the browser sign-in, for this desk only. */
  get isExchanged(): boolean {
    return this.#credential.refresh !== undefined;
  }

  /** Requests that are refused at the same time share one refresh: a refresh token can be used only once. */
  renew(refused: string): Promise<boolean> {
    if (refused !== this.token) return Promise.resolve(true);
    this.#renewing ??= this.#exchange().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #exchange(): Promise<boolean> {
    const { refresh } = this.#credential;
    if (!refresh) return false;
    const { token: refresh_token, client_id } = refresh;
    try {
      const json = { grant_type: 'refresh_token', client_id, refresh_token };
      const fresh = await this.stranger.json<Exchanged>('/login/oauth2/token', { method: 'POST', json });
      this.#credential = { token: fresh.access_token, refresh: { client_id, token: fresh.refresh_token ?? refresh_token } };
      // Stored before it is used, because the refresh token that it replaces is spent.
      await this.secrets.write(this.account, encodeCredential(this.#credential));
      return true;
    } catch (problem) {
      if (problem instanceof Declined) return false;
      throw problem;
    }
  }
}

/** The stored token of the account; if it is lost or unreadable, the server refuses it and the user signs in again. */
export async function bearerOf(account: AccountId, url: string, secrets: Secrets, ...around: SessionAround): Promise<Bearer> {
  const secret = await secrets.read(account).catch(() => undefined);
  return new Bearer(account, secret ?? '', secrets, new Session(url, '', ...around));
}

type SessionAround = ConstructorParameters<typeof Session> extends [string, unknown, ...infer Rest] ? Rest : never;
