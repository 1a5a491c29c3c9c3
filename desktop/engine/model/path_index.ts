// The keys at each path, indexed by the folded path, so that a lookup does not search everything.

import { fold, type Key, type Path } from './trees';

export class PathIndex {
  readonly #keys = new Map<Path, readonly Key[]>();

  add(path: Path, key: Key): void {
    const folded = fold(path);
    const there = this.#keys.get(folded);
    if (there === undefined) this.#keys.set(folded, [key]);
    else if (!there.includes(key)) this.#keys.set(folded, [...there, key]);
  }

  remove(path: Path, key: Key): void {
    const folded = fold(path);
    const left = this.#keys.get(folded)?.filter((other) => other !== key) ?? [];
    if (left.length === 0) this.#keys.delete(folded);
    else this.#keys.set(folded, left);
  }

  /** @param folded a path as `fold` writes it */
  at(folded: Path): readonly Key[] {
    return this.#keys.get(folded) ?? none;
  }
}

const none: readonly Key[] = [];
