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
  /** In percent, as this computer computes it: with the assumed scores, or of one grading period; null where neither was asked for. */
  readonly computed: { readonly score: number | null } | null;
  /** Empty: the course has none. */
  readonly periods: readonly { readonly id: number; readonly title: string }[];
  readonly groups: readonly GradedGroup[];
}

/** A score that the user assumes, to see what it would lead to. */
export interface AssumedScore {
  readonly assignment_id: number;
  readonly score: number | null;
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
  /** The user assumes the score. */
  readonly is_assumed: boolean;
  readonly grade: string | null;
  readonly points_possible: number | null;
  readonly late: boolean;
  readonly missing: boolean;
  /** Why it does not count yet or at all; null: it counts. */
  readonly aside: 'not graded yet' | 'excused' | 'not in the total' | 'no points' | 'dropped' | null;
}
