// The differences between a list and the cache, in the form in which the feed would report them.

import type { Change, Kind } from '@carrel/shared/sync/protocol';
import type { Cache } from '../../store/cache';
import { type Absences, askForItself } from './absent';
import type { Row } from './kept_pages';
import type { Pace } from './pace';
import type { Shelf } from './shelves';
import { asTold, idOf } from './told';
import { withVersion } from './version';

export async function changesOf(shelf: Shelf, rows: readonly Row[], pace: Pace, cache: Cache, absences: Absences): Promise<Change[]> {
  const { kind, place } = shelf;
  const missing = cache.held(kind, place);
  const told = new Map<number, Upsert>();
  for (const row of rows.map((given) => asTold(kind, given)).filter((row) => row !== undefined)) {
    const id = idOf(kind, row);
    absences.seen(kind, id);
    const before = missing.get(id) ?? cache.get<Row>(kind, id);
    missing.delete(id);
    const resource = resourceOf(kind, row, before);
    if (!isSame(before, resource)) told.set(id, { kind, id, op: 'upsert', ...placeOf(shelf, row), resource });
  }
  const changes: Change[] = [...told.values()];
  // A replaced file has another id with the same name in the same folder: its old id is deleted without waiting for a second listing.
  const successors = new Set(kind === 'file' ? [...told.values()].map(({ resource }) => named(resource)) : []);
  for (const [id, before] of missing) {
    if (!absences.missed(kind, id) && !successors.has(named(before))) continue;
    const change = await askForItself(kind, id, place, before, pace, cache);
    if (!change) continue;
    // An item without access stays, and is checked again after two more listings without it.
    absences.seen(kind, id);
    if (!isWithheldAlready(change, before)) changes.push(change);
  }
  return changes;
}

type Upsert = Extract<Change, { readonly op: 'upsert' }>;

const named = (row: Row) => `${row.folder_id} ${row.display_name}`;

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const isWithheldAlready = (change: Change, before: Row): boolean =>
  change.op === 'delete' && change.withheld !== undefined && isSame(before.withheld, change.withheld);

function resourceOf(kind: Kind, row: Row, before: Row | undefined): Row {
  if (kind === 'file') return withVersion(row, before);
  return kind === 'course' ? asBefore(row, before) : row;
}

/** Before and after its term a course is returned with its id only: the cached fields stay. */
const asBefore = (row: Row, before: Row | undefined): Row =>
  row.access_restricted_by_date && before?.name !== undefined ? { ...before, access_restricted_by_date: true } : row;

function placeOf({ kind, place }: Shelf, row: Row): { course_id?: number; group_id?: number } {
  if (kind === 'course') return { course_id: idOf(kind, row) };
  if (kind === 'group') return { group_id: idOf(kind, row) };
  if (kind === 'enrollment') return { course_id: Number(row.course_id) };
  return place === null ? {} : place < 0 ? { group_id: -place } : { course_id: place };
}
