// Watches the study folder for what the person does there. Whatever it hears is a hint; where it may have missed something, it says so.

import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { ownFolder } from '../names';
import type { Path } from '../trees';

/** Heard more than that, something may have been lost on the way. */
const most = 1000;

export class Watch {
  readonly #watchers = new Map<Path, FSWatcher>();
  #heard = new Set<Path>();
  #isWhole = false;

  /** @param onHeard gets each path, also where more may have been missed */
  constructor(
    readonly root: string,
    private readonly onHeard?: (path: Path) => void,
  ) {}

  /** Nothing can have changed where nothing was heard. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** From here on; the folders follow one by one, each before it is listed. */
  begin(): void {
    this.close();
    this.#heard = new Set();
    this.#isWhole = true;
    // These systems watch all that is below a folder.
    if (process.platform === 'darwin' || process.platform === 'win32') this.#listen('', true);
  }

  follow(folder: Path): void {
    if (process.platform !== 'darwin' && process.platform !== 'win32' && !this.#watchers.has(folder)) this.#listen(folder, false);
  }

  /** What was heard since it was last taken; undefined: too much, or nothing certain. */
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
      // Nobody stays up for it: the program ends without asking it.
      const watcher = watch(join(this.root, folder), { persistent: false, recursive }, (_, name) => this.#hear(folder, name));
      watcher.on('error', () => this.#lose());
      this.#watchers.set(folder, watcher);
    } catch {
      // The system watches no more folders for anybody, or cannot watch this disk.
      this.#lose();
    }
  }

  /** These paths count as changed just now. */
  hearAgain(paths: readonly Path[]): void {
    if (this.#isWhole) for (const path of paths) this.#heard.add(path);
  }

  #hear(folder: Path, name: string | null): void {
    const path = name === null ? folder : pathOf(folder, name);
    if (path === ownFolder || path.startsWith(`${ownFolder}/`)) return;
    this.onHeard?.(path);
    if (!this.#isWhole) return;
    // It does not say where; or a folder that we watch has come, gone or changed, and what is in it may lie elsewhere.
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
