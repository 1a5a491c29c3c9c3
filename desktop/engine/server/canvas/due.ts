// Which lists to request now. Those of places that changed within the last day are requested each time, others once an hour, because most
// courses do not change on most days. The activity stream, one request, wakes up a quiet course. A sync that the user starts requests
// everything.

import type { Cache } from '../../store/cache';
import { type CanvasCollection, type CollectionName, collectionNameOf } from './collections';
import type { CanvasRow } from './kept_pages';
import type { Pace } from './pace';

const aDay = 24 * 3_600_000;
const anHour = 3_600_000;
const streamNote = 'stream';
const stream = '/api/v1/users/self/activity_stream?only_active_courses=true&per_page=30';

export class DueCollections {
  /** When each list was last requested, and when each place last had a change. */
  readonly listed: Record<string, string>;
  readonly #stirred: Record<string, string>;

  constructor(
    private readonly cache: Cache,
    private readonly now: Date,
    private readonly isThorough: boolean,
  ) {
    this.listed = JSON.parse(cache.noted('listed') ?? '{}') as Record<string, string>;
    this.#stirred = JSON.parse(cache.noted('stirred') ?? '{}') as Record<string, string>;
  }

  isDue(shelf: CanvasCollection): boolean {
    if (this.isThorough) return true;
    return this.#age(this.listed[collectionNameOf(shelf)]) >= anHour || this.#age(this.#stirred[wholeOf(shelf)]) < aDay;
  }

  told(shelf: CanvasCollection, changes: number): void {
    this.listed[collectionNameOf(shelf)] = this.now.toISOString();
    if (changes > 0) this.stir(wholeOf(shelf));
  }

  /** The next sync requests it again, however quiet its place is. */
  failed(shelf: CanvasCollection): void {
    delete this.listed[collectionNameOf(shelf)];
  }

  stir(whole: string): void {
    this.#stirred[whole] = this.now.toISOString();
  }

  /** Wakes up the places that have something new in the stream. What the stream does not contain is found later, by the hourly listing. */
  async wake(pace: Pace): Promise<void> {
    if (this.isThorough) return;
    const known = JSON.parse(this.cache.noted(streamNote) ?? '{}') as { tag?: string; seen?: string[] };
    const page = await pace.first(stream, known.tag);
    if (!page) return;
    const seen = new Set(known.seen);
    for (const row of page.rows) {
      if (known.seen === undefined || seen.has(signOf(row))) continue;
      if (row.course_id) this.stir(`${row.course_id}`);
      if (row.group_id) this.stir(`-${row.group_id}`);
      if (row.type === 'Conversation') this.stir('conversation');
    }
    this.cache.note(streamNote, JSON.stringify({ tag: page.tag, seen: page.rows.map(signOf) }));
  }

  keep(): void {
    this.cache.note('listed', JSON.stringify(this.listed));
    this.cache.note('stirred', JSON.stringify(this.#stirred));
  }

  /** If the clock was set back, everything counts as old. */
  #age(at: string | undefined): number {
    const age = at === undefined ? aDay : this.now.getTime() - Date.parse(at);
    return age < 0 ? aDay : age;
  }
}

const wholeOf = ({ kind, place }: CollectionName): string => (place === null ? kind : `${place}`);
const signOf = ({ id, updated_at, type }: CanvasRow): string => `${type} ${id} ${updated_at}`;
