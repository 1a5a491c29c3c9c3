// Signing in: the server says whose token it is, and a folder is chosen before anything is kept.

import { homedir } from 'node:os';
import { join } from 'node:path';
import { t } from '../ui/words/texts';
import { addAccount, idOf, type Secrets, type SignedIn, storeOf, whoIs } from './account';
import { type Credential, written } from './bearer';
import { chooseFolder, FolderOfAnother, folderOf } from './folder';
import { type Clock, Offline, Session, Troubled } from './remote';
import { openUser, type UserStore } from './store/user';

export interface SigningIn {
  readonly store: string;
  readonly secrets: Secrets;
  readonly url: string;
  /** Given by hand, or come by the browser. */
  readonly token: string | Credential;
  /** Chosen now; else the one chosen before, else `usualFolder`. */
  readonly folder?: string;
  readonly usualFolder?: string;
  readonly clock: Clock;
  readonly http?: typeof fetch;
}

export async function signIn(given: SigningIn): Promise<SignedIn> {
  const { store, secrets, clock, http, folder, usualFolder = join(homedir(), 'Carrel') } = given;
  const credential = typeof given.token === 'string' ? { token: given.token.trim() } : given.token;
  const address = addressOf(given.url);
  const signedIn = await whoIs(new Session(address, credential.token, clock, http)).catch(async (problem: unknown) => {
    throw (await isPlain(address, problem, http)) ? new Error(t('why.onlyHttp', { address: address.replace('https:', 'http:') })) : problem;
  });
  const user = openUser(join(storeOf(store, signedIn), 'user.db'), clock.now);
  try {
    const chosen = folder ?? folderOf(user);
    if (chosen !== undefined) chooseFolder(user, chosen, ownerOf(signedIn));
    else chooseFree(user, usualFolder, signedIn);
  } finally {
    user.close();
  }
  await secrets.write(idOf(signedIn), written(credential));
  addAccount(store, signedIn);
  return signedIn;
}

/** The usual folder, or one beside it when another account has it. */
function chooseFree(user: UserStore, usual: string, signedIn: SignedIn): void {
  const beside = `${usual} ${new URL(signedIn.url).hostname}`;
  const candidates = [usual, beside, `${beside} ${signedIn.user_id}`];
  for (const candidate of candidates)
    try {
      chooseFolder(user, candidate, ownerOf(signedIn));
      return;
    } catch (problem) {
      if (!(problem instanceof FolderOfAnother) || candidate === candidates.at(-1)) throw problem;
    }
}

export const ownerOf = ({ url, user_id }: SignedIn): string => `${new URL(url).host} ${user_id}`;

const patience = 3000;

/** Nothing answers by https, and something does without it, at the very same place. */
async function isPlain(address: string, problem: unknown, http = fetch): Promise<boolean> {
  if (!address.startsWith('https:') || !(problem instanceof Offline || problem instanceof Troubled)) return false;
  const answer = http(address.replace('https:', 'http:'), { redirect: 'manual', signal: AbortSignal.timeout(patience) });
  return answer.then(
    ({ headers }) => !headers.get('location')?.startsWith('https:'),
    () => false,
  );
}

/** What people paste: without a scheme, or with a page of it behind. */
export function addressOf(given: string): string {
  const trimmed = given.trim();
  const isLocal = /^(localhost|127\.|\[::1\])/.test(trimmed);
  const url = URL.parse(/^https?:\/\//i.test(trimmed) ? trimmed : `${isLocal ? 'http' : 'https'}://${trimmed}`);
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(trimmed) ?? [];
  if (scheme !== undefined && !/^https?$/i.test(scheme)) throw new Error(t('why.notHttp', { scheme }));
  if (!url?.host) throw new Error(t('why.noUrl', { given }));
  return url.origin;
}
