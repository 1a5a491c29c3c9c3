// Marks in a rubric, as pure functions.

import type { GradingView, RubricMark } from '../../contract/gradebook.ts';

export type Rubric = NonNullable<GradingView['rubric']>;
export type Criterion = Rubric['criteria'][number];
export type Marks = Rubric['marks'];

const blank: RubricMark = { points: null, rating_id: null, comments: '' };
export const markOf = (marks: Marks, { id }: Criterion): RubricMark => (Object.hasOwn(marks, id) ? (marks[id] ?? blank) : blank);

/** Choosing the same rating again clears the mark. */
export function rated(marks: Marks, criterion: Criterion, rating: Criterion['ratings'][number]): Marks {
  const before = markOf(marks, criterion);
  const isSame = before.rating_id === rating.id;
  const mark = { ...before, rating_id: isSame ? null : rating.id, points: isSame ? null : rating.points };
  return { ...marks, [criterion.id]: mark };
}

/** Points between two ratings keep the rating whose points they are, if there is one. */
export function pointed(marks: Marks, criterion: Criterion, points: number | null): Marks {
  const rating = criterion.ratings.find((one) => one.points === points);
  return { ...marks, [criterion.id]: { ...markOf(marks, criterion), points, rating_id: rating?.id ?? null } };
}

export const commented = (marks: Marks, criterion: Criterion, comments: string): Marks => ({
  ...marks,
  [criterion.id]: { ...markOf(marks, criterion), comments },
});

const isMarked = (marks: Marks, criterion: Criterion) => markOf(marks, criterion).points !== null;

export interface RubricSum {
  readonly points: number;
  readonly of: number;
  /** Criteria without points. */
  readonly open: number;
}

export const sumOf = ({ criteria }: Rubric, marks: Marks): RubricSum => ({
  points: criteria.reduce((sum, one) => sum + (markOf(marks, one).points ?? 0), 0),
  of: criteria.reduce((sum, one) => sum + one.points, 0),
  open: criteria.filter((one) => !isMarked(marks, one)).length,
});

/** The criterion that a digit marks: the one with the focus, else the first without a mark. */
export function criterionFor(criteria: readonly Criterion[], marks: Marks, focused: string | undefined): Criterion | undefined {
  return criteria.find(({ id }) => id === focused) ?? criteria.find((one) => !isMarked(marks, one)) ?? criteria[0];
}
