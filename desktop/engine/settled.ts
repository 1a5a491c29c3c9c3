// Waits until what a person does in the folder has come to rest: a file that is still being written is not taken half.

import { lookAt } from './adapters/look';
import { folderOf } from './folder';
import { inside } from './inside';
import { agreedFolders } from './keep_folders';
import { isSameStamp, type Stamp } from './ports';
import type { UserStore } from './store/user';
import { fold, type Path } from './trees';

/** Without a further word about a path for so long, it counts as written. */
const quiet = 1000;
/** What never rests is taken as it is after a while: a log is written to for ever. */
const longest = 5 * 60_000;

interface Restless {
  readonly since: number;
  last: number;
}

export class Settling {
  readonly #restless = new Map<Path, Restless>();
  #timer: NodeJS.Timeout | undefined;

  /** @param onSettled gets what has come to rest, all at once */
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

  /** The disk may say it a little later than the file shows it. */
  isRestless(path: Path, { mtime }: Stamp): boolean {
    const age = this.now() - Number(BigInt(mtime) / 1_000_000n);
    return this.#restless.has(path) || (age >= 0 && age < quiet);
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

/** As both sides last had it: what a sync itself has written, or a file that has come and gone, is no change. */
export function isAsAgreed(user: UserStore, path: Path): boolean {
  const folder = folderOf(user);
  const there = folder === undefined ? undefined : lookAt(inside(folder, path));
  // A folder: what is in it may be new.
  if (there === 'other') return false;
  const rows = user.at(fold(path)).flatMap((key) => user.rows().get(key) ?? []);
  if (there) return rows.some(({ path: at, hash, seen }) => at === path && hash === seen.hash && isSameStamp(seen.stamp, there));
  if (rows.length > 0) return false;
  const wasFolder = [...agreedFolders(user).values()].some((one) => one.path === path);
  return !wasFolder && ![...user.rows().values()].some((row) => row.path.startsWith(`${path}/`));
}
