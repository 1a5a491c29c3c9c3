// A partial scan: looks only at what may have changed, and builds the same trees as a full scan for these keys and paths only.
//
// The trees also contain everything that shares a path with them. If there are too many of those, if a file is not in its place, or if a
// folder was added or removed, the partial scan returns nothing and a full scan follows.

import { myFilesFolder } from '../model/names';
import type { Disk, Ledger, LedgerRow, Source, Stamp } from '../model/ports';
import { fold, type Key, type Path, parentOf, type Wanted } from '../model/trees';
import { compareTrees, type Observation } from './observe';

export interface Focus {
  /** Keys for which the server, the agreed tree or the user's choice has changed. */
  readonly keys: ReadonlySet<Key>;
  /** Paths with changes on the disk. */
  readonly paths: ReadonlySet<Path>;
}

/** More than this needs a full scan. */
export const mostInPartialScan = 500;

export async function partialScan(focus: Focus, disk: Disk, ledger: Ledger, source: Source): Promise<Observation | undefined> {
  if (!disk.look || !ledger.at || !source.at) return undefined;
  const remote = source.remote();
  const all = ledger.rows();
  const at = (folded: Path) => [...(ledger.at?.(folded) ?? []), ...(source.at?.(folded) ?? [])];
  const keys = keysOf(focus, { remote, all, at });
  if (!keys) return undefined;
  const rows = new Map([...keys].flatMap((key): [Key, LedgerRow][] => entry(key, all.get(key))));
  const look = (path: Path) => disk.look?.(path);
  const known = inTheirPlaces(rows, look);
  const fresh = [...keys].flatMap((key) => (rows.has(key) ? [] : (remote.get(key)?.path ?? [])));
  if (!known || !fresh.every((path) => isFree(path, look))) return undefined;
  const files = await withStrangers(known, new Set([...focus.paths, ...fresh]), focus, disk);
  if (!files) return undefined;
  const unwanted = ledger.unwanted();
  const deselected = source.deselected();
  const observation = await compareTrees(
    {
      rows,
      scan: { files, unreadable: [] },
      remote: new Map([...keys].flatMap((key): [Key, Wanted][] => entry(key, remote.get(key)))),
      unwanted: new Set([...keys].filter((key) => unwanted.has(key) || deselected.has(key))),
    },
    disk,
    source,
  );
  return [...rows.keys()].every((key) => observation.trees.local.has(key)) ? observation : undefined;
}

type Look = (path: Path) => Stamp | 'other' | undefined;

interface Everything {
  readonly remote: ReadonlyMap<Key, Wanted>;
  readonly all: ReadonlyMap<Key, LedgerRow>;
  /** The keys that have or want a folded path. */
  readonly at: (folded: Path) => readonly Key[];
}

/** The keys of the focus, and all that share a path with them; undefined if there are too many. */
function keysOf(focus: Focus, { remote, all, at }: Everything): ReadonlySet<Key> | undefined {
  const keys = new Set(focus.keys);
  const share = (path: Path): void => {
    for (let above = fold(path); above !== ''; above = parentOf(above)) for (const key of at(above)) keys.add(key);
  };
  for (const path of focus.paths) share(path);
  // The loop includes keys that are added while it runs.
  for (const key of keys) {
    const row = all.get(key);
    // The program ended in the middle of a move.
    if (row?.going !== undefined) return undefined;
    for (const path of new Set([remote.get(key)?.path, row?.path, row?.wanted])) if (path !== undefined) share(path);
    if (keys.size > mostInPartialScan) return undefined;
  }
  return keys;
}

/** Undefined if a file is not in its place: it may be anywhere. */
function inTheirPlaces(rows: ReadonlyMap<Key, LedgerRow>, look: Look): ReadonlyMap<Path, Stamp> | undefined {
  const files = new Map<Path, Stamp>();
  for (const { path } of rows.values()) {
    const stamp = look(path);
    if (stamp === undefined || stamp === 'other') return undefined;
    files.set(path, stamp);
  }
  return files;
}

/** Whether no file is in place of one of its folders. */
function isFree(path: Path, look: Look): boolean {
  for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder)) {
    const there = look(folder);
    if (there !== undefined && there !== 'other') return false;
  }
  return true;
}

/** The known files, and what else is at these places; undefined if a folder cannot be scanned on its own. */
async function withStrangers(
  known: ReadonlyMap<Path, Stamp>,
  places: ReadonlySet<Path>,
  focus: Focus,
  disk: Disk,
): Promise<ReadonlyMap<Path, Stamp> | undefined> {
  const files = new Map(known);
  const here = new Set([...known].map(([path, { inode }]) => `${fold(path)} ${inode}`));
  // A case-insensitive file system finds a file under any spelling of its name.
  const see = (path: Path, stamp: Stamp) => here.has(`${fold(path)} ${stamp.inode}`) || files.set(path, stamp);
  for (const path of places) {
    const there = files.has(path) ? undefined : disk.look?.(path);
    if (there !== 'other') {
      if (there) see(path, there);
      continue;
    }
    // A new folder in a course. Folders of the user's own are compared together, in a full scan.
    const folder = focus.paths.has(path) && !path.startsWith(`${myFilesFolder}/`) ? await disk.below?.(path) : undefined;
    if (!folder || folder.unreadable.length > 0 || folder.files.size > mostInPartialScan) return undefined;
    for (const [below, stamp] of folder.files) see(below, stamp);
  }
  return files;
}

const entry = <T>(key: Key, value: T | undefined): [Key, T][] => (value === undefined ? [] : [[key, value]]);
