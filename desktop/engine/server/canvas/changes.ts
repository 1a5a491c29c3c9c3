// The differences between a list and the cache, in the form in which the feed would report them.

import type { Change, Kind } from '@carrel/shared/sync/protocol';
import type { Cache } from '../../store/cache';
import { type Absences, askForItself } from './absent';
import type { CanvasCollection } from './collections';
import type { CanvasRow } from './kept_pages';
import type { Pace } from './pace';
import { rowIdOf, usableRow } from './usable_row';
import { withVersion } from './version';

export async function changesOfCollection(
  shelf: CanvasCollection,
  rows: readonly CanvasRow[],
  pace: Pace,
  cache: Cache,
  absences: Absences,
): Promise<Change[]> {
  const { kind, place } = shelf;
  const missing = cache.held(kind, place);
  const result = new Map<number, Upsert>();
  for (const row of rows.map((given) => usableRow(kind, given)).filter((row) => row !== undefined)) {
    const id = rowIdOf(kind, row);
    absences.seen(kind, id);
    const before = missing.get(id) ?? cache.get<CanvasRow>(kind, id);
    missing.delete(id);
    const resource = resourceOf(kind, row, before);
    if (!isSame(before, resource)) result.set(id, { kind, id, op: 'upsert', ...placeOf(shelf, row), resource });
  }
  const changes: Change[] = [...result.values()];
  // A replaced file has another id with the same name in the same folder: its old id is deleted without waiting for a second listing.
  const successors = new Set(kind === 'file' ? [...result.values()].map(({ resource }) => named(resource)) : []);
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

const named = (row: CanvasRow) => `${row.folder_id} ${row.display_name}`;

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const isWithheldAlready = (change: Change, before: CanvasRow): boolean =>
  change.op === 'delete' && change.withheld !== undefined && isSame(before.withheld, change.withheld);

function resourceOf(kind: Kind, row: CanvasRow, before: CanvasRow | undefined): CanvasRow {
  if (kind === 'file') return withVersion(row, before);
  return kind === 'course' ? asBefore(row, before) : row;
}

/** Before and after its term a course is returned with its id only: the cached fields stay. */
const asBefore = (row: CanvasRow, before: CanvasRow | undefined): CanvasRow =>
  row.access_restricted_by_date && before?.name !== undefined ? { ...before, access_restricted_by_date: true } : row;

function placeOf({ kind, place }: CanvasCollection, row: CanvasRow): { course_id?: number; group_id?: number } {
  if (kind === 'course') return { course_id: rowIdOf(kind, row) };
  if (kind === 'group') return { group_id: rowIdOf(kind, row) };
  if (kind === 'enrollment') return { course_id: Number(row.course_id) };
  return place === null ? {} : place < 0 ? { group_id: -place } : { course_id: place };
}
