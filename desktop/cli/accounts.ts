// Resolves the account that the command line names, signs in and signs out.

import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { SyncStatus } from '../contract/state';
import { type AccountId, accountIdOf, dropAccount, fileSecrets, readAccounts, type SignedIn, storeOf } from '../engine/accounts/account';
import { startBrowserSignIn } from '../engine/accounts/browser_sign_in';
import { forgetCache, giveBack, leaving, removeFiles } from '../engine/accounts/leaving';
import { bearerOf, type StoredCredential } from '../engine/server/bearer';
import { systemClock } from '../engine/server/session';
import { openCache } from '../engine/store/cache';
import { openUser, type UserStore } from '../engine/store/user';
import { troubleKept } from '../engine/sync/trouble';
import { t } from '../language/texts';
import { Misused } from './arguments';
import { troubleLines } from './words';

/** No account is signed in. */
export class SignedOut extends Error {
  constructor() {
    super(t('cli.signInFirst'));
  }
}

/** By part of its name or server, or by its number in the list; by default the account that was added or selected last. */
export function accountOf(store: string, words: string | undefined): SignedIn {
  const { shown, all } = readAccounts(store);
  if (all.length === 0) throw new SignedOut();
  if (words === undefined) return all.find((one) => accountIdOf(one) === shown) ?? (all[0] as SignedIn);
  const wanted = words.toLowerCase();
  const found = /^\d+$/.test(wanted)
    ? all.slice(Number(wanted) - 1, Number(wanted))
    : all.filter((one) => wanted === accountIdOf(one) || `${one.name} ${one.url} ${one.institution}`.toLowerCase().includes(wanted));
  if (found.length === 1 && found[0]) return found[0];
  throw new Misused(found.length === 0 ? t('cli.noAccount', { words }) : t('cli.severalAccounts', { words }));
}

export function accountLines(store: string): string[] {
  const { shown, all } = readAccounts(store);
  if (all.length === 0) return [t('cli.nobody')];
  return all.flatMap((one, at) => [
    `${accountIdOf(one) === shown ? '*' : ' '} ${at + 1}  ${t('cli.accountAt', { name: one.name, url: one.url })} (${one.institution})`,
    ...troubleLines({ trouble: storedTroubleOf(store, one), rebuilt_at: null }).map((line) => `     ${line}`),
  ]);
}

/** The connection problem that the last sync found. */
export function storedTroubleOf(store: string, one: SignedIn): SyncStatus['trouble'] {
  const path = join(storeOf(store, one), 'user.db');
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return null;
  const user = openUser(path, systemClock.now, true);
  try {
    return troubleKept(user);
  } finally {
    user.close();
  }
}

interface Entering {
  readonly url: string;
  readonly token?: string;
  readonly client_id?: string;
}

/** Takes the token from the option or standard input; without a token, signs in with the system's browser. */
export async function credentialFor({ url, token, client_id }: Entering): Promise<string | StoredCredential> {
  if (token === '-') return text(process.stdin);
  if (token !== undefined) return token;
  const { address, credential } = await startBrowserSignIn({ url, client_id, clock: systemClock });
  process.stderr.write(`${t('cli.openAddress')}\n\n  ${address}\n\n`);
  openInBrowser(address);
  return credential;
}

/** Without a browser the user opens the printed address elsewhere. */
function openInBrowser(address: string): void {
  const [program, ...words] =
    process.env.BROWSER !== undefined
      ? [process.env.BROWSER, address]
      : process.platform === 'darwin'
        ? ['open', address]
        : process.platform === 'win32'
          ? ['rundll32', 'url.dll,FileProtocolHandler', address]
          : ['xdg-open', address];
  if (!program) return;
  const child = spawn(program, words, { detached: true, stdio: 'ignore' });
  child.on('error', () => {});
  child.unref();
}

interface Left {
  readonly name: string;
  readonly url: string;
  readonly folder: string | null;
  readonly unsent: number;
  /** How many files were kept; null: all of them, as requested. */
  readonly kept: number | null;
}

export async function signOut(store: string, signedIn: SignedIn, isRemoving: boolean): Promise<Left> {
  const id: AccountId = accountIdOf(signedIn);
  const secrets = fileSecrets(store);
  const user = openUser(`${storeOf(store, signedIn)}/user.db`, systemClock.now);
  try {
    const { folder, unsent } = leaving(user, systemClock.now);
    const kept = isRemoving ? await removed(store, signedIn, user) : null;
    await giveBack(await bearerOf(id, signedIn.url, secrets), signedIn.url);
    return { name: signedIn.name, url: signedIn.url, folder, unsent, kept };
  } finally {
    user.close();
    await secrets.remove(id);
    await forgetCache(store, signedIn);
    dropAccount(store, id);
  }
}

async function removed(store: string, signedIn: SignedIn, user: UserStore): Promise<number> {
  const cache = openCache(join(storeOf(store, signedIn), 'cache.db'));
  return removeFiles(user, cache).finally(() => cache.close());
}

export function leftLines({ name, url, folder, unsent, kept }: Left): string[] {
  const where = folder ?? '';
  const files = kept === null ? t('cli.filesStay', { folder: where }) : t('cli.filesRemoved', { folder: where, kept });
  const words = unsent === 0 ? [] : [t('cli.unsent', { count: unsent })];
  return [`${t('cli.signedOut', { name, url })} ${files}`, ...words];
}
