import { describe, expect, test } from 'vitest';
import { submissionStatistics } from './submission_statistics';

describe('statistics of attempts', () => {
  const one = (user_id: number, score: number, rest: object = {}) => ({
    user_id,
    score,
    points_possible: 8,
    duration: 60,
    right: 1,
    wrong: 2,
    ...rest,
  });

  test('percents are rounded down, and students are counted once', () => {
    expect(submissionStatistics([one(1, 8), one(1, 7.9, { duration: 120 }), one(2, 2, { right: 4, duration: null })])).toEqual({
      scores: { 25: 1, 98: 1, 100: 1 },
      score_average: expect.closeTo(5.966, 2),
      score_high: 8,
      score_low: 2,
      score_stdev: expect.closeTo(2.805, 3),
      correct_count_average: 2,
      incorrect_count_average: 2,
      duration_average: 90,
      unique_count: 2,
    });
  });

  test('without attempts and without points there are no averages and percents', () => {
    expect(submissionStatistics([])).toEqual({
      scores: {},
      score_average: null,
      score_high: null,
      score_low: null,
      score_stdev: null,
      correct_count_average: null,
      incorrect_count_average: null,
      duration_average: null,
      unique_count: 0,
    });
    expect(submissionStatistics([one(1, 3, { points_possible: 0 })]).scores).toEqual({});
  });
});
