// Watches the study folder for changes of the user. Events are hints; when some may have been missed, it reports that.

import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { ownFolder } from '../model/names';
import type { Path } from '../model/trees';

/** With more events than this, some may have been lost. */
const most = 1000;

export class Watch {
  readonly #watchers = new Map<Path, FSWatcher>();
  #heard = new Set<Path>();
  #isWhole = false;

  /** @param onHeard receives each path, even if events may have been missed */
  constructor(
    readonly root: string,
    private readonly onHeard?: (path: Path) => void,
  ) {}

  /** True if every change since the last look has caused an event. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Starts with the root; the folders follow one by one, each before it is listed. */
  begin(): void {
    this.close();
    this.#heard = new Set();
    this.#isWhole = true;
    // On these systems one watcher covers all subfolders.
    if (process.platform === 'darwin' || process.platform === 'win32') this.#listen('', true);
  }

  follow(folder: Path): void {
    if (process.platform !== 'darwin' && process.platform !== 'win32' && !this.#watchers.has(folder)) this.#listen(folder, false);
  }

  /** The changed paths since the last call; undefined if there were too many or some may be missing. */
  take(): ReadonlySet<Path> | undefined {
    const heard = this.#heard;
    this.#heard = new Set();
    return this.#isWhole ? heard : undefined;
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
    this.#isWhole = false;
  }

  #listen(folder: Path, recursive: boolean): void {
    try {
      // Not persistent: a watcher does not keep the program running.
      const watcher = watch(join(this.root, folder), { persistent: false, recursive }, (_, name) => this.#hear(folder, name));
      watcher.on('error', () => this.#lose());
      this.#watchers.set(folder, watcher);
    } catch {
      // The system has no watchers left, or cannot watch this disk.
      this.#lose();
    }
  }

  /** Counts these paths as just changed. */
  hearAgain(paths: readonly Path[]): void {
    if (this.#isWhole) for (const path of paths) this.#heard.add(path);
  }

  #hear(folder: Path, name: string | null): void {
    const path = name === null ? folder : pathOf(folder, name);
    if (path === ownFolder || path.startsWith(`${ownFolder}/`)) return;
    this.onHeard?.(path);
    if (!this.#isWhole) return;
    // The event has no name, or a watched folder was added, removed or changed, so its contents may have moved.
    if (name === null || path === '' || this.#watchers.has(path) || this.#heard.size >= most) this.#lose();
    else this.#heard.add(path);
  }

  #lose(): void {
    this.#isWhole = false;
    this.#heard = new Set();
  }
}

const pathOf = (folder: Path, name: string): Path => {
  const below = process.platform === 'win32' ? name.replaceAll('\\', '/') : name;
  return folder === '' ? below : `${folder}/${below}`;
};
