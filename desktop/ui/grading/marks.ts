// Marks in a rubric, as pure functions.

import type { GradingView, RubricMark } from '../../contract/gradebook.ts';

export type GradedRubric = NonNullable<GradingView['rubric']>;
export type GradedCriterion = GradedRubric['criteria'][number];
export type RubricMarks = GradedRubric['marks'];

const blank: RubricMark = { points: null, rating_id: null, comments: '' };
export const markOf = (marks: RubricMarks, { id }: GradedCriterion): RubricMark =>
  Object.hasOwn(marks, id) ? (marks[id] ?? blank) : blank;

/** Choosing the same rating again clears the mark. */
export function rated(marks: RubricMarks, criterion: GradedCriterion, rating: GradedCriterion['ratings'][number]): RubricMarks {
  const before = markOf(marks, criterion);
  const isSame = before.rating_id === rating.id;
  const mark = { ...before, rating_id: isSame ? null : rating.id, points: isSame ? null : rating.points };
  return { ...marks, [criterion.id]: mark };
}

/** Points between two ratings keep the rating whose points they are, if there is one. */
export function pointed(marks: RubricMarks, criterion: GradedCriterion, points: number | null): RubricMarks {
  const rating = criterion.ratings.find((one) => one.points === points);
  return { ...marks, [criterion.id]: { ...markOf(marks, criterion), points, rating_id: rating?.id ?? null } };
}

export const commented = (marks: RubricMarks, criterion: GradedCriterion, comments: string): RubricMarks => ({
  ...marks,
  [criterion.id]: { ...markOf(marks, criterion), comments },
});

const isMarked = (marks: RubricMarks, criterion: GradedCriterion) => markOf(marks, criterion).points !== null;

export interface RubricSum {
  readonly points: number;
  readonly of: number;
  /** Criteria without points. */
  readonly open: number;
}

export const sumOfMarks = ({ criteria }: GradedRubric, marks: RubricMarks): RubricSum => ({
  points: criteria.reduce((sum, one) => sum + (markOf(marks, one).points ?? 0), 0),
  of: criteria.reduce((sum, one) => sum + one.points, 0),
  open: criteria.filter((one) => !isMarked(marks, one)).length,
});

/** The criterion that a digit marks: the one with the focus, else the first without a mark. */
export function criterionFor(
  criteria: readonly GradedCriterion[],
  marks: RubricMarks,
  focused: string | undefined,
): GradedCriterion | undefined {
  return criteria.find(({ id }) => id === focused) ?? criteria.find((one) => !isMarked(marks, one)) ?? criteria[0];
}
