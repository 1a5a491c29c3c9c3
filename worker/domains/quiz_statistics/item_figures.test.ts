import { describe, expect, it, test } from 'vitest';
import { alphaOf, levelsOf, pointBiserial, varianceOf } from './item_figures';

describe('levels of students', () => {
  it.each([
    ['ten different scores', [10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 'tttmmmmbbb'],
    ['a tie at the border of the top', [10, 9, 8, 8, 6, 5, 4, 3, 2, 1], 'ttttmmmbbb'],
    ['a tie at the border of the middle', [10, 9, 8, 7, 6, 5, 4, 4, 2, 1], 'tttmmmmmbb'],
    ['equal scores', [5, 5, 5, 5], 'tttt'],
    ['one student', [5], 'm'],
    ['two students', [5, 4], 'tb'],
  ])('%s', (_, scores, expected) => {
    const levelOf = levelsOf(scores);
    expect(scores.map((score) => levelOf(score)[0]).join('')).toBe(expected);
  });
});

describe('figures', () => {
  it.each([
    [[10, 8], [4, 2], 6 / Math.sqrt(10) / 2],
    [[4, 2], [10, 8], -6 / Math.sqrt(10) / 2],
    [[5, 5], [5, 5], null],
    [[], [1, 2], null],
    [[1, 2], [], null],
  ])('the point biserial of %j and %j is %s', (chosen, others, expected) => {
    const value = pointBiserial(chosen, others);
    if (expected === null) expect(value).toBeNull();
    else expect(value).toBeCloseTo(expected, 12);
  });

  test('the variance is that of the population', () => {
    expect(varianceOf([2, 4, 4, 4, 5, 5, 7, 9])).toBe(4);
    expect(varianceOf([])).toBe(0);
  });

  test('alpha needs 16 attempts and two questions', () => {
    const scores = Array.from({ length: 16 }, (_, nth) => (nth % 2) * 2);
    // Two questions that agree always.
    expect(alphaOf([0.25, 0.25], scores)).toBeCloseTo(1, 12);
    expect(alphaOf([0.5, 0.5], scores)).toBe(0);
    expect(alphaOf([0.25, 0.25], scores.slice(1))).toBeNull();
    expect(alphaOf([1], scores)).toBeNull();
    expect(alphaOf([0, 0], scores.fill(3))).toBeNull();
  });
});
