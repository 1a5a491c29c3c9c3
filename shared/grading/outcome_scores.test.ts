import { describe, expect, test } from 'vitest';
import { aggregated, type CalculationMethod, ratingReached, rollupScore, scaledPoints } from './outcome_scores';

const outcome = (calculation_method: CalculationMethod, calculation_int: number | null = null) => ({
  calculation_method,
  calculation_int,
  mastery_points: 3,
  points_possible: 5,
});
/** One a day, in this order. */
const results = (...scores: (number | null)[]) =>
  scores.map((score, at) => ({
    score,
    percent: score === null ? null : score / 5,
    submitted_or_assessed_at: `2026-11-0${at + 1}T08:00:00Z`,
    possible: 5,
    association_type: 'Assignment' as const,
    association_id: at,
  }));

describe('the score of a student', () => {
  test.each<[CalculationMethod, number | null, number[], number | null]>([
    ['highest', null, [2, 4, 3], 4],
    ['latest', null, [2, 4, 3], 3],
    ['average', null, [2, 4, 3], 3],
    ['average', null, [1, 1, 2], 1.33],
    ['n_mastery', 2, [2, 4, 3], 3.5],
    ['n_mastery', 2, [2, 4, 1], null],
    ['n_mastery', 3, [4, 4], null],
    ['n_mastery', 1, [3], 3],
    ['decaying_average', 65, [4], 4],
    ['decaying_average', 65, [2, 4], 3.3],
    ['decaying_average', 65, [1, 3, 5], 3.95],
    ['decaying_average', 99, [0, 5], 4.95],
    ['standard_decaying_average', 65, [4], 4],
    ['standard_decaying_average', 65, [2, 4], 3.3],
    ['standard_decaying_average', 65, [1, 3, 5], 4.06],
    ['standard_decaying_average', 50, [0, 2, 4], 2.5],
  ])('by %s with %j of %j is %j', (method, number, scores, score) => {
    const rollup = rollupScore([...results(...scores)].reverse(), outcome(method, number));
    expect(rollup?.score).toBe(score);
    expect(rollup?.count).toBe(scores.length);
    expect(rollup?.newest.score).toBe(scores.at(-1));
  });

  test('assessments without points do not count, and there is no score without points', () => {
    expect(rollupScore(results(2, null), outcome('latest'))).toMatchObject({ score: 2, count: 1 });
    expect(rollupScore(results(null), outcome('latest'))).toBeUndefined();
    expect(rollupScore([], outcome('highest'))).toBeUndefined();
  });

  test('shares count on the scale of the outcome', () => {
    const result = { score: 8, percent: 0.8, submitted_or_assessed_at: 'x' };
    expect(scaledPoints(result, outcome('latest'))).toBe(4);
    expect(scaledPoints(result, { ...outcome('latest'), points_possible: 0 })).toBeCloseTo(2.4);
    expect(scaledPoints({ ...result, percent: null }, outcome('latest'))).toBe(8);
    // 0.29 × 100 is less than 29 in binary fractions.
    const hundred = { ...outcome('n_mastery', 1), points_possible: 100, mastery_points: 29 };
    expect(
      rollupScore([{ ...result, percent: 0.29, possible: 100, association_type: 'Assignment', association_id: 1 }], hundred)?.score,
    ).toBe(29);
  });
});

test.each([
  ['mean', [1, 2, 2], 1.67],
  ['mean', [], null],
  ['median', [5, 1, 2], 2],
  ['median', [1, 2, 4, 9], 3],
  ['median', [4], 4],
] as const)('the %s of %j is %j', (stat, scores, value) => {
  expect(aggregated(scores, stat)).toBe(value);
});

test.each([
  [5, 0],
  [4.9, 1],
  [3, 1],
  [0, 2],
  [-1, undefined],
])('a score of %d reaches rating %j', (score, at) => {
  expect(ratingReached(score, [{ points: 5 }, { points: 3 }, { points: 0 }])).toBe(at);
});

test('results of several banks of one quiz count as one, by their points', () => {
  const [assigned] = results(5);
  const ofQuiz = (percent: number, possible: number) => ({
    score: percent * possible,
    percent,
    possible,
    submitted_or_assessed_at: '2026-11-05T08:00:00Z',
    association_type: 'Quiz' as const,
    association_id: 7,
  });
  const all = [...(assigned ? [assigned] : []), ofQuiz(1, 1), ofQuiz(0.2, 3)];
  // The quiz is worth (1 + 0.6) / 4 of the outcome's five points.
  expect(rollupScore(all, outcome('average'))).toMatchObject({ score: 3.5, count: 2 });
  expect(rollupScore(all, outcome('latest'))?.score).toBe(2);
  expect(rollupScore(all, outcome('highest'))).toMatchObject({ score: 5, count: 3 });
});
