// The words of files: by page to show them, and for each file as a whole to find it.

import type { Hit } from '../../contract/search';
import type { ExtractedText } from '../text/extract/result';
import { type Database, type Prepare, prepareOnce } from './driver';
import type { Looked } from './search_terms';

/**
 * `file_words`: which files were read, and with which bytes. Each has a slot, under which the file is indexed as a whole without
 * a second copy of its text: a search reads one row for each file, however many pages it has.
 */
export const fileWordsTables = `
  CREATE TABLE file_words (
    slot INTEGER PRIMARY KEY, file_id INTEGER NOT NULL UNIQUE, title TEXT NOT NULL, mark TEXT NOT NULL, tries INTEGER NOT NULL,
    is_whole INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE pages (slot INTEGER NOT NULL, page INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (slot, page)) STRICT;
  CREATE VIRTUAL TABLE file_index USING fts5(
    title, body, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2", prefix = '2 3'
  );`;

/** The page number of a file without pages. */
export const wholeFile = 0;
/** Characters that are searched for the pages of all results; beyond them a file is shown without its page. */
const mostLooked = 4_000_000;

export interface PageWords {
  readonly page: number;
  readonly text: string;
  /** A hash of what the page shows besides its words; undefined if unknown. */
  readonly drawn?: string | undefined;
}

const filled = (pages: readonly (string | undefined)[]): string[] => Array.from(pages, (page) => page ?? '');

interface Standing {
  readonly mark: string;
  readonly tries: number;
  readonly isWhole: boolean;
}

const standingOf = (row: Record<string, unknown>): Standing => ({
  mark: String(row.mark),
  tries: Number(row.tries),
  isWhole: row.is_whole === 1,
});

export class FileWords {
  readonly #prepare: Prepare;

  constructor(database: Database) {
    this.#prepare = prepareOnce(database);
  }

  /** For each file that was read: the bytes, the number of attempts, and whether it was completed. */
  read(): ReadonlyMap<number, Standing> {
    const rows = this.#prepare('SELECT file_id, mark, tries, is_whole FROM file_words ORDER BY slot').all();
    return new Map(rows.map((row) => [Number(row.file_id), standingOf(row)]));
  }

  readOf(files: readonly number[]): ReadonlyMap<number, Standing> {
    const one = this.#prepare('SELECT mark, tries, is_whole FROM file_words WHERE file_id = ?');
    return new Map(
      files.flatMap((file): [number, Standing][] => {
        const row = one.get(file);
        return row ? [[file, standingOf(row)]] : [];
      }),
    );
  }

  /** By page, for a file that was read completely. */
  pagesOf(file: number): ExtractedText | undefined {
    const row = this.#prepare('SELECT slot FROM file_words WHERE file_id = ? AND is_whole = 1').get(file);
    if (!row) return undefined;
    const pages: string[] = [];
    const drawn: string[] = [];
    const all = this.#prepare('SELECT page, body, drawn FROM pages WHERE slot = ? ORDER BY page').all(row.slot as number);
    for (const one of all) {
      if (Number(one.page) === wholeFile) continue;
      pages[Number(one.page) - 1] = String(one.body);
      if (one.drawn !== null) drawn[Number(one.page) - 1] = String(one.drawn);
    }
    const isKnown = all.length > 0 && all.every((one) => one.drawn !== null);
    return pages.length === 0 ? undefined : { pages: filled(pages), ...(isKnown && { drawn: filled(drawn) }) };
  }

  begin(file: number, title: string, mark: string): void {
    this.#prepare(
      `INSERT INTO file_words (file_id, title, mark, tries, is_whole) VALUES (?1, ?2, ?3, 1, 0)
       ON CONFLICT (file_id) DO UPDATE SET tries = iif(mark = ?3, tries + 1, 1), mark = ?3, title = ?2, is_whole = 0`,
    ).run(file, title, mark);
  }

  /** The read was interrupted, but not by the file. */
  takeBack(file: number): void {
    this.#prepare('UPDATE file_words SET tries = tries - 1 WHERE file_id = ?').run(file);
  }

  /** Some pages at a time; the first ones replace the earlier text. */
  put(file: number, pages: readonly PageWords[], isFirst: boolean): void {
    const slot = this.#slotOf(file);
    if (slot === undefined) return;
    if (isFirst) this.#empty(slot);
    const insert = this.#prepare('INSERT INTO pages (slot, page, body, drawn) VALUES (?, ?, ?, ?)');
    for (const { page, text, drawn } of pages) if (text.trim() !== '' || drawn) insert.run(slot, page, text, drawn ?? null);
  }

  end(file: number): void {
    const slot = this.#slotOf(file);
    if (slot === undefined) return;
    this.#index(slot);
    this.#prepare('UPDATE file_words SET is_whole = 1 WHERE slot = ?').run(slot);
  }

  rename(file: number, title: string): void {
    const row = this.#prepare('SELECT slot, title, is_whole FROM file_words WHERE file_id = ?').get(file);
    if (!row || row.title === title) return;
    this.#prepare('UPDATE file_words SET title = ? WHERE slot = ?').run(title, Number(row.slot));
    if (row.is_whole === 1) this.#index(Number(row.slot));
  }

  remove(file: number): void {
    const slot = this.#slotOf(file);
    if (slot === undefined) return;
    this.#empty(slot);
    this.#prepare('DELETE FROM file_words WHERE slot = ?').run(slot);
  }

  /**
   * The page of the words in each of these files: the first page with all of them, otherwise the first with one; no entry for a
   * file that was found by its name only.
   */
  places(files: readonly number[], looked: Looked): ReadonlyMap<number, Pick<Hit, 'page' | 'excerpt'>> {
    const budget = { left: mostLooked };
    const found = new Map<number, Pick<Hit, 'page' | 'excerpt'>>();
    for (const file of files) {
      if (budget.left < 0) break;
      const slot = this.#slotOf(file);
      const best = slot === undefined ? undefined : this.#bestPage(slot, looked, budget);
      if (best) found.set(file, { page: best.page === wholeFile ? null : best.page, excerpt: looked.excerptOf(best.body) });
    }
    return found;
  }

  /** @param budget the characters that may still be searched */
  #bestPage(slot: number, looked: Looked, budget: { left: number }): { readonly page: number; readonly body: string } | undefined {
    let first: { readonly page: number; readonly body: string } | undefined;
    for (const row of this.#prepare('SELECT page, body FROM pages WHERE slot = ? ORDER BY page').iterate(slot)) {
      const { page, body } = row as { page: number; body: string };
      budget.left -= body.length;
      const stands = looked.standsIn(body);
      if (stands === 'all') return { page, body };
      if (stands === 'some') first ??= { page, body };
      if (budget.left < 0) break;
    }
    return first;
  }

  #slotOf(file: number): number | undefined {
    const row = this.#prepare('SELECT slot FROM file_words WHERE file_id = ?').get(file);
    return row && Number(row.slot);
  }

  #index(slot: number): void {
    this.#prepare('DELETE FROM file_index WHERE rowid = ?').run(slot);
    this.#prepare(
      `INSERT INTO file_index (rowid, title, body)
       SELECT slot, title, (SELECT group_concat(body, ' ') FROM pages WHERE slot = ?1) FROM file_words WHERE slot = ?1`,
    ).run(slot);
  }

  #empty(slot: number): void {
    if (this.#prepare('DELETE FROM pages WHERE slot = ?').run(slot).changes > 0)
      this.#prepare('DELETE FROM file_index WHERE rowid = ?').run(slot);
  }
}
