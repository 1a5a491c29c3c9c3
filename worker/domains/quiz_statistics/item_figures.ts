// How well a question tells strong students from weak ones (reference 04 §9). Scores are those of whole attempts.

export type Level = 'top' | 'middle' | 'bottom';

const share = (count: number, of: number): number => (of === 0 ? 0 : count / of);
const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);

/** Null without values. */
export const meanOf = (values: readonly number[]): number | null => (values.length === 0 ? null : sum(values) / values.length);

/** Of the whole population; 0 without values. */
export function varianceOf(values: readonly number[]): number {
  const mean = meanOf(values) ?? 0;
  return share(sum(values.map((one) => (one - mean) ** 2)), values.length);
}

/**
 * The best 27 % of the students are the top and the last 27 % the bottom; students with the same score are on the same level.
 * @returns the level of a score
 */
export function levelsOf(scores: readonly number[]): (score: number) => Level {
  const sorted = [...scores].sort((a, b) => b - a);
  const top = sorted[Math.round(0.27 * sorted.length) - 1] ?? Number.POSITIVE_INFINITY;
  const middle = sorted[Math.round(0.73 * sorted.length) - 1] ?? Number.POSITIVE_INFINITY;
  return (score) => (score >= top ? 'top' : score >= middle ? 'middle' : 'bottom');
}

/**
 * The correlation of an answer with the score: positive if those who chose it are better.
 * @returns null if all or none chose it, or all have the same score
 */
export function pointBiserial(chosen: readonly number[], others: readonly number[]): number | null {
  const deviation = Math.sqrt(varianceOf([...chosen, ...others]));
  const [mean, otherMean] = [meanOf(chosen), meanOf(others)];
  if (deviation === 0 || mean === null || otherMean === null) return null;
  const part = share(chosen.length, chosen.length + others.length);
  return ((mean - otherMean) / deviation) * Math.sqrt(part * (1 - part));
}

const fewest = 16;

/**
 * Cronbach's alpha.
 * @param items variances of the points of each question
 * @returns null for fewer than 16 attempts, a single question, or equal scores
 */
export function alphaOf(items: readonly number[], scores: readonly number[]): number | null {
  const variance = varianceOf(scores);
  if (scores.length < fewest || items.length < 2 || variance === 0) return null;
  return (items.length / (items.length - 1)) * (1 - sum(items) / variance);
}
