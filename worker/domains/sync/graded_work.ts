// Which rows of graded work the caller may know of, and what of it is sent again. Pure.

import type { CourseContext } from '../../contexts/course';
import { submissionId } from '../../rules/submission_ids';
import { seesAllGrades } from '../assignments/submissions/policy';
import type { Backlog, Home } from './cursor';
import {
  type GradedChange,
  type GradedItem,
  type Known,
  partOfAssignments,
  partOfRoster,
  partOfStudents,
  partOfWork,
} from './graded_walks';
import type { LoggedChange } from './window';

type Courses = ReadonlyMap<number, CourseContext>;

/** The chosen courses in which the caller sees all grades; others are ignored. */
export const gradedCourses = (chosen: readonly number[], courses: Courses): ReadonlySet<number> =>
  new Set(chosen.filter((id) => seesAllGrades(courses.get(id))));

/** Also of a choice that has ended, whose items are deleted: the ids of other students' work would reveal who has submitted. */
export function mayKnow(courses: Courses, { home, sections, is_anonymous }: Known): boolean {
  const course = courses.get(home);
  if (!course || !seesAllGrades(course)) return false;
  if (is_anonymous === 1 && !course.isAdmin) return false;
  if (is_anonymous === 2 && course.isAdmin) return false;
  const { sectionLimit } = course;
  return sectionLimit === null || (JSON.parse(sections) as number[]).some((id) => sectionLimit.includes(id));
}

/** The changed items of a change in a student's scope. */
export const changedItems = ({ seq, scope, home, items }: GradedChange): LoggedChange[] =>
  (JSON.parse(items) as [string, number][]).map(([kind, item_id]) => ({ seq, scope, kind, item_id, home, showing: null }));

export const asChange = ({ place: _, sections: _sections, is_anonymous: _anonymous, ...item }: GradedItem): LoggedChange => ({
  ...item,
  scope: '',
  showing: null,
});

const everything = Number.MAX_SAFE_INTEGER;

/** The walk of a whole course: its students, then their submissions. */
export const wholeWork = (home: Home, withDeletes: boolean): Backlog[] => [
  { home, after: 0, withDeletes, part: partOfRoster, bound: everything },
  { home, after: 0, withDeletes, part: partOfWork, bound: everything },
];

/** More changed assignments of a course than these are one range. */
const mostRanges = 8;

/** The submissions of the assignments that have changed for everyone: their dates, points and states are shown with each. */
export function workOfAssignments(home: Home, assignments: readonly number[]): Backlog[] {
  const sorted = [...new Set(assignments)].sort((a, b) => a - b);
  const ranges = sorted.length > mostRanges ? [[sorted[0], sorted.at(-1)]] : sorted.map((id) => [id, id]);
  return ranges.map(([first = 0, last = 0]) => ({
    home,
    after: submissionId(first, 0) - 1,
    withDeletes: true,
    part: partOfAssignments,
    bound: submissionId(last + 1, 0) - 1,
  }));
}

/** The submissions of the students whose enrollments have changed since a change. */
export const workOfStudents = (home: Home, since: number): Backlog => ({
  home,
  after: 0,
  withDeletes: true,
  part: partOfStudents,
  bound: since,
});

/** The work that a page's changes concern as a whole: that of changed assignments, and of students whose enrollments have changed. */
export function touchedWork(
  logged: readonly LoggedChange[],
  known: readonly GradedChange[],
  since: number,
  isRelevant: (home: Home | null) => home is Home,
): Backlog[] {
  const assignments = new Map<Home, number[]>();
  const rosters = new Set<Home>(known.filter(({ kind }) => kind === 'enrollment').map(({ home }) => home));
  for (const { kind, scope, item_id, home } of logged) {
    if (!isRelevant(home)) continue;
    // Every submission changes its assignment for staff, but not the other submissions.
    if (kind === 'assignment' && scope.startsWith('course')) assignments.set(home, [...(assignments.get(home) ?? []), item_id]);
    if (kind === 'enrollment' && scope.startsWith('staff')) rosters.add(home);
  }
  return [
    ...[...assignments].flatMap(([home, ids]) => workOfAssignments(home, ids)),
    ...[...rosters].map((home) => workOfStudents(home, since)),
  ];
}

/** A page of one course can add walks before the earlier ones have ended: those of the same range start again, and many become one. */
export function withoutRepeats(backlog: readonly Backlog[]): Backlog[] {
  const isRange = ({ part }: Backlog) => part === partOfAssignments;
  const homes = [...new Set(backlog.filter(isRange).map(({ home }) => home))];
  const merged = homes.flatMap((home): Backlog[] => {
    const its = backlog.filter((one) => one.home === home && isRange(one));
    const distinct = [...new Map(its.map((one) => [one.bound, one])).values()];
    if (distinct.length <= mostRanges) return distinct;
    const after = Math.min(...distinct.map((one) => one.after));
    return [{ home, after, withDeletes: true, part: partOfAssignments, bound: Math.max(...distinct.map(({ bound = 0 }) => bound)) }];
  });
  const students = new Map<Home, Backlog>();
  for (const one of backlog.filter(({ part }) => part === partOfStudents)) {
    const before = students.get(one.home);
    students.set(one.home, before ? workOfStudents(one.home, Math.min(before.bound ?? 0, one.bound ?? 0)) : one);
  }
  return [...backlog.filter((one) => !isRange(one) && one.part !== partOfStudents), ...merged, ...students.values()];
}
