// Quartiles, levels and statistics of scores (reference 03 §16). Pure.

import { rounded } from '@carrel/shared/grading/course_scores';
import type { ScoreStatistics, Spread } from './table';

/** The value at position `share × (n + 1)` of ascending values, interpolated between neighbours and clamped to the ends (assumed). */
export function quantile(ascending: readonly number[], share: number): number {
  const position = share * (ascending.length + 1);
  const before = Math.min(Math.max(Math.floor(position), 1), ascending.length);
  const after = Math.min(Math.max(Math.ceil(position), 1), ascending.length);
  const [low = 0, high = 0] = [ascending[before - 1], ascending[after - 1]];
  return low + (high - low) * (position - Math.floor(position));
}

const sorted = (values: readonly number[]): number[] => values.toSorted((one, other) => one - other);

export function spreadOf(values: readonly number[]): Spread {
  const ascending = sorted(values);
  return { first: quantile(ascending, 0.25), third: quantile(ascending, 0.75), max: ascending.at(-1) ?? 0 };
}

/** How much a student does compared with the students of the course: nothing, little, average or much. */
export function levelOf(count: number, { first, third }: Spread): 0 | 1 | 2 | 3 {
  if (count === 0) return 0;
  if (count < first) return 1;
  return count < third ? 2 : 3;
}

/** Null without scores. */
export function statisticsOf(scores: readonly number[]): ScoreStatistics | null {
  const ascending = sorted(scores);
  const [min] = ascending;
  const max = ascending.at(-1);
  if (min === undefined || max === undefined) return null;
  const at = (share: number) => rounded(quantile(ascending, share));
  return { count: ascending.length, min, max, first: at(0.25), median: at(0.5), third: at(0.75) };
}
