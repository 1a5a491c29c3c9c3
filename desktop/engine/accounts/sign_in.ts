// Signing in: the server returns the user of the token, and a folder is chosen before anything is stored.

import { homedir } from 'node:os';
import { join } from 'node:path';
import { t } from '../../language/texts';
import { chooseFolder, FolderOfAnother, studyFolderOf } from '../disk/folder';
import { encodeCredential, type StoredCredential } from '../server/bearer';
import { type Clock, Offline, Session, Troubled } from '../server/session';
import { openUser, type UserStore } from '../store/user';
import { accountIdOf, addAccount, type Secrets, type SignedIn, storeOf, whoIs } from './account';

export interface SigningIn {
  readonly store: string;
  readonly secrets: Secrets;
  readonly url: string;
  /** Entered by the user, or issued in the browser sign-in. */
  readonly token: string | StoredCredential;
  /** Chosen now; otherwise the one chosen before, otherwise `usualFolder`. */
  readonly folder?: string;
  readonly usualFolder?: string;
  readonly clock: Clock;
  readonly http?: typeof fetch;
}

export async function signIn(given: SigningIn): Promise<SignedIn> {
  const { store, secrets, clock, http, folder, usualFolder = join(homedir(), 'Carrel') } = given;
  const credential = typeof given.token === 'string' ? { token: given.token.trim() } : given.token;
  const address = serviceAddressOf(given.url);
  const signedIn = await whoIs(new Session(address, credential.token, clock, http)).catch(async (problem: unknown) => {
    throw (await isPlain(address, problem, http)) ? new Error(t('why.onlyHttp', { address: address.replace('https:', 'http:') })) : problem;
  });
  const user = openUser(join(storeOf(store, signedIn), 'user.db'), clock.now);
  try {
    const chosen = folder ?? studyFolderOf(user);
    if (chosen !== undefined) chooseFolder(user, chosen, accountOwnerOf(signedIn));
    else chooseFree(user, usualFolder, signedIn);
  } finally {
    user.close();
  }
  await secrets.write(accountIdOf(signedIn), encodeCredential(credential));
  addAccount(store, signedIn);
  return signedIn;
}

/** The default folder, or one beside it if another account uses it. */
function chooseFree(user: UserStore, usual: string, signedIn: SignedIn): void {
  const beside = `${usual} ${new URL(signedIn.url).hostname}`;
  const candidates = [usual, beside, `${beside} ${signedIn.user_id}`];
  for (const candidate of candidates)
    try {
      chooseFolder(user, candidate, accountOwnerOf(signedIn));
      return;
    } catch (problem) {
      if (!(problem instanceof FolderOfAnother) || candidate === candidates.at(-1)) throw problem;
    }
}

export const accountOwnerOf = ({ url, user_id }: SignedIn): string => `${new URL(url).host} ${user_id}`;

const patience = 3000;

/** The server does not answer by https, but does by plain http at the same address. */
async function isPlain(address: string, problem: unknown, http = fetch): Promise<boolean> {
  if (!address.startsWith('https:') || !(problem instanceof Offline || problem instanceof Troubled)) return false;
  const answer = http(address.replace('https:', 'http:'), { redirect: 'manual', signal: AbortSignal.timeout(patience) });
  return answer.then(
    ({ headers }) => !headers.get('location')?.startsWith('https:'),
    () => false,
  );
}

/** Users paste addresses without a scheme, or with the path of a page. */
export function serviceAddressOf(given: string): string {
  const trimmed = given.trim();
  const isLocal = /^(localhost|127\.|\[::1\])/.test(trimmed);
  const url = URL.parse(/^https?:\/\//i.test(trimmed) ? trimmed : `${isLocal ? 'http' : 'https'}://${trimmed}`);
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(trimmed) ?? [];
  if (scheme !== undefined && !/^https?$/i.test(scheme)) throw new Error(t('why.notHttp', { scheme }));
  if (!url?.host) throw new Error(t('why.noUrl', { given }));
  return url.origin;
}
