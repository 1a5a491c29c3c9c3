// The total of each course, calculated by the server: it changes with every grade, so the feed does not contain it.

import { createHash } from 'node:crypto';
import type { Kind } from '@carrel/shared/sync/protocol';
import type { AssignmentJson, EnrollmentJson, SubmissionJson } from '../model/resources';
import type { Cache } from '../store/cache';
import { stored } from '../store/damage';
import { wayOf } from './pull';
import { Declined, type Session, Troubled } from './session';

type Grades = EnrollmentJson['grades'];

const deciding: readonly Kind[] = ['submission', 'assignment_group', 'enrollment'];

const [old, kept, asked] = ['totals are old', 'totals', 'totals of assignments'];

export function ageTotals(cache: Cache, changed: ReadonlySet<Kind>): void {
  const isDecided = deciding.some((kind) => changed.has(kind));
  // Opening an assignment or changing its description does not affect the total.
  const counts = changed.has('assignment') ? countsOf(cache) : undefined;
  const countOtherwise = counts !== undefined && counts !== cache.noted(asked);
  if (isDecided || countOtherwise) cache.note(old, '1');
  if (countOtherwise) cache.note(asked, counts);
}

/** The fields of assignments that affect the total. */
const countsOf = (cache: Cache): string => {
  const hash = createHash('sha256');
  for (const one of cache.all<AssignmentJson>('assignment')) {
    const { id, points_possible, assignment_group_id, omit_from_final_grade, grading_type, published } = one;
    hash.update(JSON.stringify([id, points_possible, assignment_group_id, omit_from_final_grade, grading_type, published]));
  }
  return hash.digest('hex');
};

/** One request, and only after a change in a course with grades. Returns whether a total has changed. */
export async function fetchTotals(session: Session, cache: Cache): Promise<boolean> {
  if (cache.noted(old) === undefined || wayOf(cache) !== 'feed') return false;
  if (!cache.all<SubmissionJson>('submission').some(({ score }) => score != null)) return false;
  try {
    // Those of observed students come with the enrollments of the observer.
    const observes = cache.all<EnrollmentJson>('enrollment').some(({ associated_user_id }) => associated_user_id != null);
    const also = observes ? '&type[]=ObserverEnrollment&include[]=observed_users' : '';
    const address = `/api/v1/users/self/enrollments?type[]=StudentEnrollment${also}&state[]=active&state[]=completed&per_page=100`;
    const found = await session.json<readonly EnrollmentJson[]>(address);
    const now = JSON.stringify(Object.fromEntries(found.map((one) => [one.id, gradesIn(one)])));
    const isNew = now !== cache.noted(kept);
    cache.note(kept, now);
    cache.note(old, undefined);
    return isNew;
  } catch (problem) {
    if (problem instanceof Troubled || problem instanceof Declined) return false;
    throw problem;
  }
}

const gradesIn = ({ grades, observed_user }: EnrollmentJson): Grades =>
  grades ?? observed_user?.enrollments?.find(({ type }) => type === 'StudentEnrollment')?.grades;

/** Of an enrollment: the last requested total, otherwise the one in the enrollment. */
export function totalOf(cache: Cache, enrollment: EnrollmentJson | undefined): Grades {
  if (!enrollment) return undefined;
  const result = stored<Readonly<Record<number, Grades>>>(cache.noted(kept) ?? '{}');
  return result[enrollment.id] ?? gradesIn(enrollment);
}
