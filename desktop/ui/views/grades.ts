// What the desk shows of grades.

import type { Reference } from './reading';

/** The grades of a course as the server has worked them out, and of what. */
export interface GradesView {
  /** The teacher does not show the totals. */
  readonly is_hidden: boolean;
  /** Percent, of what has been graded so far; null before anything was. */
  readonly score: number | null;
  readonly grade: string | null;
  readonly is_weighted: boolean;
  readonly groups: readonly GradedGroup[];
}

export interface GradedGroup {
  readonly id: number;
  readonly name: string;
  /** Percent of the total; null where groups are not weighed. */
  readonly weight: number | null;
  readonly drop_lowest: number;
  readonly drop_highest: number;
  readonly points: number;
  readonly points_possible: number;
  readonly rows: readonly GradedRow[];
}

export interface GradedRow {
  readonly id: number;
  /** A discussion that is graded opens as the discussion. */
  readonly open: Reference;
  readonly title: string;
  readonly due_at: string | null;
  readonly score: number | null;
  readonly grade: string | null;
  readonly points_possible: number | null;
  readonly late: boolean;
  readonly missing: boolean;
  /** Why it does not count, so far or at all; null: it counts. */
  readonly aside: 'not graded yet' | 'excused' | 'not in the total' | 'no points' | null;
}
