// How the grades of an assignment are read: its type, points and scheme.

import { defaultScheme, gradingTypes, type Scheme } from '@carrel/shared/grading/score_to_grade';
import type { GradedWork } from '../grading/grade_entry';
import type { AssignmentJson, CourseJson } from '../model/resources';
import type { Cache } from '../store/cache';
import { type GradingFacts, gradingFacts } from './grading_facts';

/** The scheme of a standard; the built-in one where none is set, or it is not known here. */
export function schemeOf(standardId: number | null | undefined, { standards }: GradingFacts): Scheme {
  const found = standards.find(({ id }) => id === standardId);
  if (!found) return defaultScheme;
  const { grading_scheme: entries, points_based, scaling_factor } = found;
  return { entries, points_based, scaling_factor };
}

export function gradedWorkOf(assignment: AssignmentJson | undefined, course: CourseJson | undefined, facts: GradingFacts): GradedWork {
  return {
    grading_type: gradingTypes.find((type) => type === assignment?.grading_type) ?? 'points',
    points_possible: assignment?.points_possible ?? null,
    scheme: schemeOf(assignment?.grading_standard_id ?? course?.grading_standard_id, facts),
  };
}

export const gradedWork = (cache: Cache, courseId: number, assignmentId: number): GradedWork =>
  gradedWorkOf(
    cache.get<AssignmentJson>('assignment', assignmentId),
    cache.get<CourseJson>('course', courseId),
    gradingFacts(cache, courseId),
  );
