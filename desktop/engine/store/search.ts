// The search index of everything that can be read here, and its queries.

import type { Kind } from '@carrel/shared/sync/protocol';
import { type FoundKind, foundKinds, type Hit } from '../../contract/search';
import { type Database, type Prepare, prepareOnce } from './driver';
import type { FileWords } from './file_words';
import type { Document } from './search_entries';
import { type Looked, lookedFor, markEnd, markedParts, markStart } from './search_terms';

const none = Object.fromEntries(foundKinds.map((kind) => [kind, 0])) as Readonly<Record<FoundKind, number>>;

/** A row of `texts` for each document, under the same rowid as its words. */
export const searchTables = `
  CREATE TABLE texts (
    rowid INTEGER PRIMARY KEY, kind TEXT NOT NULL, id INTEGER NOT NULL, course_id INTEGER, what TEXT NOT NULL, at TEXT, UNIQUE (kind, id)
  ) STRICT;
  CREATE INDEX texts_of_course ON texts (course_id);
  CREATE VIRTUAL TABLE words USING fts5(title, body, tokenize = "unicode61 remove_diacritics 2", prefix = '2 3');`;

/** Increases when the same resources are to be found by other words. */
export const indexVersion = '1';

export interface SearchRequest {
  readonly text: string;
  readonly course_id: number | null;
  readonly kind: FoundKind | null;
  readonly limit: number;
}

export interface Findings {
  readonly kinds: Readonly<Record<FoundKind, number>>;
  readonly found: readonly Omit<Hit, 'course_name'>[];
}

/** If more match, only title matches and the latest others are ranked. */
const mostWeighed = 1500;

interface Text {
  readonly what: FoundKind;
  readonly id: number;
  readonly course_id: number | null;
  readonly at: string | null;
  readonly plain: string;
}

export class SearchIndex {
  readonly #database: Database;
  readonly #prepare: Prepare;
  readonly #files: FileWords;

  constructor(database: Database, files: FileWords) {
    this.#database = database;
    this.#prepare = prepareOnce(database);
    this.#files = files;
  }

