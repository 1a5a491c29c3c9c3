// Which of the given overrides can be saved, and why the others cannot. Pure.

import { gradeNameOf, percentFrom, type Scheme } from '@carrel/shared/grading/score_to_grade';

export interface FinalGradeGiven {
  readonly student_id: number;
  /** A percentage or a grade of the scheme; null clears. */
  readonly override_score?: string | null;
  /** A status of the institution; null clears. */
  readonly custom_grade_status_id?: number | null;
}

export interface OverrideChange {
  readonly student_id: number;
  readonly score: number | null;
  /** As the grade-change log shows it. */
  readonly grade: string | null;
}

export interface StatusChange {
  readonly student_id: number;
  readonly custom_grade_status_id: number | null;
}

export interface OverrideError {
  /** Of the row among those given. */
  readonly at: number;
  readonly field: 'student_id' | 'override_score' | 'custom_grade_status_id';
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

/** The change of the score, the reason why it is refused, or undefined for a row that only sets a status. */
function changeOf(row: FinalGradeGiven, scheme: Scheme | null): OverrideChange | string | undefined {
  const { student_id, override_score: given } = row;
  if (given === undefined) return row.custom_grade_status_id === undefined ? 'is missing' : undefined;
  const score = given === null ? null : overrideFrom(given, scheme);
  return typeof score === 'string' ? score : overrideChange(student_id, score, scheme);
}

/** @param reachable the students whom the caller may grade @param known the statuses of the institution */
export function dividedOverrides(
  given: readonly FinalGradeGiven[],
  reachable: ReadonlySet<number>,
  known: ReadonlySet<number>,
  scheme: Scheme | null,
): { changes: OverrideChange[]; statuses: StatusChange[]; errors: OverrideError[] } {
  const changes: OverrideChange[] = [];
  const statuses: StatusChange[] = [];
  const errors: OverrideError[] = [];
  const seen = new Set<number>();
  given.forEach((one, at) => {
    const change = changeOf(one, scheme);
    const { student_id, custom_grade_status_id: status } = one;
    if (!reachable.has(student_id)) errors.push({ at, field: 'student_id', message: 'is not a student whom you may grade' });
    else if (seen.has(student_id)) errors.push({ at, field: 'student_id', message: 'is listed twice' });
    else if (typeof change === 'string') errors.push({ at, field: 'override_score', message: change });
    else if (typeof status === 'number' && !known.has(status))
      errors.push({ at, field: 'custom_grade_status_id', message: 'is not a status of the institution' });
    else {
      if (change) changes.push(change);
      if (status !== undefined) statuses.push({ student_id, custom_grade_status_id: status });
    }
    seen.add(student_id);
  });
  return { changes, statuses, errors };
}
