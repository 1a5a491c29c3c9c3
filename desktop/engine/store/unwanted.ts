// Files that the user does not want on this computer. A restored server may reuse an id: a row belongs to the file with its uuid, and ends
// when the server has another file with the id.

import type { Key, Wanted } from '../model/trees';
import type { Prepare } from './driver';

export const unwantedByUuid = 'ALTER TABLE unwanted ADD COLUMN uuid TEXT;';

export class Unwanted {
  /** The uuid of each; undefined if it is unknown. */
  #known: Map<Key, string | undefined> | undefined;

  constructor(
    private readonly prepare: Prepare,
    private readonly now: () => Date,
  ) {}

  keys(): ReadonlySet<Key> {
    return new Set(this.#rows().keys());
  }

  add(key: Key, uuid: string | undefined): void {
    this.prepare('INSERT OR IGNORE INTO unwanted (key, since, uuid) VALUES (?, ?, ?)').run(key, this.now().toISOString(), uuid ?? null);
  }

  drop(key: Key): void {
    this.prepare('DELETE FROM unwanted WHERE key = ?').run(key);
  }

  /** After a change the rows are read again. */
  forget(): void {
    this.#known = undefined;
  }

  /** Fills in unknown uuids. Returns the keys that belong to other files now. */
  check(tree: ReadonlyMap<Key, Wanted>): readonly Key[] {
    const others: Key[] = [];
    for (const [key, uuid] of this.#rows()) {
      const now = tree.get(key)?.uuid;
      if (now === undefined || now === uuid) continue;
      if (uuid === undefined) this.prepare('UPDATE unwanted SET uuid = ? WHERE key = ?').run(now, key);
      else others.push(key);
      this.#rows().set(key, now);
    }
    return others;
  }

  #rows(): Map<Key, string | undefined> {
    this.#known ??= new Map(
      this.prepare('SELECT key, uuid FROM unwanted')
        .all()
        .map(({ key, uuid }) => [String(key), uuid == null ? undefined : String(uuid)]),
    );
    return this.#known;
  }
}
