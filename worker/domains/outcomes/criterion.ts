// The ratings and the calculation method of an outcome, from what a client sends (reference 04 §12.3). Pure.

import type { Calculation, CalculationMethod } from '@carrel/shared/grading/outcome_scores';
import type { OutcomeRating } from './table';

export interface OutcomeRatingGiven {
  readonly description?: string | null;
  readonly points?: number | null;
}

export interface OutcomeScale {
  readonly ratings: readonly OutcomeRating[];
  readonly mastery_points: number;
  readonly points_possible: number;
}

export const defaultScale: OutcomeScale = {
  ratings: [
    { description: 'Exceeds Expectations', points: 5 },
    { description: 'Meets Expectations', points: 3 },
    { description: 'Does Not Meet Expectations', points: 0 },
  ],
  mastery_points: 3,
  points_possible: 5,
};

/** @param before of an existing outcome: without new ratings only its mastery points change. New outcomes without ratings have the default scale. */
export function scaleOf(
  ratings: readonly OutcomeRatingGiven[] | undefined,
  mastery_points: number | undefined,
  before: OutcomeScale | undefined,
): OutcomeScale {
  if (!ratings?.length) {
    if (!before) return defaultScale;
    return { ratings: before.ratings, mastery_points: mastery_points ?? before.mastery_points, points_possible: before.points_possible };
  }
  const sorted = ratings
    .map(({ description, points }) => ({ description: description?.trim() || 'No description', points: points ?? 0 }))
    .sort((a, b) => b.points - a.points);
  const highest = sorted[0]?.points ?? 0;
  return { ratings: sorted, mastery_points: mastery_points ?? highest, points_possible: highest };
}

/** Methods with a number: its smallest, greatest and default value. */
const numbers = {
  decaying_average: [1, 99, 65],
  standard_decaying_average: [1, 99, 65],
  n_mastery: [1, 10, 5],
} as const satisfies Partial<Record<CalculationMethod, readonly [number, number, number]>>;

const rangeOf = (method: CalculationMethod): readonly [number, number, number] | undefined =>
  method in numbers ? numbers[method as keyof typeof numbers] : undefined;

/** What is wrong with a number for its method. */
export class BadCalculation extends Error {}

/**
 * @param before of an existing outcome
 * @throws BadCalculation
 */
export function calculationOf(given: Partial<Calculation>, before: Calculation | undefined): Calculation {
  const calculation_method = given.calculation_method ?? before?.calculation_method ?? 'decaying_average';
  const changes = calculation_method !== before?.calculation_method;
  const range = rangeOf(calculation_method);
  const number = given.calculation_int ?? undefined;
  if (!range) {
    const isReset = changes && before !== undefined && (calculation_method === 'highest' || calculation_method === 'latest');
    if (number !== undefined && !isReset) throw new BadCalculation(`is not used by the calculation method ${calculation_method}`);
    return { calculation_method, calculation_int: null };
  }
  const [least, most, usual] = range;
  const calculation_int = number ?? (changes ? usual : (before?.calculation_int ?? usual));
  if (!Number.isInteger(calculation_int) || calculation_int < least || calculation_int > most)
    throw new BadCalculation(`is not an integer from ${least} to ${most}`);
  return { calculation_method, calculation_int };
}
