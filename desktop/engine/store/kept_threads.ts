// The text of discussions and conversations and the members of groups, in `cache.db`, because the feed sends these without them.

import type { Kind } from '@carrel/shared/sync/protocol';
import { stored } from './damage';
import { type Database, type Prepare, prepareOnce } from './driver';

export const threadsTable = `
  CREATE TABLE threads (
    kind TEXT NOT NULL, id INTEGER NOT NULL, course_id INTEGER, json TEXT, stale INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO threads (kind, id, course_id, json, stale) SELECT kind, id, course_id, NULL, 1 FROM resources
    WHERE kind = 'conversation' OR (kind = 'discussion_topic' AND json ->> 'discussion_subentry_count' > 0);`;

const threaded: ReadonlySet<Kind> = new Set<Kind>(['discussion_topic', 'conversation', 'group']);

export interface KeptThread {
  readonly kind: Kind;
  readonly id: number;
  readonly course_id: number | null;
}

type Json = Readonly<Record<string, unknown>>;

/** Code that stores a resource calls these methods in its own transaction. */
export class KeptThreads {
  readonly #prepare: Prepare;

  constructor(database: Database) {
    this.#prepare = prepareOnce(database);
  }

  /** Threads that the feed has reported as changed since they were requested. */
  stale(): KeptThread[] {
    return this.#prepare('SELECT kind, id, course_id FROM threads WHERE stale = 1 ORDER BY kind, id').all() as unknown as KeptThread[];
  }

  /** The response of the server; undefined: not requested yet, or no access. */
  of<T>(kind: Kind, id: number): T | undefined {
    if (!threaded.has(kind)) return undefined;
    const row = this.#prepare('SELECT json FROM threads WHERE kind = ? AND id = ?').get(kind, id);
    return row?.json == null ? undefined : stored<T>(row.json);
  }

  keep({ kind, id }: KeptThread, words: Json | undefined): void {
    const json = words === undefined ? null : JSON.stringify(words);
    this.#prepare('UPDATE threads SET json = ?, stale = 0 WHERE kind = ? AND id = ?').run(json, kind, id);
  }

  /** A discussion without entries is not requested. */
  touch(kind: Kind, id: number, courseId: number | null, resource: Json): void {
    if (!threaded.has(kind)) return;
    if (kind === 'discussion_topic' && !(Number(resource.discussion_subentry_count) > 0)) return void this.remove(kind, id);
    this.#prepare(
      'INSERT INTO threads (kind, id, course_id, json, stale) VALUES (?, ?, ?, NULL, 1) ON CONFLICT (kind, id) DO UPDATE SET stale = 1',
    ).run(kind, id, courseId);
  }

  remove(kind: Kind, id: number): void {
    if (threaded.has(kind)) this.#prepare('DELETE FROM threads WHERE kind = ? AND id = ?').run(kind, id);
  }

  removePlace(place: number): void {
    this.#prepare('DELETE FROM threads WHERE course_id = ?').run(place);
  }
}
