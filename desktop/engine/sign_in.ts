// Signing in: the server says whose token it is, and a folder is chosen before anything is kept.

import { homedir } from 'node:os';
import { join } from 'node:path';
import { t } from '../ui/words/texts';
import { type Secrets, type SignedIn, storeOf, whoIs, writeAccount } from './account';
import { chooseFolder, folderOf } from './folder';
import { type Clock, Session } from './remote';
import { UserStore } from './store/user';

export interface SigningIn {
  readonly store: string;
  readonly secrets: Secrets;
  readonly url: string;
  readonly token: string;
  /** Chosen now; else the one chosen before, else `usualFolder`. */
  readonly folder?: string;
  readonly usualFolder?: string;
  readonly clock: Clock;
  readonly http?: typeof fetch;
}

export async function signIn(given: SigningIn): Promise<SignedIn> {
  const { store, secrets, clock, http, folder, usualFolder = join(homedir(), 'Carrel') } = given;
  const token = given.token.trim();
  const signedIn = await whoIs(new Session(addressOf(given.url), token, clock, http));
  const user = new UserStore(join(storeOf(store, signedIn), 'user.db'), clock.now);
  try {
    chooseFolder(user, folder ?? folderOf(user) ?? usualFolder, ownerOf(signedIn));
  } finally {
    user.close();
  }
  await secrets.write(token);
  writeAccount(store, signedIn);
  return signedIn;
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
