// Marks in a rubric, and who is graded next.

import { expect, test } from 'vitest';
import { criterionFor, type GradedRubric, markOf, pointed, type RubricMarks, rated, sumOfMarks } from './marks';
import { nextToGrade, type QueuedStudent } from './next';

const ratings = [
  { id: 'good', title: 'Good', details: null, points: 4 },
  { id: 'fair', title: 'Fair', details: null, points: 2 },
];
const criterion = (id: string): GradedRubric['criteria'][number] => ({ id, title: id, details: null, points: 4, ratings });
const [one, two] = [criterion('one'), criterion('two')];
const rubric: GradedRubric = { criteria: [one, two], marks: {}, gives_grade: true };
const good = ratings[0] as (typeof ratings)[number];

test('a rating gives its points, and none when it is chosen again', () => {
  const marks = rated({}, one, good);
  expect(markOf(marks, one)).toEqual({ points: 4, rating_id: 'good', comments: '' });
  expect(markOf(rated(marks, one, good), one)).toEqual({ points: null, rating_id: null, comments: '' });
});

test('points between two ratings have no rating; a comment stays', () => {
  const marks: RubricMarks = { one: { points: null, rating_id: null, comments: 'See page 2.' } };
  expect(markOf(pointed(marks, one, 3), one)).toEqual({ points: 3, rating_id: null, comments: 'See page 2.' });
  expect(markOf(pointed(marks, one, 2), one).rating_id).toBe('fair');
});

test('the sum counts what is marked, and says what is open', () => {
  expect(sumOfMarks(rubric, rated({}, one, good))).toEqual({ points: 4, of: 8, open: 1 });
});

test('a digit marks the criterion with the focus, else the first without a mark', () => {
  expect(criterionFor(rubric.criteria, {}, 'two')).toBe(two);
  expect(criterionFor(rubric.criteria, rated({}, one, good), undefined)).toBe(two);
});

test('next is the first one to grade after the open student, and then from the start', () => {
  const students = (['to grade', 'graded', 'graded', 'nothing'] as const).map(
    (state, at): QueuedStudent => ({ user_id: at, name: String(at), state, is_unsent: false, has_conflict: at === 2 }),
  );
  expect(nextToGrade(students, 1)?.user_id).toBe(2);
  expect(nextToGrade(students, 2)?.user_id).toBe(0);
  expect(nextToGrade(students, null)?.user_id).toBe(0);
  expect(nextToGrade([], 1)).toBeUndefined();
});
