// The search index of the files on this computer: reads those that are new or have changed, a few at a time, and continues where it
// stopped.

import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { endingOf, formatOf } from '../../contract/file_types';
import { studyFolderOf } from '../disk/folder';
import { inside } from '../disk/inside';
import type { FileJson } from '../model/resources';
import type { Key } from '../model/trees';
import type { Cache } from '../store/cache';
import { wholeFile } from '../store/file_words';
import type { UserStore } from '../store/user';
import { changedPages } from '../text/extract/changed_pages';
import { isOffice } from '../text/extract/office';
import { type ReaderOptions, TooMuch, WordReader } from '../text/extract/reader';
import type { ExtractedText } from '../text/extract/result';

/** Increases when the same bytes are to give other words. */
const version = 1;
/** A file that crashed the thread or the whole program is not tried again and again. */
const mostTries = 2;

interface Words {
  readonly cache: Cache;
  readonly user: UserStore;
  /** How to read, or a reader that is shared. */
  readonly reading: ReaderOptions | WordReader;
  /** Called when the words of some files have changed. */
  readonly onFound?: () => void;
  /** Called when more is known of what has changed. */
  readonly onNews?: () => void;
}

interface Due {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly size: number;
  readonly hash: string;
}

export const hasWords = (name: string): boolean => {
  const ending = endingOf(name);
  return ending === 'pdf' || isOffice(ending) || formatOf(name) !== undefined;
};

export class WordsOfFiles {
  readonly #reader: WordReader;
  #running: Promise<void> | undefined;
  readonly #closing = new AbortController();
  #waiting = 0;
  /** All files on this computer were read. */
  #isComplete = false;

  constructor(private readonly given: Words) {
    this.#reader = given.reading instanceof WordReader ? given.reading : new WordReader(given.reading);
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** How many files are still to be read. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Reads what is due; if called while it runs, it checks again at the end.
   * @param keys the changed files, if nothing else has changed since the last run
   */
  run(keys?: ReadonlySet<Key>): Promise<void> {
    const after = this.#running ?? Promise.resolve();
    const run = after
      .then(() => this.#read(keys))
      .finally(() => {
        if (this.#running === run) this.#running = undefined;
      });
    this.#running = run;
    return run;
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('closed'));
    await this.#running?.catch(() => undefined);
  }

  async #read(keys: ReadonlySet<Key> | undefined): Promise<void> {
    if (this.#isClosed) return;
    const due = this.#due(this.#isComplete ? keys : undefined);
    this.#isComplete = false;
    this.#waiting = due.length;
    try {
      for (const [at, file] of due.entries()) {
        if (this.#isClosed) return;
        await this.#readOne(file);
        this.#waiting--;
        // Not after each file, because it redraws the search of the UI.
        if (at % 25 === 24 || this.#waiting === 0) this.given.onFound?.();
      }
      this.#isComplete = true;
    } finally {
      this.#reader.rest();
    }
  }

  async #readOne({ id, name, path, hash }: Due): Promise<void> {
    const { cache } = this.given;
    const mark = `${hash} ${version}`;
    const old = cache.news.replaced().get(id);
    const before = old === undefined ? undefined : cache.words.pagesOf(old);
    // Stored before the read: if the file crashes the program, it is skipped after the restart.
    cache.words.begin(id, name, mark);
    let read: ExtractedText = { pages: [] };
    try {
      read = await this.#reader.read(path, this.#closing.signal);
    } catch (problem) {
      if (this.#isClosed) return cache.words.takeBack(id);
      // Damaged, protected with a password, or too large: it is found by its name. A file that was too large may be read in a later try.
      if (problem instanceof TooMuch) return;
    }
    const { pages, drawn = [] } = read;
    const isPaged = endingOf(path) === 'pdf' || endingOf(path) === 'pptx' || endingOf(path) === 'odp';
    for (let at = 0; at < pages.length; at += 40) {
      if (this.#isClosed) return cache.words.takeBack(id);
      cache.keepWords(
        id,
        pages.slice(at, at + 40).map((text, number) => ({ page: isPaged ? at + number + 1 : wholeFile, text, drawn: drawn[at + number] })),
        at === 0,
      );
      // Lets other work run between two slices.
      await setImmediate();
    }
    if (pages.length === 0) cache.keepWords(id, [], true);
    cache.words.end(id);
    const changed = before && isPaged ? changedPages(before, read) : undefined;
    if (changed && cache.news.tellPages(id, changed)) this.given.onNews?.();
  }

  /** Small files first: the most words in the least time. */
  #due(keys: ReadonlySet<Key> | undefined): Due[] {
    const { cache, user } = this.given;
    const folder = studyFolderOf(user);
    if (folder === undefined) return [];
    const ids = keys && [...keys].filter((key) => key.startsWith('file:')).map((key) => Number(key.slice('file:'.length)));
    const read = ids ? cache.words.readOf(ids) : cache.words.read();
    const rows = user.rows();
    const here = new Set<number>();
    const due: Due[] = [];
    const files = ids ? ids.flatMap((id) => cache.get<FileJson>('file', id) ?? []) : cache.all<FileJson>('file');
    for (const { id, display_name } of files) {
      const row = rows.get(`file:${id}`);
      if (!row || !hasWords(display_name)) continue;
      here.add(id);
      const known = read.get(id);
      const isSame = known?.mark === `${row.seen.hash} ${version}`;
      if (isSame && (known.isWhole || known.tries >= mostTries)) continue;
      const path = inside(folder, row.seen.path);
      if (existsSync(path)) due.push({ id, name: display_name, path, size: row.seen.stamp.size, hash: row.seen.hash });
    }
    // A file that was replaced is compared with its replacement once that is downloaded.
    const replaced = cache.news.replaced();
    const compared = new Set(due.flatMap(({ id }) => replaced.get(id) ?? []));
    for (const [id, was] of replaced) if (!rows.has(`file:${id}`)) compared.add(was);
    cache.forgetWords([...read.keys()].filter((id) => !here.has(id) && !compared.has(id)));
    return due.sort((a, b) => a.size - b.size || a.id - b.id);
  }
}
