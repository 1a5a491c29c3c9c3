// View models of grades.

import type { Reference } from './reading';

/** The grades of a course as the server calculated them, and the scores behind them. */
export interface GradesView {
  /** The name of the observed student; null: the user's own grades. */
  readonly student: string | null;
  /** The teacher hides the totals. */
  readonly is_hidden: boolean;
  /** In percent, of everything graded so far; null before the first grade. */
  readonly score: number | null;
  readonly grade: string | null;
  readonly is_weighted: boolean;
  readonly groups: readonly GradedGroup[];
}

export interface GradedGroup {
  readonly id: number;
  readonly name: string;
  /** In percent of the total; null when groups are not weighted. */
  readonly weight: number | null;
  readonly drop_lowest: number;
  readonly drop_highest: number;
  readonly points: number;
  readonly points_possible: number;
  readonly rows: readonly GradedRow[];
}

export interface GradedRow {
  readonly id: number;
  /** A graded discussion opens as the discussion. */
  readonly open: Reference;
  readonly title: string;
  readonly due_at: string | null;
  readonly score: number | null;
  readonly grade: string | null;
  readonly points_possible: number | null;
  readonly late: boolean;
  readonly missing: boolean;
  /** Why it does not count yet or at all; null: it counts. */
  readonly aside: 'not graded yet' | 'excused' | 'not in the total' | 'no points' | 'dropped' | null;
}
