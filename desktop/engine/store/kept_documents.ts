// The files written for pages and assignments, in `cache.db`: they are written again only if their content has changed.

import type { Key } from '../model/trees';
import { stored } from './damage';
import { type Database, type Prepare, prepareOnce, transaction } from './driver';

export const documentsTable = `
  CREATE TABLE documents (
    key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, sha256 TEXT NOT NULL, size INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;`;

export interface KeptDocument {
  /** Of its content, and of the paths of all items that it links to. */
  readonly fingerprint: string;
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
  readonly links: readonly string[];
}

export class KeptDocuments {
  readonly #prepare: Prepare;

  constructor(private readonly database: Database) {
    this.#prepare = prepareOnce(database);
  }

  all(): ReadonlyMap<Key, KeptDocument> {
    const rows = this.#prepare('SELECT key, fingerprint, sha256, size, links FROM documents').all();
    return new Map(rows.map((row) => [String(row.key), documentOf(row)]));
  }

  of(key: Key): KeptDocument | undefined {
    const row = this.#prepare('SELECT fingerprint, sha256, size, links FROM documents WHERE key = ?').get(key);
    return row && documentOf(row);
  }

  keep(documents: ReadonlyMap<Key, KeptDocument>): void {
    if (documents.size === 0) return;
    const insert = this.#prepare('INSERT OR REPLACE INTO documents (key, fingerprint, sha256, size, links) VALUES (?, ?, ?, ?, ?)');
    transaction(this.database, () => {
      for (const [key, { fingerprint, sha256, size, links }] of documents)
        insert.run(key, fingerprint, sha256, size, JSON.stringify(links));
    });
  }
}

const documentOf = (row: Record<string, unknown>): KeptDocument => ({
  fingerprint: String(row.fingerprint),
  sha256: String(row.sha256),
  size: Number(row.size),
  links: stored<string[]>(row.links),
});
