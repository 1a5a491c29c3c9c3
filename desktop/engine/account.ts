// Who is signed in on this device, and where what belongs to them is kept.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Declined, type Session } from './remote';

export interface SignedIn {
  readonly url: string;
  readonly user_id: number;
  readonly name: string;
  readonly institution: string;
}

/** Where the token is kept: the system's secret store, or a file only the person may read. */
export interface Secrets {
  read(): Promise<string | undefined>;
  write(token: string): Promise<void>;
  remove(): Promise<void>;
}

export function fileSecrets(store: string): Secrets {
  const path = join(store, 'token');
  return {
    read: async () => (existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined),
    async write(token) {
      mkdirSync(store, { recursive: true, mode: 0o700 });
      rmSync(path, { force: true });
      writeFileSync(path, `${token}\n`, { mode: 0o600 });
    },
    remove: async () => rmSync(path, { force: true }),
  };
}

const accountPath = (store: string): string => join(store, 'account.json');

export function readAccount(store: string): SignedIn | undefined {
  if (!existsSync(accountPath(store))) return undefined;
  return JSON.parse(readFileSync(accountPath(store), 'utf8')) as SignedIn;
}

export function writeAccount(store: string, account: SignedIn | undefined): void {
  mkdirSync(store, { recursive: true, mode: 0o700 });
  if (!account) {
    rmSync(accountPath(store), { force: true });
    return;
  }
  writeFileSync(`${accountPath(store)}.new`, JSON.stringify(account));
  renameSync(`${accountPath(store)}.new`, accountPath(store));
}

/** Ids mean something on one server and for one person only, so each has databases of their own. */
export const storeOf = (store: string, { url, user_id }: Pick<SignedIn, 'url' | 'user_id'>): string =>
  join(store, `${new URL(url).host.replaceAll(/[^\w.-]/g, '_')}-${user_id}`);

/** Asks the server whose token it is. */
export async function whoIs(session: Session): Promise<SignedIn> {
  const self = await session.json<{ id: number; name: string }>('/api/v1/users/self');
  return { url: session.url, user_id: self.id, name: self.name, institution: await institutionOf(session) };
}

/** Students may not read the account, but everybody may ask whose domain it is; else the address has to name it. */
async function institutionOf(session: Session): Promise<string> {
  const { hostname } = new URL(session.url);
  try {
    const found = await session.json<readonly { name?: string; domain?: string }[]>(
      `/api/v1/accounts/search?${new URLSearchParams({ domain: hostname })}`,
      { tries: 2 },
    );
    return found.find(({ domain }) => domain === hostname)?.name || hostname;
  } catch (problem) {
    if (!(problem instanceof Declined)) throw problem;
    return hostname;
  }
}
