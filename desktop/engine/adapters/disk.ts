// The real disk below the study folder. Every change checks what is there in the same breath as it acts.

import { constants, linkSync, lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { copyFile, mkdir, readdir, rm, rmdir, statfs, utimes } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { inside, stagingFolder } from '../inside';
import { isRemoved, parkedFolder } from '../names';
import { Blocked, type Disk, type Expected, isSameStamp, type Placement, Refused, type Staged, type Stamp } from '../ports';
import { type Path, parentOf } from '../trees';
import { syncFile, syncFolders } from './durable';
import { foldersBelow, hashNow, hashOf, hashSteadily, inodeOf, isKept, lookAt, scan, stampAt } from './look';

/** Puts a file, by its whole path, where the system keeps what people throw away. */
export type Trash = (path: string) => Promise<void>;

export function diskAt(root: string, { trash }: { readonly trash?: Trash | undefined } = {}): Disk {
  const at = (path: Path) => inside(root, path);
  /** Where something is to be: not through a link, which may lead out of the folder. */
  const to = (path: Path) => {
    const absolute = at(path);
    const obstacle = obstacleOn(root, parentOf(path));
    if (obstacle !== undefined) throw new Blocked(obstacle);
    return absolute;
  };
  const stagedAt = (staged: Staged) => inside(root, `${stagingFolder}/${staged}`);

  return {
    scan: (onFolder) => scan(root, onFolder),
    below: (folder, onFolder) => scan(root, onFolder, folder),
    look: (path) => lookAt(at(path)),
    hash: (path) => hashSteadily(at(path), path),

    async copy(path, hash, as) {
      const staged = `copy-${hash.slice(0, 32)}-${process.pid}-${copies++}.part`;
      const target = stagedAt(staged);
      await mkdir(dirname(target), { recursive: true });
      try {
        await copyFile(at(path), target, constants.COPYFILE_FICLONE);
        const seen = await hashOf(target);
        if (seen === hash) {
          if (as.modified) await utimes(target, as.modified, as.modified);
          return staged;
        }
      } catch {
        // It went away, or cannot be read: then it is downloaded.
      }
      await rm(target, { force: true });
      return undefined;
    },

    async place(placements) {
      const folders = new Set<string>();
      const results: (Stamp | Error)[] = [];
      const durable = await Promise.all(placements.map(({ staged }) => syncFile(stagedAt(staged))));
      for (const [nth, placement] of placements.entries()) {
        const placed = () => placeNow(stagedAt(placement.staged), to(placement.path), placement, folders);
        results.push(durable[nth] ?? (await patiently(placed)));
      }
      await syncFolders(folders);
      return results;
    },

    async move(from, stamp, path) {
      const folders = new Set([dirname(at(from))]);
      const moved = await patiently(() => moveNow(at(from), stamp, to(path), path, from, folders));
      if (moved instanceof Error) throw moved;
      await syncFolders(folders);
      prune(root, dirname(at(from)));
      return moved;
    },

    async remove(path, stamp) {
      const gone = await patiently(() => {
        expect(at(path), stamp, path);
        unlinkSync(at(path));
        return stamp;
      });
      if (gone instanceof Error) throw gone;
      await syncFolders(new Set([dirname(at(path))]));
      prune(root, dirname(at(path)));
    },

    async trash(path, stamp) {
      // What a teacher removes stays in sight; one's own files one has thrown away oneself, on another device.
      if (!trash || !isKept(path)) return false;
      expect(at(path), stamp, path);
      return trash(at(path)).then(
        () => true,
        () => false,
      );
    },

    obstacle(path) {
      expectShort(at(path));
      return obstacleOn(root, path);
    },

    isFolder: (path) => lstatSync(at(path), { throwIfNoEntry: false })?.isDirectory() ?? false,

    async moveFolder(from, path) {
      const folders = new Set([dirname(at(from))]);
      const target = to(path);
      makeFolder(dirname(target), path, folders);
      // The same folder under another spelling of its name: a disk blind to case.
      if (lstatSync(target, { throwIfNoEntry: false }) && inodeOf(at(from)) !== inodeOf(target)) throw new Refused('taken', path);
      const moved = await patiently(() => renameSync(at(from), target));
      if (moved instanceof Error) throw moved;
      await syncFolders(folders);
      prune(root, dirname(at(from)));
    },

    foldersBelow: (path) => foldersBelow(root, path),

    async makeFolder(path) {
      const folders = new Set<string>();
      makeFolder(to(path), path, folders);
      await syncFolders(folders);
    },

    async dropFolder(path) {
      const folder = at(path);
      // What systems put into every folder keeps none alive.
      if (readdirSync(folder).every((name) => left.test(name))) for (const name of readdirSync(folder)) unlinkSync(join(folder, name));
      try {
        rmdirSync(folder);
      } catch (problem) {
        if (['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(codeOf(problem) ?? '')) return false;
        throw problem;
      }
      await syncFolders(new Set([dirname(folder)]));
      return true;
    },

    room: () =>
      statfs(root).then(
        ({ bavail, bsize }) => bavail * bsize,
        () => undefined,
      ),

    async tidy(keep) {
      const folder = inside(root, stagingFolder);
      if (obstacleOn(root, stagingFolder) !== undefined) return;
      for (const name of await readdir(folder).catch(() => [])) {
        if (!keep.has(name) && !keep.has(name.replace(/\.etag$/, ''))) await rm(join(folder, name), { force: true });
      }
      for (const own of [folder, inside(root, parkedFolder)]) await rmdir(own).catch(() => {});
    },
  };
}

let copies = 0;

/** A path that is longer than the system takes is known before anything is fetched for it. */
function expectShort(absolute: string): void {
  try {
    lstatSync(absolute, { throwIfNoEntry: false });
  } catch (problem) {
    if (codeOf(problem) === 'ENAMETOOLONG') throw problem;
  }
}

/** The first on the way that is neither file nor folder. What lies behind a file is the planner's affair. */
function obstacleOn(root: string, path: Path): Path | undefined {
  const names = path.split('/');
  for (let nth = 1; nth <= names.length; nth++) {
    const way = names.slice(0, nth).join('/');
    const stat = lstatSync(join(root, way), { throwIfNoEntry: false });
    if (!stat || stat.isFile()) return undefined;
    if (!stat.isDirectory()) return way;
  }
  return undefined;
}

const left = /^(\.DS_Store|\.localized|Icon\r|Thumbs\.db|desktop\.ini)$/i;

function expect(absolute: string, { bytes, ...stamp }: Expected, path: Path): void {
  const found = stampAt(absolute);
  if (!found || !isSameStamp(found, stamp)) throw new Refused('changed', path);
  // Nothing may come in between: it is read at once, whoever waits. Few disks are so coarse, and few files so new.
  if (bytes !== undefined && hashNow(absolute) !== bytes) throw new Refused('changed', path);
}

function placeNow(staged: string, target: string, { path, over }: Placement, folders: Set<string>): Stamp {
  makeFolder(dirname(target), path, folders);
  if (over) {
    expect(target, over, path);
    renameSync(staged, target);
  } else placeFree(staged, target, path);
  const stamp = stampAt(target);
  if (!stamp) throw new Refused('changed', path);
  return stamp;
}

/** A link never replaces what appeared there in the meantime, as a rename would. */
function placeFree(staged: string, target: string, path: Path): void {
  freeOfEmptyFolder(target);
  try {
    linkSync(staged, target);
    unlinkSync(staged);
  } catch (problem) {
    const code = codeOf(problem);
    if (code === 'EEXIST') throw new Refused('taken', path);
    if (code === 'ENOENT' || code === 'ENOSPC' || code === 'EDQUOT' || code === 'EIO') throw problem;
    // A disk without hard links.
    if (stampAt(target)) throw new Refused('taken', path);
    renameSync(staged, target);
  }
}

function moveNow(from: string, stamp: Expected, to: string, path: Path, fromPath: Path, folders: Set<string>): Stamp {
  expect(from, stamp, fromPath);
  makeFolder(dirname(to), path, folders);
  freeOfEmptyFolder(to);
  const there = stampAt(to);
  // The same file under another spelling of its name: a disk blind to case.
  if (there && !isSameStamp(there, stamp)) throw new Refused('taken', path);
  renameSync(from, to);
  const moved = stampAt(to);
  if (!moved) throw new Refused('changed', path);
  return moved;
}

/** Of a disk that cannot be written to, Node says of a folder and its parents that they are not there. */
function firstOf(folder: string): string {
  const above = dirname(folder);
  return above === folder || lstatSync(above, { throwIfNoEntry: false }) ? folder : firstOf(above);
}

function makeFolder(folder: string, path: Path, folders: Set<string>): void {
  folders.add(folder);
  try {
    const first = mkdirSync(folder, { recursive: true });
    for (let made = folder; first !== undefined && made.length >= first.length; made = dirname(made)) folders.add(dirname(made));
  } catch (problem) {
    if (codeOf(problem) === 'EEXIST' || codeOf(problem) === 'ENOTDIR') throw new Refused('taken', path);
    if (codeOf(problem) === 'ENOENT') mkdirSync(firstOf(folder));
    throw problem;
  }
}

function freeOfEmptyFolder(target: string): void {
  if (!lstatSync(target, { throwIfNoEntry: false })?.isDirectory()) return;
  try {
    rmdirSync(target);
  } catch {
    // Not empty: the placing will say that it is taken.
  }
}

/** Folders that a step has emptied go too, but for those that are something themselves. */
function prune(root: string, folder: string): void {
  for (let empty = folder; empty.length > root.length; empty = dirname(empty)) {
    const path = relative(root, empty).replaceAll(sep, '/');
    if (isKept(path) && !isRemoved(path)) return;
    try {
      rmdirSync(empty);
    } catch {
      return;
    }
  }
}

/** Virus scanners and indexers hold files for a moment. On Windows that is told as a missing right, too. */
async function patiently<T>(act: () => T): Promise<T | Error> {
  for (let nth = 1; ; nth++) {
    try {
      return act();
    } catch (problem) {
      const code = codeOf(problem) ?? '';
      const isPassing = code === 'EBUSY' || (process.platform === 'win32' && (code === 'EPERM' || code === 'EACCES'));
      if (!isPassing || nth === 6) return problem instanceof Error ? problem : new Error(String(problem));
      await new Promise((resolve) => setTimeout(resolve, 40 * nth));
    }
  }
}

const codeOf = (problem: unknown): string | undefined =>
  problem instanceof Error && 'code' in problem && typeof problem.code === 'string' ? problem.code : undefined;
