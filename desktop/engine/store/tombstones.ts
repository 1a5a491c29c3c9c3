// What the feed has reported as deleted, in `cache.db`: an item without a tombstone may only be missing because the feed has not sent it
// yet.

import type { Kind } from '@carrel/shared/sync/protocol';
import type { Key } from '../model/trees';
import { type Database, type Prepare, prepareOnce } from './driver';

export const tombstonesTable = 'CREATE TABLE gone (kind TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (kind, id)) STRICT, WITHOUT ROWID;';

/** Code that stores a resource calls these methods in its own transaction. */
export class Tombstones {
  readonly #prepare: Prepare;

  constructor(database: Database) {
    this.#prepare = prepareOnce(database);
  }

  has(key: Key): boolean {
    const [kind = '', id = ''] = key.split(':');
    return this.#prepare('SELECT 1 FROM gone WHERE kind = ? AND id = ?').get(kind, Number(id)) !== undefined;
  }

  folders(): ReadonlySet<number> {
    const rows = this.#prepare("SELECT id FROM gone WHERE kind = 'folder'").all();
    return new Set(rows.map(({ id }) => Number(id)));
  }

  put(kind: Kind, id: number): void {
    this.#prepare('INSERT OR IGNORE INTO gone (kind, id) VALUES (?, ?)').run(kind, id);
  }

  /** Everything of a removed course or group is removed with it. */
  putPlace(place: number): void {
    this.#prepare('INSERT OR IGNORE INTO gone (kind, id) SELECT kind, id FROM resources WHERE course_id = ?').run(place);
  }

  remove(kind: Kind, id: number): void {
    this.#prepare('DELETE FROM gone WHERE kind = ? AND id = ?').run(kind, id);
  }
}
