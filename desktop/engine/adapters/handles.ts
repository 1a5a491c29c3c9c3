// Folders of the study folder, held open while something is done in them. Where the system allows it (Linux), every name is resolved below
// an open folder and never by a path, so that a link that appears in a path meanwhile leads nowhere. A folder that was itself moved away
// meanwhile is noticed afterwards, and what was done in it is undone.

import { closeSync, constants, existsSync, fstatSync, lstatSync, mkdirSync, openSync, readlinkSync, rmdirSync } from 'node:fs';
import { inside } from '../inside';
import { Blocked, Refused } from '../ports';
import type { Path } from '../trees';

const descriptors = '/proc/self/fd';
/** What this system can do. Tests switch it off: other systems have no such folder. */
export const system = { hasDescriptors: process.platform === 'linux' && existsSync(descriptors) };
const asFolder = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0);

export interface Folder {
  /** Where the system finds a name in this folder, wherever the folder is by now. */
  entry(name: string): string;
  /** The folder itself. */
  readonly way: string;
  /** Whether it is still where it was opened. */
  isHere(): boolean;
  /** Folders that were made to open it. */
  readonly made: readonly Path[];
  /** Removes them again, where they are empty. */
  unmake(): void;
  close(): void;
}

/**
 * @param path below the root; empty: the root itself
 * @throws Blocked where a link is in the way, Refused where a file is, ENOENT where a folder is missing and is not to be made
 */
export function openFolder(root: string, path: Path, { make = false } = {}): Folder {
  return system.hasDescriptors ? openByDescriptor(root, path, make) : openByPath(root, path, make);
}

/** Everything done in a folder is done while it is open. */
export function inFolder<T>(root: string, path: Path, act: (folder: Folder) => T, options?: { readonly make?: boolean }): T {
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

/** What was done in a folder that is no longer where it was is undone. */
export function orUndo(folders: readonly Folder[], path: Path, undo: () => void): void {
  if (folders.every((folder) => folder.isHere())) return;
  undo();
  for (const folder of folders) folder.unmake();
  throw new Refused('changed', path);
}

function openByDescriptor(root: string, path: Path, make: boolean): Folder {
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
  const last = open.at(-1) as number; // the root is always there
  const way = `${descriptors}/${last}`;
  const isHere = (): boolean => {
    const base = readlinkSync(top);
    if (readlinkSync(way) === [base, ...names].join('/')) return true;
    // A disk blind to case calls it otherwise.
    return isAt(root, path, fstatSync(last, { bigint: true }));
  };
  return { way, entry: (name) => `${way}/${name}`, isHere, made: madeAt, unmake: () => unmake(made), close };
}

function openByPath(root: string, path: Path, make: boolean): Folder {
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

/** No link on the way, and the same folder at its end. */
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
