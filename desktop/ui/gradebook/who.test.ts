import { expect, test } from 'vitest';
import type { GradebookCell, GradebookRow, GradebookView } from '../../contract/gradebook.ts';
import { bookOf, readCells } from './book.ts';
import { studentsWho, type WhoKind } from './who.ts';

const row = (user_id: number, name: string, state: GradebookRow['state'] = 'active') => ({ user_id, name, state }) as GradebookRow;
const cell = (user_id: number, more: Partial<GradebookCell>) =>
  ({
    user_id,
    assignment_id: 1,
    score: null,
    grade: null,
    excused: false,
    missing: false,
    attempt: 0,
    submitted_at: null,
    ...more,
  }) as GradebookCell;
const view = {
  rows: [
    row(1, 'Handed in'),
    row(2, 'Missing'),
    row(3, 'Good'),
    row(4, 'Poor'),
    row(5, 'Excused'),
    row(6, 'Unassigned'),
    row(7, 'Gone', 'inactive'),
    row(8, 'Nothing'),
  ],
  columns: [{ assignment_id: 1, unassigned: [6] }],
  cells: [
    cell(1, { attempt: 1, submitted_at: '2026-11-01T10:00:00Z' }),
    cell(2, { missing: true }),
    cell(3, { attempt: 1, score: 9, grade: '9' }),
    cell(4, { attempt: 2, score: 3, grade: '3' }),
    cell(5, { excused: true }),
  ],
} as unknown as GradebookView;
const book = bookOf(view, readCells(view), new Map());
const names = (kind: WhoKind, score: number | null = null) => studentsWho(book, { assignment_id: 1 }, kind, score).map(({ name }) => name);

test('each choice means the students whom its words mean, and never those who left or are not assigned', () => {
  expect(names('not submitted')).toEqual(['Missing', 'Nothing']);
  expect(names('missing')).toEqual(['Missing']);
  expect(names('not graded')).toEqual(['Handed in', 'Missing', 'Nothing']);
  expect(names('below', 5)).toEqual(['Poor']);
  expect(names('above', 5)).toEqual(['Good']);
  expect(names('above', 9)).toEqual([]);
  expect(names('below')).toEqual([]);
  expect(names('everyone')).toEqual(['Handed in', 'Missing', 'Good', 'Poor', 'Excused', 'Nothing']);
});
