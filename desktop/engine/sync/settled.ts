// Waits until changes of the user in the folder have come to rest: a file that is still being written is not uploaded.

import { studyFolderOf } from '../disk/folder';
import { inside } from '../disk/inside';
import { lookAt } from '../disk/look';
import { isSameStamp, type Stamp } from '../model/ports';
import { fold, type Path } from '../model/trees';
import type { UserStore } from '../store/user';
import { agreedFolders } from './uploads/keep_folders';

/** Without an event for a path for this long, it counts as written. */
const quiet = 1000;
/** A file that never rests, such as a log, is taken after this time. */
const longest = 5 * 60_000;

interface Restless {
  readonly since: number;
  last: number;
}

export class Settling {
  readonly #restless = new Map<Path, Restless>();
  #timer: NodeJS.Timeout | undefined;

  /** @param onSettled receives all paths that have come to rest, in one call */
  constructor(
    private readonly onSettled: (paths: readonly Path[]) => void,
    private readonly now: () => number = Date.now,
  ) {}

  hear(path: Path): void {
    const now = this.now();
    const known = this.#restless.get(path);
    if (known) known.last = now;
    else this.#restless.set(path, { since: now, last: now });
    this.#timer ??= this.#wait(quiet);
  }

  /**
   * Whether a file is still being written. The disk may report it a little later than its time of change shows, and reports nothing for a file in
   * a folder that is too new to be watched: such a file is looked at again when it has rested.
   */
  isRestless(path: Path, { mtime }: Stamp): boolean {
    if (this.#restless.has(path)) return true;
    const age = this.now() - Number(BigInt(mtime) / 1_000_000n);
    const isYoung = age >= 0 && age < quiet;
    if (isYoung) this.hear(path);
    return isYoung;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#restless.clear();
  }

  #wait(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#look(), milliseconds).unref();
  }

  #look(): void {
    this.#timer = undefined;
    const now = this.now();
    const dueAt = ({ since, last }: Restless): number => Math.min(last + quiet, since + longest);
    const settled = [...this.#restless].flatMap(([path, restless]) => (dueAt(restless) <= now ? [path] : []));
    for (const path of settled) this.#restless.delete(path);
    const next = Math.min(...[...this.#restless.values()].map(dueAt));
    if (Number.isFinite(next)) this.#timer = this.#wait(Math.max(50, next - now));
    if (settled.length > 0) this.onSettled(settled);
  }
}

/** True for files that a sync itself has written, and for files that were created and deleted again. */
export function isAsAgreed(user: UserStore, path: Path): boolean {
  const folder = studyFolderOf(user);
  const there = folder === undefined ? undefined : lookAt(inside(folder, path));
  // A folder may contain something new.
  if (there === 'other') return false;
  const rows = user.at(fold(path)).flatMap((key) => user.rows().get(key) ?? []);
  if (there) return rows.some(({ path: at, hash, seen }) => at === path && hash === seen.hash && isSameStamp(seen.stamp, there));
  if (rows.length > 0) return false;
  const wasFolder = [...agreedFolders(user).values()].some((one) => one.path === path);
  return !wasFolder && ![...user.rows().values()].some((row) => row.path.startsWith(`${path}/`));
}
