// Courses whose folder has a new name: the folder is moved as a whole, with the user's files in it, and nothing is downloaded.

import type { Disk } from '../model/ports';
import type { Key, Path } from '../model/trees';
import { stored } from '../store/damage';
import type { UserStore } from '../store/user';

export interface Relocation {
  readonly from: Path;
  readonly to: Path;
}

const homesSetting = 'homes';
const underWay = 'relocating';

/** Folders that can be moved as a whole. One whose target is inside itself is left to the planner, which moves file by file. Pure. */
export const relocations = (before: Readonly<Record<Key, Path>>, now: ReadonlyMap<Key, Path>): Relocation[] =>
  [...now].flatMap(([key, to]) => {
    const from = before[key];
    return from === undefined || from === to || isBelow(from, to) || isBelow(to, from) ? [] : [{ from, to }];
  });

/** The folder of each course when it was synced last. */
export const keptHomes = (user: UserStore): Readonly<Record<Key, Path>> => stored<Record<Key, Path>>(user.setting(homesSetting) ?? '{}');

export async function relocate(disk: Disk, user: UserStore, homes: ReadonlyMap<Key, Path>, enter?: () => Promise<void>): Promise<void> {
  // Interrupted between the move and the note: the current path of the folder shows whether it was moved.
  const cut = user.setting(underWay);
  if (cut !== undefined) finish(user, stored<Relocation>(cut), disk);
  const before = keptHomes(user);
  for (const relocation of relocations(before, homes)) {
    if (!disk.isFolder?.(relocation.from) || disk.isFolder(relocation.to)) continue;
    await enter?.();
    await moveWhole(disk, user, relocation);
  }
  const now = JSON.stringify(Object.fromEntries(homes));
  if (user.setting(homesSetting) !== now) user.set(homesSetting, now);
}

/** Another program that has a file of it open may prevent the move; then the planner moves what it can. */
export async function moveWhole(disk: Disk, user: UserStore, relocation: Relocation): Promise<void> {
  user.set(underWay, JSON.stringify(relocation));
  await disk.moveFolder?.(relocation.from, relocation.to).catch(() => {});
  finish(user, relocation, disk);
}

function finish(user: UserStore, { from, to }: Relocation, disk: Disk): void {
  if (disk.isFolder?.(to) && !disk.isFolder(from)) user.relocate(from, to, underWay);
  else user.set(underWay, undefined);
}

const isBelow = (path: Path, folder: Path): boolean => path.startsWith(`${folder}/`);
