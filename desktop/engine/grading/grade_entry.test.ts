// Entries of graders: what they mean, and how later ones are added to unsent ones.

import { defaultScheme } from '@carrel/shared/grading/score_to_grade';
import { expect, test } from 'vitest';
import {
  enteredGrade,
  type GradedWork,
  isAlreadySo,
  isSameState,
  mergedEntry,
  type SeenState,
  withEntry,
  withPoint,
  wordsOfEntry,
} from './grade_entry';

const work = (more: Partial<GradedWork> = {}): GradedWork => ({
  grading_type: 'points',
  points_possible: 20,
  scheme: defaultScheme,
  ...more,
});
const state = (more: Partial<SeenState> = {}): SeenState => ({
  version: 'a',
  attempt: 1,
  score: null,
  grade: null,
  excused: false,
  ...more,
});
const result = { score: 3, grade: '3', excused: false, late: false, missing: true };

test.each([
  ['4.5', work(), 4.5, '4.5'],
  ['4,5', work(), 4.5, '4.5'],
  ['85%', work(), 17, '17'],
  ['85 %', work({ grading_type: 'percent' }), 17, '85%'],
  ['A-', work({ grading_type: 'letter_grade' }), 18.6, 'A-'],
  ['complete', work({ grading_type: 'pass_fail' }), 20, 'complete'],
])('%s is a grade', (text, graded, score, grade) => {
  expect(enteredGrade(text, graded)).toEqual({ score, grade });
});

test.each([
  ['good', work()],
  ['A+++', work({ grading_type: 'letter_grade' })],
  ['5', work({ grading_type: 'not_graded' })],
  ['7', work({ grading_type: 'pass_fail' })],
])('%s is none', (text, graded) => {
  expect(enteredGrade(text, graded)).toBeNull();
});

test('only a decimal comma becomes a point', () => {
  expect(['1,5', '1,234,5', 'A,B', ' 9 '].map(withPoint)).toEqual(['1.5', '1,234,5', 'A,B', '9']);
});

test('a later entry replaces the fields that it has; a comment follows the one before', () => {
  const mark = (points: number) => ({ points, rating_id: null, comments: '' });
  expect(
    mergedEntry({ grade: '5', comment: 'One', rubric: { a: mark(1) } }, { status: 'late', comment: ' Two ', rubric: { b: mark(2) } }),
  ).toEqual({
    grade: '5',
    status: 'late',
    comment: 'One\n\nTwo',
    rubric: { a: mark(1), b: mark(2) },
  });
});

test('a grade ends an excuse, and an excuse a grade', () => {
  expect(mergedEntry({ excused: true }, { grade: '5' })).toEqual({ grade: '5' });
  expect(mergedEntry({ grade: '5' }, { excused: true })).toEqual({ excused: true });
  expect(mergedEntry({ excused: true }, { comment: 'x' })).toEqual({ excused: true, comment: 'x' });
  expect(mergedEntry({ excused: true }, { excused: false })).toEqual({ excused: false });
});

test('a result shows what was entered', () => {
  expect(withEntry(result, { grade: '50%' }, work(), false)).toMatchObject({ score: 10, grade: '10', missing: false });
  expect(withEntry(result, { grade: null }, work(), false)).toMatchObject({ score: null, grade: null, missing: true });
  expect(withEntry(result, { excused: true }, work(), false)).toMatchObject({ score: null, excused: true });
  expect(withEntry(result, { status: 'late' }, work(), false)).toMatchObject({ score: 3, late: true, missing: false });
  const rubric = { a: { points: 1.5, rating_id: 'r', comments: '' }, b: { points: 2, rating_id: null, comments: '' } };
  expect(withEntry(result, { rubric }, work(), true)).toMatchObject({ score: 3.5 });
  expect(withEntry(result, { rubric }, work(), false)).toMatchObject({ score: 3 });
});

test('versions decide what a grader has seen; without them, the fields that graders change', () => {
  expect(isSameState(state(), state({ score: 5 }))).toBe(true);
  expect(isSameState(state(), state({ version: 'b' }))).toBe(false);
  expect(isSameState(state({ version: null }), state({ version: null }))).toBe(true);
  for (const more of [{ attempt: 2 }, { score: 5 }, { grade: 'A' }, { excused: true }])
    expect(isSameState(state({ version: null }), state({ version: null, ...more }))).toBe(false);
});

test('what the server has already need not be sent, but words always are', () => {
  expect(isAlreadySo({ grade: '50%' }, state({ score: 10, grade: '10' }), work())).toBe(true);
  expect(isAlreadySo({ grade: '9' }, state({ score: 10, grade: '10' }), work())).toBe(false);
  expect(isAlreadySo({ grade: null }, state(), work())).toBe(true);
  expect(isAlreadySo({ excused: true }, state(), work())).toBe(false);
  expect(isAlreadySo({ grade: '50%', comment: 'x' }, state({ score: 10, grade: '10' }), work())).toBe(false);
});

test('all words of an entry are kept together', () => {
  expect(
    wordsOfEntry({
      comment: 'A ',
      rubric: { a: { points: 1, rating_id: null, comments: ' B' }, b: { points: 1, rating_id: null, comments: '' } },
    }),
  ).toBe('A\n\nB');
});
