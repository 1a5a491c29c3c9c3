// Folders of the study folder that are held open during a change. On Linux every name is resolved below an open folder and never by a path,
// so that a link that appears in the path meanwhile is not followed. If the folder itself was moved meanwhile, this is noticed afterwards,
// and the change is undone.

import { closeSync, constants, existsSync, fstatSync, lstatSync, mkdirSync, openSync, readlinkSync, rmdirSync } from 'node:fs';
import { Blocked, Refused } from '../model/ports';
import type { Path } from '../model/trees';
import { inside } from './inside';

const descriptors = '/proc/self/fd';
/** What this system supports. Tests switch it off, because other systems have no such paths. */
export const system = { hasDescriptors: process.platform === 'linux' && existsSync(descriptors) };
const asFolder = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0);

export interface FolderHandle {
  /** The path of a name in this folder, even if the folder is moved. */
  entry(name: string): string;
  /** The path of the folder itself. */
  readonly way: string;
  /** Whether the folder is still where it was opened. */
  isHere(): boolean;
  /** Folders that were created to open it. */
  readonly made: readonly Path[];
  /** Removes these folders if they are empty. */
  unmake(): void;
  close(): void;
}

/**
 * @param path below the root; empty: the root itself
 * @throws Blocked if a link is in the way, Refused if a file is, ENOENT if a folder is missing and must not be created
 */
export function openFolder(root: string, path: Path, { make = false } = {}): FolderHandle {
  return system.hasDescriptors ? openByDescriptor(root, path, make) : openByPath(root, path, make);
}

/** Keeps the folder open while `act` works in it. */
export function inFolder<T>(root: string, path: Path, act: (folder: FolderHandle) => T, options?: { readonly make?: boolean }): T {
  const folder = openFolder(root, path, options);
  let isLater = false;
  try {
    const done = act(folder);
    if (!(done instanceof Promise)) return done;
    isLater = true;
    return done.finally(() => folder.close()) as T;
  } finally {
    if (!isLater) folder.close();
  }
}

/** Undoes a change in a folder that has been moved. */
export function orUndo(folders: readonly FolderHandle[], path: Path, undo: () => void): void {
  if (folders.every((folder) => folder.isHere())) return;
  undo();
  for (const folder of folders) folder.unmake();
  throw new Refused('changed', path);
}

function openByDescriptor(root: string, path: Path, make: boolean): FolderHandle {
  const names = path === '' ? [] : path.split('/');
  const open: number[] = [openSync(root, asFolder)];
  const made: string[] = [];
  const madeAt: Path[] = [];
  const close = () => {
    for (const one of open) closeSync(one);
  };
  const top = `${descriptors}/${open[0]}`;
  try {
    for (const [at, name] of names.entries()) {
      const entry = `${descriptors}/${open.at(-1)}/${name}`;
      const so = () => openSync(entry, asFolder | constants.O_NOFOLLOW);
      let next: number;
      try {
        next = so();
      } catch (problem) {
        if (codeOf(problem) === 'ENOENT' && make) {
          made.push(entry);
          madeAt.push(names.slice(0, at + 1).join('/'));
          makeEntry(entry);
          next = so();
        } else throw inTheWay(entry, problem, names.slice(0, at + 1).join('/'));
      }
      open.push(next);
    }
  } catch (problem) {
    close();
    throw problem;
  }
  const last = open.at(-1) as number; // the root always exists
  const way = `${descriptors}/${last}`;
  const isHere = (): boolean => {
    const base = readlinkSync(top);
    if (readlinkSync(way) === [base, ...names].join('/')) return true;
    // On a case-insensitive file system its name may differ in case.
    return isAt(root, path, fstatSync(last, { bigint: true }));
  };
  return { way, entry: (name) => `${way}/${name}`, isHere, made: madeAt, unmake: () => unmake(made), close };
}

function openByPath(root: string, path: Path, make: boolean): FolderHandle {
  const made: string[] = [];
  const madeAt: Path[] = [];
  const names = path === '' ? [] : path.split('/');
  for (let nth = 1; nth <= names.length; nth++) {
    const way = names.slice(0, nth).join('/');
    const entry = inside(root, way);
    const stat = lstatSync(entry, { throwIfNoEntry: false });
    if (stat?.isDirectory()) continue;
    if (stat || !make) throw inTheWay(entry, missing(entry), way);
    made.push(entry);
    madeAt.push(way);
    makeEntry(entry);
  }
  const way = path === '' ? root : inside(root, path);
  const opened = lstatSync(way, { bigint: true });
  return {
    way,
    entry: (name) => inside(way, name),
    isHere: () => isAt(root, path, opened),
    made: madeAt,
    unmake: () => unmake(made),
    close: () => {},
  };
}

interface Inode {
  readonly ino: bigint;
  readonly dev: bigint;
}

/** Whether the path has no link and still ends at the same folder. */
function isAt(root: string, path: Path, known: Inode): boolean {
  const names = path === '' ? [] : path.split('/');
  const ways = names.map((_, at) => inside(root, names.slice(0, at + 1).join('/')));
  if (!ways.every((way) => lstatSync(way, { throwIfNoEntry: false })?.isDirectory())) return false;
  const now = lstatSync(ways.at(-1) ?? root, { bigint: true, throwIfNoEntry: false });
  return ways.length === 0 || (now?.ino === known.ino && now.dev === known.dev);
}

function makeEntry(entry: string): void {
  try {
    mkdirSync(entry);
  } catch (problem) {
    if (codeOf(problem) !== 'EEXIST') throw problem;
  }
}

function unmake(made: readonly string[]): void {
  for (const entry of made.toReversed()) {
    try {
      rmdirSync(entry);
    } catch {
      // Another program has put something into it.
    }
  }
}

function inTheWay(entry: string, problem: unknown, way: Path): unknown {
  const stat = lstatSync(entry, { throwIfNoEntry: false });
  if (!stat || stat.isDirectory()) return problem;
  return stat.isFile() ? new Refused('taken', way) : new Blocked(way);
}

const missing = (entry: string): Error => Object.assign(new Error(`ENOENT: no such folder, ${entry}`), { code: 'ENOENT' });

const codeOf = (problem: unknown): string | undefined =>
  problem instanceof Error && 'code' in problem && typeof problem.code === 'string' ? problem.code : undefined;
