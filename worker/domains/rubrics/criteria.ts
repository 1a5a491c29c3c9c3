// The criteria of a rubric as stored, from the criteria that a client sends (reference 03 §13.3). Pure.

import type { Criterion, Rating } from './table';

export interface RatingGiven {
  readonly id?: string;
  readonly description?: string;
  readonly long_description?: string;
  readonly points?: number;
}

export interface CriterionGiven {
  readonly id?: string;
  readonly description?: string;
  readonly long_description?: string;
  readonly points?: number;
  readonly criterion_use_range?: boolean;
  readonly ratings?: readonly RatingGiven[];
  readonly learning_outcome_id?: number | null;
  readonly mastery_points?: number | null;
  readonly ignore_for_scoring?: boolean;
}

const described = (given: string | undefined) => given?.trim() || 'No Description';

/** Keeps an id that is not used yet, and otherwise makes one. */
function idsFrom(newId: () => string) {
  const used = new Set<string>();
  return (given: string | undefined): string => {
    const wanted = given?.trim();
    const id = wanted && !used.has(wanted) ? wanted : newId();
    used.add(id);
    return id;
  };
}

const byPoints = (a: Rating, b: Rating) =>
  b.points - a.points || (a.description < b.description ? -1 : a.description > b.description ? 1 : 0);

/** @param newId makes an id that is unique in the rubric */
export function criteriaFrom(given: readonly CriterionGiven[], newId: () => string): Criterion[] {
  const idOf = idsFrom(newId);
  return given.map((one) => {
    const id = idOf(one.id);
    const ratings = (one.ratings ?? [])
      .map(
        (rating): Rating => ({
          id: idOf(rating.id),
          description: described(rating.description),
          long_description: rating.long_description ?? '',
          points: rating.points ?? 0,
        }),
      )
      .sort(byPoints);
    return {
      id,
      description: described(one.description),
      long_description: one.long_description ?? '',
      // Without ratings, the points are those that were sent.
      points: ratings[0]?.points ?? one.points ?? 0,
      criterion_use_range: one.criterion_use_range ?? false,
      ratings,
      ...(one.learning_outcome_id != null && { learning_outcome_id: one.learning_outcome_id, mastery_points: one.mastery_points ?? null }),
      ...(one.ignore_for_scoring !== undefined && { ignore_for_scoring: one.ignore_for_scoring }),
    };
  });
}

const rounded = (points: number) => Number(points.toFixed(4));

export const sumOfPoints = (points: readonly number[]): number => rounded(points.reduce((sum, one) => sum + one, 0));

/** The points of all criteria that count. */
export const pointsPossible = (criteria: readonly Criterion[]): number =>
  sumOfPoints(criteria.filter((one) => !one.ignore_for_scoring).map(({ points }) => points));

/** The title, or the first of "title (1)", "title (2)" … that is not taken. */
export function freeTitle(title: string, taken: ReadonlySet<string>): string {
  for (let at = 0; ; at += 1) {
    const candidate = at === 0 ? title : `${title} (${at})`;
    if (!taken.has(candidate)) return candidate;
  }
}
