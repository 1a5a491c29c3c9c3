// The differences between a list and the cache, in the form in which the feed would report them.

import type { Change } from '@carrel/shared/sync/protocol';
import type { Cache } from '../../store/cache';
import { type Absences, askForItself } from './absent';
import type { Row } from './kept_pages';
import type { Pace } from './pace';
import type { Shelf } from './shelves';
import { asTold, idOf } from './told';
import { withVersion } from './version';

export async function changesOf(shelf: Shelf, rows: readonly Row[], pace: Pace, cache: Cache, absences: Absences): Promise<Change[]> {
  const { kind } = shelf;
  const known = cache.held(kind, shelf.place);
  const told = new Map<number, Change>();
  for (const given of rows) {
    const row = asTold(kind, given);
    if (!row) continue;
    const id = idOf(kind, row);
    absences.seen(kind, id);
    const before = known.get(id) ?? cache.get<Row>(kind, id);
    known.delete(id);
    const resource = kind === 'file' ? withVersion(row, before) : kind === 'course' ? asBefore(row, before) : row;
    if (JSON.stringify(before) !== JSON.stringify(resource)) told.set(id, { kind, id, op: 'upsert', ...placeOf(shelf, row), resource });
  }
  const changes = [...told.values()];
  // A replaced file has another id with the same name in the same folder: its old id is deleted without waiting for a second listing.
  const named = (row: Row) => `${row.folder_id} ${row.display_name}`;
  const successors = new Set(
    kind === 'file' ? [...told.values()].map((change) => ('resource' in change ? named(change.resource) : '')) : [],
  );
  for (const [id, before] of known) {
    if (!absences.missed(kind, id) && !successors.has(named(before))) continue;
    const change = await askForItself(kind, id, shelf.place, before, pace, cache);
    if (!change) continue;
    // An item without access stays, and is checked again after two more listings without it.
    absences.seen(kind, id);
    if (change.op === 'upsert' || !change.withheld || JSON.stringify(before.withheld) !== JSON.stringify(change.withheld))
      changes.push(change);
  }
  return changes;
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
