// Reads a stock Canvas server by its lists instead of a feed, and stores the differences from the cache as if the feed had reported them.

import type { Change, Kind } from '@carrel/shared/sync/protocol';
import { observedIn } from '../../model/observing';
import type { CourseJson } from '../../model/resources';
import type { Cache } from '../../store/cache';
import type { Pulled } from '../feed';
import { Declined, type Session, Troubled } from '../session';
import { Absences } from './absent';
import { changesOfCollection } from './changes';
import {
  type CanvasCollection,
  type CollectionName,
  collectionNameOf,
  collectionsOf,
  courseCollection,
  groupCollection,
  ownCollections,
} from './collections';
import { DueCollections } from './due';
import { type CanvasRow, KeptPages } from './kept_pages';
import { isLedTo, ledTo } from './led_to';
import { BrokenOff, BudgetSpent, Pace } from './pace';
import { rowIdOf } from './usable_row';

/** Parallel lists: the rate limit of the server counts concurrent requests heavily. */
const lanes = 3;
/** Requests in one sync after the first complete one; the next sync begins with the lists that were not reached. */
const usualRequests = 600;
/**
 * Lists of one course that may fail, each after several tries: after that the rest of the course waits for a later sync, and the
 * other courses continue.
 */
const mostFailures = 2;
/** The position up to which the cache is filled; a feed does not know this epoch, so that it starts from scratch. */
const place = (has_more: boolean) => ({ epoch: 'listed', cursor: has_more ? 'listing' : 'listed', has_more });

export interface PullContext {
  readonly session: Session;
  readonly cache: Cache;
  readonly now: () => Date;
  readonly requests?: number;
  readonly onPage?: (changes: number) => void;
  /** Requests all lists, not only those that are due. */
  readonly isThorough?: boolean;
  /** Requests only these lists: a change that the user just sent affects no others. */
  readonly only?: ReadonlySet<string>;
}

const wholeNote = 'told whole';
const wholeLists = (cache: Cache) => new Set(JSON.parse(cache.noted(wholeNote) ?? '[]') as string[]);
/** Kinds that must be listed completely before a file is uploaded. */
const goesUp: ReadonlySet<Kind> = new Set(['file', 'folder']);

/**
 * Whether the last listing of all files and folders of a course (or of the user) succeeded: a file that was not listed would be
 * uploaded a second time.
 */
export function areFilesListed(cache: Cache, at: number | null): boolean {
  const result = wholeLists(cache);
  return result.has(collectionNameOf({ kind: 'file', place: at })) && result.has(collectionNameOf({ kind: 'folder', place: at }));
}

export async function pullListings(listing: PullContext): Promise<Pulled> {
  const { session, cache, now, requests, isThorough = true, only } = listing;
  const isFirst = cache.noted('listed_whole') === undefined;
  const pace = new Pace(session, requests ?? (isFirst ? Number.POSITIVE_INFINITY : usualRequests));
  const due = new DueCollections(cache, now(), isThorough || isFirst);
  const reading = new Reading(listing, pace, due);
  const isAsked = (shelf: CanvasCollection) => (only ? only.has(collectionNameOf(shelf)) : due.isDue(shelf));
  let isWhole = true;
  if (!only) {
    isWhole = (await reading.take(courseCollection)) && (!isAsked(groupCollection) || (await reading.take(groupCollection)));
    await due.wake(pace);
  }
  const agedOf = (shelf: CollectionName) => due.listed[collectionNameOf(shelf)] ?? '';
  // The lists that were requested longest ago come first, so that a small budget reaches all of them in turn.
  const shelves = [...ownCollections(cache.owner), ...placesIn(cache).flatMap((id) => collectionsOf(id, observedAt(cache, id)))]
    .filter(isAsked)
    .sort((a, b) => (agedOf(a) < agedOf(b) ? -1 : agedOf(a) > agedOf(b) ? 1 : 0));
  const linked = (shelf: CanvasCollection) => ledTo(shelf, pace, cache, now(), isThorough);
  try {
    isWhole = (await inLanes(shelves, (shelf) => reading.take(shelf))) && isWhole;
    isWhole = (await inLanes(reading.shut, (shelf) => reading.take(shelf, linked))) && isWhole;
  } finally {
    reading.end();
  }
  if (isWhole && !only) cache.note('listed_whole', '1');
  reading.keep([], !isWhole && isFirst);
  return { kinds: reading.kinds, changes: reading.changes, isRebuilt: false, troubles: reading.troubles };
}

/** Known from the second sync on, because the enrollments are among the lists. */
const observedAt = (cache: Cache, id: number): number[] => (id < 0 ? [] : observedIn(cache, id, cache.owner).map((student) => student.id));

