// Grades as cells of a gradebook file.

import { defaultScheme } from '@carrel/shared/grading/score_to_grade';
import { expect, test } from 'vitest';
import { cellOfGrade, judgeGrade, judgeOverride, judgeText, noGrade, withDecimalPoint } from './cells';

const points = { grading_type: 'points', points_possible: 10 } as const;
const letters = { grading_type: 'letter_grade', points_possible: 10 } as const;
const pass = { grading_type: 'pass_fail', points_possible: 0 } as const;
const plain = { clears: false, hasDecimalComma: false };
const eight = { score: 8, grade: '8', excused: false };
const better = { score: 9.5, grade: 'A', excused: false };

test.each([
  ['1,5', '1.5'],
  ['-1.234,5', '-1234.5'],
  ['8,5%', '8.5%'],
  ['1.5', '1.5'],
  ['a,b', 'a,b'],
  ['1,2,3', '1,2,3'],
])('the decimal comma of %s is read', (text, read) => expect(withDecimalPoint(text)).toBe(read));

test('a cell shows points, the name of a grade without points, or that the student is excused', () => {
  expect(cellOfGrade(better, letters)).toBe('9.5');
  expect(cellOfGrade({ score: 0, grade: 'incomplete', excused: false }, pass)).toBe('incomplete');
  expect(cellOfGrade({ ...noGrade, excused: true }, points)).toBe('EX');
  expect(cellOfGrade(noGrade, points)).toBe('');
});

test.each([
  ['8', eight, points, undefined],
  [' 8.00 ', eight, points, undefined],
  ['80%', eight, points, undefined],
  ['', eight, points, undefined],
  ['n/a', eight, points, undefined],
  ['9', eight, points, { from: '8', to: '9' }],
  ['ex', eight, points, { from: '8', to: 'EX' }],
  ['EX', { ...noGrade, excused: true }, points, undefined],
  ['3', { ...noGrade, excused: true }, points, { from: 'EX', to: '3' }],
  ['nine', eight, points, { error: 'nine is not a grade of this assignment' }],
  // The grade that is shown is not lowered to another score of the same grade.
  ['a', better, letters, undefined],
  ['9.5', better, letters, undefined],
  ['B', better, letters, { from: '9.5', to: 'B' }],
] as const)('the cell %j is compared with what is stored', (cell, stored, graded, verdict) =>
  expect(judgeGrade(cell, stored, graded, defaultScheme, plain)).toEqual(verdict),
);

test('blank cells remove grades and texts only if asked to', () => {
  const clears = { ...plain, clears: true };
  expect(judgeGrade('', eight, points, undefined, clears)).toEqual({ from: '8', to: '' });
  expect(judgeGrade('', noGrade, points, undefined, clears)).toBeUndefined();
  expect(judgeText('', 'Row 1', plain)).toBeUndefined();
  expect(judgeText(' ', 'Row 1', clears)).toEqual({ from: 'Row 1', to: '' });
  expect(judgeText('Row 2', '', plain)).toEqual({ from: '', to: 'Row 2' });
});

test.each([
  ['80', 91, plain, { from: '91', to: '80' }],
  ['80.5%', null, plain, { from: '', to: '80.5' }],
  ['80,5', 91, { ...plain, hasDecimalComma: true }, { from: '91', to: '80.5' }],
  ['91.0', 91, plain, undefined],
  ['', 91, plain, undefined],
  ['', 91, { ...plain, clears: true }, { from: '91', to: '' }],
  ['', null, { ...plain, clears: true }, undefined],
  ['A-', 91, plain, { error: 'must be a percentage from 0 to 10000' }],
  ['-1', 91, plain, { error: 'must be a percentage from 0 to 10000' }],
] as const)('an override column with %j where %j is stored', (cell, stored, rules, expected) => {
  expect(judgeOverride(cell, stored, rules)).toEqual(expected);
});
