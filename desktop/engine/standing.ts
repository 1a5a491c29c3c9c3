// Whether the folder can be trusted to be as it was when it was last in line, and where it cannot.

import { Watch } from './adapters/watch';
import { changedSince, type Derived } from './derive';
import { type Focus, mostAtAGlance } from './glance';
import type { Disk } from './ports';
import type { Cache } from './store/cache';
import type { UserStore } from './store/user';
import type { Key } from './trees';

/** Some disks tell nobody of what others write there. */
const anHour = 3_600_000;

interface Settled {
  readonly version: number;
  /** When everything was last looked at. */
  readonly at: number;
  /** Of what could not be done: looked at with every sync, until it can. */
  readonly again: ReadonlySet<Key>;
}

export class Standing {
  #watch: Watch | undefined;
  #settled: Settled | undefined;
  #lookedAt: number | undefined;

  constructor(private readonly now: () => Date) {}

  /** The same disk, watched from its next scan on. */
  watched(root: string, disk: Disk): Disk {
    if (this.#watch?.root !== root) this.close();
    this.#watch ??= new Watch(root);
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

  /** Where to look; undefined: everywhere. Until `settle` nothing is certain any more. */
  focus({ version }: Derived, cache: Cache, user: UserStore): Focus | undefined {
    const settled = this.#settled;
    const paths = this.#watch?.take();
    this.#settled = undefined;
    this.#lookedAt = settled?.at;
    const age = settled ? this.now().getTime() - settled.at : anHour;
    if (!settled || !paths || age < 0 || age >= anHour) return undefined;
    const changed = version === settled.version ? none : changedSince(cache, settled.version);
    const touched = user.touched();
    if (!changed || !touched || changed.size + touched.size + paths.size + settled.again.size > mostAtAGlance) return undefined;
    return { keys: new Set([...changed, ...touched, ...settled.again]), paths };
  }

  /** @param isWhole everything was looked at, not only where there was reason to */
  settle({ version }: Derived, isWhole: boolean, again: ReadonlySet<Key> = none): void {
    const at = isWhole ? this.now().getTime() : this.#lookedAt;
    this.#settled = at === undefined ? undefined : { version, at, again };
  }

  close(): void {
    this.#watch?.close();
    this.#watch = undefined;
    this.#settled = undefined;
  }
}

const none: ReadonlySet<string> = new Set();
