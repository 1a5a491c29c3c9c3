// Single changes of the disk, each with the check that precedes it. Names are relative to a folder that is held open (handles.ts).

import { linkSync, lstatSync, mkdirSync, renameSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isRemoved, myFilesFolder, ownFolder } from '../model/names';
import { Blocked, type Expected, isSameStamp, Refused, type Stamp } from '../model/ports';
import { lastOf, type Path, parentOf } from '../model/trees';
import { type FolderHandle, inFolder, openFolder, orUndo, system } from './handles';
import { hashNow, isKept, stampAt } from './look';
import { errorCodeOf } from './patience';

/** Opens the folder of a file that was scanned there; throws if the folder no longer exists. */
export function openThere(root: string, path: Path): FolderHandle {
  try {
    return openFolder(root, parentOf(path));
  } catch (problem) {
    const isGone = problem instanceof Refused || problem instanceof Blocked || errorCodeOf(problem) === 'ENOENT';
    throw isGone ? new Refused('changed', path) : problem;
  }
}

/** A path that is too long for the system is refused before anything is downloaded for it. */
export function expectShort(absolute: string): void {
  try {
    lstatSync(absolute, { throwIfNoEntry: false });
  } catch (problem) {
    if (errorCodeOf(problem) === 'ENAMETOOLONG') throw problem;
  }
}

/** The first name on the path that is neither file nor folder. The planner handles what is below a file. */
export function obstacleOn(root: string, path: Path): Path | undefined {
  const names = path.split('/');
  for (let nth = 1; nth <= names.length; nth++) {
    const way = names.slice(0, nth).join('/');
    const stat = lstatSync(join(root, way), { throwIfNoEntry: false });
    if (way === myFilesFolder && stat?.isFile()) return way;
    if (!stat || stat.isFile()) return undefined;
    if (!stat.isDirectory()) return way;
  }
  return undefined;
}

export const left = /^(\.DS_Store|\.localized|Icon\r|Thumbs\.db|desktop\.ini)$/i;

export function expect(absolute: string, { bytes, ...stamp }: Expected, path: Path): void {
  const found = stampAt(absolute);
  if (!found || !isSameStamp(found, stamp)) throw new Refused('changed', path);
  // Synchronous, so that nothing can change in between. It is rarely needed: few file systems have such coarse dates, and few files are so
  // new.
  if (bytes !== undefined && hashNow(absolute) !== bytes) throw new Refused('changed', path);
}

/** A link never replaces a file that appeared in the meantime; a rename would. */
export function placeFree(staged: string, target: string, path: Path): void {
  freeOfEmptyFolder(target);
  try {
    linkSync(staged, target);
    unlinkSync(staged);
  } catch (problem) {
    const code = errorCodeOf(problem);
    if (code === 'EEXIST') throw new Refused('taken', path);
    if (code === 'ENOENT' || code === 'ENOSPC' || code === 'EDQUOT' || code === 'EIO') throw problem;
    // A file system without hard links.
    if (stampAt(target)) throw new Refused('taken', path);
    renameSync(staged, target);
  }
}

export function moveNow(from: string, to: string, stamp: Expected, path: Path): Stamp {
  freeOfEmptyFolder(to);
  const there = stampAt(to);
  // The same file with its name in another case, on a case-insensitive file system.
  if (there && !isSameStamp(there, stamp)) throw new Refused('taken', path);
  renameSync(from, to);
  const moved = stampAt(to);
  if (!moved) throw new Refused('changed', path);
  if (!isSameStamp(moved, stamp)) {
    // Another file has taken its name after the check.
    if (!stampAt(from)) renameSync(to, from);
    throw new Refused('changed', path);
  }
  return moved;
}

/**
 * Replaces a file on systems where names cannot be bound to an open folder: the existing file is moved aside and compared, and
 * only then is its place filled. A rename over it would destroy a file of another folder that has this name.
 * @param keep receives a file that cannot be put back
 */
export function replaceByTurns(staged: string, target: string, over: Expected, path: Path, keep: (aside: string) => void): void {
  const aside = `${staged}.aside`;
  renameSync(target, aside);
  const taken = stampAt(aside);
  try {
    if (!taken || !isSameStamp(taken, over)) throw new Refused('changed', path);
    placeFree(staged, target, path);
  } catch (problem) {
    try {
      linkSync(aside, target);
    } catch {
      keep(aside);
    }
    rmSync(aside, { force: true });
    throw problem;
  }
  unlinkSync(aside);
}

/** If the name was not bound to an open folder, it may belong to another file by now, which is left alone. */
export function moveBack(from: string, to: string, { inode }: Pick<Stamp, 'inode'>): void {
  if (system.hasDescriptors || lstatSync(from, { throwIfNoEntry: false, bigint: true })?.ino === BigInt(inode)) renameSync(from, to);
}

function freeOfEmptyFolder(target: string): void {
  if (!lstatSync(target, { throwIfNoEntry: false })?.isDirectory()) return;
  try {
    rmdirSync(target);
  } catch {
    // Not empty: placing the file will report that the name is taken.
  }
}

/** Also removes folders that a step has emptied, except those that the user keeps as such. */
export function prune(root: string, folder: Path): void {
  for (let path = folder; path !== '' && path !== ownFolder; path = parentOf(path)) {
    if (isKept(path) && !isRemoved(path)) return;
    try {
      if (!dropNow(root, path)) return;
    } catch {
      return;
    }
  }
}

/** False if the folder is not empty or does not exist. */
export function dropNow(root: string, path: Path): boolean {
  try {
    inFolder(root, parentOf(path), (folder) => {
      const entry = folder.entry(lastOf(path));
      rmdirSync(entry);
      orUndo([folder], path, () => mkdirSync(entry));
    });
    return true;
  } catch (problem) {
    if (['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(errorCodeOf(problem) ?? '')) return false;
    throw problem;
  }
}
