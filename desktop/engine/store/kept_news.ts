// Changes that the user has not seen, in `cache.db`: several changes of one item are one row.

import type { ChangedPages } from '../../contract/news';
import { foldNews, lineOf, type NewsDraft } from '../news/of_change';
import { stored } from './damage';
import { type Database, transaction } from './driver';

export const newsTables = `
  CREATE TABLE news (
    id INTEGER PRIMARY KEY AUTOINCREMENT, line TEXT NOT NULL, course_id INTEGER, json TEXT NOT NULL, at TEXT NOT NULL,
    seen INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE UNIQUE INDEX news_unseen ON news (line) WHERE seen = 0;
  INSERT INTO meta (name, value) SELECT 'whole', '1' FROM meta WHERE name = 'cursor';`;

const both = (before: ChangedPages | undefined, now: ChangedPages): ChangedPages => ({
  changed: [...new Set([...(before?.changed ?? []), ...now.changed])].sort((a, b) => a - b),
  added: (before?.added ?? 0) + now.added,
  removed: (before?.removed ?? 0) + now.removed,
});

export class KeptNews {
  constructor(private readonly database: Database) {}

  /** The latest first. */
  unseen(): (NewsDraft & { readonly id: number; readonly at: string })[] {
    return this.database
      .prepare('SELECT id, json, at FROM news WHERE seen = 0 ORDER BY id DESC LIMIT 1000')
      .all()
      .map(({ id, json, at }) => ({ ...stored<NewsDraft>(json), id: Number(id), at: String(at) }));
  }

  /** The id of the last entry. */
  latest(): number {
    return Number(this.database.prepare('SELECT max(id) AS id FROM news').get()?.id ?? 0);
  }

  /** A new file that is replaced before the user has seen it is still new; a file that is replaced twice is one row. */
  #inPlaceOf(given: NewsDraft, was: number): NewsDraft {
    const take = (what: NewsDraft['what']) =>
      this.database.prepare('DELETE FROM news WHERE line = ? AND seen = 0 RETURNING json').get(lineOf({ ...given, what, of_id: was }));
    const before = take('file replaced');
    if (before) return { ...given, pages: stored<NewsDraft>(before.json).pages };
    return take('file new') ? { ...given, what: 'file new', was: undefined } : given;
  }

  /** Replaced files that the user has not seen: the new id with the old one. */
  replaced(): ReadonlyMap<number, number> {
    const files = this.unseen().filter(({ what, of }) => what === 'file replaced' && of === 'file');
    return new Map(files.map(({ of_id, was }) => [of_id, was ?? of_id]));
  }

  /** Stores which pages have changed. Returns whether there is an entry for the file. */
  tellPages(file: number, pages: ChangedPages): boolean {
    const found = this.unseen().find(({ what, of, of_id }) => what === 'file replaced' && of === 'file' && of_id === file);
    if (!found) return false;
    const { id, at: _, ...news } = found;
    this.database.prepare('UPDATE news SET json = ? WHERE id = ?').run(JSON.stringify({ ...news, pages: both(news.pages, pages) }), id);
    return true;
  }

  seen(until: number): void {
    // Entries that the user saw long ago are deleted.
    transaction(this.database, () => {
      this.database.prepare('DELETE FROM news WHERE seen = 1').run();
      this.database.prepare('UPDATE news SET seen = 1 WHERE id <= ?').run(until);
    });
  }

  /** In the transaction that stores the items themselves. */
  keep(news: readonly NewsDraft[], at: Date): void {
    if (news.length === 0) return;
    const known = this.database.prepare('SELECT json FROM news WHERE line = ? AND seen = 0');
    const remove = this.database.prepare('DELETE FROM news WHERE line = ? AND seen = 0');
    const insert = this.database.prepare('INSERT INTO news (line, course_id, json, at) VALUES (?, ?, ?, ?)');
    for (const given of news) {
      const one = given.was === undefined ? given : this.#inPlaceOf(given, given.was);
      const line = lineOf(one);
      const row = known.get(line);
      const now = row ? foldNews(stored<NewsDraft>(row.json), one) : one;
      remove.run(line);
      if (now) insert.run(line, now.course_id, JSON.stringify(now), at.toISOString());
    }
  }
}
