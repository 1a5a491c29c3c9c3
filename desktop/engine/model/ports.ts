// The outside world of one cycle: a disk, the stored agreed tree, and the source of the wanted bytes.

import { t } from '../../language/texts';
import type { Note } from '../planner/commit';
import type { Agreed, FoundFile, Hash, Key, Path, Wanted } from './trees';

/** What can be read of a file without its bytes. Equal stamps at one path mean equal bytes; otherwise the file is hashed. */
export interface Stamp {
  readonly inode: string;
  readonly size: number;
  /** Nanoseconds, as text: a number is not precise enough. */
  readonly mtime: string;
}

export const isSameStamp = (a: Stamp, b: Stamp): boolean => a.inode === b.inode && a.size === b.size && a.mtime === b.mtime;

/** The coarsest clock of a file system: FAT has two seconds. */
const coarsest = 3000n;
const aSecond = 1_000_000_000n;

/**
 * The stamp as it is stored. A file that was just written may be written again within the same tick of the disk's clock, and have
 * the same stamp: it is stored with a stamp that no file has, so that its bytes are read again. Finer clocks distinguish the two.
 */
export function asNoted(stamp: Stamp, now: Date): Stamp {
  const mtime = BigInt(stamp.mtime.replace('?', ''));
  const age = BigInt(now.getTime()) - mtime / 1_000_000n;
  // A stamp that was stored this way stays so until the bytes are read.
  const isFresh = stamp.mtime.endsWith('?') || (mtime % aSecond === 0n && age > -coarsest && age < coarsest);
  return { inode: stamp.inode, size: stamp.size, mtime: `${mtime}${isFresh ? '?' : ''}` };
}

export type SeenFile = FoundFile & { readonly stamp: Stamp };

/** What an effect must still find. */
export interface Expected extends Stamp {
  /** With a coarse clock, other bytes may have the same stamp. */
  readonly bytes?: Hash;
}

export const expected = ({ stamp, hash }: SeenFile): Expected => (BigInt(stamp.mtime) % aSecond === 0n ? { ...stamp, bytes: hash } : stamp);

export interface Scan {
  readonly files: ReadonlyMap<Path, Stamp>;
  /** Folders that could not be listed: nothing below them may count as missing. */
  readonly unreadable: readonly Path[];
  /** Inodes of the folders that are synced themselves, empty or not: those of “My files”. */
  readonly folders?: ReadonlyMap<Path, string>;
}

/** Verified bytes on the root's volume, waiting to be renamed into place. */
export type StagedFile = string;

export interface Placement {
  readonly staged: StagedFile;
  readonly path: Path;
  /** The copy it may replace; without it the place must be free. */
  readonly over?: Expected;
}

export interface Disk {
  /** @param onFolder called with each folder before it is listed */
  scan(onFolder?: (path: Path) => void): Promise<Scan>;
  /** The same for one folder only. */
  below?(folder: Path, onFolder?: (path: Path) => void): Promise<Scan>;
  /** The stamp at one path, without listing anything; undefined if a file is at the path of its folder. */
  look?(path: Path): Stamp | 'other' | undefined;
  /** The bytes' hash and the stamp they had before and after; undefined if they cannot be read or keep changing. */
  hash(path: Path): Promise<SeenFile | undefined>;
  /** Why an existing file cannot be read; undefined if it can, or does not exist. */
  whyUnread?(path: Path): Error | undefined;
  /** Stages a copy of a local file with these bytes; undefined if it no longer has them. */
  copy(path: Path, hash: Hash, as: Wanted): Promise<StagedFile | undefined>;
  /** One result each. Makes the files durable, renames them, then makes the folders durable: once for all of them. */
  place(placements: readonly Placement[]): Promise<readonly (Stamp | Error)[]>;
  /** Renames; refused if `from` is not as stamped or `to` is taken by another file. */
  move(from: Path, stamp: Expected, to: Path): Promise<Stamp>;
  remove(path: Path, stamp: Expected): Promise<void>;
  /** Moves to the trash of the system; false if the system has none for this disk. */
  trash?(path: Path, stamp: Expected): Promise<boolean>;
  /** Removes staged files that are no longer needed. */
  tidy(keep: ReadonlySet<StagedFile>): Promise<void>;
  /** The first name on the path that is neither file nor folder: nothing is written through a link, wherever it points. */
  obstacle?(path: Path): Path | undefined;
  isFolder?(path: Path): boolean;
  /** Moves a folder with its contents to a free path. */
  moveFolder?(from: Path, to: Path): Promise<void>;
  /** Inodes of all folders below one. */
  foldersBelow?(path: Path): ReadonlyMap<Path, string>;
  makeFolder?(path: Path): Promise<void>;
  /** False if it is not empty. */
  dropFolder?(path: Path): Promise<boolean>;
  /** Free bytes; undefined if unknown. */
  room?(): Promise<number | undefined>;
  /** Bytes of the whole disk. */
  size?(): Promise<number | undefined>;
  /** Throws EROFS if the whole disk is read-only. */
  expectWritable?(): Promise<void>;
}

/** The disk's state differs from the plan. The next plan uses the new state. */
export class Refused extends Error {
  override readonly name = 'Refused';
  constructor(
    readonly why: 'changed' | 'taken',
    where: Path,
  ) {
    super(t(why === 'taken' ? 'why.taken' : 'why.changed', { where }));
  }
}

/** A link, or something else that is neither file nor folder, is there. Only the user can move it away. */
export class Blocked extends Error {
  override readonly name = 'Blocked';
  constructor(readonly where: Path) {
    super(t('why.blocked', { where }));
  }
}

export interface LedgerRow extends Agreed {
  readonly seen: SeenFile;
}

export interface Ledger {
  /** Live: notes are visible in it at once. */
  rows(): ReadonlyMap<Key, LedgerRow>;
  /** The keys of the files at a folded path. */
  at?(folded: Path): readonly Key[];
  /** A local file that had these bytes when it was last seen. */
  twin?(hash: Hash): Path | undefined;
  unwanted(): ReadonlySet<Key>;
  /** Keys that were noted or changed since the last call; undefined: all. */
  takeTouched?(): ReadonlySet<Key> | undefined;
  /** One transaction. */
  note(notes: readonly Note<Stamp>[]): void;
}

export interface Source {
  remote(): ReadonlyMap<Key, Wanted>;
  /** The keys that want a folded path. */
  at?(folded: Path): readonly Key[];
  withdrawn(): Pick<ReadonlySet<Key>, 'has'>;
  mine?(): ReadonlySet<Key> | undefined;
  /** What selective sync leaves on the server. */
  deselected(): { has(key: Key): boolean; keys(): Iterable<Key>; readonly size: number };
  /** Brings exactly the wanted bytes to the staging folder, or throws. */
  stage(key: Key, wanted: Wanted): Promise<StagedFile>;
  /** The hash of the staged bytes, if the server reported none. */
  hashOf?(key: Key, wanted: Wanted): Hash;
}
