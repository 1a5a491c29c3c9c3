// The accounts that are signed in on this device, and the folder in which the data of each is stored.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Declined, type Session } from '../server/session';

export interface SignedIn {
  readonly url: string;
  readonly user_id: number;
  readonly name: string;
  readonly institution: string;
}

/** One user on one server: `canvas.example.edu-7`. It is the name of a folder of the store. */
export type AccountId = string;

export const accountIdOf = ({ url, user_id }: Pick<SignedIn, 'url' | 'user_id'>): AccountId =>
  `${new URL(url).host.replaceAll(/[^\w.-]/g, '_')}-${user_id}`;

/** Ids are only unique on one server, and rows are visible to one user only, so each account has its own databases. */
export const storeOf = (store: string, account: Pick<SignedIn, 'url' | 'user_id'>): string => join(store, accountIdOf(account));

/** Where tokens are stored, as the UI shows it. */
type Keeping = { readonly by: 'system' } | { readonly by: 'memory' } | { readonly by: 'file'; readonly path: string };

/** Where tokens are stored: the secret store of the system, or files that only the user can read. */
export interface Secrets {
  read(account: AccountId): Promise<string | undefined>;
  write(account: AccountId, secret: string): Promise<void>;
  remove(account: AccountId): Promise<void>;
  keeping(account: AccountId): Promise<Keeping>;
}

export function fileSecrets(store: string): Secrets {
  const pathOf = (account: AccountId) => join(store, account, 'token');
  return {
    read: async (account) => (existsSync(pathOf(account)) ? readFileSync(pathOf(account), 'utf8').trim() : undefined),
    async write(account, secret) {
      const path = pathOf(account);
      mkdirSync(join(store, account), { recursive: true, mode: 0o700 });
      // Renamed into place: a half-written token cannot be used, and the one it replaces is no longer valid.
      rmSync(`${path}.new`, { force: true });
      writeFileSync(`${path}.new`, `${secret}\n`, { mode: 0o600, flush: true });
      renameSync(`${path}.new`, path);
    },
    remove: async (account) => rmSync(pathOf(account), { force: true }),
    keeping: async (account) => ({ by: 'file', path: pathOf(account) }),
  };
}

interface Accounts {
  /** The account that is shown. */
  readonly shown: AccountId | null;
  readonly all: readonly SignedIn[];
}

const pathOf = (store: string): string => join(store, 'accounts.json');
/** A second copy: if the file is damaged, the user is not signed out. */
const copyOf = (store: string): string => join(store, 'accounts.copy.json');

export function readAccounts(store: string): Accounts {
  if (!existsSync(pathOf(store))) return nobody;
  return accountsIn(pathOf(store)) ?? accountsIn(copyOf(store)) ?? nobody;
}

const nobody: Accounts = { shown: null, all: [] };

/** Undefined if it is missing or damaged. */
function accountsIn(path: string): Accounts | undefined {
  try {
    const accounts = JSON.parse(readFileSync(path, 'utf8')) as Partial<Accounts> | null;
    return Array.isArray(accounts?.all) ? { shown: accounts.shown ?? null, all: accounts.all } : undefined;
  } catch (problem) {
    const isUnread = problem instanceof Error && 'code' in problem && problem.code !== 'ENOENT';
    if (isUnread) throw problem;
    return undefined;
  }
}

export function writeAccounts(store: string, accounts: Accounts): void {
  mkdirSync(store, { recursive: true, mode: 0o700 });
  for (const path of [copyOf(store), pathOf(store)]) {
    writeFileSync(`${path}.new`, JSON.stringify(accounts), { flush: true });
    renameSync(`${path}.new`, path);
  }
}

/** Adds the account or updates it, and shows it. */
export function addAccount(store: string, signedIn: SignedIn): void {
  const { all } = readAccounts(store);
  const id = accountIdOf(signedIn);
  const isKnown = all.some((one) => accountIdOf(one) === id);
  writeAccounts(store, { shown: id, all: isKnown ? all.map((one) => (accountIdOf(one) === id ? signedIn : one)) : [...all, signedIn] });
}

export function dropAccount(store: string, id: AccountId): void {
  const { shown, all } = readAccounts(store);
  const left = all.filter((one) => accountIdOf(one) !== id);
  const next = left[0] ? accountIdOf(left[0]) : null;
  writeAccounts(store, { shown: shown === id ? next : shown, all: left });
}

export function showAccount(store: string, id: AccountId): void {
  writeAccounts(store, { ...readAccounts(store), shown: id });
}

/** Asks the server which user the token belongs to. */
export async function whoIs(session: Session): Promise<SignedIn> {
  const self = await session.json<{ id: number; name: string }>('/api/v1/users/self');
  return { url: session.url, user_id: self.id, name: self.name, institution: await institutionOf(session) };
}

/** Students may not read the account, but every user may read its domain; otherwise the domain is taken from the address. */
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
