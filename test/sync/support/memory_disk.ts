// A disk in memory, with inodes that are used again, and optionally blind to letter case as Windows and macOS are.

import { type Disk, type Placement, Refused, type Scan, type Seen, type Stamp } from '@carrel/desktop/engine/ports';
import { fold, type Path } from '@carrel/desktop/engine/trees';
import type { Random } from './random';

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
  #inodes = 1;
  #clock = 1;
  readonly #free: number[] = [];

  constructor(
    private readonly random: Random,
    private readonly isCaseBlind: boolean,
  ) {}

  #at = (path: Path): Path => (this.isCaseBlind ? fold(path) : path);
  read = (path: Path): Entry | undefined => this.files.get(this.#at(path));

  /** Saving in place keeps the inode; `replacing` is what careful editors do. */
  write(path: Path, bytes: string, replacing = false): boolean {
    if (this.#isBlocked(path)) return false;
    const old = this.read(path);
    const inode = old && !replacing ? old.inode : this.#inode();
    this.files.set(this.#at(path), { path: old?.path ?? path, bytes, inode, mtime: this.#clock++ });
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
    this.files.set(this.#at(to), { ...entry, path: to });
    return true;
  }

  #inode = (): number => (this.#free.length > 0 && this.random.chance(0.5) ? (this.#free.pop() as number) : this.#inodes++);

  /** A file cannot lie below a file, nor where a folder is. */
  #isBlocked(path: Path): boolean {
    const at = this.#at(path);
    for (const other of this.files.keys()) if (at.startsWith(`${other}/`) || other.startsWith(`${at}/`)) return true;
    return false;
  }

  /** The port, with a moment before and after every effect in which the world may move on or the program may die. */
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
      hash: (path) => within((): Seen | undefined => this.#seen(path)),
      copy: (path, hash) => within(() => (this.read(path)?.bytes === hash ? this.stage(hash) : undefined)),
      place: (placements) => within(() => placements.map((placement) => this.#place(placement))),
      move: (from, stamp, to) =>
        within(() => {
          this.#expect(from, stamp);
          if (!this.move(from, to)) throw new Refused('taken', to);
          return stampOf(this.read(to) as Entry);
        }),
      remove: (path, stamp) =>
        within(() => {
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

  #seen(path: Path): Seen | undefined {
    const entry = this.read(path);
    return entry && { path, hash: entry.bytes, stamp: stampOf(entry) };
  }

  #expect(path: Path, stamp: Stamp): void {
    const entry = this.read(path);
    if (!entry || JSON.stringify(stampOf(entry)) !== JSON.stringify(stamp)) throw new Refused('changed', path);
  }

  #place({ staged, path, over }: Placement): Stamp | Error {
    const bytes = this.staging.get(staged);
    if (bytes === undefined) return new Error(`nothing staged as ${staged}`);
    try {
      if (over) this.#expect(path, over);
      else if (this.read(path) || this.#isBlocked(path)) throw new Refused('taken', path);
    } catch (problem) {
      return problem as Error;
    }
    if (over) this.remove(path);
    this.files.set(this.#at(path), { path, bytes, inode: this.#inode(), mtime: this.#clock++ });
    this.staging.delete(staged);
    return stampOf(this.read(path) as Entry);
  }
}

const stampOf = ({ inode, bytes, mtime }: Entry): Stamp => ({ inode: `${inode}`, size: bytes.length, mtime: `${mtime}` });
