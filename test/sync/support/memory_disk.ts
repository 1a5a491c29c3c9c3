// A disk in memory, which reuses inodes and has the quirks of real ones: case-insensitive, decomposing names, with a
// coarse clock that is sometimes set back, files that are open elsewhere, and no space at any moment.

import {
  type Disk,
  type Expected,
  isSameStamp,
  type Placement,
  Refused,
  type Scan,
  type SeenFile,
  type Stamp,
} from '@carrel/desktop/engine/model/ports';
import { fold, type Path } from '@carrel/desktop/engine/model/trees';
import type { Random } from './random';

export interface Quirks {
  /** Like Windows and macOS. */
  readonly isCaseBlind?: boolean;
  /** HFS+ returns names decomposed, however they were written. */
  readonly decomposes?: boolean;
  /** FAT has a resolution of two seconds: writes within them have the same date. */
  readonly isCoarse?: boolean;
  /** The clock is set back, and forward again. */
  readonly jumps?: boolean;
  /** How often a call is refused for a while: file open elsewhere, no space. */
  readonly refuses?: number;
}

interface Entry {
  readonly path: Path;
  readonly bytes: string;
  readonly inode: number;
  readonly mtime: number;
}

/** In the simulation a file's bytes are their own hash. */
export class MemoryDisk {
  readonly files = new Map<Path, Entry>();
  readonly staging = new Map<string, string>();
  isQuiet = false;
  #inodes = 1;
  #clock = 1;
  readonly #free: number[] = [];

  constructor(
    private readonly random: Random,
    private readonly quirks: Quirks,
  ) {}

  /** Every call takes a tenth of a second. */
  now = (): Date => new Date(1_800_000_000_000 + this.#clock * 100);
  #mtime(): number {
    if (this.quirks.jumps && this.random.chance(0.05)) this.#clock += this.random.pick([-40, 40, 1000, -1000]);
    const now = this.#clock++;
    return this.quirks.isCoarse ? now - (now % 20) : now;
  }

  #at = (path: Path): Path => (this.quirks.isCaseBlind ? fold(path) : this.quirks.decomposes ? path.normalize('NFC') : path);
  #told = (path: Path): Path => (this.quirks.decomposes ? path.normalize('NFD') : path);

  /** Nothing has been done yet. */
  #refuse(): void {
    if (this.isQuiet || !this.random.chance(this.quirks.refuses ?? 0)) return;
    const code = this.random.pick(['EBUSY', 'EPERM', 'ENOSPC', 'EROFS']);
    throw Object.assign(new Error(`${code}: not now`), { code });
  }
  read = (path: Path): Entry | undefined => this.files.get(this.#at(path));

  /** Saving in place keeps the inode; `replacing` is what careful editors do. */
  write(path: Path, bytes: string, replacing = false): boolean {
    if (this.#isBlocked(path)) return false;
    const old = this.read(path);
    const inode = old && !replacing ? old.inode : this.#inode();
    this.files.set(this.#at(path), { path: old?.path ?? this.#told(path), bytes, inode, mtime: this.#mtime() });
    return true;
  }

  remove(path: Path): void {
    const old = this.read(path);
    if (old) this.#free.push(old.inode);
    this.files.delete(this.#at(path));
  }

  move(from: Path, to: Path): boolean {
    const entry = this.read(from);
    if (!entry || (this.read(to) && this.#at(to) !== this.#at(from)) || this.#isBlocked(to)) return false;
    this.files.delete(this.#at(from));
    this.files.set(this.#at(to), { ...entry, path: this.#told(to) });
    return true;
  }

  #inode = (): number => (this.#free.length > 0 && this.random.chance(0.5) ? (this.#free.pop() as number) : this.#inodes++);

  /** A file cannot be below a file, nor at the path of a folder. */
  #isBlocked(path: Path): boolean {
    const at = this.#at(path);
    for (const other of this.files.keys()) if (at.startsWith(`${other}/`) || other.startsWith(`${at}/`)) return true;
    return false;
  }

  /** The disk port, with a moment before and after every effect in which other changes may happen or the program may crash. */
  port(moment: () => Promise<void>): Disk {
    const within = async <T>(effect: () => T): Promise<T> => {
      await moment();
      const result = effect();
      await moment();
      return result;
    };
    return {
      scan: () =>
        within((): Scan => ({ files: new Map([...this.files.values()].map((file) => [file.path, stampOf(file)])), unreadable: [] })),
      look: (path) => {
        const entry = this.read(path);
        if (entry) return stampOf(entry);
        const at = this.#at(path);
        return [...this.files.keys()].some((other) => other.startsWith(`${at}/`)) ? 'other' : undefined;
      },
      hash: (path) => within((): SeenFile | undefined => this.#seen(path)),
      copy: (path, hash) =>
        within(() => {
          this.#refuse();
          return this.read(path)?.bytes === hash ? this.stage(hash) : undefined;
        }),
      place: (placements) => within(() => placements.map((placement) => this.#place(placement))),
      move: (from, stamp, to) =>
        within(() => {
          this.#refuse();
          this.#expect(from, stamp);
          if (!this.move(from, to)) throw new Refused('taken', to);
          return stampOf(this.read(to) as Entry);
        }),
      remove: (path, stamp) =>
        within(() => {
          this.#refuse();
          this.#expect(path, stamp);
          this.remove(path);
        }),
      tidy: () => within(() => this.staging.clear()),
    };
  }

  stage(bytes: string): string {
    const staged = `staged ${this.#clock++}`;
    this.staging.set(staged, bytes);
    return staged;
  }

  #seen(path: Path): SeenFile | undefined {
    const entry = this.read(path);
    return entry && { path, hash: entry.bytes, stamp: stampOf(entry) };
  }

  #expect(path: Path, { bytes, ...stamp }: Expected): void {
    const entry = this.read(path);
    if (!entry || !isSameStamp(stampOf(entry), stamp) || (bytes ?? entry.bytes) !== entry.bytes) throw new Refused('changed', path);
  }

  #place({ staged, path, over }: Placement): Stamp | Error {
    const bytes = this.staging.get(staged);
    if (bytes === undefined) return new Error(`nothing staged as ${staged}`);
    try {
      this.#refuse();
      if (over) this.#expect(path, over);
      else if (this.read(path) || this.#isBlocked(path)) throw new Refused('taken', path);
    } catch (problem) {
      return problem as Error;
    }
    if (over) this.remove(path);
    this.files.set(this.#at(path), { path: this.#told(path), bytes, inode: this.#inode(), mtime: this.#mtime() });
    this.staging.delete(staged);
    return stampOf(this.read(path) as Entry);
  }
}

const stampOf = ({ inode, bytes, mtime }: Entry): Stamp => ({
  inode: `${inode}`,
  size: bytes.length,
  mtime: `${(18_000_000_000 + mtime) * 100}000000`,
});
