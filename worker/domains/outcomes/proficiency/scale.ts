// Proficiency scales: which ratings are valid, and the colors of ratings (reference 04 §16). Pure.

import type { OutcomeRating, ProficiencyRating } from '../table';

/** From the highest rating down; further ratings have the last. */
const usualColors = ['127A1B', '0B874B', 'FAB901', 'FD5D10', 'E0061F'] as const;

const colorAt = (at: number): string => usualColors[Math.min(at, usualColors.length - 1)] ?? '';

/** Ratings of an outcome with a color each, and a mark at the lowest one that is mastery. */
export function ratingsWithDefaults(ratings: readonly OutcomeRating[], mastery_points: number) {
  const mark = ratings.findLastIndex(({ points }) => points >= mastery_points);
  return ratings.map((rating, at) => ({ ...rating, color: colorAt(at), mastery: at === mark }));
}

export interface ScaleRatingGiven {
  readonly description?: string;
  readonly points?: number;
  readonly mastery?: boolean;
  readonly color?: string;
}

/** The first thing that is wrong with a scale. */
export function refusalOfScale(ratings: readonly ScaleRatingGiven[]): string | undefined {
  if (ratings.length === 0) return 'has no ratings';
  for (const [at, { description, points, color }] of ratings.entries()) {
    if (!description?.trim()) return 'has a rating without a description';
    if (points === undefined || points < 0) return 'has a rating without points, or with negative ones';
    if (at > 0 && points >= (ratings[at - 1]?.points ?? 0)) return 'has ratings whose points do not fall';
    if (color !== undefined && !/^#?[0-9a-f]{6}$/i.test(color)) return 'has a color that is not six hex digits';
  }
  return ratings.filter(({ mastery }) => mastery === true).length === 1 ? undefined : 'must have exactly one rating that is mastery';
}

/** A valid scale as stored. */
export const storedScale = (ratings: readonly ScaleRatingGiven[]): ProficiencyRating[] =>
  ratings.map(({ description = '', points = 0, mastery = false, color }, at) => ({
    description: description.trim(),
    points,
    mastery,
    color: (color ?? colorAt(at)).replace('#', ''),
  }));
