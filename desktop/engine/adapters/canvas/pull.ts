// A stock Canvas server: lists instead of a feed. What differs from what is kept here is stored as if the feed had told it.

import type { Change, Kind } from '@carrel/shared/sync/protocol';
import { Declined, type Session, Troubled } from '../../remote';
import type { CourseJson, ModuleJson } from '../../resources';
import type { Cache } from '../../store/cache';
import type { Pulled } from '../carrel';
import { Absences, askForItself } from './absent';
import { KeptPages } from './kept_pages';
import { BrokenOff, BudgetSpent, Pace, type Row } from './pace';
import { courseShelf, groupShelf, idOf, ownShelves, type Shelf, shelvesOf } from './shelves';
import { withVersion } from './version';

/** Lists at a time: the server counts what runs at once heavily. */
const lanes = 3;
/** In one sync, once everything has been told; what is not reached is the first of the next. */
const usualRequests = 600;
/** What the cache is told up to; the feed, should there be one later, knows no such place and tells everything anew. */
const place = (has_more: boolean) => ({ epoch: 'listed', cursor: has_more ? 'listing' : 'listed', has_more });

export interface Listing {
  readonly session: Session;
  readonly cache: Cache;
  readonly now: () => Date;
  readonly requests?: number;
  readonly onPage?: (changes: number) => void;
}

const wholeNote = 'told whole';
const wholeLists = (cache: Cache) => new Set(JSON.parse(cache.noted(wholeNote) ?? '[]') as string[]);

/**
 * Whether all files and folders of a course, or one's own, were told the last time that they were asked for: what is not told would go
 * up once more.
 */
export function areFilesTold(cache: Cache, place: number | null): boolean {
  const told = wholeLists(cache);
  return told.has(nameOf({ kind: 'file', place })) && told.has(nameOf({ kind: 'folder', place }));
}

export async function pullListings({ session, cache, now, requests, onPage }: Listing): Promise<Pulled> {
  const isFirst = cache.noted('listed_whole') === undefined;
  const pace = new Pace(session, requests ?? (isFirst ? Number.POSITIVE_INFINITY : usualRequests));
  const absences = new Absences(cache);
  const listed = JSON.parse(cache.noted('listed') ?? '{}') as Record<string, string>;
  const whole = wholeLists(cache);
  const kinds = new Set<Kind>();
  const troubles: NonNullable<Pulled['troubles']>[number][] = [];
  let changes = 0;
  const keep = (told: readonly Change[], has_more: boolean) => {
    if (has_more && told.length === 0) return;
    for (const kind of cache.apply({ ...place(has_more), changes: told }, now())) kinds.add(kind);
    changes += told.length;
    onPage?.(changes);
  };
  /** False where it did not come to its end. */
  const take = async (shelf: Shelf): Promise<boolean> => {
    const wasWhole = whole.delete(nameOf(shelf));
    try {
      const pages = new KeptPages(cache, shelf.kind, shelf.place, (row) => idOf(shelf.kind, row));
      const { rows, isWhole } = await rowsOf(shelf, pace, cache, pages);
      const told = await changesOf(shelf, rows, pace, cache, absences);
      keep(told, true);
      pages.keep();
      listed[nameOf(shelf)] = now().toISOString();
      if (isWhole && goesUp.has(shelf.kind)) whole.add(nameOf(shelf));
      return true;
    } catch (problem) {
      if (problem instanceof BudgetSpent) {
        if (wasWhole) whole.add(nameOf(shelf));
        return false;
      }
      // Switched off in this course, or not for this person: what was told before stays.
      // Who does not even tell the courses is no such server, or in no state to be asked more.
      if (shelf === courseShelf) throw problem;
      if (problem instanceof Declined) listed[nameOf(shelf)] = now().toISOString();
      else if (problem instanceof Troubled || problem instanceof BrokenOff) troubles.push({ where: nameOf(shelf), problem });
      else throw problem;
      return problem instanceof Declined;
    }
  };

  let isWhole = (await take(courseShelf)) && (await take(groupShelf));
  const courses = cache.all<CourseJson>('course').filter(({ name }) => name !== undefined);
  const places = [...courses.map(({ id }) => id), ...cache.all<Row>('group').map(({ id }) => -Number(id))];
  // What was listed longest ago comes first, so that a small budget reaches everything in turn.
  const shelves = [...ownShelves(cache.owner), ...places.flatMap(shelvesOf)].sort((a, b) =>
    (listed[nameOf(a)] ?? '') < (listed[nameOf(b)] ?? '') ? -1 : (listed[nameOf(a)] ?? '') > (listed[nameOf(b)] ?? '') ? 1 : 0,
  );
  const waiting = shelves[Symbol.iterator]();
  const lane = async (): Promise<void> => {
    for (const shelf of waiting) if (!(await take(shelf))) isWhole = false;
  };
  const endings = await Promise.allSettled(Array.from({ length: lanes }, lane));
  absences.keep();
  cache.note(wholeNote, JSON.stringify([...whole].sort()));
  cache.note('listed', JSON.stringify(listed));
  for (const ending of endings) if (ending.status === 'rejected') throw ending.reason;
  if (isWhole) cache.note('listed_whole', '1');
  keep([], !isWhole && isFirst);
  return { kinds, changes, isRebuilt: false, troubles };
}