  put(kind: Kind, id: number, courseId: number | null, document: Document | undefined): void {
    if (!document) return void this.remove(kind, id);
    const { what, title, body, at } = document;
    const { rowid } = this.#prepare(
      'INSERT INTO texts (kind, id, course_id, what, at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET course_id = excluded.course_id, what = excluded.what, at = excluded.at RETURNING rowid',
    ).get(kind, id, courseId, what, at) as { rowid: number };
    this.#prepare('INSERT OR REPLACE INTO words (rowid, title, body) VALUES (?, ?, ?)').run(rowid, title ?? '', body ?? '');
    if (kind === 'file') this.#files.rename(id, title ?? '');
  }

  /** The words of a removed file stay until it is known whether another file replaced it. */
  remove(kind: Kind, id: number): void {
    this.#removeWhere('kind = ? AND id = ?', kind, id);
  }

  removeCourse(courseId: number): void {
    for (const { id } of this.#prepare("SELECT id FROM texts WHERE course_id = ? AND kind = 'file'").all(courseId))
      this.#files.remove(Number(id));
    this.#removeWhere('course_id = ?', courseId);
  }

  /** The words of files stay: reading them again is expensive. */
  clear(): void {
    this.#database.exec('DELETE FROM words; DELETE FROM texts;');
  }

  /** Titles weigh more. Kinds are counted without the filter by kind, so that the UI can show how many the others have. */
  find({ text, course_id, kind, limit }: SearchRequest): Findings {
    const looked = lookedFor(text);
    if (looked.match === undefined) return { kinds: none, found: [] };
    const inCourse = course_id === null ? '' : 'AND t.course_id = ?2';
    const given = course_id === null ? [looked.match] : [looked.match, course_id];
    const named = (columns: string) =>
      `SELECT ${columns} FROM words CROSS JOIN texts t ON t.rowid = words.rowid WHERE words MATCH ?1 ${inCourse}`;
    const read = (columns: string) =>
      `SELECT ${columns} FROM file_index CROSS JOIN file_words s ON s.slot = file_index.rowid CROSS JOIN texts t ON t.kind = 'file' AND t.id = s.file_id
       WHERE file_index MATCH ?1 ${inCourse}`;
    // A file that matches by name and by words is one result.
    const counts = this.#prepare(
      `SELECT what, count(*) AS count FROM (${named('t.what')} AND t.what <> 'file') GROUP BY what
       UNION ALL SELECT 'file', count(*) FROM (${named('t.id')} AND t.what = 'file' UNION ${read('t.id')})`,
    ).all(...given) as { what: FoundKind; count: number }[];
    const kinds = { ...none, ...Object.fromEntries(counts.map(({ what, count }) => [what, count])) };
    const total = kind === null ? counts.reduce((sum, { count }) => sum + count, 0) : kinds[kind];
    const isOf = kind === null ? '' : `AND t.what = '${foundKinds.find((name) => name === kind) ?? ''}'`;
    const some = total > mostWeighed ? `LIMIT ${mostWeighed}` : '';
    const weighed = (of: 'words' | 'file_index') => {
      const rows = of === 'words' ? named : read;
      return `SELECT * FROM (${rows(`t.rowid AS row, bm25(${of}, 8.0, 1.0) AS score`)} ${isOf} ORDER BY ${of}.rowid DESC ${some})`;
    };
    const tables = kind === null || kind === 'file' ? (['words', 'file_index'] as const) : (['words'] as const);
    // Ranks first, and builds excerpts only for the results that are shown.
    const best = this.#prepare(
      `SELECT row, min(score) AS score FROM (${tables.map(weighed).join(' UNION ALL ')}) GROUP BY row ORDER BY score, row DESC LIMIT ${Math.trunc(limit)}`,
    );
    const rows = (some === '' ? [] : best.all(looked.titles, ...given.slice(1))).concat(best.all(...given)) as {
      row: number;
      score: number;
    }[];
    const first = [...new Map(rows.map(({ row, score }) => [row, score])).entries()].sort((a, b) => a[1] - b[1] || b[0] - a[0]);
    return {
      kinds,
      found: this.#shown(
        first.slice(0, limit).map(([row]) => row),
        looked,
        looked.match,
      ),
    };
  }

  #shown(rows: readonly number[], looked: Looked, match: string): Omit<Hit, 'course_name'>[] {
    const one = this.#prepare(
      'SELECT t.what, t.id, t.course_id, t.at, w.title AS plain FROM texts t JOIN words w ON w.rowid = t.rowid WHERE t.rowid = ?',
    );
    // A range, because SQLite 3.53 ignores an equality condition on the rowid beside MATCH.
    const highlighted = this.#prepare(
      `SELECT highlight(words, 0, '${markStart}', '${markEnd}') AS title, snippet(words, 1, '${markStart}', '${markEnd}', '…', 18) AS excerpt
       FROM words WHERE words MATCH ?1 AND rowid BETWEEN ?2 AND ?2`,
    );
    const texts = rows.map((row) => ({ row, ...(one.get(row) as unknown as Text) }));
    const places = this.#files.places(
      texts.flatMap(({ what, id }) => (what === 'file' ? [id] : [])),
      looked,
    );
    return texts.map(({ row, what, id, course_id, at, plain }) => {
      const shown = highlighted.get(match, row) as { title: string; excerpt: string } | undefined;
      const hit = { kind: what, id, course_id, at, title: markedParts(shown?.title ?? plain) };
      // A file that matched by name only has no excerpt.
      if (what === 'file') return { ...hit, ...(places.get(id) ?? { page: null, excerpt: [] }) };
      return { ...hit, page: null, excerpt: markedParts(shown?.excerpt ?? '') };
    });
  }

  #removeWhere(where: string, ...given: (string | number)[]): void {
    const rows = this.#prepare(`DELETE FROM texts WHERE ${where} RETURNING rowid`).all(...given);
    const drop = this.#prepare('DELETE FROM words WHERE rowid = ?');
    for (const { rowid } of rows) drop.run(rowid as number);
  }
}
