// The statistics of an assignment over the students who are counted.

import type { GradebookCell } from '../../contract/gradebook.ts';
import { isInBook } from './book.ts';

export interface ColumnStatistics {
  readonly graded: number;
  readonly to_grade: number;
  /** Null without a score. */
  readonly scores: { readonly mean: number; readonly median: number; readonly lowest: number; readonly highest: number } | null;
}

/** Excused results count nowhere. */
export function columnStatistics(cells: Iterable<GradebookCell | undefined>): ColumnStatistics {
  const scores: number[] = [];
  let to_grade = 0;
  for (const cell of cells) {
    if (!cell) continue;
    if (isInBook(cell, 'to grade')) to_grade++;
    if (cell.score !== null && !cell.excused) scores.push(cell.score);
  }
  return { graded: scores.length, to_grade, scores: summaryOf(scores) };
}

export function summaryOf(scores: readonly number[]): ColumnStatistics['scores'] {
  const order = [...scores].sort((a, b) => a - b);
  const [lowest, highest] = [order[0], order.at(-1)];
  if (lowest === undefined || highest === undefined) return null;
  const middle = order.slice(Math.ceil(order.length / 2) - 1, Math.floor(order.length / 2) + 1);
  return { mean: meanOf(order), median: meanOf(middle), lowest, highest };
}

const meanOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
