// Scans both sides and builds the trees for the planner. Bytes are read only if a stamp is not conclusive.

import { setImmediate } from 'node:timers/promises';
import {
  type Disk,
  type Expected,
  expected,
  isSameStamp,
  type Ledger,
  type LedgerRow,
  type Scan,
  type SeenFile,
  type Source,
  type Stamp,
} from '../model/ports';
import { slice } from '../model/slices';
import { type FoundFile, fold, type Key, type Path, type Trees, type Wanted } from '../model/trees';
import { locate } from '../planner/locate';

export interface Observation {
  readonly trees: Trees;
  /** The stamp under which each path was seen: an effect must still find it. */
  readonly stamps: ReadonlyMap<Path, Expected>;
  /** Files whose stamps changed, with their hashes: stored, so that they are hashed once. */
  readonly relooked: ReadonlyMap<Key, SeenFile>;
  readonly unreadable: readonly Path[];
  readonly folders: ReadonlyMap<Path, string>;
}

export async function observe(disk: Disk, ledger: Ledger, source: Source): Promise<Observation> {
  const rows = new Map(ledger.rows());
  const scan = await disk.scan();
  // The wanted tree may change meanwhile; the plan uses this copy.
  const remote = new Map(source.remote());
  const putAway = ledger.unwanted();
  const deselected = source.deselected();
  const unwanted = deselected.size === 0 ? putAway : new Set([...putAway, ...deselected.keys()]);
  return compareTrees({ rows, scan, remote, unwanted }, disk, source);
}

interface Looked {
  readonly rows: ReadonlyMap<Key, LedgerRow>;
  readonly scan: Scan;
  readonly remote: ReadonlyMap<Key, Wanted>;
  readonly unwanted: ReadonlySet<Key>;
}

/** Builds the trees; files with inconclusive stamps are read. */
export async function compareTrees({ rows, scan, remote, unwanted }: Looked, disk: Disk, source: Source): Promise<Observation> {
  const { places, unseen, strangers } = locate(rows, scan);
  const stamps = new Map<Path, Expected>(scan.files);
  const relooked = new Map<Key, SeenFile>();
  const local = new Map<Key, FoundFile | 'unseen'>([...unseen].map((key) => [key, 'unseen']));
  let compared = 0;
  for (const [key, path] of places) {
    if (compared++ % slice === slice - 1) await setImmediate();
    const row = rows.get(key) as LedgerRow; // every place belongs to a row
    const stamp = scan.files.get(path) as Stamp; // every place comes from the scan
    if (isSameStamp(stamp, row.seen.stamp)) {
      local.set(key, { path, hash: row.seen.hash });
      continue;
    }
    const seen = await disk.hash(path);
    local.set(key, seen ?? 'unseen');
    if (!seen) continue;
    stamps.set(path, expected(seen));
    relooked.set(key, seen);
  }
  if (places.size >= slice) await setImmediate();
  const trees = { remote, withdrawn: source.withdrawn(), mine: source.mine?.(), base: rows, local, unwanted };
  return {
    trees: { ...trees, strangers: await lookAt(strangers, wantedPlaces(trees), disk, stamps) },
    stamps,
    relooked,
    unreadable: scan.unreadable,
    folders: scan.folders ?? new Map(),
  };
}

/** Folded paths that will be written: an unknown file there has to be identified by its bytes. */
const wantedPlaces = ({ remote, base, unwanted }: Omit<Trees, 'strangers'>): ReadonlySet<Path> =>
  new Set([...remote].filter(([key, { path }]) => !unwanted.has(key) && base.get(key)?.wanted !== path).map(([, { path }]) => fold(path)));

async function lookAt(
  strangers: ReadonlyMap<Path, Stamp>,
  wanted: ReadonlySet<Path>,
  disk: Disk,
  stamps: Map<Path, Expected>,
): Promise<Map<Path, FoundFile>> {
  const found = new Map<Path, FoundFile>();
  for (const path of strangers.keys()) {
    const seen = wanted.has(fold(path)) ? await disk.hash(path) : undefined;
    if (seen) stamps.set(path, expected(seen));
    found.set(fold(path), { path, hash: seen?.hash ?? '' });
  }
  return found;
}
