// Which score counts of several attempts (reference 04 §4.6).

export type ScoringPolicy = 'keep_highest' | 'keep_latest' | 'keep_average' | 'keep_first';

/** @param scores of the completed attempts, oldest first @returns null without one */
export function keptScore(policy: ScoringPolicy, scores: readonly number[]): number | null {
  const latest = scores.at(-1);
  if (latest === undefined) return null;
  if (policy === 'keep_latest') return latest;
  if (policy === 'keep_first') return scores[0] ?? latest;
  if (policy === 'keep_highest') return Math.max(...scores);
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  return Math.round(mean * 100) / 100;
}
