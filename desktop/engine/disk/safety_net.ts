// What protects every change of the study folder: the recovery store of the account, and which bytes the server has now.

import { dirname } from 'node:path';
import { fold, type Hash, type Path } from '../model/trees';
import type { Cache } from '../store/cache';
import type { UserStore } from '../store/user';
import type { Net } from './disk';
import { Recovery, recoveryFolder } from './recovery';

/** One for each account, so that what it keeps is visible at once. */
const known = new WeakMap<object, Recovery>();

export function recoveryOf(user: Pick<UserStore, 'workFolder'>, now?: () => Date): Recovery {
  const recovery = known.get(user) ?? new Recovery(recoveryFolder(dirname(user.workFolder)), now);
  known.set(user, recovery);
  return recovery;
}

/**
 * A file counts as stored on the server if the server lists it now; an earlier agreement is no proof. Texts that the desk wrote
 * from server data (pages, assignments) need no copy as long as they are unchanged.
 */
export function netOf(cache: Cache, user: UserStore, now?: () => Date): Net {
  const isWrittenHere = (hash: Hash, path: Path): boolean =>
    user.at(fold(path)).some((key) => !key.startsWith('file:') && user.rows().get(key)?.hash === hash);
  return { recovery: recoveryOf(user, now), isOnServer: (hash, path) => cache.hasBytes(hash) || isWrittenHere(hash, path) };
}
