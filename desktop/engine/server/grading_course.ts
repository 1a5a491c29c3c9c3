// A course as people who grade see it: its columns and students, from the store.

import { usesScheme } from '@carrel/shared/grading/score_to_grade';
import type { GradebookColumn, GradebookRow, GradingChoice } from '../../contract/gradebook';
import type { GradedWork } from '../grading/grade_entry';
import { isInTotal } from '../grading/totals';
import type { StudentEnrollmentJson } from '../model/graded_resources';
import type { AssignmentGroupJson, AssignmentJson, CourseJson, EnrollmentJson } from '../model/resources';
import type { Cache } from '../store/cache';
import { chosenForGrading } from '../store/kept_choices';
import type { UserStore } from '../store/user';
import { isGradedOnDesk } from './feed';
import { gradedWorkOf } from './graded_work';
import { type GradingFacts, gradingFacts } from './grading_facts';
import { wayOf } from './pull';

export interface Grading {
  readonly cache: Cache;
  readonly user: UserStore;
  readonly signedIn: { readonly user_id: number };
}

/** Teachers and TAs grade; whether the server lets them is decided there. */
const grading = /Teacher|Ta/;

export const mayGrade = ({ cache, signedIn }: Pick<Grading, 'cache' | 'signedIn'>, courseId: number): boolean =>
  cache
    .ofCourse<EnrollmentJson>('enrollment', courseId)
    .some(({ type, user_id = signedIn.user_id }) => user_id === signedIn.user_id && grading.test(type));

export function gradingChoiceOf({ cache, user }: Pick<Grading, 'cache' | 'user'>, courseId: number): GradingChoice {
  if (wayOf(cache) !== 'feed') return 'not possible';
  return chosenForGrading(user).includes(courseId) ? 'chosen' : 'not chosen';
}

export const isLoading = ({ cache, user }: Pick<Grading, 'cache' | 'user'>, courseId: number): boolean =>
  gradingChoiceOf({ cache, user }, courseId) === 'chosen' && !isGradedOnDesk(cache, courseId);

/** Everything of a course but its results. */
export interface OpenCourse {
  readonly id: number;
  readonly course: CourseJson;
  readonly facts: GradingFacts;
  readonly groups: readonly AssignmentGroupJson[];
  /** In the order of the columns. */
  readonly assignments: readonly AssignmentJson[];
  readonly workOf: (assignment: AssignmentJson) => GradedWork;
}

export function openGradedCourse(cache: Cache, id: number): OpenCourse | undefined {
  const course = cache.get<CourseJson>('course', id);
  if (!course) return undefined;
  const facts = gradingFacts(cache, id);
  const groups = cache.ofCourse<AssignmentGroupJson>('assignment_group', id).toSorted((a, b) => a.position - b.position || a.id - b.id);
  const placeOf = new Map(groups.map((group, at) => [group.id, at]));
  const place = ({ assignment_group_id }: AssignmentJson): number => placeOf.get(assignment_group_id ?? 0) ?? groups.length;
  const assignments = cache
    .ofCourse<AssignmentJson>('assignment', id)
    .toSorted((a, b) => place(a) - place(b) || (a.position ?? 0) - (b.position ?? 0) || a.id - b.id);
  return { id, course, facts, groups, assignments, workOf: (assignment) => gradedWorkOf(assignment, course, facts) };
}

/** Its grades can be changed, as far as the desk knows. */
export const mayGradeWork = (assignment: AssignmentJson): boolean =>
  assignment.published !== false &&
  assignment.grading_type !== 'not_graded' &&
  !assignment.anonymize_students &&
  !assignment.in_closed_grading_period &&
  !(assignment.moderated_grading && !assignment.grades_published);

/** @param students of the course */
export function columnOf({ workOf, facts }: OpenCourse, assignment: AssignmentJson, students: readonly number[]): GradebookColumn {
  const { id, name, assignment_group_id, due_at, points_possible } = assignment;
  const { grading_type, scheme } = workOf(assignment);
  const isAssigned = assignedIn(facts, assignment);
  return {
    assignment_id: id,
    title: name,
    group_id: assignment_group_id ?? null,
    due_at: due_at ?? null,
    points_possible: points_possible ?? null,
    grading_type,
    letters: usesScheme(grading_type) ? scheme.entries.map((entry) => entry.name) : [],
    is_published: assignment.published !== false,
    posts_manually: assignment.post_manually === true,
    is_anonymous: assignment.anonymize_students === true,
    may_grade: mayGradeWork(assignment),
    in_total: isInTotal(assignment),
    unassigned: isAssigned ? students.filter((user) => !isAssigned(user)) : [],
  };
}

/** Undefined: it is assigned to everyone, as far as is known here. */
export function assignedIn({ assigned }: GradingFacts, { id, only_visible_to_overrides }: AssignmentJson) {
  const known = only_visible_to_overrides ? assigned[id] : undefined;
  return known && ((user: number): boolean => known[user] !== undefined);
}

/** When it is due for a student. */
export function dueFor({ assigned }: GradingFacts, { id, due_at }: AssignmentJson, user: number): string | null {
  const own = assigned[id]?.[user];
  return own === undefined ? (due_at ?? null) : own;
}

export type EnrolledStudent = Pick<
  GradebookRow,
  'user_id' | 'name' | 'sortable_name' | 'avatar_url' | 'section_ids' | 'state' | 'last_activity_at'
>;

const states = ['active', 'invited', 'inactive', 'completed'] as const;
const stateOf = ({ enrollment_state }: StudentEnrollmentJson): EnrolledStudent['state'] =>
  enrollment_state === 'creation_pending' ? 'invited' : (states.find((state) => state === enrollment_state) ?? 'inactive');

const compare = new Intl.Collator(undefined, { numeric: true }).compare;

/** By their names. A student in several sections is one. */
export function studentsIn(cache: Cache, courseId: number): EnrolledStudent[] {
  const byUser = Map.groupBy(cache.students.enrollments(courseId), ({ user_id }) => user_id);
  return [...byUser.values()].map(enrolledStudent).sort((a, b) => compare(a.sortable_name, b.sortable_name) || a.user_id - b.user_id);
}

export function enrolledStudent(enrollments: readonly StudentEnrollmentJson[]): EnrolledStudent {
  const [first] = enrollments as [StudentEnrollmentJson];
  const name = first.user?.name ?? `${first.user_id}`;
  const of = enrollments.map(stateOf);
  const activity = enrollments.flatMap(({ last_activity_at }) => last_activity_at ?? []);
  return {
    user_id: first.user_id,
    name,
    sortable_name: first.user?.sortable_name ?? name,
    avatar_url: first.user?.avatar_url ?? null,
    section_ids: [...new Set(enrollments.flatMap(({ course_section_id }) => course_section_id ?? []))],
    state: states.find((state) => of.includes(state)) ?? 'inactive',
    last_activity_at: activity.sort().at(-1) ?? null,
  };
}
