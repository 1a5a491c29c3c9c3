// Which file on disk is which key's, from stamps alone. Pure.

import type { Row, Scan, Stamp } from './ports';
import { fold, type Key, type Path } from './trees';

export interface Located {
  /** Where each known key's file lies now; a key without entry was looked for and not found. */
  readonly places: ReadonlyMap<Key, Path>;
  /** Keys of which nothing may be said, because their folder could not be read. */
  readonly unseen: ReadonlySet<Key>;
  readonly strangers: ReadonlyMap<Path, Stamp>;
}

/**
 * First the file that is where and what it was; then the one that only its path differs in (moved by the person, or by a
 * step whose note was lost); then whatever now lies at the path (editors that save by replacing).
 */
export function locate(rows: ReadonlyMap<Key, Row>, scan: Scan): Located {
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
  const guesses: ((row: Row) => Path | undefined)[] = [
    (row) => byStamp.get(stampKey(row.seen.stamp)),
    // Moved, the note of that lost in a crash, and edited before the program came back.
    (row) => (row.going !== undefined && strangers.get(row.going)?.inode === row.seen.stamp.inode ? row.going : undefined),
    (row) => row.path,
    (row) => row.going,
    // A disk blind to case may list the path as it was first spelled.
    (row) => byFold.get(fold(row.path)),
    (row) => (row.going === undefined ? undefined : byFold.get(fold(row.going))),
  ];
  for (const guess of isLeft ? guesses : []) {
    for (const [key, row] of rows) {
      const path = places.has(key) ? undefined : guess(row);
      if (path !== undefined && strangers.has(path)) claim(key, path);
    }
  }

  // A file may have been moved into the folder that cannot be read: one blind spot makes every absence doubtful.
  const unseen = scan.unreadable.length === 0 ? [] : [...rows.keys()].filter((key) => !places.has(key));
  return { places, unseen: new Set(unseen), strangers };
}

/** Also of a file that was still fresh when it was kept: whose bytes they are is only guessed by it. */
const stampKey = ({ inode, size, mtime }: Stamp): string => `${inode} ${size} ${mtime.replace('?', '')}`;
