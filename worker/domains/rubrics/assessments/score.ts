// The rows and the score of an assessment, from what an assessor sends (reference 03 §13.4). Pure.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { AssessmentRow } from '../../rubric_assessments/table';
import { sumOfPoints } from '../criteria';
import type { Criterion, Rating } from '../table';

export interface RowGiven {
  readonly points?: number | null;
  readonly rating_id?: string | null;
  readonly description?: string | null;
  readonly comments?: string | null;
  readonly save_comment?: boolean;
}

/** By criterion. */
export type AssessmentGiven = Readonly<Record<string, RowGiven>>;

/** A rating that is not one of the criterion. */
export class UnknownRating extends Error {
  constructor(readonly criterion_id: string) {
    super(`criterion ${criterion_id} does not have that rating`);
  }
}

/** The rating for points: the one with these points, or the range that contains them, up to its points and above those of the next lower rating. */
export function ratingFor(
  { ratings, criterion_use_range }: Pick<Criterion, 'ratings' | 'criterion_use_range'>,
  points: number,
): Rating | undefined {
  const equal = ratings.find((rating) => rating.points === points);
  if (equal || !criterion_use_range) return equal;
  return ratings.findLast((rating, at) => rating.points > points && points > (ratings[at + 1]?.points ?? Number.NEGATIVE_INFINITY));
}

export interface AssessmentRules {
  /** Comments only, without ratings. */
  readonly isFreeForm: boolean;
  /** Outcomes may have more points than their criterion. */
  readonly allowsExtraCredit: boolean;
}

/** Outcomes count at most the points of their criterion, unless the course allows extra credit. */
const capped = ({ learning_outcome_id, points: most }: Criterion, points: number | null, { allowsExtraCredit }: AssessmentRules) =>
  points !== null && learning_outcome_id != null && !allowsExtraCredit ? Math.min(points, most) : points;

/** @throws UnknownRating */
function ratingGiven({ id, ratings }: Criterion, rating_id: string | null | undefined): Rating | undefined {
  if (!rating_id) return undefined;
  const rating = ratings.find((one) => one.id === rating_id);
  if (!rating) throw new UnknownRating(id);
  return rating;
}

function rowOf(criterion: Criterion, given: RowGiven, rules: AssessmentRules): AssessmentRow {
  const { isFreeForm } = rules;
  const chosen = ratingGiven(criterion, given.rating_id);
  // A rating that is sent without points has its own.
  const points = capped(criterion, given.points === undefined ? (chosen?.points ?? null) : given.points, rules);
  const inferred = points === null || isFreeForm ? undefined : ratingFor(criterion, points);
  const rating = isFreeForm ? undefined : chosen && (chosen.points === points || criterion.criterion_use_range) ? chosen : inferred;
  const { learning_outcome_id, mastery_points } = criterion;
  return {
    criterion_id: criterion.id,
    id: rating?.id ?? null,
    points,
    description: rating?.description ?? (given.description?.trim() || null),
    comments: given.comments?.trim() || null,
    comments_enabled: true,
    ...(learning_outcome_id != null && {
      learning_outcome_id,
      ...(mastery_points != null && points !== null && { above_threshold: points >= mastery_points }),
    }),
  };
}

/** The rows of the assessed criteria, in the order of the rubric; criteria of other rubrics are left out. */
export const assessmentRows = (criteria: readonly Criterion[], given: AssessmentGiven, rules: AssessmentRules): AssessmentRow[] =>
  criteria.flatMap((criterion) => {
    const row = lookUp(given, criterion.id);
    return row ? [rowOf(criterion, row, rules)] : [];
  });

/** The points of all assessed criteria that count; null without points. */
export function scoreOf(criteria: readonly Criterion[], rows: readonly AssessmentRow[]): number | null {
  const ignored = new Set(criteria.filter((one) => one.ignore_for_scoring).map(({ id }) => id));
  const points = rows.filter(({ criterion_id }) => !ignored.has(criterion_id)).flatMap((row) => row.points ?? []);
  return points.length === 0 ? null : sumOfPoints(points);
}
