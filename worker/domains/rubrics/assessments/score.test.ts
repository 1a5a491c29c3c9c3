// How points become ratings and a score (reference 03 §13.4).

import { describe, expect, test } from 'vitest';
import { criteriaFrom, freeTitle, pointsPossible } from '../criteria';
import type { Criterion } from '../table';
import { type AssessmentGiven, assessmentRows, ratingFor, scoreOf, UnknownRating } from './score';

const ratings = [
  { id: 'full', description: 'Full', long_description: '', points: 10 },
  { id: 'half', description: 'Half', long_description: '', points: 5 },
  { id: 'none', description: 'None', long_description: '', points: 0 },
];
const criterion = (id: string, more: Partial<Criterion> = {}): Criterion => ({
  id,
  description: id,
  long_description: '',
  points: 10,
  criterion_use_range: false,
  ratings,
  ...more,
});

describe('the rating for points', () => {
  test.each([
    ['exact', false, 10, 'full'],
    ['exact', false, 5, 'half'],
    ['exact', false, 7, undefined],
    ['exact', false, 0, 'none'],
    ['range', true, 10, 'full'],
    ['range', true, 7, 'full'],
    ['range', true, 5.01, 'full'],
    ['range', true, 5, 'half'],
    ['range', true, 0.5, 'half'],
    ['range', true, 0, 'none'],
    ['range', true, -1, 'none'],
    ['range', true, 11, undefined],
  ])('%s: %s, %d points', (_, criterion_use_range, points, id) => {
    expect(ratingFor({ ratings, criterion_use_range }, points)?.id).toBe(id);
  });
});

const plain = { isFreeForm: false, allowsExtraCredit: false };

describe('the score', () => {
  const rubric = [
    criterion('a'),
    criterion('b', { criterion_use_range: true }),
    criterion('ignored', { ignore_for_scoring: true }),
    criterion('outcome', { learning_outcome_id: 7, mastery_points: 3, points: 4, ratings: [] }),
  ];
  test.each<[string, AssessmentGiven, number | null]>([
    ['nothing', {}, null],
    ['only comments', { a: { comments: 'Well done' } }, null],
    ['points', { a: { points: 3.5 }, b: { points: 4 } }, 7.5],
    ['a rating without points', { a: { rating_id: 'half' } }, 5],
    ['points that were cleared', { a: { points: null, rating_id: 'half' } }, null],
    ['a criterion that does not count', { a: { points: 1 }, ignored: { points: 9 } }, 1],
    ['only a criterion that does not count', { ignored: { points: 9 } }, null],
    ['more than an outcome has', { outcome: { points: 9 } }, 4],
    ['more than a criterion has', { a: { points: 12 } }, 12],
    ['sums of fractions', { a: { points: 0.1 }, b: { points: 0.2 } }, 0.3],
    ['a criterion of another rubric', { other: { points: 3 } }, null],
  ])('%s', (_, given, score) => {
    expect(scoreOf(rubric, assessmentRows(rubric, given, plain))).toBe(score);
  });

  test('an outcome has more points than its criterion where extra credit is allowed', () => {
    const rows = assessmentRows(rubric, { a: { points: 1 }, outcome: { points: 9 } }, { ...plain, allowsExtraCredit: true });
    expect(rows[1]).toMatchObject({ points: 9, above_threshold: true });
    expect(scoreOf(rubric, rows)).toBe(10);
  });

  test('a free-form rubric has no ratings, and a rating of another criterion is refused', () => {
    const [row] = assessmentRows(rubric, { a: { points: 5, comments: ' Fine ' } }, { ...plain, isFreeForm: true });
    expect(row).toMatchObject({ id: null, description: null, points: 5, comments: 'Fine' });
    expect(() => assessmentRows(rubric, { a: { rating_id: 'elsewhere' } }, plain)).toThrow(UnknownRating);
    const [outcome] = assessmentRows(rubric, { outcome: { points: 3 } }, plain);
    expect(outcome).toMatchObject({ learning_outcome_id: 7, above_threshold: true });
  });
});

test('criteria get ids, points and descriptions', () => {
  let made = 0;
  const newId = () => {
    made += 1;
    return `new${made}`;
  };
  const criteria = criteriaFrom(
    [
      {
        id: 'kept',
        points: 3,
        ratings: [
          { id: 'kept', points: 1 },
          { points: 2, description: 'b' },
          { points: 2, description: 'a' },
        ],
      },
      { points: 4, ignore_for_scoring: true },
    ],
    newId,
  );
  expect(criteria.map(({ id, points, description }) => [id, points, description])).toEqual([
    ['kept', 2, 'No Description'],
    ['new4', 4, 'No Description'],
  ]);
  expect(criteria[0]?.ratings.map(({ id, description }) => [id, description])).toEqual([
    ['new3', 'a'],
    ['new2', 'b'],
    ['new1', 'No Description'],
  ]);
  expect(pointsPossible(criteria)).toBe(2);
  expect(freeTitle('T', new Set(['T', 'T (1)']))).toBe('T (2)');
});
