// The index of everything that can be read here, beside what it is of; and what it finds.

import type { StatementSync } from 'node:sqlite';
import type { Kind } from '@carrel/shared/sync/protocol';
import type { FoundKind, Hit, Marked } from '../../ui/views/search';
import type { Document } from './documents';
import type { Database } from './driver';

const none: Readonly<Record<FoundKind, number>> = {
  page: 0,
  assignment: 0,
  discussion: 0,
  announcement: 0,
  file: 0,
  message: 0,
  note: 0,
  event: 0,
  module: 0,
  course: 0,
};
export const foundKinds = Object.keys(none) as readonly FoundKind[];

/** A row of `texts` for each document, under the same rowid as its words. */
export const searchTables = `
  CREATE TABLE texts (
    rowid INTEGER PRIMARY KEY, kind TEXT NOT NULL, id INTEGER NOT NULL, course_id INTEGER, what TEXT NOT NULL, at TEXT, UNIQUE (kind, id)
  ) STRICT;
  CREATE INDEX texts_of_course ON texts (course_id);
  CREATE VIRTUAL TABLE words USING fts5(title, body, tokenize = "unicode61 remove_diacritics 2", prefix = '2 3');`;

/** Grows when the same resources are to be found by other words. */
export const indexVersion = '1';

export interface Wish {
  readonly text: string;
  readonly course_id: number | null;
  readonly kind: FoundKind | null;
  readonly limit: number;
}

export interface Findings {
  readonly kinds: Readonly<Record<FoundKind, number>>;
  readonly found: readonly Omit<Hit, 'course_name'>[];
}

const [start, end] = ['\u0002', '\u0003'];

/** Words as they begin, phrases in quotes as they stand. Undefined when there is nothing to look for. */
export function query(text: string): string | undefined {
  const parts = [...text.matchAll(/"([^"]+)"?|([\p{L}\p{N}\p{M}]+)/gu)].flatMap(([, phrase, word]) => {
    const words = (phrase ?? word ?? '').replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, ' ').trim();
    return words === '' ? [] : [phrase === undefined ? `"${words}"*` : `"${words}"`];
  });
  return parts.length === 0 ? undefined : parts.join(' ');
}

const marked = (text: string): Marked =>
  text.split(start).flatMap((part, at): [string, boolean][] => {
    if (at === 0) return part === '' ? [] : [[part, false]];
    const [hit = '', rest = ''] = part.split(end);
    return rest === ''
      ? [[hit, true]]
      : [
          [hit, true],
          [rest, false],
        ];
  });

export class SearchIndex {
  readonly #database: Database;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: Database) {
    this.#database = database;
  }

  put(kind: Kind, id: number, courseId: number | null, document: Document | undefined): void {
    if (!document) return void this.remove(kind, id);
    const { what, title, body, at } = document;
    const { rowid } = this.#prepare(
      'INSERT INTO texts (kind, id, course_id, what, at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET course_id = excluded.course_id, what = excluded.what, at = excluded.at RETURNING rowid',
    ).get(kind, id, courseId, what, at) as { rowid: number };
    this.#prepare('INSERT OR REPLACE INTO words (rowid, title, body) VALUES (?, ?, ?)').run(rowid, title ?? '', body ?? '');
  }

  remove(kind: Kind, id: number): void {
    this.#removeWhere('kind = ? AND id = ?', kind, id);
  }

  removeCourse(courseId: number): void {
    this.#removeWhere('course_id = ?', courseId);
  }

  clear(): void {
    this.#database.exec('DELETE FROM words; DELETE FROM texts;');
  }

  /** Titles weigh more. Kinds are counted without the wish for one of them, so that one sees what the others hold. */
  find({ text, course_id, kind, limit }: Wish): Findings {
    const match = query(text);
    if (match === undefined) return { kinds: none, found: [] };
    const inCourse = course_id === null ? '' : 'AND t.course_id = ?2';
    const given = course_id === null ? [match] : [match, course_id];
    const counts = this.#prepare(
      `SELECT t.what, count(*) AS count FROM words w CROSS JOIN texts t ON t.rowid = w.rowid WHERE words MATCH ?1 ${inCourse} GROUP BY t.what`,
    ).all(...given) as { what: FoundKind; count: number }[];
    const isOf = kind === null ? '' : `AND t.what = '${foundKinds.find((name) => name === kind) ?? ''}'`;
    // Which ones first, and only then the excerpts: of thousands that match only a page is cut out.
    const rows = this.#prepare(
      `WITH best AS MATERIALIZED (
           SELECT w.rowid AS id, bm25(words, 8.0, 1.0) AS score FROM words w CROSS JOIN texts t ON t.rowid = w.rowid
           WHERE words MATCH ?1 ${inCourse} ${isOf} ORDER BY score, w.rowid DESC LIMIT ${Math.trunc(limit)})
         SELECT t.kind, t.id, t.course_id, t.what, t.at, highlight(words, 0, '${start}', '${end}') AS title,
           snippet(words, 1, '${start}', '${end}', '…', 18) AS excerpt
         FROM words CROSS JOIN best ON best.id = words.rowid CROSS JOIN texts t ON t.rowid = best.id WHERE words MATCH ?1 ORDER BY best.score, best.id DESC`,
    ).all(...given) as unknown as {
      kind: Kind;
      id: number;
      course_id: number | null;
      what: FoundKind;
      at: string | null;
      title: string;
      excerpt: string;
    }[];
    return {
      kinds: { ...none, ...Object.fromEntries(counts.map(({ what, count }) => [what, count])) },
      found: rows.map(({ what, id, course_id, at, title, excerpt }) => ({
        kind: what,
        id,
        course_id,
        at,
        title: marked(title),
        excerpt: marked(excerpt),
      })),
    };
  }

  #removeWhere(where: string, ...given: (string | number)[]): void {
    const rows = this.#prepare(`DELETE FROM texts WHERE ${where} RETURNING rowid`).all(...given);
    const drop = this.#prepare('DELETE FROM words WHERE rowid = ?');
    for (const { rowid } of rows) drop.run(rowid as number);
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}
