// The outside world of one cycle: a disk, the stored agreed tree, and where the wanted bytes come from.

import { t } from '../ui/words/texts';
import type { Note } from './commit';
import type { Agreed, Found, Hash, Key, Path, Wanted } from './trees';

/** What a quick look tells of a file. Equal stamps at one place mean equal bytes; anything else is hashed. */
export interface Stamp {
  readonly inode: string;
  readonly size: number;
  /** Nanoseconds, as text: more than a number holds. */
  readonly mtime: string;
}

export const isSameStamp = (a: Stamp, b: Stamp): boolean => a.inode === b.inode && a.size === b.size && a.mtime === b.mtime;

/** As coarse as clocks of disks are: FAT counts two seconds. */
const coarsest = 3000n;
const aSecond = 1_000_000_000n;

/**
 * As it is kept. What was written just now may be written again within the same tick of the disk's clock, and have the same stamp: it
 * is kept under one that nothing has, and its bytes are looked at again. Finer clocks tell the two apart.
 */
export function asNoted(stamp: Stamp, now: Date): Stamp {
  const mtime = BigInt(stamp.mtime.replace('?', ''));
  const age = BigInt(now.getTime()) - mtime / 1_000_000n;
  // Kept so once, it stays so until the bytes are looked at.
  const isFresh = stamp.mtime.endsWith('?') || (mtime % aSecond === 0n && age > -coarsest && age < coarsest);
  return { inode: stamp.inode, size: stamp.size, mtime: `${mtime}${isFresh ? '?' : ''}` };
}

export type Seen = Found & { readonly stamp: Stamp };

/** What an effect must still find. */
export interface Expected extends Stamp {
  /** Under the stamp of a coarse clock other bytes may lie by then. */
  readonly bytes?: Hash;
}

export const expected = ({ stamp, hash }: Seen): Expected => (BigInt(stamp.mtime) % aSecond === 0n ? { ...stamp, bytes: hash } : stamp);

export interface Scan {
  readonly files: ReadonlyMap<Path, Stamp>;
  /** Folders that could not be listed: nothing below them may be called missing. */
  readonly unreadable: readonly Path[];
  /** Inodes of the folders that are kept themselves, empty or not: those of one's own files. */
  readonly folders?: ReadonlyMap<Path, string>;
}

/** Verified bytes on the root's volume, waiting to be renamed into place. */
export type Staged = string;

export interface Placement {
  readonly staged: Staged;
  readonly path: Path;
  /** The copy it may replace; without it the place must be free. */
  readonly over?: Expected;
}

export interface Disk {
  /** @param onFolder told of each folder before it is listed */
  scan(onFolder?: (path: Path) => void): Promise<Scan>;
  /** The same of one folder alone. */
  below?(folder: Path, onFolder?: (path: Path) => void): Promise<Scan>;
  /** What lies at one place, without listing anything; nothing lies there where a file stands in the way of its folder. */
  look?(path: Path): Stamp | 'other' | undefined;
  /** The bytes' hash and the stamp they had before and after; undefined when they cannot be read or keep changing. */
  hash(path: Path): Promise<Seen | undefined>;
  /** Why a file that is there cannot be read; undefined where it can, or is not there. */
  whyUnread?(path: Path): Error | undefined;
  /** Stages a copy of a file here that has these bytes; undefined when it no longer does. */
  copy(path: Path, hash: Hash, as: Wanted): Promise<Staged | undefined>;
  /** One result each. Makes the files durable, renames them, then makes the folders durable: once for all of them. */
  place(placements: readonly Placement[]): Promise<readonly (Stamp | Error)[]>;
  /** Renames; refused when `from` is not as stamped or `to` is taken by another file. */
  move(from: Path, stamp: Expected, to: Path): Promise<Stamp>;
  remove(path: Path, stamp: Expected): Promise<void>;
  /** To where the system keeps what people throw away; false where there is no such place for it. */
  trash?(path: Path, stamp: Expected): Promise<boolean>;
  /** Drops what is staged and no longer of use. */
  tidy(keep: ReadonlySet<Staged>): Promise<void>;
  /** What stands at a place or on the way to it and is neither file nor folder: nothing is written through a link, wherever it leads. */
  obstacle?(path: Path): Path | undefined;
  isFolder?(path: Path): boolean;
  /** A folder with all that is in it, to a place that is free. */
  moveFolder?(from: Path, to: Path): Promise<void>;
  /** Inodes of all folders below one. */
  foldersBelow?(path: Path): ReadonlyMap<Path, string>;
  makeFolder?(path: Path): Promise<void>;
  /** False where something is in it. */
  dropFolder?(path: Path): Promise<boolean>;
  /** Bytes that are free; undefined where that cannot be said. */
  room?(): Promise<number | undefined>;
  /** Bytes of the whole disk. */
  size?(): Promise<number | undefined>;
  /** Throws EROFS where the whole disk can only be read. */
  expectWritable?(): Promise<void>;
}

/** An effect that found the disk other than the plan saw it. The next plan knows better. */
export class Refused extends Error {
  override readonly name = 'Refused';
  constructor(
    readonly why: 'changed' | 'taken',
    where: Path,
  ) {
    super(t(why === 'taken' ? 'why.taken' : 'why.changed', { where }));
  }
}

/** A link, or something else that is neither file nor folder, stands there. Only the person can move it away. */
export class Blocked extends Error {
  override readonly name = 'Blocked';
  constructor(readonly where: Path) {
    super(t('why.blocked', { where }));
  }
}

export interface Row extends Agreed {
  readonly seen: Seen;
}

export interface Ledger {
  /** As it stands: notes show in it at once. */
  rows(): ReadonlyMap<Key, Row>;
  /** Whose file lies at a folded path. */
  at?(folded: Path): readonly Key[];
  /** A file here that had these bytes when it was last seen. */
  twin?(hash: Hash): Path | undefined;
  unwanted(): ReadonlySet<Key>;
  /** Keys that were noted, or are wanted otherwise, since this was last asked; undefined: all. */
  takeTouched?(): ReadonlySet<Key> | undefined;
  /** One transaction. */
  note(notes: readonly Note<Stamp>[]): void;
}

export interface Source {
  remote(): ReadonlyMap<Key, Wanted>;
  /** Who wants to lie at a folded path. */
  at?(folded: Path): readonly Key[];
  withdrawn(): Pick<ReadonlySet<Key>, 'has'>;
  mine?(): ReadonlySet<Key> | undefined;
  /** What the person's choice leaves on the server. */
  deselected(): { has(key: Key): boolean; keys(): Iterable<Key>; readonly size: number };
  /** Brings exactly the wanted bytes to the staging folder, or throws. */
  stage(key: Key, wanted: Wanted): Promise<Staged>;
  /** What the staged bytes turned out to be, where the server had not told their hash. */
  hashOf?(key: Key, wanted: Wanted): Hash;
}
