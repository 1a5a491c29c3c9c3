import { describe, expect, test } from 'vitest';
import { BadCalculation, calculationOf, defaultScale, scaleOf } from './criterion';

describe('ratings', () => {
  test('a new outcome without ratings has the default scale, whatever its mastery points', () => {
    expect(scaleOf(undefined, 4, undefined)).toEqual(defaultScale);
    expect(scaleOf([], 4, undefined)).toEqual(defaultScale);
  });
  test('ratings are sorted by points, and the highest is the most and the mark of mastery', () => {
    expect(scaleOf([{ points: 1 }, { description: ' Best ', points: 4 }, { description: 'None' }], undefined, undefined)).toEqual({
      ratings: [
        { description: 'Best', points: 4 },
        { description: 'No description', points: 1 },
        { description: 'None', points: 0 },
      ],
      mastery_points: 4,
      points_possible: 4,
    });
    expect(scaleOf([{ points: 4 }], 2, undefined).mastery_points).toBe(2);
  });
  test('without new ratings only the mastery points change', () => {
    expect(scaleOf(undefined, 4, defaultScale)).toEqual({ ...defaultScale, mastery_points: 4 });
    expect(scaleOf(undefined, undefined, defaultScale)).toEqual(defaultScale);
  });
});

describe('the calculation method', () => {
  const decaying = { calculation_method: 'decaying_average', calculation_int: 40 } as const;
  test.each([
    [{}, undefined, 'decaying_average', 65],
    [{ calculation_method: 'n_mastery' }, undefined, 'n_mastery', 5],
    [{ calculation_method: 'n_mastery', calculation_int: 10 }, undefined, 'n_mastery', 10],
    [{ calculation_method: 'average' }, undefined, 'average', null],
    [{ calculation_method: 'standard_decaying_average' }, decaying, 'standard_decaying_average', 65],
    [{}, decaying, 'decaying_average', 40],
    [{ calculation_int: 1 }, decaying, 'decaying_average', 1],
    [{ calculation_method: 'highest', calculation_int: 7 }, decaying, 'highest', null],
    [{ calculation_method: 'latest' }, decaying, 'latest', null],
  ] as const)('%j after %j', (given, before, calculation_method, calculation_int) => {
    expect(calculationOf(given, before)).toEqual({ calculation_method, calculation_int });
  });
  test.each([
    [{ calculation_int: 100 }, undefined],
    [{ calculation_int: 0 }, decaying],
    [{ calculation_method: 'n_mastery', calculation_int: 11 }, undefined],
    [{ calculation_method: 'n_mastery', calculation_int: 1.5 }, undefined],
    [{ calculation_method: 'highest', calculation_int: 3 }, undefined],
    [{ calculation_method: 'average', calculation_int: 3 }, decaying],
  ] as const)('%j after %j is refused', (given, before) => {
    expect(() => calculationOf(given, before)).toThrow(BadCalculation);
  });
});
