// A stock Canvas server: lists instead of a feed. What differs from what is kept here is stored as if the feed had told it.

import type { Change, Kind } from '@carrel/shared/sync/protocol';
import { Declined, type Session, Troubled } from '../../remote';
import type { CourseJson } from '../../resources';
import type { Cache } from '../../store/cache';
import type { Pulled } from '../carrel';
import { Absences } from './absent';
import { changesOf } from './changes';
import { Due } from './due';
import { KeptPages } from './kept_pages';
import { isLedTo, ledTo } from './led_to';
import { BrokenOff, BudgetSpent, Pace, type Row } from './pace';
import { courseShelf, groupShelf, type Named, nameOf, ownShelves, type Shelf, shelvesOf } from './shelves';
import { idOf } from './told';

/** Lists at a time: the server counts what runs at once heavily. */
const lanes = 3;
/** In one sync, once everything has been told; what is not reached is the first of the next. */
const usualRequests = 600;
/** Lists of one course that may fail, each after several tries: then the rest of it waits for another day, and the others go on. */
const mostFailures = 2;
/** What the cache is told up to; the feed, should there be one later, knows no such place and tells everything anew. */
const place = (has_more: boolean) => ({ epoch: 'listed', cursor: has_more ? 'listing' : 'listed', has_more });

export interface Listing {
  readonly session: Session;
  readonly cache: Cache;
  readonly now: () => Date;
  readonly requests?: number;
  readonly onPage?: (changes: number) => void;
  /** Everything, not only what is worth asking for by now. */
  readonly isThorough?: boolean;
  /** Only these: what the person has just said changes nothing elsewhere. */
  readonly only?: ReadonlySet<string>;
}

const wholeNote = 'told whole';
const wholeLists = (cache: Cache) => new Set(JSON.parse(cache.noted(wholeNote) ?? '[]') as string[]);
/** Of these it counts whether all are told. */
const goesUp: ReadonlySet<Kind> = new Set(['file', 'folder']);

/**
 * Whether all files and folders of a course, or one's own, were told the last time that they were asked for: what is not told would go
 * up once more.
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
  /** False where it did not come to its end. */
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
      // Switched off in this course, or not for this person: what was told before stays.
      // Who does not even tell the courses is no such server, or in no state to be asked more.
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
  /** Lists that are switched off. */
  const shut: Shelf[] = [];

  let isWhole = true;
  const isAsked = (shelf: Shelf) => (only ? only.has(nameOf(shelf)) : due.isDue(shelf));
  if (!only) {
    isWhole = (await take(courseShelf, all)) && (!isAsked(groupShelf) || (await take(groupShelf, all)));
    await due.wake(pace);
  }
  // A course outside its dates tells nothing: what it told before stays.
  const courses = cache
    .all<CourseJson>('course')
    .filter(({ name, access_restricted_by_date }) => name !== undefined && !access_restricted_by_date);
  const places = [...courses.map(({ id }) => id), ...cache.all<Row>('group').map(({ id }) => -Number(id))];
  const agedOf = (shelf: Named) => listed[nameOf(shelf)] ?? '';
  // What was listed longest ago comes first, so that a small budget reaches everything in turn.
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
