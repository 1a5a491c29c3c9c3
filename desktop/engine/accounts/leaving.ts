// Signing out: removes files and unsent changes of an account from this device.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Leaving } from '../../contract/state';
import { diskAt } from '../disk/disk';
import { checkFolder, studyFolderOf } from '../disk/folder';
import { netOf } from '../disk/safety_net';
import { myFilesFolder } from '../model/names';
import { keyOfPlace } from '../model/places';
import { isSameStamp, Refused } from '../model/ports';
import { isWord } from '../outbox/intents';
import { Outbox } from '../outbox/outbox';
import { removeAttachments } from '../server/attachments';
import type { Bearer } from '../server/bearer';
import { type Clock, Session } from '../server/session';
import type { Cache } from '../store/cache';
import type { UserStore } from '../store/user';
import { removeUnchanged } from '../sync/graded_folders/remove_folders';
import { keptHomes } from '../sync/relocate';
import { agreedFolders } from '../sync/uploads/keep_folders';
import { type SignedIn, storeOf } from './account';

export function leaving(user: UserStore, now: () => Date): Leaving {
  return {
    folder: studyFolderOf(user) ?? null,
    files: user.rows().size,
    unsent: new Outbox(user, now).pending().filter(isWord).length,
  };
}

/**
 * Removes files from the server that are unchanged. What the user has edited, added or moved into the folder stays, and so do
 * folders that are not empty.
 * Files that the server may no longer have go to the recovery store.
 * @returns how many files stayed
 */
export async function removeFiles(user: UserStore, cache: Cache): Promise<number> {
  if (folderIsMissing(user)) return 0;
  await removeAttachments(checkFolder(user));
  await removeStudentWork(user);
  const disk = diskAt(checkFolder(user), { net: netOf(cache, user) });
  const { files } = await disk.scan();
  let kept = 0;
  for (const [key, { path, hash, seen }] of user.rows()) {
    const stamp = files.get(path);
    if (!stamp) continue;
    const found = isSameStamp(stamp, seen.stamp) ? seen : await disk.hash(path);
    if (!found || found.hash !== hash) {
      kept++;
      continue;
    }
    try {
      await disk.remove(path, stamp);
      user.note([{ drop: key }]);
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      kept++;
    }
  }
  const folders = [...agreedFolders(user).values()].map(({ path }) => path).sort((a, b) => b.length - a.length);
  for (const path of [...folders, myFilesFolder]) if (disk.isFolder?.(path)) await disk.dropFolder?.(path);
  return kept;
}

/** No copy of students' work stays in the recovery store: the server has it. */
async function removeStudentWork(user: UserStore): Promise<void> {
  const homes = keptHomes(user);
  const disk = diskAt(checkFolder(user));
  for (const id of user.graded.courses()) {
    const home = homes[keyOfPlace(id)];
    if (home !== undefined) await removeUnchanged(id, { user, disk, home });
  }
}

/** If it was moved away or its disk is not connected, nothing in its place is touched. */
function folderIsMissing(user: UserStore): boolean {
  try {
    checkFolder(user);
    return false;
  } catch {
    return true;
  }
}

/** The cache can be downloaded again; notes, drafts and unsent changes stay in case the account signs in again. */
export async function forgetCache(store: string, signedIn: SignedIn): Promise<void> {
  for (const name of ['cache.db', 'cache.db-wal', 'cache.db-shm']) await rm(join(storeOf(store, signedIn), name), { force: true });
}

/** A token of the browser sign-in is revoked; one that was entered by the user may be in use elsewhere. */
export async function giveBack(bearer: Bearer, url: string, clock?: Clock, http?: typeof fetch): Promise<void> {
  if (!bearer.isExchanged) return;
  const session = new Session(url, { token: bearer.token }, clock, http);
  // Without a response the token expires by itself, within the hour.
  await session.ask('/login/oauth2/token', { method: 'DELETE', tries: 1, patience: 5000 }).catch(() => {});
}
