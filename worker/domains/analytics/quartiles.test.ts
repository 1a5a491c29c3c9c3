// Quartiles, levels and statistics of scores.

import { expect, test } from 'vitest';
import { levelOf, quantile, spreadOf, statisticsOf } from './quartiles';

test.each([
  [[], 0, 0, 0],
  [[7], 7, 7, 7],
  [[1, 2], 1, 1.5, 2],
  [[1, 2, 3], 1, 2, 3],
  [[1, 2, 3, 4], 1.25, 2.5, 3.75],
  [[10, 20, 30, 40, 50], 15, 30, 45],
  [[0, 0, 0, 10, 10, 10, 10], 0, 10, 10],
])('the quartiles of %j', (values, first, median, third) => {
  expect([0.25, 0.5, 0.75].map((share) => quantile(values, share))).toEqual([first, median, third]);
});

test.each([
  [0, 0],
  [1, 1],
  [2, 2],
  [7, 2],
  [8, 3],
  [90, 3],
])('%i views among the quartiles 2 and 8 are level %i', (views, level) => {
  expect(levelOf(views, { first: 2, third: 8, max: 90 })).toBe(level);
});

test('a course without activity has no levels', () => {
  expect(spreadOf([])).toEqual({ first: 0, third: 0, max: 0 });
  expect(spreadOf([0, 0, 0])).toEqual({ first: 0, third: 0, max: 0 });
  expect(levelOf(0, spreadOf([0, 0, 0]))).toBe(0);
  expect(levelOf(1, spreadOf([0, 0, 0, 1]))).toBe(3);
});

test('statistics of scores are rounded to two decimals, and absent without scores', () => {
  expect(statisticsOf([])).toBeNull();
  expect(statisticsOf([3, 1, 2.345, 9])).toEqual({ count: 4, min: 1, max: 9, first: 1.34, median: 2.67, third: 7.5 });
  expect(statisticsOf([-5, 0])).toEqual({ count: 2, min: -5, max: 0, first: -5, median: -2.5, third: 0 });
});
