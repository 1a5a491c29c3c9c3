// Earlier texts of items that the server has replaced, in `cache.db`; and the revisions of pages that the server lists.

import type { StatementSync } from 'node:sqlite';
import type { Kind } from '@carrel/shared/sync/protocol';
import { hashOfWording, isWorded, type Wording, wordingOf } from '../text/wording';
import type { Database } from './driver';

export const versionsTables = `
  CREATE TABLE versions (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, id INTEGER NOT NULL, hash TEXT NOT NULL, title TEXT NOT NULL,
    html TEXT NOT NULL, author TEXT, written_at TEXT, replaced_at TEXT NOT NULL, UNIQUE (kind, id, hash)
  ) STRICT;
  CREATE TABLE revisions (
    page_id INTEGER NOT NULL, number INTEGER NOT NULL, written_at TEXT NOT NULL, author TEXT, title TEXT, html TEXT,
    PRIMARY KEY (page_id, number)
  ) STRICT, WITHOUT ROWID;`;

/** Per item. Older ones are deleted. */
const most = 20;

/** A page that is unpublished to be rewritten returns within a term. */
const heldFor = 90 * 86_400_000;

export interface KeptVersion extends Wording {
  readonly hash: string;
  readonly replaced_at: string;
}

export interface KeptRevision extends Omit<Wording, 'title' | 'html' | 'written_at'> {
  readonly number: number;
  readonly written_at: string;
  /** Null until it has been requested. */
  readonly title: string | null;
  readonly html: string | null;
}

type Json = Readonly<Record<string, unknown>>;

/** Code that stores a resource calls these methods in its own transaction: an old text and its replacement are stored together or not at all. */
export class KeptVersions {
  #known: StatementSync | undefined;

  constructor(private readonly database: Database) {}

  /** The current text of an item is never among its earlier ones: one that returns, or is sent twice, is stored once. */
  replace(kind: Kind, id: number, before: Json | undefined, after: Json, at: string): void {
    if (!isWorded(kind) || (!before && !this.#has(kind, id))) return;
    const was = wordingOf(kind, before);
    const is = wordingOf(kind, after);
    if (was && is && was.html === is.html && was.title === is.title) return;
    const hash = is && hashOfWording(is);
    if (hash) this.database.prepare('DELETE FROM versions WHERE kind = ? AND id = ? AND hash = ?').run(kind, id, hash);
    // The text of a locked item is held until it is unlocked, perhaps with another text.
    if (was && hashOfWording(was) !== hash) this.#keep(kind, id, was, is?.written_at ?? at);
  }

  /** Everything is about to be sent again: texts that have changed meanwhile are found then. */
  hold(kind: Kind, id: number, resource: Json, at: string): void {
    const was = wordingOf(kind, resource);
    if (was) this.#keep(kind, id, was, at);
  }

  /** The feed does not say whether the item is deleted or returns with another text: the held text is hidden until it returns. */
  leave(kind: Kind, id: number, before: Json | undefined, at: string): void {
    if (before) this.hold(kind, id, before, at);
    if (kind === 'page') this.forgetRevisions(id);
  }

  /** Everything of a removed course is removed with it. */
  removePlace(place: number): void {
    const there = 'SELECT 1 FROM resources r WHERE r.course_id = ? AND r.kind = versions.kind AND r.id = versions.id';
    this.database.prepare(`DELETE FROM versions WHERE EXISTS (${there})`).run(place);
  }

  /** For items that are no longer here and did not return. */
  sweep(at: Date): void {
    const long = new Date(at.getTime() - heldFor).toISOString();
    this.database
      .prepare(
        `DELETE FROM versions WHERE replaced_at < ?
         AND NOT EXISTS (SELECT 1 FROM resources r WHERE r.kind = versions.kind AND r.id = versions.id)`,
      )
      .run(long);
    this.database.exec("DELETE FROM revisions WHERE NOT EXISTS (SELECT 1 FROM resources r WHERE r.kind = 'page' AND r.id = page_id)");
  }

  /** The last replaced first. */
  of(kind: Kind, id: number): KeptVersion[] {
    const sql = 'SELECT hash, title, html, author, written_at, replaced_at FROM versions WHERE kind = ? AND id = ? ORDER BY seq DESC';
    return this.database.prepare(sql).all(kind, id) as unknown as KeptVersion[];
  }

  /** The newest first: it is the page itself. Empty if it was not requested, or the user has no access. */
  revisions(page: number): KeptRevision[] {
    const sql = 'SELECT number, written_at, author, title, html FROM revisions WHERE page_id = ? ORDER BY number DESC';
    return this.database.prepare(sql).all(page) as unknown as KeptRevision[];
  }

  /** A revision with another date is another one, from a server whose history was changed. */
  tellRevisions(page: number, revisions: readonly Omit<KeptRevision, 'title' | 'html'>[]): void {
    const insert = this.database.prepare(`
      INSERT INTO revisions (page_id, number, written_at, author) VALUES (?, ?, ?, ?) ON CONFLICT (page_id, number)
      DO UPDATE SET written_at = excluded.written_at, author = excluded.author, title = NULL, html = NULL
      WHERE written_at <> excluded.written_at`);
    for (const { number, written_at, author } of revisions) insert.run(page, number, written_at, author);
  }

  wordRevision(page: number, number: number, { title, html }: Pick<Wording, 'title' | 'html'>): void {
    this.database.prepare('UPDATE revisions SET title = ?, html = ? WHERE page_id = ? AND number = ?').run(title, html, page, number);
  }

  forgetRevisions(page: number): void {
    this.database.prepare('DELETE FROM revisions WHERE page_id = ?').run(page);
  }

  /** Checked for every item that arrives for the first time. */
  #has(kind: Kind, id: number): boolean {
    this.#known ??= this.database.prepare('SELECT 1 FROM versions WHERE kind = ? AND id = ? LIMIT 1');
    return this.#known.get(kind, id) !== undefined;
  }

  #keep(kind: Kind, id: number, { title, html, author, written_at }: Wording, replaced_at: string): void {
    if (html.trim() === '') return;
    const insert = this.database.prepare(
      'INSERT OR REPLACE INTO versions (kind, id, hash, title, html, author, written_at, replaced_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    );
    insert.run(kind, id, hashOfWording({ title, html }), title, html, author, written_at, replaced_at);
    const older = 'SELECT seq FROM versions WHERE kind = ? AND id = ? ORDER BY seq DESC LIMIT -1 OFFSET ?';
    this.database.prepare(`DELETE FROM versions WHERE seq IN (${older})`).run(kind, id, most);
  }
}
