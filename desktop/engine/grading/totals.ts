// The total of each student, by the functions with which the server computes it, with what was entered here and is not sent yet. Pure.

import { type CountedGroup, gradersScores, type ScoredWork } from '@carrel/shared/grading/course_scores';
import { periodOf } from '@carrel/shared/grading/period_of_date';
import type { AssignmentGroupJson, AssignmentJson, CourseJson } from '../model/resources';

export interface Totals {
  readonly current: number | null;
  readonly final: number | null;
}

/** Whether it counts in the total. */
export const isInTotal = ({ published, omit_from_final_grade, grading_type }: AssignmentJson): boolean =>
  published !== false && !omit_from_final_grade && grading_type !== 'not_graded';

/** The results of one student by assignment, without objects in between: a large course has a hundred thousand. */
export interface StudentResults {
  readonly work: ReadonlyMap<number, ScoredWork>;
  readonly unassigned: ReadonlySet<number>;
  /** The grading periods that the server has computed, by assignment. */
  readonly periods: ReadonlyMap<number, number>;
}

export const hasWeightedPeriods = (course: CourseJson | undefined): boolean =>
  course?.has_weighted_grading_periods === true && (course.grading_periods ?? []).length > 0;

/** Returns the function that computes the totals of one student. */
export function totalsIn(
  course: CourseJson | undefined,
  groups: readonly AssignmentGroupJson[],
  assignments: readonly AssignmentJson[],
): (results: StudentResults) => Totals {
  const counted = Map.groupBy(assignments.filter(isInTotal), ({ assignment_group_id }) => assignment_group_id);
  const all = groups.map(({ id, group_weight = 0, rules = {} }): CountedGroup => {
    const members = (counted.get(id) ?? []).map((one) => ({ id: one.id, points_possible: one.points_possible ?? 0 }));
    return { group_weight, rules, assignments: members };
  });
  const isWeighted = course?.apply_assignment_group_weights ?? false;
  const given = course?.grading_periods ?? [];
  const dueOf = new Map(assignments.map(({ id, due_at }) => [id, due_at ?? null]));
  const hasWeights = hasWeightedPeriods(course);
  return ({ work, unassigned, periods }) => {
    const isAssigned = ({ id }: { readonly id: number }) => !unassigned.has(id);
    return gradersScores({
      groups: unassigned.size === 0 ? all : all.map((group) => ({ ...group, assignments: group.assignments.filter(isAssigned) })),
      work,
      isWeighted,
      periods: given.map(({ id, weight }) => ({ id, weight: weight ?? null })),
      hasWeightedPeriods: hasWeights,
      overrides: new Map(),
      periodOf: (id) => periods.get(id) ?? periodOf(given, dueOf.get(id) ?? null)?.id,
    });
  };
}
