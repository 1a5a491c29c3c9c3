// Items that lists no longer contain. A listing that breaks off, comes from a stale replica or hides items looks like a deletion: an item
// is deleted only when two complete listings have left it out and, if files on disk depend on it, its own address confirms it.

import type { Change, Kind, Withheld } from '@carrel/shared/sync/protocol';
import { addressOfPlace } from '../../model/places';
import type { Cache } from '../../store/cache';
import { Declined } from '../session';
import type { CanvasRow } from './kept_pages';
import type { Pace } from './pace';

/** Items that the last complete listing did not contain: `kind:id`. */
export class Absences {
  readonly #known: Set<string>;

  constructor(private readonly cache: Cache) {
    this.#known = new Set(JSON.parse(cache.noted('absent') ?? '[]') as string[]);
  }

  seen(kind: Kind, id: number): void {
    this.#known.delete(`${kind}:${id}`);
  }

  /** Whether it was missing before, too. */
  missed(kind: Kind, id: number): boolean {
    const key = `${kind}:${id}`;
    if (this.#known.has(key)) return true;
    this.#known.add(key);
    return false;
  }

  keep(): void {
    this.cache.note('absent', JSON.stringify([...this.#known].sort()));
  }
}

const addresses: Partial<Record<Kind, (id: number, place: number | null, known: CanvasRow) => string>> = {
  course: (id) => `/api/v1/courses/${id}`,
  group: (id) => `/api/v1/groups/${id}`,
  file: (id) => `/api/v1/files/${id}`,
  folder: (id) => `/api/v1/folders/${id}`,
  calendar_event: (id) => `/api/v1/calendar_events/${id}`,
  assignment: (id, place) => `${addressOfPlace(place ?? 0)}/assignments/${id}`,
  page: (_, place, known) => `${addressOfPlace(place ?? 0)}/pages/${encodeURIComponent(String(known.url))}`,
};

/** The state of an item that two listings left out; undefined if it cannot be determined now. */
export async function askForItself(
  kind: Kind,
  id: number,
  place: number | null,
  known: CanvasRow,
  pace: Pace,
  cache: Cache,
): Promise<Change | undefined> {
  const address = addresses[kind]?.(id, place, known);
  const verdict = address === undefined ? 'gone' : await verdictAt(address, { kind, id, place }, pace, cache);
  if (verdict === undefined) return undefined;
  const where = place === null ? {} : place < 0 ? { group_id: -place } : { course_id: place };
  return { kind, id, op: 'delete', ...where, ...(verdict !== 'gone' && { withheld: { why: verdict } }) };
}

interface Item {
  readonly kind: Kind;
  readonly id: number;
  readonly place: number | null;
}

/** Deleted, or why the user has no access to it now; undefined if it cannot be determined. */
type Verdict = 'gone' | Withheld['why'] | undefined;

const verdictAt = (address: string, item: Item, pace: Pace, cache: Cache): Promise<Verdict> =>
  pace.one(address).then(
    (found) => verdictOf(item, found),
    (problem: unknown) => {
      if (!(problem instanceof Declined)) throw problem;
      return verdictOfRefusal(item, problem.status, cache);
    },
  );

function verdictOf({ kind, id }: Item, found: CanvasRow): Verdict {
  if (found.workflow_state === 'deleted') return 'gone';
  // For a replaced file Canvas returns the file that replaced it.
  if (kind === 'file' && found.id !== undefined && Number(found.id) !== id) return 'gone';
  // A course from which the caller was removed still exists, but no longer lists the caller's enrollment.
  if (kind === 'course') return Array.isArray(found.enrollments) && found.enrollments.length > 0 ? undefined : 'gone';
  if (kind !== 'file') return undefined;
  return found.locked_for_user ? 'locked' : found.hidden_for_user ? 'hidden' : 'unlisted';
}

function verdictOfRefusal({ kind, id, place }: Item, status: number, cache: Cache): Verdict {
  if (status === 404) return 'gone';
  if (status !== 401 && status !== 403) return undefined;
  // A concluded course that denies access: as long as the caller's enrollment is listed, its files are kept.
  if (kind === 'course' && cache.ofCourse('enrollment', id).length > 0) return undefined;
  // No access: for a course or group this is final, for a file it may be temporary.
  if (kind === 'file') return 'hidden';
  return kind === 'page' || kind === 'assignment' || (kind === 'folder' && place === null) ? undefined : 'gone';
}
