// The recovery store: bytes that the engine overwrites or removes in the study folder, and that the server may no longer have, are kept in
// the account's folder for 30 days. It is below the planner, so that a wrong plan loses no bytes.

import {
  appendFileSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { localName } from '../model/names';
import { type Hash, lastOf, type Path } from '../model/trees';
import { syncFile, syncFolders } from './durable';
import { hashOfFile } from './look';

export type WhyKept = 'replaced' | 'removed';

export interface RecoverableFile {
  /** Shown to the user to identify it; never reused. */
  readonly number: number;
  /** Its path in the study folder. */
  readonly path: Path;
  readonly at: string;
  readonly size: number;
  readonly why: WhyKept;
  /** Missing if the program ended before it was computed. */
  readonly sha256?: Hash;
}

type Line = RecoverableFile | { readonly number: number; readonly gone: true };

interface Amount {
  readonly files: number;
  readonly bytes: number;
}

/** A file that is being overwritten or removed, and can still be put back. */
export interface Keeping {
  /** Where the bytes are now. */
  readonly file: string;
  /** The original file, not a copy of it. */
  readonly isItself: boolean;
  /** Puts the file back at its path. */
  putBack(): void;
  /** The change was not made. */
  cancel(): void;
  /** The change was made: the copy is dropped if the server has these bytes. */
  settle(isOnServer: (hash: Hash, path: Path) => boolean): Promise<void>;
}

const days = 30;
const aDay = 24 * 3_600_000;
const most = 2 * 1024 ** 3;
/** Of the free space, and of the space that is already used by the store. */
const share = 0.1;

export const recoveryFolder = (accountFolder: string): string => join(accountFolder, 'recovered');

export class Recovery {
  /** In the order in which they were added. */
  #kept: Map<number, RecoverableFile> | undefined;
  #last = 0;
  #lines = 0;

  constructor(
    readonly folder: string,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /** Newest first. */
  all(): RecoverableFile[] {
    return [...this.#read().values()].filter(({ number, path }) => existsSync(this.fileOf({ number, path }))).reverse();
  }

  amount(): Amount {
    const all = [...this.#read().values()];
    return { files: all.length, bytes: all.reduce((sum, { size }) => sum + size, 0) };
  }

  fileOf({ number, path }: Pick<RecoverableFile, 'number' | 'path'>): string {
    return join(this.folder, `${number}-${localName(lastOf(path))}`);
  }

  /**
   * Links the bytes here before the original name is given to another file.
   * @param entry where the system finds it
   */
  keepLinked(entry: string, path: Path): Keeping {
    const kept = this.#begin(entry, path, 'replaced');
    const file = this.fileOf(kept);
    try {
      linkOrCopy(entry, file);
    } catch (problem) {
      this.#drop(kept);
      throw problem;
    }
    return this.#keeping(kept, file, entry, false);
  }

  /** Moves the file here, so that exactly these bytes are kept. */
  take(entry: string, path: Path): Keeping {
    const kept = this.#begin(entry, path, 'removed');
    const file = this.fileOf(kept);
    try {
      renameSync(entry, file);
    } catch (problem) {
      this.#drop(kept);
      if (!isOfAnotherDisk(problem)) throw problem;
      return this.#takeByCopy(entry, path);
    }
    return this.#keeping(kept, file, entry, true);
  }

  #takeByCopy(entry: string, path: Path): Keeping {
    const keeping = this.keepLinked(entry, path);
    unlinkSync(entry);
    return keeping;
  }

  #begin(entry: string, path: Path, why: WhyKept): RecoverableFile {
    this.#read();
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const number = ++this.#last;
    const kept: RecoverableFile = { number, path, at: this.now().toISOString(), size: statSync(entry).size, why };
    // Written before the bytes move: a crash in between leaves a line without bytes, never bytes without a line.
    this.#write(kept);
    this.#read().set(number, kept);
    return kept;
  }

  #keeping(kept: RecoverableFile, file: string, entry: string, isItself: boolean): Keeping {
    return {
      file,
      isItself,
      // A link never replaces a file that has appeared there meanwhile.
      putBack: () => linkOrCopy(file, entry),
      cancel: () => this.#drop(kept),
      settle: async (isOnServer) => {
        const sha256 = await hashOfFile(file).catch(() => undefined);
        if (sha256 !== undefined && isOnServer(sha256, kept.path)) return this.#drop(kept);
        if (sha256 !== undefined) {
          const known = { ...kept, sha256 };
          this.#write(known);
          this.#read().set(kept.number, known);
        }
        await syncFile(this.#index);
        await syncFolders(new Set([this.folder]));
      },
    };
  }

  /**
   * Drops files older than 30 days, and the oldest if the store exceeds its share of the disk; never the last copy of a file from
   * the last 24 hours.
   */
  tidy(): void {
    const kept = this.#read();
    if (kept.size === 0 && this.#lines === 0) return;
    const now = this.now();
    for (const one of expired([...kept.values()], now, this.#share())) this.#drop(one);
    for (const one of [...kept.values()]) if (!existsSync(this.fileOf(one))) kept.delete(one.number);
    if (this.#lines > 2 * kept.size + 100) this.#compact();
  }

  /** In bytes, without the index; if the free space is unknown, the fixed limit counts. */
  #share(): number {
    const used = this.amount().bytes;
    try {
      const { bavail, bsize } = statfsSync(this.folder);
      return Math.min(most, share * (bavail * bsize + used));
    } catch {
      return most;
    }
  }

  get #index(): string {
    return join(this.folder, 'index.jsonl');
  }

  #read(): Map<number, RecoverableFile> {
    if (this.#kept) return this.#kept;
    const kept = new Map<number, RecoverableFile>();
    const lines = existsSync(this.#index) ? readFileSync(this.#index, 'utf8').split('\n') : [];
    for (const text of lines) {
      const line = lineIn(text);
      if (!line) continue;
      this.#lines++;
      this.#last = Math.max(this.#last, line.number);
      if ('gone' in line) kept.delete(line.number);
      else kept.set(line.number, line);
    }
    this.#kept = kept;
    return kept;
  }

  #write(line: Line): void {
    // The leading line break ends a line that a power cut may have truncated.
    appendFileSync(this.#index, `${this.#lines === 0 ? '' : '\n'}${JSON.stringify(line)}\n`, { mode: 0o600 });
    this.#lines++;
  }

  #drop(kept: Pick<RecoverableFile, 'number' | 'path'>): void {
    rmSync(this.fileOf(kept), { force: true });
    this.#kept?.delete(kept.number);
    this.#write({ number: kept.number, gone: true });
  }

  #compact(): void {
    const lines: Line[] = [...this.#read().values()];
    // The last number is stored, so that none is used twice.
    if (!this.#read().has(this.#last)) lines.push({ number: this.#last, gone: true });
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    writeFileSync(`${this.#index}.new`, text, { mode: 0o600, flush: true });
    renameSync(`${this.#index}.new`, this.#index);
    this.#lines = lines.length;
  }
}

/** What is dropped: everything that is too old, then the oldest until the rest fits. Pure. */
export function expired(kept: readonly RecoverableFile[], now: Date, limit: number): RecoverableFile[] {
  const age = ({ at }: RecoverableFile): number => now.getTime() - Date.parse(at);
  const lastOfToday = new Map(kept.filter((one) => age(one) < aDay).map((one) => [one.path, one]));
  const gone: RecoverableFile[] = [];
  let bytes = kept.reduce((sum, { size }) => sum + size, 0);
  for (const one of kept) {
    const isOld = age(one) > days * aDay;
    if (!isOld && (bytes <= limit || lastOfToday.get(one.path) === one)) continue;
    gone.push(one);
    bytes -= one.size;
  }
  return gone;
}

function lineIn(text: string): Line | undefined {
  try {
    const line = JSON.parse(text) as Partial<RecoverableFile> & { readonly gone?: true };
    if (typeof line.number !== 'number') return undefined;
    if (line.gone) return { number: line.number, gone: true };
    return typeof line.path === 'string' && typeof line.at === 'string' ? (line as RecoverableFile) : undefined;
  } catch {
    return undefined;
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (problem) {
    if (codeOf(problem) === 'EEXIST' || codeOf(problem) === 'ENOENT') throw problem;
    // Another disk, or one without hard links.
    copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  }
}

const codeOf = (problem: unknown): unknown => (problem instanceof Error && 'code' in problem ? problem.code : undefined);
const isOfAnotherDisk = (problem: unknown): boolean => codeOf(problem) === 'EXDEV';
