// Whether the folder is unchanged since it was last in line, and if not, which paths to scan.

import { Watch } from '../disk/watch';
import type { Disk, Stamp } from '../model/ports';
import type { Key, Path } from '../model/trees';
import type { Cache } from '../store/cache';
import type { UserStore } from '../store/user';
import { type Focus, mostInPartialScan } from './partial_scan';
import { Settling } from './settled';
import { changedSince, type Derived } from './wanted/derive';

/** Some disks report no events for changes by other computers. */
const anHour = 3_600_000;

interface Settled {
  readonly version: number;
  /** When everything was last scanned. */
  readonly at: number;
  /** Keys whose step failed: scanned in every sync until it succeeds. */
  readonly again: ReadonlySet<Key>;
}

export class FolderFreshness {
  #watch: Watch | undefined;
  readonly #settling: Settling | undefined;
  #settled: Settled | undefined;
  #lookedAt: number | undefined;

  /** @param onSettled called when the user's changes in the folder have come to rest */
  constructor(
    private readonly now: () => Date,
    onSettled?: (paths: readonly Path[]) => void,
  ) {
    this.#settling =
      onSettled &&
      new Settling((paths) => {
        // Files that were skipped while they were being written are scanned now.
        this.#watch?.hearAgain(paths);
        onSettled(paths);
      });
  }

  /** A file that is being written. */
  isRestless(path: Path, there: Stamp): boolean {
    return this.#settling?.isRestless(path, there) ?? false;
  }

  /** The same disk, watched from its next scan on. */
  watched(root: string, disk: Disk): Disk {
    if (this.#watch?.root !== root) this.close();
    this.#watch ??= new Watch(root, (path) => this.#settling?.hear(path));
    const watch = this.#watch;
    const { below } = disk;
    return {
      ...disk,
      scan: () => {
        watch.begin();
        return disk.scan((folder) => watch.follow(folder));
      },
      ...(below && { below: (path) => below(path, (folder) => watch.follow(folder)) }),
    };
  }

  /** What to scan; undefined: everything. Until `settle` is called, the state is uncertain. */
  focus({ version }: Derived, cache: Cache, user: UserStore): Focus | undefined {
    const settled = this.#settled;
    const paths = this.#watch?.take();
    this.#settled = undefined;
    this.#lookedAt = settled?.at;
    const age = settled ? this.now().getTime() - settled.at : anHour;
    if (!settled || !paths || age < 0 || age >= anHour) return undefined;
    const changed = version === settled.version ? none : changedSince(cache, settled.version);
    const touched = user.touched();
    if (!changed || !touched || changed.size + touched.size + paths.size + settled.again.size > mostInPartialScan) return undefined;
    return { keys: new Set([...changed, ...touched, ...settled.again]), paths };
  }

  /** @param isWhole everything was scanned, not only what may have changed */
  settle({ version }: Derived, isWhole: boolean, again: ReadonlySet<Key> = none): void {
    const at = isWhole ? this.now().getTime() : this.#lookedAt;
    this.#settled = at === undefined ? undefined : { version, at, again };
  }

  close(): void {
    this.#settling?.close();
    this.#watch?.close();
    this.#watch = undefined;
    this.#settled = undefined;
  }
}

const none: ReadonlySet<string> = new Set();
