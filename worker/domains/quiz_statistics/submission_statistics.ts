// The statistics of the attempts at a quiz as a whole (reference 04 §9).

import { meanOf, varianceOf } from './item_figures';

export interface CountedSubmission {
  readonly user_id: number;
  readonly score: number;
  readonly points_possible: number;
  /** Seconds; null if unknown. */
  readonly duration: number | null;
  readonly right: number;
  readonly wrong: number;
}

/** @returns averages are null without attempts; `scores` counts students by whole percents, and is empty for quizzes without points */
export function submissionStatistics(all: readonly CountedSubmission[]) {
  const counts = new Map<number, number>();
  for (const { score, points_possible } of all) {
    if (points_possible <= 0) continue;
    const percent = Math.floor((100 * score) / points_possible);
    counts.set(percent, (counts.get(percent) ?? 0) + 1);
  }
  const scores = all.map((one) => one.score);
  const isEmpty = all.length === 0;
  return {
    scores: Object.fromEntries([...counts].sort(([a], [b]) => a - b).map(([percent, count]) => [String(percent), count])),
    score_average: meanOf(scores),
    score_high: isEmpty ? null : scores.reduce((a, b) => Math.max(a, b)),
    score_low: isEmpty ? null : scores.reduce((a, b) => Math.min(a, b)),
    score_stdev: isEmpty ? null : Math.sqrt(varianceOf(scores)),
    correct_count_average: meanOf(all.map(({ right }) => right)),
    incorrect_count_average: meanOf(all.map(({ wrong }) => wrong)),
    duration_average: meanOf(all.flatMap(({ duration }) => duration ?? [])),
    unique_count: new Set(all.map(({ user_id }) => user_id)).size,
  };
}
