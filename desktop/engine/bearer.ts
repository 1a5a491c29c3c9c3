// The token by which an account is known to its server: given by hand, or by the browser and exchanged for a fresh one when it ends.

import type { AccountId, Secrets } from './account';
import { Declined, Session } from './remote';

export interface Credential {
  readonly token: string;
  /** What a fresh token can be had for, and by whom it may be asked for. */
  readonly refresh?: { readonly token: string; readonly client_id: string };
}

/** What a session asks with. */
export interface Bearing {
  readonly token: string;
  /** Another token in place of the one that was refused; false where there is none to be had. */
  renew?(refused: string): Promise<boolean>;
}

/** A token by hand is kept as it is. */
export const written = (credential: Credential): string => (credential.refresh ? JSON.stringify(credential) : credential.token);

export const read = (secret: string): Credential => (secret.startsWith('{') ? exchanged(secret) : { token: secret });

/** Damaged, it is none: the person is asked to sign in again, and nothing of it is shown. */
function exchanged(secret: string): Credential {
  try {
    const credential = JSON.parse(secret) as Partial<Credential>;
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
  #credential: Credential;
  #renewing: Promise<boolean> | undefined;

  constructor(
    private readonly account: AccountId,
    secret: string,
    private readonly secrets: Secrets,
    /** Without a token of its own. */
    private readonly stranger: Session,
  ) {
    this.#credential = read(secret);
  }

  get token(): string {
    return this.#credential.token;
  }

  /** It came by the browser, and is this desk's alone. */
  get isExchanged(): boolean {
    return this.#credential.refresh !== undefined;
  }

  /** Requests that were refused at once share one exchange: a refresh token is good for one only. */
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
      // Kept before it is used: what it was had for is spent.
      await this.secrets.write(this.account, written(this.#credential));
      return true;
    } catch (problem) {
      if (problem instanceof Declined) return false;
      throw problem;
    }
  }
}

/** The account's token as it is kept; one that is lost, or can no longer be read, is refused by the server and asked for again. */
export async function bearerOf(account: AccountId, url: string, secrets: Secrets, ...around: SessionAround): Promise<Bearer> {
  const secret = await secrets.read(account).catch(() => undefined);
  return new Bearer(account, secret ?? '', secrets, new Session(url, '', ...around));
}

type SessionAround = ConstructorParameters<typeof Session> extends [string, unknown, ...infer Rest] ? Rest : never;
