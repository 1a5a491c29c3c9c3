// Reads the disk: paths, stamps and bytes.

import { createHash } from 'node:crypto';
import { type BigIntStats, closeSync, constants, type Dirent, lstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { myFilesFolder, ownFolder, parkedFolder } from '../model/names';
import { isSameStamp, type Scan, type SeenFile, type Stamp } from '../model/ports';
import type { Hash, Path } from '../model/trees';

/** @param from the folder to start with */
export async function scan(root: string, onFolder?: (path: Path) => void, from: Path = ''): Promise<Scan> {
  const files = new Map<Path, Stamp>();
  const unreadable: Path[] = [];
  const kept = new Map<Path, string>();
  // Synchronous calls are several times faster here; the pauses let other work run.
  let sinceLast = 0;
  for (const [path, entry] of entriesBelow(root, from, unreadable, onFolder)) {
    if (!isReadable(root, path, entry)) unreadable.push(path);
    if (entry.isDirectory() && isKept(path)) kept.set(path, inodeOf(join(root, path)));
    const stamp = entry.isFile() ? stampAt(join(root, path)) : undefined;
    if (stamp) files.set(path, stamp);
    if (++sinceLast % 1000 === 0) await setImmediate();
  }
  return { files, unreadable, folders: kept };
}

/** @param unreadable folders that cannot be listed are added to it */
function* entriesBelow(
  root: string,
  from: Path,
  unreadable: Path[],
  onFolder?: (path: Path) => void,
): Generator<readonly [path: Path, entry: Dirent]> {
  const folders = [from];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    onFolder?.(folder);
    const entries = entriesOf(join(root, folder));
    if (!entries) unreadable.push(folder);
    for (const entry of entries ?? []) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(...(path === ownFolder ? parkedIn(root) : [path]));
      yield [path, entry];
    }
  }
}

/** Undefined if the folder cannot be listed. */
function entriesOf(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

/** What is behind an unreadable entry does not count as missing. */
function isReadable(root: string, path: Path, entry: Dirent): boolean {
  // Links are not followed: they may point anywhere.
  if (entry.isSymbolicLink()) return !statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory();
  // A file in place of the folder: the user has moved the folder, so its files do not count as deleted.
  return !(entry.isFile() && path === myFilesFolder);
}

/** Of the desk's own folder only files that are being moved are scanned. */
const parkedIn = (root: string): readonly Path[] => (readdirSync(join(root, ownFolder)).includes('parked') ? [parkedFolder] : []);

/** Folders of the user are kept even when empty; folders of courses exist only for their files. */
export const isKept = (path: Path): boolean => path.startsWith(`${myFilesFolder}/`);

export const inodeOf = (folder: string): string => `${lstatSync(folder, { bigint: true, throwIfNoEntry: false })?.ino ?? ''}`;

export function diskFoldersBelow(root: string, path: Path): Map<Path, string> {
  const found = new Map<Path, string>();
  const look = (folder: Path): void => {
    for (const entry of entriesOf(join(root, folder)) ?? []) {
      if (!entry.isDirectory()) continue;
      const at = `${folder}/${entry.name}`;
      found.set(at, inodeOf(join(root, at)));
      look(at);
    }
  };
  look(path);
  return found;
}

export function stampAt(path: string): Stamp | undefined {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat && stampOf(stat);
}

const stampOf = ({ ino, size, mtimeNs }: BigIntStats): Stamp => ({ inode: `${ino}`, size: Number(size), mtime: `${mtimeNs}` });

/** The stamp of one path. Undefined if its folder is not a folder, or its name is too long. */
export function lookAt(path: string): Stamp | 'other' | undefined {
  try {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stat && (stat.isFile() ? stampOf(stat) : 'other');
  } catch (problem) {
    if (problem instanceof Error && 'code' in problem && (problem.code === 'ENOTDIR' || problem.code === 'ENAMETOOLONG')) return undefined;
    return 'other';
  }
}

/** The hash of a file whose bytes did not change during the read. */
export async function hashSteadily(absolute: string, path: Path): Promise<SeenFile | undefined> {
  for (let nth = 1; nth <= 3; nth++) {
    const before = stampAt(absolute);
    if (!before) return undefined;
    const hash = await hashOfFile(absolute).catch(() => undefined);
    const after = stampAt(absolute);
    if (hash === undefined) return undefined;
    if (after && isSameStamp(before, after)) return { path, hash, stamp: after };
  }
  return undefined;
}

/** Does not follow a link in place of the file. */
const asItself = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);

/** Throws the error of the system if the file cannot be read. */
export function tryToRead(absolute: string): void {
  closeSync(openSync(absolute, asItself));
}

export function hashNow(absolute: string): Hash {
  const hash = createHash('sha256');
  const file = openSync(absolute, asItself);
  try {
    const buffer = Buffer.allocUnsafe(256 * 1024);
    for (;;) {
      const read = readSync(file, buffer);
      if (read === 0) return hash.digest('hex');
      hash.update(buffer.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
}

export async function hashOfFile(absolute: string): Promise<Hash> {
  const hash = createHash('sha256');
  const file = await open(absolute, asItself);
  try {
    const buffer = Buffer.allocUnsafe(256 * 1024);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}