/** A course outside its dates lists nothing: its cached rows stay. */
function placesIn(cache: Cache): number[] {
  const courses = cache
    .all<CourseJson>('course')
    .filter(({ name, access_restricted_by_date }) => name !== undefined && !access_restricted_by_date);
  return [...courses.map(({ id }) => id), ...cache.all<CanvasRow>('group').map(({ id }) => -Number(id))];
}

/** Returns whether all of them succeeded. */
async function inLanes(waiting: readonly CanvasCollection[], act: (shelf: CanvasCollection) => Promise<boolean>): Promise<boolean> {
  const next = waiting[Symbol.iterator]();
  let isWhole = true;
  const lane = async (): Promise<void> => {
    for (const shelf of next) if (!(await act(shelf))) isWhole = false;
  };
  const endings = await Promise.allSettled(Array.from({ length: lanes }, lane));
  for (const ending of endings) if (ending.status === 'rejected') throw ending.reason;
  return isWhole;
}

/** Reads lists one by one, stores their differences, and remembers which of them failed. */
class Reading {
  readonly kinds = new Set<Kind>();
  readonly troubles: NonNullable<Pulled['troubles']>[number][] = [];
  /** Lists that are disabled. */
  readonly shut: CanvasCollection[] = [];
  changes = 0;
  readonly #absences: Absences;
  readonly #whole: Set<string>;
  readonly #failures = new Map<number | null, number>();

  constructor(
    private readonly listing: PullContext,
    private readonly pace: Pace,
    private readonly due: DueCollections,
  ) {
    this.#absences = new Absences(listing.cache);
    this.#whole = wholeLists(listing.cache);
  }

  /**
   * Returns false if it did not finish.
   * @param rowsOf requests the items of a list that is disabled in another way
   */
  async take(shelf: CanvasCollection, rowsOf?: (shelf: CanvasCollection) => Promise<readonly CanvasRow[]>): Promise<boolean> {
    if (shelf.place !== null && (this.#failures.get(shelf.place) ?? 0) >= mostFailures) return false;
    const { cache } = this.listing;
    const wasWhole = this.#whole.delete(collectionNameOf(shelf));
    try {
      const pages = new KeptPages(cache, shelf.kind, shelf.place, (row) => rowIdOf(shelf.kind, row));
      const rows = await (rowsOf ? rowsOf(shelf) : this.#list(shelf, pages));
      const told = await changesOfCollection(shelf, rows, this.pace, cache, this.#absences);
      this.keep(told, true);
      pages.keep();
      this.due.told(shelf, told.length);
      if (!rowsOf && goesUp.has(shelf.kind)) this.#whole.add(collectionNameOf(shelf));
      return true;
    } catch (problem) {
      if (problem instanceof BudgetSpent) {
        if (wasWhole) this.#whole.add(collectionNameOf(shelf));
        return false;
      }
      // If even the list of courses fails, this is not a Canvas server, or it cannot answer more requests.
      if (shelf === courseCollection) throw problem;
      if (problem instanceof Declined && !rowsOf && isLedTo(shelf)) this.shut.push(shelf);
      return this.#isDisabled(shelf, problem);
    }
  }

  keep(told: readonly Change[], has_more: boolean): void {
    const { cache, now, onPage } = this.listing;
    if (has_more && told.length === 0) return;
    for (const kind of cache.apply({ ...place(has_more), changes: told }, now())) this.kinds.add(kind);
    this.changes += told.length;
    onPage?.(this.changes);
  }

  end(): void {
    this.#absences.keep();
    this.listing.cache.note(wholeNote, JSON.stringify([...this.#whole].sort()));
    this.due.keep();
  }

  async #list({ addresses, complete }: CanvasCollection, pages: KeptPages): Promise<readonly CanvasRow[]> {
    const rows: CanvasRow[] = [];
    for (const address of addresses) rows.push(...(await this.pace.all(address, pages)));
    return complete ? complete(rows, this.pace, this.listing.cache) : rows;
  }

  /** Disabled in this course or for this user: the cached rows stay. Notes any other failure. */
  #isDisabled(shelf: CanvasCollection, problem: unknown): boolean {
    if (problem instanceof Declined) {
      this.due.told(shelf, 0);
      return true;
    }
    if (!(problem instanceof Troubled || problem instanceof BrokenOff)) throw problem;
    this.troubles.push({ where: collectionNameOf(shelf), problem });
    this.due.failed(shelf);
    this.#failures.set(shelf.place, (this.#failures.get(shelf.place) ?? 0) + 1);
    return false;
  }
}
