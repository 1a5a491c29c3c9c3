// Matches files on disk to keys, by stamps alone. Pure.

import type { LedgerRow, Scan, Stamp } from '../model/ports';
import { fold, type Key, type Path } from '../model/trees';

export interface Located {
  /** The path of each known key; a key without entry was looked for and not found. */
  readonly places: ReadonlyMap<Key, Path>;
  /** Keys whose state is unknown, because their folder could not be read. */
  readonly unseen: ReadonlySet<Key>;
  readonly strangers: ReadonlyMap<Path, Stamp>;
}

/**
 * First a file with the same path and stamp; then a file with the same stamp at another path (moved by the user, or by a step
 * that was not noted); then any file at the path (editors that save by replacing).
 */
export function locate(rows: ReadonlyMap<Key, LedgerRow>, scan: Scan): Located {
  const places = new Map<Key, Path>();
  const strangers = new Map(scan.files);
  const claim = (key: Key, path: Path) => {
    places.set(key, path);
    strangers.delete(path);
  };
  for (const [key, row] of rows) if (scan.files.get(row.path)?.inode === row.seen.stamp.inode) claim(key, row.path);

  const isLeft = places.size < rows.size;
  const byStamp = new Map(isLeft ? [...strangers].map(([path, stamp]) => [stampKey(stamp), path]) : []);
  const byFold = new Map(isLeft ? [...strangers.keys()].map((path) => [fold(path), path]) : []);
  const guesses: ((row: LedgerRow) => Path | undefined)[] = [
    (row) => byStamp.get(stampKey(row.seen.stamp)),
    // Moved, the note lost in a crash, and edited before the program started again.
    (row) => (row.going !== undefined && strangers.get(row.going)?.inode === row.seen.stamp.inode ? row.going : undefined),
    (row) => row.path,
    (row) => row.going,
    // A case-insensitive file system may list the path in its first spelling.
    (row) => byFold.get(fold(row.path)),
    (row) => (row.going === undefined ? undefined : byFold.get(fold(row.going))),
  ];
  for (const guess of isLeft ? guesses : []) {
    for (const [key, row] of rows) {
      const path = places.has(key) ? undefined : guess(row);
      if (path !== undefined && strangers.has(path)) claim(key, path);
    }
  }

  // A file may have been moved into the folder that cannot be read, so every missing file is doubtful.
  const unseen = scan.unreadable.length === 0 ? [] : [...rows.keys()].filter((key) => !places.has(key));
  return { places, unseen: new Set(unseen), strangers };
}

/** Ignores the mark of fresh stamps: a match only suggests which file it is, and its bytes are read. */
const stampKey = ({ inode, size, mtime }: Stamp): string => `${inode} ${size} ${mtime.replace('?', '')}`;
