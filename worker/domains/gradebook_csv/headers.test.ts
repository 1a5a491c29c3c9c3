// The columns of an uploaded gradebook file.

import { expect, test } from 'vitest';
import { asSentence, partsOf } from './exports/lines';
import { columnsOf, namesStudents, studentColumns } from './headers';
import { oneStep } from './uploads/apply_job';
import { studentOf } from './uploads/facts';

const known = {
  assignments: [
    { id: 4, name: 'Essay' },
    { id: 5, name: 'Twice' },
    { id: 6, name: 'Twice' },
    { id: 7, name: 'Closed', refused: 'no' },
    { id: 8, name: 'Part (2)' },
  ],
  customColumns: [
    { id: 1, title: 'Notes', read_only: false },
    { id: 2, title: 'Fixed', read_only: true },
  ],
  groups: ['Homework'],
  hasOverrides: true,
};

test.each([
  ['Essay (4)', 'assignment', 4],
  ['Another title (4)', 'assignment', 4],
  [' essay ', 'assignment', 4],
  ['Twice', 'ignored', undefined],
  ['Twice (6)', 'assignment', 6],
  ['Closed', 'ignored', undefined],
  ['Part (2)', 'assignment', 8],
  ['Gone (99)', 'ignored', undefined],
  ['Oral', 'new_assignment', undefined],
  ['Notes', 'custom_column', undefined],
  ['Fixed', 'read_only', undefined],
  ['Homework Unposted Final Score', 'read_only', undefined],
  ['Final Grade', 'read_only', undefined],
  ['override score', 'override', undefined],
  ['Override Grade', 'read_only', undefined],
  ['Section', 'student', undefined],
  ['', 'ignored', undefined],
] as const)('the column %j is found', (header, kind, assignment_id) => {
  const [column] = columnsOf([header], known, undefined);
  expect([column?.kind, column?.assignment_id]).toEqual([kind, assignment_id]);
});

test('a second column of the same assignment is ignored, and the points possible describe new columns', () => {
  const kinds = columnsOf(['Essay', 'Essay (4)', 'Oral', 'oral', 'Sum', 'Bad'], known, ['', '', '20', '20', '(read only)', 'many']);
  expect(kinds.map(({ kind, points_possible }) => [kind, points_possible])).toEqual([
    ['assignment', undefined],
    ['ignored', undefined],
    ['new_assignment', 20],
    ['ignored', undefined],
    ['read_only', undefined],
    ['ignored', undefined],
  ]);
});

test('a course without overrides of final grades has no column for them', () => {
  const [column] = columnsOf(['Override Score'], { ...known, hasOverrides: false }, undefined);
  expect(column?.kind).toBe('read_only');
});

test('students are named by any of three columns, which must agree', () => {
  expect(namesStudents(studentColumns(['Student', 'Section']))).toBe(false);
  expect(namesStudents(studentColumns(['student', 'sis login id']))).toBe(true);
  const find = (id: string, sis_user_id: string, login: string) =>
    studentOf({ name: '', id, sis_user_id, login }, [{ user_id: 1, name: 'S1' }], [{ user_id: 2, name: 'Sue@x' }], new Set([1, 2]));
  expect([find('1', '', ''), find('9', 'S1', ''), find('', '', 'sue@X'), find('1', 'S1', '')]).toEqual([1, 1, 2, 1]);
  expect([find('3', '', ''), find('1', '', 'sue@x'), find('', '', '')]).toEqual([
    'no student of the course has these ids',
    'the ids of the row name different students',
    'no student of the course has these ids',
  ]);
});

test('a step has whole students, pieces have whole characters, and sections are a sentence', () => {
  const rows = [3, 3, 3].map((count) => ({ changes: Array.from({ length: count }, () => 0) }));
  expect([oneStep(rows, 6), oneStep(rows, 1), oneStep(rows, 100), oneStep([], 1)].map((some) => some.length)).toEqual([2, 1, 3, 0]);
  expect(partsOf('a🏛b🏛', 2)).toEqual(['a', '🏛', 'b', '🏛']);
  expect([['A'], ['A', 'B'], ['A', 'B', 'C'], []].map(asSentence)).toEqual(['A', 'A and B', 'A, B, and C', '']);
});
