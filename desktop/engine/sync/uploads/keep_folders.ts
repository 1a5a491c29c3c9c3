// Syncs the folders of “My files” both ways: moves come before the files of a cycle, additions and deletions after them.

import { myFilesFolder } from '../../model/names';
import { type Disk, Refused } from '../../model/ports';
import type { Path } from '../../model/trees';
import { type AgreedFolder, carried, type FolderPlan, isSamePath, movesHere } from '../../planner/two_way_folders';
import { stored } from '../../store/damage';
import type { UserStore } from '../../store/user';
import { type SyncProblem, whyOf } from '../reason';
import { moveWhole } from '../relocate';
import type { Derived } from '../wanted/derive';

/** The folders of a place, by their paths here. */
export const serverFoldersBelow = ({ nodes, paths }: Pick<Derived, 'nodes' | 'paths'>, home: Path): Map<Path, number> =>
  new Map(
    [...nodes.values()].flatMap(({ key, kind }): [Path, number][] => {
      const path = kind === 'folder' && key.startsWith('folder:') ? paths.get(key) : undefined;
      return path?.startsWith(`${home}/`) ? [[path, Number(key.slice('folder:'.length))]] : [];
    }),
  );

export const foldersThere = (wanted: Pick<Derived, 'nodes' | 'paths'>): Map<number, Path> =>
  new Map([...serverFoldersBelow(wanted, myFilesFolder)].map(([path, id]) => [id, path]));

const agreedSetting = 'my folders';

export const agreedFolders = (user: UserStore): Map<number, AgreedFolder> =>
  new Map(stored<[number, AgreedFolder][]>(user.setting(agreedSetting) ?? '[]'));

export function agreeFolders(user: UserStore, folders: ReadonlyMap<number, AgreedFolder>): void {
  const now = folders.size === 0 ? undefined : JSON.stringify([...folders].sort(([a], [b]) => a - b));
  if (now !== user.setting(agreedSetting)) user.set(agreedSetting, now);
}

/**
 * Folders that another device renamed or moved are moved here with everything in them. If that fails, the planner moves the files
 * one by one.
 */
export async function moveFoldersHere(disk: Disk, user: UserStore, wanted: Derived): Promise<void> {
  const there = foldersThere(wanted);
  const agreed = agreedFolders(user);
  if (![...there].some(([id, path]) => agreed.has(id) && agreed.get(id)?.path !== path)) return;
  for (const { from, to } of movesHere({ there, agreed, here: disk.foldersBelow?.(myFilesFolder) ?? new Map() })) {
    await moveWhole(disk, user, { from, to });
    if (disk.isFolder?.(from) !== false) continue;
    for (const [id, folder] of agreed) agreed.set(id, { ...folder, path: carried(folder.path, [{ from, to }]) });
    agreeFolders(user, agreed);
  }
}

/** Carries out the folder plan on this disk, and stores what both sides have from now on. */
export async function settleFolders(
  disk: Disk,
  user: UserStore,
  { makeHere, dropHere, agree: agreed }: FolderPlan,
  issues: SyncProblem[],
): Promise<void> {
  const attempt = async (path: Path, act: () => Promise<unknown> | undefined): Promise<void> => {
    try {
      await act();
    } catch (problem) {
      // A file has the path of the folder: the planner moves it aside with the first file of that folder.
      if (!(problem instanceof Refused)) issues.push({ what: 'here', where: path, ...whyOf(problem) });
    }
  };
  const left = new Map<number, AgreedFolder>();
  for (const { id, path } of dropHere) {
    const before = issues.length;
    await attempt(path, () => disk.dropFolder?.(path));
    const known = agreedFolders(user).get(id);
    // Tried again in the next sync: until then it counts as a folder that was deleted on the server.
    if (issues.length > before && known && !agreed.has(id)) left.set(id, known);
  }
  for (const { path } of makeHere) await attempt(path, () => disk.makeFolder?.(path));
  const here = makeHere.length > 0 ? disk.foldersBelow?.(myFilesFolder) : undefined;
  const made = makeHere.flatMap(({ id, path }): [number, AgreedFolder][] => {
    const found = [...(here ?? [])].find(([at]) => isSamePath(at, path));
    return found ? [[id, { path, inode: found[1] }]] : [];
  });
  agreeFolders(user, new Map([...left, ...agreed, ...made]));
}

/** Folders by path, after some have moved. */
export const foldersAfter = (folders: ReadonlyMap<Path, number>, moves: readonly { readonly from: Path; readonly to: Path }[]) =>
  new Map([...folders].map(([path, id]): [Path, number] => [carried(path, moves), id]));
