// Converts posted grades to scores, and scores to displayed grades (reference 03 §5).

import { rounded } from './course_scores';

export const gradingTypes = ['points', 'percent', 'pass_fail', 'letter_grade', 'gpa_scale', 'not_graded'] as const;
export type GradingType = (typeof gradingTypes)[number];

export interface Scheme {
  /** In descending order; `value` is the lower bound as a fraction. */
  readonly entries: readonly { readonly name: string; readonly value: number }[];
  /** The bounds are points out of `scaling_factor`. */
  readonly points_based?: boolean;
  readonly scaling_factor?: number;
}

export const defaultScheme: Scheme = {
  entries: [
    { name: 'A', value: 0.94 },
    { name: 'A-', value: 0.9 },
    { name: 'B+', value: 0.87 },
    { name: 'B', value: 0.84 },
    { name: 'B-', value: 0.8 },
    { name: 'C+', value: 0.77 },
    { name: 'C', value: 0.74 },
    { name: 'C-', value: 0.7 },
    { name: 'D+', value: 0.67 },
    { name: 'D', value: 0.64 },
    { name: 'D-', value: 0.61 },
    { name: 'F', value: 0 },
  ],
};

export interface Graded {
  readonly grading_type: GradingType;
  readonly points_possible: number | null;
}

export interface Grade {
  readonly score: number | null;
  readonly grade: string | null;
}

const none: Grade = { score: null, grade: null };
export const usesScheme = (type: GradingType) => type === 'letter_grade' || type === 'gpa_scale';
/** Without the noise of binary fractions. */
const fixed = (value: number, digits: number) => Number(value.toFixed(digits));
const normal = (name: string) => name.trim().replaceAll('−', '-').toLowerCase();

/** The percentage of a grade name in the scheme: the top of its range, just below the next. */
function percentOf(name: string, { entries, points_based, scaling_factor: factor = 1 }: Scheme): number | undefined {
  const at = entries.findIndex((entry) => normal(entry.name) === normal(name));
  if (at < 0) return undefined;
  const above = entries[at - 1];
  const entry = entries[at];
  if (!above || !entry) return 100;
  if (points_based) return ((above.value * factor - 0.1) / factor) * 100;
  // Rounded, because 0.94 − 0.93 is less than 0.01 in binary fractions.
  return fixed(above.value * 100 - (fixed(above.value - entry.value, 6) >= 0.01 ? 1 : 0.1), 10);
}

export function gradeNameOf(percent: number, { entries }: Scheme): string | null {
  const share = Math.max(0, percent);
  return (entries.find((entry) => fixed(entry.value * 100, 4) <= fixed(share, 4)) ?? entries.at(-1))?.name ?? null;
}

const percentage = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)%$/;
const points = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)$/;

/** A percentage as graders enter it: a number, with or without a percent sign, or a grade of the scheme. */
export function percentFrom(given: string, scheme: Scheme | null): number | undefined {
  const entered = given.trim();
  if (points.test(entered)) return Number(entered);
  if (percentage.test(entered)) return Number(entered.slice(0, -1));
  return scheme ? percentOf(entered, scheme) : undefined;
}

function scoreOf(given: string, { grading_type, points_possible }: Graded, scheme: Scheme, prefersPoints: boolean): number | null {
  const possible = points_possible ?? 0;
  if (percentage.test(given)) return (possible * Number(given.slice(0, -1))) / 100;
  if (points.test(given)) {
    const numeric =
      usesScheme(grading_type) && !prefersPoints
        ? scheme.entries.find(({ name }) => points.test(name) && Number(name) === Number(given))
        : undefined;
    return numeric ? (possible * (percentOf(numeric.name, scheme) ?? 0)) / 100 : Number(given);
  }
  const word = normal(given);
  if (word === 'pass' || word === 'complete') return possible;
  if (word === 'fail' || word === 'incomplete') return 0;
  const percent = usesScheme(grading_type) ? percentOf(given, scheme) : undefined;
  return percent === undefined ? null : (possible * percent) / 100;
}

/** The displayed grade of a score. */
function gradeOf(score: number, given: string, { grading_type, points_possible }: Graded, scheme: Scheme): string | null {
  const possible = points_possible ?? 0;
  switch (grading_type) {
    case 'points':
      return String(score);
    case 'percent':
      return possible === 0 ? `${score}%` : `${rounded((score / possible) * 100)}%`;
    case 'pass_fail':
      if (possible > 0) return score > 0 ? 'complete' : 'incomplete';
      return ['pass', 'complete'].includes(normal(given)) ? 'complete' : 'incomplete';
    case 'letter_grade':
    case 'gpa_scale': {
      if (possible > 0) return gradeNameOf((score / possible) * 100, scheme);
      const message = scheme.entries.find(({ name }) => normal(name) === normal(given));
      return message?.name ?? gradeNameOf(score, scheme);
    }
    case 'not_graded':
      return null;
  }
}

/** The score and grade for a posted grade. An unrecognised text gives no score and no error. */
export function gradeFrom(posted: string, graded: Graded, scheme: Scheme = defaultScheme, prefersPoints = false): Grade {
  const given = posted.trim();
  if (given === '' || graded.grading_type === 'not_graded') return none;
  const found = scoreOf(given, graded, scheme, prefersPoints);
  if (found === null) return none;
  const score = fixed(found, 10);
  if (graded.grading_type === 'pass_fail' && score !== 0 && score !== (graded.points_possible ?? 0)) return none;
  return { score, grade: gradeOf(score, given, graded, scheme) };
}
