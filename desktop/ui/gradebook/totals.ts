// Totals and column statistics, in words.

import { exactPercent } from '../../language/amounts.ts';
import { t } from '../../language/texts.ts';
import type { Book } from './book.ts';
import { decimalIn } from './entry.ts';
import { type ColumnStatistics, columnStatistics, summaryOf } from './statistics.ts';

/** A score in percent. */
export const percentText = (score: number) => exactPercent(score / 100);

/** The statistics of the columns that are looked at; a new one for every state of the book. */
export function countedColumns({ cellOf }: Book, counted: readonly number[]): (assignment_id: number) => ColumnStatistics {
  const known = new Map<number, ColumnStatistics>();
  return (assignment_id) => {
    const found = known.get(assignment_id) ?? columnStatistics(counted.map((user_id) => cellOf(user_id, assignment_id)));
    known.set(assignment_id, found);
    return found;
  };
}

export function countedTotals({ view }: Book, counted: readonly number[]): ColumnStatistics['scores'] {
  const wanted = new Set(counted);
  return summaryOf(
    view.rows.flatMap(({ user_id, current_score }) => (wanted.has(user_id) && current_score !== null ? [current_score] : [])),
  );
}

/** Label and value of each figure. */
export function figuresOf(
  scores: ColumnStatistics['scores'],
  say: (score: number) => string = decimalIn,
): readonly (readonly [string, string])[] {
  if (!scores) return [];
  return [
    [t('book.mean'), say(scores.mean)],
    [t('book.median'), say(scores.median)],
    [t('book.lowest'), say(scores.lowest)],
    [t('book.highest'), say(scores.highest)],
  ];
}
