// The students whom the user observes, and whose work is shown in a course. An observer changes nothing of a student's.

import type { Cache } from '../store/cache';
import type { EnrollmentJson } from './resources';
import { enrolledIn, roleIn } from './teaching';

export interface ObservedStudent {
  readonly id: number;
  /** Empty until the server sends it. */
  readonly name: string;
}

interface Observing {
  readonly cache: Cache;
  readonly user: { setting(name: string): string | undefined };
  readonly signedIn: { readonly user_id: number };
}

const chosenSetting = 'observed student';

const studentOf = ({ type, associated_user_id, observed_user }: EnrollmentJson): ObservedStudent[] =>
  type === 'ObserverEnrollment' && associated_user_id != null ? [{ id: associated_user_id, name: observed_user?.name ?? '' }] : [];

/** By name. */
export function observedStudents(cache: Cache, userId: number): ObservedStudent[] {
  const found = new Map<number, ObservedStudent>();
  for (const enrollment of cache.all<EnrollmentJson>('enrollment'))
    if (enrollment.user_id === undefined || enrollment.user_id === userId)
      for (const student of studentOf(enrollment)) if (!found.get(student.id)?.name) found.set(student.id, student);
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name) || a.id - b.id);
}

export const observedIn = (cache: Cache, courseId: number, userId: number): ObservedStudent[] =>
  enrolledIn(cache, courseId, userId).flatMap(studentOf);

/** The student whom the user has chosen, otherwise the first. */
export function chosenStudent({ cache, user, signedIn }: Observing): ObservedStudent | undefined {
  const all = observedStudents(cache, signedIn.user_id);
  const chosen = Number(user.setting(chosenSetting));
  return all.find(({ id }) => id === chosen) ?? all[0];
}

export const chooseStudent = (user: { set(name: string, value: string): void }, id: number): void => user.set(chosenSetting, String(id));

/** Whose work a course shows: the user, or an observed student; undefined for an observer of no one. */
export function learnerIn(here: Observing, courseId: number): ObservedStudent | 'self' | undefined {
  const { cache, signedIn } = here;
  if (roleIn(cache, courseId, signedIn.user_id) !== 'observes') return 'self';
  const students = observedIn(cache, courseId, signedIn.user_id);
  const chosen = chosenStudent(here)?.id;
  return students.find(({ id }) => id === chosen) ?? students[0];
}

/** Matches the submissions that a course shows. */
export function shownWorkIn(here: Observing, courseId: number): (submission: { readonly user_id?: number }) => boolean {
  const learner = learnerIn(here, courseId);
  if (learner === undefined) return () => false;
  // Some servers leave out the user of one's own submissions, but not of others.
  if (learner === 'self') return ({ user_id }) => user_id === undefined || user_id === here.signedIn.user_id;
  return ({ user_id }) => user_id === learner.id;
}

/** Observed courses of students who are not chosen are left out. */
export function isInSight(here: Observing, courseId: number): boolean {
  const { cache, signedIn } = here;
  if (roleIn(cache, courseId, signedIn.user_id) !== 'observes') return true;
  const students = observedIn(cache, courseId, signedIn.user_id);
  const chosen = chosenStudent(here)?.id;
  return students.length === 0 || students.some(({ id }) => id === chosen);
}
