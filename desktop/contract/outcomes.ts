// View models of learning outcomes, for students.

import type { Prose } from './reading';

/** One assessment of an outcome. */
export interface OutcomeResultView {
  readonly id: number;
  readonly at: string;
  /** On the scale of the outcome; null without points. */
  readonly points: number | null;
  /** Of the assignment or quiz; null if it is not here. */
  readonly title: string | null;
  /** Where the assignment is read. */
  readonly assignment_id: number | null;
}

export interface OutcomeView {
  readonly id: number;
  readonly title: string;
  readonly group: string | null;
  readonly description: Prose;
  /** From the lowest. */
  readonly ratings: readonly { readonly title: string; readonly points: number }[];
  readonly points_possible: number;
  readonly mastery_points: number;
  /** By the method of the outcome; null without results, or while a method that counts masteries has too few. */
  readonly score: number | null;
  /** The words of the rating that the score reaches. */
  readonly rating: string | null;
  readonly is_mastered: boolean;
  /** A rubric hides its points: only words are shown. */
  readonly hides_points: boolean;
  /** From the oldest. */
  readonly results: readonly OutcomeResultView[];
}
