// Overrides of final grades: what can be saved.

import { defaultScheme, type Scheme } from '@carrel/shared/grading/score_to_grade';
import { expect, test } from 'vitest';
import { dividedOverrides } from './input';

const students = new Set([1, 2]);
const statuses = new Set([7]);
const one = (override_score: string | null | undefined, scheme: Scheme | null = null) =>
  dividedOverrides([{ student_id: 1, override_score }], students, statuses, scheme);

test.each([
  ['88.1', null, 88.1, '88.1%'],
  [' 104.5% ', null, 104.5, '104.5%'],
  ['0', null, 0, '0%'],
  ['88.1', defaultScheme, 88.1, 'B+'],
  ['b+', defaultScheme, 89, 'B+'],
  ['A', defaultScheme, 100, 'A'],
  ['B−', defaultScheme, 83, 'B-'],
  [null, defaultScheme, null, null],
])('%j is saved as a percentage', (given, scheme, score, grade) => {
  expect(one(given, scheme)).toEqual({ changes: [{ student_id: 1, score, grade }], statuses: [], errors: [] });
});

test.each(['-1', '10000.1', 'Infinity', 'NaN', '1e3', '', 'A', 'pass', '8,5'])('%j is no percentage', (given) => {
  expect(one(given)).toMatchObject({ changes: [], errors: [{ at: 0, field: 'override_score' }] });
});

test('a row is refused for itself: unknown and repeated students, missing scores and unknown grades', () => {
  const given = [
    { student_id: 1, override_score: '50' },
    { student_id: 3, override_score: '50' },
    { student_id: 1, override_score: '60' },
    { student_id: 2 },
    { student_id: 2, override_score: 'Pass' },
  ];
  const { changes, errors } = dividedOverrides(given, students, statuses, defaultScheme);
  expect(changes).toEqual([{ student_id: 1, score: 50, grade: 'F' }]);
  expect(errors.map(({ at, field }) => [at, field])).toEqual([
    [1, 'student_id'],
    [2, 'student_id'],
    [3, 'override_score'],
    [4, 'student_id'],
  ]);
});

test('a status of the institution is saved with a score or alone, and an unknown one is refused', () => {
  const given = [
    { student_id: 1, override_score: '50', custom_grade_status_id: 7 },
    { student_id: 2, custom_grade_status_id: null },
  ];
  expect(dividedOverrides(given, students, statuses, null)).toEqual({
    changes: [{ student_id: 1, score: 50, grade: '50%' }],
    statuses: [
      { student_id: 1, custom_grade_status_id: 7 },
      { student_id: 2, custom_grade_status_id: null },
    ],
    errors: [],
  });
  expect(dividedOverrides([{ student_id: 1, override_score: '50', custom_grade_status_id: 8 }], students, statuses, null)).toMatchObject({
    changes: [],
    statuses: [],
    errors: [{ at: 0, field: 'custom_grade_status_id' }],
  });
});
