// Which of the given overrides can be saved, and why the others cannot. Pure.

import { gradeNameOf, percentFrom, type Scheme } from '../../rules/score_to_grade';

export interface FinalGradeGiven {
  readonly student_id: number;
  /** A percentage or a grade of the scheme; null clears. */
  readonly override_score?: string | null;
}

export interface OverrideChange {
  readonly student_id: number;
  readonly score: number | null;
  /** As the grade-change log shows it. */
  readonly grade: string | null;
}

export interface OverrideError {
  /** Of the row among those given. */
  readonly at: number;
  readonly field: 'student_id' | 'override_score';
  readonly message: string;
}

/** Far above any extra credit. */
const highest = 10_000;

const range = `must be a percentage from 0 to ${highest}`;

function changeOf({ student_id, override_score: given }: FinalGradeGiven, scheme: Scheme | null): OverrideChange | string {
  if (given === undefined) return 'is missing';
  if (given === null) return { student_id, score: null, grade: null };
  const score = percentFrom(given, scheme);
  if (score === undefined) return scheme ? `${range}, or a grade of the grading scheme` : range;
  if (score < 0 || score > highest) return range;
  return { student_id, score, grade: scheme ? gradeNameOf(score, scheme) : `${score}%` };
}

/** @param reachable the students whom the caller may grade */
export function dividedOverrides(
  given: readonly FinalGradeGiven[],
  reachable: ReadonlySet<number>,
  scheme: Scheme | null,
): { changes: OverrideChange[]; errors: OverrideError[] } {
  const changes: OverrideChange[] = [];
  const errors: OverrideError[] = [];
  const seen = new Set<number>();
  given.forEach((one, at) => {
    const change = changeOf(one, scheme);
    if (!reachable.has(one.student_id)) errors.push({ at, field: 'student_id', message: 'is not a student whom you may grade' });
    else if (seen.has(one.student_id)) errors.push({ at, field: 'student_id', message: 'is listed twice' });
    else if (typeof change === 'string') errors.push({ at, field: 'override_score', message: change });
    else changes.push(change);
    seen.add(one.student_id);
  });
  return { changes, errors };
}
