// What is below every change of the study folder: the recovery store of the account, and which bytes the server is known to have now.

import { dirname } from 'node:path';
import type { Net } from './adapters/disk';
import { Recovery, recoveryFolder } from './recovery';
import type { Cache } from './store/cache';
import type { UserStore } from './store/user';
import { fold, type Hash, type Path } from './trees';

/** One for each account, so that what it has kept shows at once. */
const known = new WeakMap<object, Recovery>();

export function recoveryOf(user: Pick<UserStore, 'workFolder'>, now?: () => Date): Recovery {
  const recovery = known.get(user) ?? new Recovery(recoveryFolder(dirname(user.workFolder)), now);
  known.set(user, recovery);
  return recovery;
}

/**
 * Files count as the server lists them now: what was agreed once is no proof of that. But texts that were written here from what the
 * server told (pages, assignments) are no bytes of a person while they are as they were written.
 */
export function netOf(cache: Cache, user: UserStore, now?: () => Date): Net {
  const isWrittenHere = (hash: Hash, path: Path): boolean =>
    user.at(fold(path)).some((key) => !key.startsWith('file:') && user.rows().get(key)?.hash === hash);
  return { recovery: recoveryOf(user, now), isOnServer: (hash, path) => cache.hasBytes(hash) || isWrittenHere(hash, path) };
}
