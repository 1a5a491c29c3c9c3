// Signing in: the server says whose token it is, and a folder is chosen before anything is kept.

import { homedir } from 'node:os';
import { join } from 'node:path';
import { t } from '../ui/words/texts';
import { addAccount, idOf, type Secrets, type SignedIn, storeOf, whoIs } from './account';
import { type Credential, written } from './bearer';
import { chooseFolder, FolderOfAnother, folderOf } from './folder';
import { type Clock, Session } from './remote';
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
  const signedIn = await whoIs(new Session(addressOf(given.url), credential.token, clock, http));
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

/** What people paste: without a scheme, or with a page of it behind. */
export function addressOf(given: string): string {
  const trimmed = given.trim();
  const isLocal = /^(localhost|127\.|\[::1\])/.test(trimmed);
  const url = URL.parse(/^https?:\/\//i.test(trimmed) ? trimmed : `${isLocal ? 'http' : 'https'}://${trimmed}`);
  if (!url?.host) throw new Error(t('why.noUrl', { given }));
  return url.origin;
}