/** Of these it counts whether all are told. */
const goesUp: ReadonlySet<Kind> = new Set(['file', 'folder']);
const nameOf = ({ kind, place }: Pick<Shelf, 'kind' | 'place'>): string => (place === null ? kind : `${kind} ${place}`);

async function changesOf(shelf: Shelf, rows: readonly Row[], pace: Pace, cache: Cache, absences: Absences): Promise<Change[]> {
  const { kind } = shelf;
  const known = cache.held(kind, shelf.place);
  const told = new Map<number, Change>();
  for (const row of rows) {
    const id = idOf(kind, row);
    if (!Number.isSafeInteger(id)) continue;
    absences.seen(kind, id);
    const before = known.get(id) ?? cache.get<Row>(kind, id);
    known.delete(id);
    const resource = kind === 'file' ? withVersion(row, before) : row;
    if (JSON.stringify(before) !== JSON.stringify(resource)) told.set(id, { kind, id, op: 'upsert', ...placeOf(shelf, row), resource });
  }
  const changes = [...told.values()];
  // Uploaded over, a file has another id under the same name in the same folder: of the old one there is no doubt to wait out.
  const named = (row: Row) => `${row.folder_id} ${row.display_name}`;
  const successors = new Set(
    kind === 'file' ? [...told.values()].map((change) => ('resource' in change ? named(change.resource) : '')) : [],
  );
  for (const [id, before] of known) {
    if (!absences.missed(kind, id) && !successors.has(named(before))) continue;
    const change = await askForItself(kind, id, shelf.place, before, pace);
    if (!change) continue;
    // What is only out of reach stays, and is asked about again when it is left out twice more.
    absences.seen(kind, id);
    if (change.op === 'upsert' || !change.withheld || JSON.stringify(before.withheld) !== JSON.stringify(change.withheld))
      changes.push(change);
  }
  return changes;
}

interface Listed {
  readonly rows: readonly Row[];
  /** Not only what other lists lead to. */
  readonly isWhole: boolean;
}

async function rowsOf({ kind, place, addresses, complete }: Shelf, pace: Pace, cache: Cache, pages: KeptPages): Promise<Listed> {
  const rows: Row[] = [];
  try {
    for (const address of addresses) rows.push(...(await pace.all(address, pages)));
  } catch (problem) {
    if (kind !== 'file' || place === null || !(problem instanceof Declined)) throw problem;
    return { rows: await filesOfModules(place, pace, cache), isWhole: false };
  }
  return { rows: complete ? await complete(rows, pace, cache) : rows, isWhole: true };
}

/** Many courses show no list of their files: what their modules lead to can be had one by one. Tells nothing of what is not among them. */
async function filesOfModules(place: number, pace: Pace, cache: Cache): Promise<Row[]> {
  const items = cache.ofCourse<ModuleJson>('module', place).flatMap(({ items = [] }) => items);
  const wanted = new Set([
    ...items.flatMap(({ type, content_id }) => (type === 'File' && content_id ? [content_id] : [])),
    ...cache.held('file', place).keys(),
  ]);
  const files: Row[] = [];
  for (const id of wanted) {
    const file = await pace.one(`/api/v1/courses/${place}/files/${id}`).catch((problem: unknown) => {
      if (problem instanceof Declined) return cache.get<Row>('file', id);
      throw problem;
    });
    if (file) files.push(file);
  }
  return files;
}

function placeOf({ kind, place }: Shelf, row: Row): { course_id?: number; group_id?: number } {
  if (kind === 'course') return { course_id: idOf(kind, row) };
  if (kind === 'group') return { group_id: idOf(kind, row) };
  if (kind === 'enrollment') return { course_id: Number(row.course_id) };
  return place === null ? {} : place < 0 ? { group_id: -place } : { course_id: place };
}
