// View models for people who teach.

import type { PageCard } from './course';
import type { Reference } from './reading';

/** Work of students that waits to be graded, for one assignment. */
export interface WorkToGrade {
  readonly id: number;
  /** A graded discussion opens as the discussion. */
  readonly open: Reference;
  readonly title: string;
  readonly course_id: number;
  readonly course_name: string;
  readonly count: number;
  readonly due_at: string | null;
}

/** A discussion with replies that the user has not read. */
export interface UnreadDiscussion {
  readonly open: Reference;
  readonly title: string;
  readonly course_id: number;
  readonly course_name: string;
  readonly unread: number;
  readonly last_reply_at: string | null;
}

export interface TeachingView {
  /** What the user also does in other courses. */
  readonly beside: 'studies' | 'observes' | null;
  /** What was due first comes first. */
  readonly to_grade: readonly WorkToGrade[];
  /** The latest reply first. */
  readonly discussions: readonly UnreadDiscussion[];
}

/** An assignment in a list for teachers. */
export interface TaughtAssignment {
  readonly id: number;
  readonly open: Reference;
  readonly title: string;
  /** Its assignment group. */
  readonly group: string | null;
  readonly due_at: string | null;
  /** Some students have other dates. */
  readonly has_other_dates: boolean;
  readonly points_possible: number | null;
  readonly published: boolean;
  /** Null for those who do not grade. */
  readonly to_grade: number | null;
  /** A change of the user that is not sent. */
  readonly unsent?: PageCard['unsent'];
}
