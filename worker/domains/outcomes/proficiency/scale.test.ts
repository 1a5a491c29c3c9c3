import { expect, test } from 'vitest';
import { ratingsWithDefaults, refusalOfScale, storedScale } from './scale';

const rating = (points: number, mastery = false, more: object = {}) => ({ description: `${points}`, points, mastery, ...more });

test.each([
  ['two ratings', [rating(2, true), rating(0)], undefined],
  ['nothing', [], 'no ratings'],
  ['no mastery', [rating(2), rating(0)], 'exactly one'],
  ['two marks of mastery', [rating(2, true), rating(0, true)], 'exactly one'],
  ['rising points', [rating(1, true), rating(2)], 'fall'],
  ['equal points', [rating(1, true), rating(1)], 'fall'],
  ['negative points', [rating(1, true), rating(-1)], 'negative'],
  ['no description', [{ points: 1, mastery: true }], 'description'],
  ['a color', [rating(1, true, { color: '#00ff0a' })], undefined],
  ['a word for a color', [rating(1, true, { color: 'red' })], 'color'],
] as const)('a scale of %s', (_, ratings, refusal) => {
  if (refusal === undefined) expect(refusalOfScale(ratings)).toBeUndefined();
  else expect(refusalOfScale(ratings)).toContain(refusal);
});

test('ratings without a color get the usual one', () => {
  expect(storedScale([rating(1, true, { color: '#00ff0a' }), rating(0)]).map(({ color }) => color)).toEqual(['00ff0a', '0B874B']);
});

test('the lowest rating that reaches mastery is marked', () => {
  const ratings = [5, 3, 0].map((points) => ({ description: '', points }));
  expect(ratingsWithDefaults(ratings, 3).map(({ mastery }) => mastery)).toEqual([false, true, false]);
  expect(ratingsWithDefaults(ratings, 2).map(({ mastery }) => mastery)).toEqual([false, true, false]);
});
