// A user at a desk: what they do in the folder, as an editor and a file manager do it.

import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { SimulatedDesk } from './desk';

export const simulatedActions = [
  'edit',
  'save',
  'append',
  'rename',
  'move',
  'delete',
  'recreate',
  'case rename',
  'folder rename',
  'folder case rename',
  'swap',
  'new file',
] as const;
export type SimulatedAction = (typeof simulatedActions)[number];

/** What all users save, in the order in which it was saved. */
export class Saved {
  /** Saved, and not deliberately overwritten or deleted by a user since. */
  readonly alive = new Map<string, { readonly desk: string; readonly nth: number }>();
  #nth = 0;

  /** Texts of different lengths, so that every change of a file is visible by its size. */
  next(desk: string): string {
    const nth = ++this.#nth;
    const text = `${desk} saved this as the ${nth}th text ${'.'.repeat(nth)}`;
    this.alive.set(text, { desk, nth });
    return text;
  }
  appended(desk: string, before: string): string {
    const nth = ++this.#nth;
    const text = `${before}+${nth}`;
    this.alive.set(text, { desk, nth });
    return text;
  }
}

/** How often a user has renamed something, which makes every name new. */
const names = new WeakMap<Saved, number>();

export class SimulatedPerson {
  readonly #root: string;

  constructor(
    readonly desk: SimulatedDesk,
    private readonly saved: Saved,
    private readonly now: () => Date,
  ) {
    this.#root = join(desk.folder, 'My files');
  }

  /** Files that the user sees and edits: not the copies of deleted ones. */
  files = (): string[] => [...this.desk.tree().keys()].filter((path) => !path.startsWith('Deleted elsewhere'));

  /** Acts on the file at the path, or on the file that was there. Returns where the file is now; undefined: it is gone. */
  do(deed: SimulatedAction, path: string, other: string): string | undefined {
    return this.#deeds[deed](path, other);
  }

  readonly #deeds: Readonly<Record<SimulatedAction, (path: string, other: string) => string | undefined>> = {
    edit: (path) => this.#write(path, this.saved.next(this.desk.name)),
    save: (path) => this.#saveBeside(path, this.saved.next(this.desk.name)),
    append: (path) => (this.#isThere(path) ? this.#append(path) : this.#deeds.edit(path, path)),
    rename: (path) => this.#moveIfThere(path, () => join(dirname(path), `${this.#fresh('r')}.txt`)),
    move: (path) => this.#moveIfThere(path, () => join(dirname(path) === '.' ? this.#aFolder() : '.', basename(path))),
    'case rename': (path) => this.#moveIfThere(path, () => join(dirname(path), otherCase(basename(path)))),
    'folder rename': (path, other) => this.#moveFolder(path, other, (name) => `${name[0]}${this.#fresh('')}`),
    'folder case rename': (path, other) => this.#moveFolder(path, other, otherCase),
    delete: (path) => {
      if (this.#isThere(path)) this.#delete(path);
      return undefined;
    },
    recreate: (path) => {
      if (this.#isThere(path)) this.#delete(path);
      return this.#deeds.edit(path, path);
    },
    swap: (path, other) => {
      if (this.#isThere(path) && other !== path && this.#isThere(other)) this.#swap(path, other);
      return path;
    },
    'new file': (path) => {
      const isThere = this.#isThere(path);
      this.#write(join(dirname(path), `${this.#fresh('n')}.txt`), this.saved.next(this.desk.name));
      return isThere ? path : undefined;
    },
  };

  #isThere = (path: string) => existsSync(this.#at(path));
  #moveIfThere = (path: string, to: () => string) => (this.#isThere(path) ? this.#move(path, to()) : undefined);
  #at = (path: string) => join(this.#root, path);
  #fresh(message: string): string {
    const nth = (names.get(this.saved) ?? 0) + 1;
    names.set(this.saved, nth);
    return `${message}${nth}`;
  }

  #forget(path: string): void {
    if (existsSync(this.#at(path))) this.saved.alive.delete(readFileSync(this.#at(path), 'utf8'));
  }
  /** Disk clocks are too coarse for the speed of this user. */
  #touch = (path: string) => utimesSync(this.#at(path), this.now(), this.now());

  #write(path: string, text: string): string | undefined {
    if (!this.#folderFor(path)) return undefined;
    this.#forget(path);
    writeFileSync(this.#at(path), text);
    this.#touch(path);
    return path;
  }
  #saveBeside(path: string, text: string): string | undefined {
    if (!this.#folderFor(path)) return undefined;
    this.#forget(path);
    const beside = join(this.desk.home, 'saving');
    writeFileSync(beside, text);
    renameSync(beside, this.#at(path));
    this.#touch(path);
    return path;
  }
  #append(path: string): string {
    const before = readFileSync(this.#at(path), 'utf8');
    const text = this.saved.appended(this.desk.name, before);
    this.saved.alive.delete(before);
    appendFileSync(this.#at(path), text.slice(before.length));
    this.#touch(path);
    return path;
  }
  /** An existing folder: users do not create a second one whose name differs in letter case only. */
  #aFolder = (): string =>
    readdirSync(this.#root, { withFileTypes: true }).find((entry) => entry.isDirectory() && entry.name !== 'Deleted elsewhere')?.name ??
    'x';
  #move(from: string, to: string): string {
    if (this.#isTaken(from, to) || !this.#folderFor(to)) return from;
    renameSync(this.#at(from), this.#at(to));
    return to;
  }
  #isTaken(from: string, to: string): boolean {
    const folder = this.#at(dirname(to));
    const isSame = (name: string) => name.toLowerCase() === basename(to).toLowerCase() && join(dirname(to), name) !== from;
    return existsSync(folder) && readdirSync(folder).some(isSame);
  }
  #delete(path: string): void {
    this.#forget(path);
    unlinkSync(this.#at(path));
  }
  #swap(one: string, other: string): void {
    const aside = join(this.desk.home, 'swapping');
    renameSync(this.#at(one), aside);
    renameSync(this.#at(other), this.#at(one));
    renameSync(aside, this.#at(other));
  }
  /** The folder of the file, or that of the other file. */
  #moveFolder(path: string, other: string, name: (name: string) => string): string | undefined {
    const folder = [dirname(path), dirname(other)].find((one) => one !== '.' && existsSync(this.#at(one)));
    if (folder === undefined) return path;
    const to = join(dirname(folder), name(basename(folder)));
    if (this.#isTaken(folder, to)) return path;
    renameSync(this.#at(folder), this.#at(to));
    return path.startsWith(`${folder}/`) ? join(to, path.slice(folder.length + 1)) : path;
  }
  /** False if a file is at the path. */
  #folderFor(path: string): boolean {
    try {
      mkdirSync(dirname(this.#at(path)), { recursive: true });
      return true;
    } catch {
      return false;
    }
  }

  /** Removes an empty folder that a file manager leaves behind. */
  dropEmpty(folder: string): void {
    if (existsSync(this.#at(folder)) && readdirSync(this.#at(folder)).length === 0) rmSync(this.#at(folder), { recursive: true });
  }
}

const otherCase = (name: string): string => {
  const first = name[0] ?? '';
  return (first === first.toLowerCase() ? first.toUpperCase() : first.toLowerCase()) + name.slice(1);
};
