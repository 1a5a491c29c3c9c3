// The total of each course as the server works it out: it changes with everything that is graded, so that the feed does not tell it.

import type { Kind } from '@carrel/shared/sync/protocol';
import { wayOf } from './adapters/pull';
import { Declined, type Session, Troubled } from './remote';
import type { EnrollmentJson, SubmissionJson } from './resources';
import type { Cache } from './store/cache';

type Grades = EnrollmentJson['grades'];

const deciding: readonly Kind[] = ['submission', 'assignment', 'assignment_group', 'enrollment'];

const [old, kept] = ['totals are old', 'totals'];

export function ageTotals(cache: Cache, changed: ReadonlySet<Kind>): void {
  if (deciding.some((kind) => changed.has(kind))) cache.note(old, '1');
}

/** One request, and only after something changed where there is something graded. Returns whether anything is told anew. */
export async function fetchTotals(session: Session, cache: Cache): Promise<boolean> {
  if (cache.noted(old) === undefined || wayOf(cache) !== 'feed') return false;
  if (!cache.all<SubmissionJson>('submission').some(({ score }) => score != null)) return false;
  try {
    const address = '/api/v1/users/self/enrollments?type[]=StudentEnrollment&state[]=active&state[]=completed&per_page=100';
    const found = await session.json<readonly EnrollmentJson[]>(address);
    const now = JSON.stringify(Object.fromEntries(found.map(({ id, grades }) => [id, grades])));
    const isNew = now !== cache.noted(kept);
    cache.note(kept, now);
    cache.note(old, undefined);
    return isNew;
  } catch (problem) {
    if (problem instanceof Troubled || problem instanceof Declined) return false;
    throw problem;
  }
}

/** Of an enrollment: as it was asked for last, else as it came with the enrollment. */
export function totalOf(cache: Cache, enrollment: EnrollmentJson | undefined): Grades {
  if (!enrollment) return undefined;
  const asked = JSON.parse(cache.noted(kept) ?? '{}') as Readonly<Record<number, Grades>>;
  return asked[enrollment.id] ?? enrollment.grades;
}
