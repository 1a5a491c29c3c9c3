// What remains to be sent from its beginning after a page: the rest of the previous backlog, and what is new to the client or has another visibility
// key. Pure.

import type { Kind } from '@carrel/shared/sync/protocol';
import { lookUp } from '@carrel/shared/wire/look_up';
import type { CourseContext } from '../../contexts/course';
import { seesAllGrades } from '../assignments/submissions/policy';
import { staffTypes } from '../enrollments/table';
import type { Backlog, Cursor, Home } from './cursor';
import { partOfRoster, partOfWork } from './graded_walks';
import { wholeWork, withoutRepeats } from './graded_work';
import type { Memberships } from './memberships';
import { announced, changedParts, forStaff, hadGradedWork, kindsOf } from './visibility_key';
import { placeOfAnnounced, placeOfStaff, type WaitingChange } from './window';

const isStaffIn = (course: CourseContext | undefined): boolean =>
  course?.mine.some(({ type, enrollment_state }) => staffTypes.has(type) && ['active', 'completed'].includes(enrollment_state)) ?? false;

/** The place of a backlog in the walk without a cursor; graded work is walked after it. */
const firstPlaceOf = ({ home, part }: Backlog): number => {
  if (home === 0) return part === announced ? placeOfAnnounced : home;
  return part === forStaff ? placeOfStaff(home) : home;
};

/** Courses whose graded work was sent under rights that have ended: which of it the client has is not known any more. */
export function coursesToReset(sent: Cursor | undefined, { courses, lenses }: Memberships): Home[] {
  return [...courses].flatMap(([id, course]) => {
    const before = sent && lookUp(sent.lenses, String(id));
    const isWalked = sent?.backlog.some(({ home, part }) => home === id && part >= partOfWork) ?? false;
    if (before === undefined || !(hadGradedWork(before) || isWalked)) return [];
    const [then, now] = [before, lookUp(lenses, String(id)) ?? ''].map((key) => key.split('.'));
    const isOther = Boolean(then?.[partOfWork]) && Boolean(now?.[partOfWork]) && then?.[partOfWork] !== now?.[partOfWork];
    // The end of a choice is still being sent.
    const isEnding = isWalked && !then?.[partOfWork];
    const isInterrupted = isEnding && (Boolean(now?.[partOfWork]) || then?.[0] !== now?.[0]);
    return isOther || isInterrupted || !seesAllGrades(course) ? [id] : [];
  });
}

/** The parts of a course that are sent again with these parts of its key. */
function withGradedWork(home: Home, parts: readonly number[], isGraded: boolean, withDeletes: boolean): Backlog[] {
  const plain = parts.filter((part) => part < partOfWork).map((part) => ({ home, after: 0, withDeletes, part }));
  const shows = (kind: Kind) => isGraded && parts.some((part) => part === 0 || (home > 0 && kindsOf(home, part).includes(kind)));
  const isSent = ({ part }: Backlog) => parts.includes(part) || shows(part === partOfRoster ? 'enrollment' : 'submission');
  return [...plain, ...wholeWork(home, withDeletes).filter(isSent)];
}

/**
 * @param graded the courses whose work the client wants
 * @param touched graded work that is sent again because of this page's changes
 * @param reset courses that are sent from the beginning
 * @param next where the page ended, if it ended before the walk
 */
export function nextBacklog(
  sent: Cursor | undefined,
  { courses, lenses }: Memberships,
  {
    graded,
    touched,
    reset,
  }: { readonly graded: ReadonlySet<number>; readonly touched: readonly Backlog[]; readonly reset: readonly Home[] },
  tail: readonly WaitingChange[],
  next: number | undefined,
): Backlog[] {
  const begin = { after: 0, withDeletes: false } as const;
  /** The first part, and what only staff see. */
  const allOf = (home: number): number[] => (isStaffIn(courses.get(home)) ? [0, forStaff] : [0]);
  const everything: Backlog[] = [
    ...Object.keys(lenses).flatMap((id) => allOf(Number(id)).map((part) => ({ ...begin, home: Number(id), part }))),
    { ...begin, home: 0, part: announced },
  ];
  const rest = (sent?.backlog ?? everything).flatMap((one, at): Backlog[] => {
    const place = sent ? at : firstPlaceOf(one);
    if (next === undefined || place < next) return [];
    return [{ ...one, after: tail.findLast((told) => told.place === place)?.seq ?? one.after }];
  });
  if (!sent) return [...rest, ...[...graded].flatMap((id) => wholeWork(id, false))];
  const fresh = Object.entries(lenses).flatMap(([id, visibilityKey]) => {
    const home = Number(id);
    const before = reset.includes(home) ? undefined : lookUp(sent.lenses, id);
    const isNew = before === undefined;
    const parts = isNew ? [0] : changedParts(before, visibilityKey);
    const all = parts[0] === 0 ? allOf(home) : parts;
    // A choice that was just made is new to the client, whatever else has changed.
    const isAdded = graded.has(home) && !hadGradedWork(before);
    const withDeletes = (part: number) => !isNew && !(isAdded && part >= partOfWork);
    const isRemoved = !graded.has(home) && hadGradedWork(before);
    const gone = isRemoved ? [partOfWork, partOfRoster] : [];
    return withGradedWork(home, [...new Set([...all, ...gone])], graded.has(home), true).map((one) => ({
      ...one,
      withDeletes: withDeletes(one.part),
    }));
  });
  const isOverdone = (one: Backlog) =>
    fresh.some(({ home, part }) => home === one.home && (part === one.part || (part === 0 && one.part < partOfWork)));
  const isKept = (one: Backlog) => Object.hasOwn(lenses, String(one.home)) && !reset.includes(one.home) && !isOverdone(one);
  return withoutRepeats([...rest.filter(isKept), ...fresh, ...touched]);
}
