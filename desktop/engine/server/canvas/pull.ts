// Reads a stock Canvas server by its lists instead of a feed, and stores the differences from the cache as if the feed had reported them.

import type { Change, Kind } from '@carrel/shared/sync/protocol';
import type { CourseJson } from '../../model/resources';
import type { Cache } from '../../store/cache';
import type { Pulled } from '../feed';
import { Declined, type Session, Troubled } from '../session';
import { Absences } from './absent';
import { changesOf } from './changes';
import { Due } from './due';
import { KeptPages, type Row } from './kept_pages';
import { isLedTo, ledTo } from './led_to';
import { BrokenOff, BudgetSpent, Pace } from './pace';
import { courseShelf, groupShelf, type Named, nameOf, ownShelves, type Shelf, shelvesOf } from './shelves';
import { idOf } from './told';

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

export interface Listing {
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
export function areFilesTold(cache: Cache, at: number | null): boolean {
  const told = wholeLists(cache);
  return told.has(nameOf({ kind: 'file', place: at })) && told.has(nameOf({ kind: 'folder', place: at }));
}

export async function pullListings({ session, cache, now, requests, onPage, isThorough = true, only }: Listing): Promise<Pulled> {
  const isFirst = cache.noted('listed_whole') === undefined;
  const pace = new Pace(session, requests ?? (isFirst ? Number.POSITIVE_INFINITY : usualRequests));
  const absences = new Absences(cache);
  const due = new Due(cache, now(), isThorough || isFirst);
  const { listed } = due;
  const whole = wholeLists(cache);
  const kinds = new Set<Kind>();
  const troubles: NonNullable<Pulled['troubles']>[number][] = [];
  const failures = new Map<number | null, number>();
  let changes = 0;
  const keep = (told: readonly Change[], has_more: boolean) => {
    if (has_more && told.length === 0) return;
    for (const kind of cache.apply({ ...place(has_more), changes: told }, now())) kinds.add(kind);
    changes += told.length;
    onPage?.(changes);
  };
  /** False if it did not finish. */
  const take = async (shelf: Shelf, rowsOf: (shelf: Shelf, pages: KeptPages) => Promise<readonly Row[]>): Promise<boolean> => {
    const wasWhole = whole.delete(nameOf(shelf));
    try {
      const pages = new KeptPages(cache, shelf.kind, shelf.place, (row) => idOf(shelf.kind, row));
      const rows = await rowsOf(shelf, pages);
      const told = await changesOf(shelf, rows, pace, cache, absences);
      keep(told, true);
      pages.keep();
      due.told(shelf, told.length);
      if (rowsOf === all && goesUp.has(shelf.kind)) whole.add(nameOf(shelf));
      return true;
    } catch (problem) {
      if (problem instanceof BudgetSpent) {
        if (wasWhole) whole.add(nameOf(shelf));
        return false;
      }
      // Disabled in this course or for this user: the cached rows stay.
      // If even the list of courses fails, this is not a Canvas server, or it cannot answer more requests.
      if (shelf === courseShelf) throw problem;
      if (problem instanceof Declined) due.told(shelf, 0);
      else if (problem instanceof Troubled || problem instanceof BrokenOff) {
        troubles.push({ where: nameOf(shelf), problem });
        due.failed(shelf);
        failures.set(shelf.place, (failures.get(shelf.place) ?? 0) + 1);
      } else throw problem;
      if (problem instanceof Declined && rowsOf === all && isLedTo(shelf)) shut.push(shelf);
      return problem instanceof Declined;
    }
  };
  const all = async ({ addresses, complete }: Shelf, pages: KeptPages): Promise<readonly Row[]> => {
    const rows: Row[] = [];
    for (const address of addresses) rows.push(...(await pace.all(address, pages)));
    return complete ? complete(rows, pace, cache) : rows;
  };
  /** Lists that are disabled. */
  const shut: Shelf[] = [];

  let isWhole = true;
  const isAsked = (shelf: Shelf) => (only ? only.has(nameOf(shelf)) : due.isDue(shelf));
  if (!only) {
    isWhole = (await take(courseShelf, all)) && (!isAsked(groupShelf) || (await take(groupShelf, all)));
    await due.wake(pace);
  }
  // A course outside its dates lists nothing: its cached rows stay.
  const courses = cache
    .all<CourseJson>('course')
    .filter(({ name, access_restricted_by_date }) => name !== undefined && !access_restricted_by_date);
  const places = [...courses.map(({ id }) => id), ...cache.all<Row>('group').map(({ id }) => -Number(id))];
  const agedOf = (shelf: Named) => listed[nameOf(shelf)] ?? '';
  // The lists that were requested longest ago come first, so that a small budget reaches all of them in turn.
  const shelves = [...ownShelves(cache.owner), ...places.flatMap(shelvesOf)]
    .filter(isAsked)
    .sort((a, b) => (agedOf(a) < agedOf(b) ? -1 : agedOf(a) > agedOf(b) ? 1 : 0));
  const inLanes = async (waiting: readonly Shelf[], act: (shelf: Shelf) => Promise<boolean>): Promise<void> => {
    const next = waiting[Symbol.iterator]();
    const lane = async (): Promise<void> => {
      for (const shelf of next) {
        const isGivenUp = shelf.place !== null && (failures.get(shelf.place) ?? 0) >= mostFailures;
        if (isGivenUp || !(await act(shelf))) isWhole = false;
      }
    };
    const endings = await Promise.allSettled(Array.from({ length: lanes }, lane));
    for (const ending of endings) if (ending.status === 'rejected') throw ending.reason;
  };
  try {
    await inLanes(shelves, (shelf) => take(shelf, all));
    await inLanes(shut, (shelf) => take(shelf, () => ledTo(shelf, pace, cache, now(), isThorough)));
  } finally {
    absences.keep();
    cache.note(wholeNote, JSON.stringify([...whole].sort()));
    due.keep();
  }
  if (isWhole && !only) cache.note('listed_whole', '1');
  keep([], !isWhole && isFirst);
  return { kinds, changes, isRebuilt: false, troubles };
}
