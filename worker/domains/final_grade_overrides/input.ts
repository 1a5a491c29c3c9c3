// Which of the given overrides can be saved, and why the others cannot. Pure.

import { gradeNameOf, percentFrom, type Scheme } from '@carrel/shared/grading/score_to_grade';

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

/** The percentage of an override as it was entered, or why it is none. @param scheme its grades count, too */
export function overrideFrom(given: string, scheme: Scheme | null): number | string {
  const score = percentFrom(given, scheme);
  if (score === undefined) return scheme ? `${range}, or a grade of the grading scheme` : range;
  return score < 0 || score > highest ? range : score;
}

/** The change that stores a percentage, or clears it. */
export const overrideChange = (student_id: number, score: number | null, scheme: Scheme | null): OverrideChange => ({
  student_id,
  score,
  grade: score === null ? null : scheme ? gradeNameOf(score, scheme) : `${score}%`,
});

function changeOf({ student_id, override_score: given }: FinalGradeGiven, scheme: Scheme | null): OverrideChange | string {
  if (given === undefined) return 'is missing';
  const score = given === null ? null : overrideFrom(given, scheme);
  return typeof score === 'string' ? score : overrideChange(student_id, score, scheme);
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
