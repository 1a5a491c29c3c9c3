// Courses whose folder is called otherwise now: the folder moves as a whole, with all that the person keeps in it, and nothing is fetched.

import type { Disk } from './ports';
import { stored } from './store/damage';
import type { UserStore } from './store/user';
import type { Key, Path } from './trees';

export interface Relocation {
  readonly from: Path;
  readonly to: Path;
}

const homesSetting = 'homes';
const underWay = 'relocating';

/** Folders that can move as they are. One that would lie in itself is left to the planner, which moves file by file. Pure. */
export const relocations = (before: Readonly<Record<Key, Path>>, now: ReadonlyMap<Key, Path>): Relocation[] =>
  [...now].flatMap(([key, to]) => {
    const from = before[key];
    return from === undefined || from === to || isBelow(from, to) || isBelow(to, from) ? [] : [{ from, to }];
  });

export async function relocate(disk: Disk, user: UserStore, homes: ReadonlyMap<Key, Path>, enter?: () => Promise<void>): Promise<void> {
  // Cut short between the disk and the note: where the folder lies now says which of the two is true.
  const cut = user.setting(underWay);
  if (cut !== undefined) finish(user, stored<Relocation>(cut), disk);
  const before = stored<Record<Key, Path>>(user.setting(homesSetting) ?? '{}');
  for (const relocation of relocations(before, homes)) {
    if (!disk.isFolder?.(relocation.from) || disk.isFolder(relocation.to)) continue;
    await enter?.();
    await moveWhole(disk, user, relocation);
  }
  const now = JSON.stringify(Object.fromEntries(homes));
  if (user.setting(homesSetting) !== now) user.set(homesSetting, now);
}

/** A file in it that is open elsewhere may forbid it; then the planner does what it can. */
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
