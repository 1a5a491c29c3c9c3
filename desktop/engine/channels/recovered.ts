// Restores a file of the recovery store: to its path, beside the current file there, or to a path that the user gives. The store keeps its
// copy.

import { constants, statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { ChannelParams, ChannelResult } from '../../contract/channels';
import { t } from '../../language/texts';
import type { Workspace } from '../accounts/workspace';
import { checkFolder, studyFolderOf } from '../disk/folder';
import { placeBeside } from '../disk/place_beside';
import type { RecoverableFile, Recovery } from '../disk/recovery';
import { recoveryOf } from '../disk/safety_net';
import { fold, lastOf } from '../model/trees';
import type { UserStore } from '../store/user';

export interface Restored {
  readonly kept: RecoverableFile;
  /** Its current path. */
  readonly file: string;
}

/** By its number, its path, or the end of its path; of several with one path the newest. */
export function keptAs(words: string, recovery: Recovery, root: string | undefined): RecoverableFile | undefined {
  const all = recovery.all();
  const numbered = all.find(({ number }) => String(number) === words);
  if (numbered) return numbered;
  const inRoot = root !== undefined && isAbsolute(words) ? relative(root, words) : words;
  const wanted = fold(inRoot.replaceAll(sep, '/').replace(/^\.\//, ''));
  const isIt = ({ path }: RecoverableFile): boolean => fold(path) === wanted || fold(path).endsWith(`/${wanted}`);
  const found = all.find(({ path }) => fold(path) === wanted) ?? all.find(isIt);
  return found && all.some((one) => isIt(one) && one.path !== found.path && fold(found.path) !== wanted) ? undefined : found;
}

/** @param to a path that does not exist yet, or a folder */
export async function restore(user: UserStore, words: string, to?: string): Promise<Restored> {
  const recovery = recoveryOf(user);
  const kept = keptAs(words, recovery, studyFolderOf(user));
  if (!kept) throw new Error(t('why.notRecovered', { words }));
  const file = to === undefined ? await putBack(kept, recovery, checkFolder(user)) : await copyTo(kept, recovery, to);
  return { kept, file };
}

async function copyTo(kept: RecoverableFile, recovery: Recovery, to: string): Promise<string> {
  const file = statSync(to, { throwIfNoEntry: false })?.isDirectory() ? join(to, lastOf(kept.path)) : to;
  if (statSync(file, { throwIfNoEntry: false })) throw new Error(t('why.placeTaken', { where: file }));
  await copyFile(recovery.fileOf(kept), file, constants.COPYFILE_EXCL);
  return file;
}

/** If the path is taken, it gets a name beside it. */
const putBack = (kept: RecoverableFile, recovery: Recovery, root: string): Promise<string> =>
  placeBeside({
    root,
    path: kept.path,
    staged: `recovered-${kept.number}-${process.pid}.part`,
    stage: (file) => copyFile(recovery.fileOf(kept), file),
    mark: 'recovered',
    hash: kept.sha256,
  });

export const recoveredFiles = (user: UserStore): ChannelResult<'recovered.list'> =>
  recoveryOf(user)
    .all()
    .map(({ number, path, at, size, why, sha256 = null }) => ({ number, path, at, size, why, sha256 }));

interface Around {
  readonly here: () => Workspace;
  readonly changed: () => void;
  readonly syncSoon: () => void;
}

export const recoveryChannels = ({ here, changed, syncSoon }: Around) => ({
  'recovered.list': async (): Promise<ChannelResult<'recovered.list'>> => recoveredFiles(here().user),
  'recovered.restore': async ({ number }: ChannelParams<'recovered.restore'>): Promise<ChannelResult<'recovered.restore'>> => {
    const { file } = await restore(here().user, String(number));
    changed();
    syncSoon();
    return { file };
  },
});
