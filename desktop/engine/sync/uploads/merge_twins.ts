// Folders of “My files” whose names differ in letter case only are one folder on the server and on other computers: the contents of the
// second one are moved into the first. Nothing is overwritten: a file whose name is taken gets a number.

import { markedName, myFilesFolder } from '../../model/names';
import { type Disk, Refused } from '../../model/ports';
import { fold, lastOf, type Path, parentOf } from '../../model/trees';
import { isIn, type TwinFolder } from '../../planner/two_way_folders';
import type { Observation } from '../observe';
import { type SyncProblem, whyOf } from '../reason';

/** @returns the twins that were removed */
export async function mergeTwins(
  twins: readonly TwinFolder[],
  stamps: Observation['stamps'],
  disk: Disk,
  issues: SyncProblem[],
): Promise<readonly TwinFolder[]> {
  const merged: TwinFolder[] = [];
  const folders = (twins.length > 0 && disk.foldersBelow?.(myFilesFolder)) || new Map<Path, string>();
  for (const twin of twins) {
    if (twin.into === undefined) continue;
    try {
      if (await merge(twin.path, twin.into, stamps, folders, disk)) merged.push(twin);
    } catch (problem) {
      // If it has changed meanwhile, the next plan looks at it again.
      if (!(problem instanceof Refused)) issues.push({ what: 'here', where: twin.path, ...whyOf(problem) });
    }
  }
  return merged;
}

async function merge(
  from: Path,
  into: Path,
  stamps: Observation['stamps'],
  folders: ReadonlyMap<Path, string>,
  disk: Disk,
): Promise<boolean> {
  if (!folders.has(from) || !disk.isFolder?.(from)) return false;
  if (!folders.has(into)) {
    // Another spelling of the same folder, not a second folder.
    await disk.moveFolder?.(from, into);
    return true;
  }
  const outside = [...folders.keys()].filter((path) => path !== from && !isIn(path, from));
  const spelling = new Map(outside.map((path) => [fold(path), path]));
  const taken = new Set([...stamps.keys(), ...outside].filter((path) => !isIn(path, from)).map(fold));
  /** The path below the other folder, in the spelling that exists there. */
  const counterpart = (path: Path): Path => {
    if (path === from) return into;
    const here = `${counterpart(parentOf(path))}/${lastOf(path)}`;
    return spelling.get(fold(here)) ?? here;
  };
  for (const [path, stamp] of stamps) {
    if (!isIn(path, from)) continue;
    const folder = counterpart(parentOf(path));
    let name = lastOf(path);
    for (let nth = 2; taken.has(fold(`${folder}/${name}`)); nth++) name = markedName(lastOf(path), `${nth}`);
    taken.add(fold(`${folder}/${name}`));
    await disk.move(path, stamp, `${folder}/${name}`);
  }
  const below = [...folders.keys()].filter((path) => isIn(path, from)).sort();
  for (const path of below) await disk.makeFolder?.(counterpart(path));
  for (const path of [from, ...below].reverse()) if (disk.isFolder?.(path) && !(await disk.dropFolder?.(path))) return false;
  return true;
}
