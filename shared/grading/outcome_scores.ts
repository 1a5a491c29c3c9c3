// The score of a student in an outcome, from the results of its assessments (reference 04 §15.3). Pure.

export const calculationMethods = ['decaying_average', 'standard_decaying_average', 'n_mastery', 'highest', 'latest', 'average'] as const;
export type CalculationMethod = (typeof calculationMethods)[number];

export interface Calculation {
  readonly calculation_method: CalculationMethod;
  readonly calculation_int: number | null;
}

/** A result as the calculation needs it. */
export interface ResultFacts {
  readonly score: number | null;
  /** From 0 to 1. */
  readonly percent: number | null;
  readonly submitted_or_assessed_at: string;
  readonly possible: number | null;
  readonly association_type: 'Assignment' | 'Quiz' | 'LiveAssessment';
  readonly association_id: number;
}

export interface OutcomeFacts extends Calculation {
  readonly mastery_points: number;
  readonly points_possible: number;
}

const rounded = (points: number): number => Math.round((points + Number.EPSILON) * 100) / 100;
const meanOf = (points: readonly number[]): number => points.reduce((sum, one) => sum + one, 0) / points.length;

/** The points of a result on the scale of the outcome, to two decimals, so that 29 of 100 points reach 29; null for an assessment without points. */
export function scaledPoints(
  { score, percent }: Pick<ResultFacts, 'score' | 'percent'>,
  { points_possible, mastery_points }: Pick<OutcomeFacts, 'points_possible' | 'mastery_points'>,
): number | null {
  const points = percent === null ? score : percent * (points_possible > 0 ? points_possible : mastery_points);
  return points === null ? null : rounded(points);
}

/** @param points from the oldest to the newest; at least one */
function calculated(points: readonly number[], { calculation_method, calculation_int, mastery_points }: OutcomeFacts): number | null {
  const newest = points.at(-1) ?? 0;
  const weight = (calculation_int ?? 65) / 100;
  switch (calculation_method) {
    case 'highest':
      return Math.max(...points);
    case 'latest':
      return newest;
    case 'average':
      return meanOf(points);
    case 'n_mastery': {
      const reached = points.filter((one) => one >= mastery_points);
      return reached.length < (calculation_int ?? 5) ? null : meanOf(reached);
    }
    case 'decaying_average':
      return points.length === 1 ? newest : newest * weight + meanOf(points.slice(0, -1)) * (1 - weight);
    case 'standard_decaying_average':
      return points.reduce((decayed, one) => decayed * (1 - weight) + one * weight);
  }
}

const byTime = (a: ResultFacts, b: ResultFacts): number =>
  a.submitted_or_assessed_at < b.submitted_or_assessed_at ? -1 : a.submitted_or_assessed_at > b.submitted_or_assessed_at ? 1 : 0;

const merging: ReadonlySet<string> = new Set(['decaying_average', 'latest', 'average']);

/** Results of one quiz, from several of its banks, count as one: by the weight of their points, for the methods that weigh each assessment. */
export function mergedByQuiz<R extends ResultFacts>(
  results: readonly R[],
  { calculation_method }: Pick<OutcomeFacts, 'calculation_method'>,
): R[] {
  if (!merging.has(calculation_method)) return [...results];
  const scored = results.filter(({ percent }) => percent !== null);
  const byQuiz = Map.groupBy(scored, (result) => (result.association_type === 'Quiz' ? result.association_id : result));
  return [...byQuiz.values(), ...results.filter(({ percent }) => percent === null).map((result) => [result])].flatMap((same) => {
    const [newest, ...others] = [...same].sort((a, b) => byTime(b, a));
    if (!newest || others.length === 0) return newest ?? [];
    const weight = same.reduce((sum, { possible }) => sum + (possible ?? 0), 0);
    const earned = same.reduce((sum, { possible, percent }) => sum + (possible ?? 0) * (percent ?? 0), 0);
    return { ...newest, possible: weight, score: earned, percent: weight > 0 ? earned / weight : newest.percent };
  });
}

export interface RollupScore<R extends ResultFacts> {
  /** Null if a method that counts masteries has too few. */
  readonly score: number | null;
  readonly count: number;
  readonly newest: R;
}

/** The score from the results of one student in one outcome; undefined if none of them has points. */
export function rollupScore<R extends ResultFacts>(results: readonly R[], outcome: OutcomeFacts): RollupScore<R> | undefined {
  const scored = mergedByQuiz(results, outcome)
    .flatMap((result) => {
      const points = scaledPoints(result, outcome);
      return points === null ? [] : [{ result, points }];
    })
    .sort((a, b) => byTime(a.result, b.result));
  const newest = scored.at(-1)?.result;
  if (!newest) return undefined;
  const points = calculated(
    scored.map((one) => one.points),
    outcome,
  );
  return { score: points === null ? null : rounded(points), count: scored.length, newest };
}

/** The mean or the median of scores, to two decimals. */
export function aggregated(scores: readonly number[], stat: 'mean' | 'median'): number | null {
  if (scores.length === 0) return null;
  if (stat === 'mean') return rounded(meanOf(scores));
  const sorted = [...scores].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return rounded(Number.isInteger(middle) ? meanOf([sorted[middle - 1] ?? 0, sorted[middle] ?? 0]) : (sorted[Math.floor(middle)] ?? 0));
}

/** The place of the highest rating that a score reaches, by points from the highest; undefined below all. */
export function ratingReached(score: number, ratings: readonly { readonly points: number }[]): number | undefined {
  const at = ratings.findIndex(({ points }) => points <= score);
  return at === -1 ? undefined : at;
}
