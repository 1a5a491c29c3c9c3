// What the gradebook shows, in which order, and what is entered in a cell.

import { describe, expect, test } from 'vitest';
import type { GradebookCell, GradebookColumn, GradebookView } from '../../contract/gradebook';
import { bookOf, bookShapeOf, cellStatesOf, keyOfCell, noFilter, readCells } from './book';
import { editedWords, enteredCell, entryOf, formerEntry, gradeWords } from './entry';
import { gridActOf, walked } from './grid/walk';
import { columnStatistics } from './statistics';

const column: GradebookColumn = {
  assignment_id: 1,
  title: 'Essay',
  group_id: 1,
  due_at: null,
  points_possible: 20,
  grading_type: 'points',
  letters: [],
  is_published: true,
  posts_manually: false,
  is_anonymous: false,
  may_grade: true,
  in_total: true,
  unassigned: [],
};
const percent: GradebookColumn = { ...column, unassigned: [], assignment_id: 2, group_id: 2, grading_type: 'percent' };
const passFail: GradebookColumn = { ...column, grading_type: 'pass_fail' };
const lettered: GradebookColumn = { ...column, grading_type: 'letter_grade', letters: ['A', 'A-', 'B'] };
const cell: GradebookCell = {
  user_id: 7,
  assignment_id: 1,
  score: null,
  grade: null,
  excused: false,
  late: false,
  missing: false,
  seconds_late: null,
  attempt: 1,
  submitted_at: null,
  needs_grading: true,
  posted: true,
  comments: 0,
  points_deducted: null,
  unsent: null,
};
const row = { avatar_url: null, last_activity_at: null, current_grade: null, final_score: null };
const view: GradebookView = {
  course_id: 11,
  choice: 'chosen',
  is_loading: false,
  may_grade: true,
  is_weighted: false,
  groups: [],
  sections: [],
  columns: [column, percent],
  rows: [
    { ...row, user_id: 7, name: 'Élodie Brandt', sortable_name: 'Brandt, Élodie', section_ids: [1], state: 'active', current_score: 60 },
    { ...row, user_id: 8, name: 'Amara Zhou', sortable_name: 'Zhou, Amara', section_ids: [2], state: 'active', current_score: 90 },
    { ...row, user_id: 9, name: 'Lars Ahlberg', sortable_name: 'Ahlberg, Lars', section_ids: [1], state: 'active', current_score: null },
    { ...row, user_id: 10, name: 'Left Early', sortable_name: 'Early, Left', section_ids: [1], state: 'inactive', current_score: 10 },
  ],
  cells: [
    cell,
    { ...cell, user_id: 8, score: 18, grade: '18', needs_grading: false },
    { ...cell, user_id: 9, score: 4, grade: '4', needs_grading: false },
    { ...cell, user_id: 9, assignment_id: 2, needs_grading: false, missing: true },
  ],
};
const book = bookOf(view, readCells(view), new Map());
const shown = (filter: Partial<typeof noFilter>, by: 'name' | 'total' | number = 'name', descending = false) =>
  bookShapeOf(book, { ...noFilter, ...filter }, { by, descending }, 'en');

test('students are sorted by name, total or score; those without a score are last in either order', () => {
  expect(shown({}).users).toEqual([9, 7, 8]);
  expect(shown({}, 'name', true).users).toEqual([8, 7, 9]);
  expect(shown({}, 'total').users).toEqual([7, 8, 9]);
  expect(shown({}, 'total', true).users).toEqual([8, 7, 9]);
  expect(shown({}, 1, true).users).toEqual([8, 9, 7]);
});

test('they are found by name without accents, by section, and by a status, which also chooses the assignments', () => {
  expect(shown({ name: 'elod bra' }).users).toEqual([7]);
  expect(shown({ section: 1 }).users).toEqual([9, 7]);
  expect(shown({ section: 1, everyone: true }).users).toEqual([9, 7, 10]);
  expect(shown({ status: 'missing' })).toMatchObject({ users: [9], assignments: [2] });
  expect(shown({ status: 'to grade' })).toMatchObject({ users: [7], assignments: [1], counted: [7, 8, 9] });
  expect(shown({ group: 2 }).assignments).toEqual([2]);
});

test('what was entered is shown instead of what was read', () => {
  const entered = bookOf(view, readCells(view), new Map([[keyOfCell(7, 1), { ...cell, score: 3 }]]));
  expect(entered.cellOf(7, 1)?.score).toBe(3);
});

test('without a cell there is nothing yet, unless the student is not assigned', () => {
  const columns = [{ ...column, unassigned: [10] }, percent];
  const { cellOf } = bookOf({ ...view, columns }, readCells({ ...view, columns }), new Map());
  expect(cellOf(7, 2)).toMatchObject({ user_id: 7, assignment_id: 2, score: null, attempt: 0, unsent: null });
  expect(cellOf(7, 2)).toBe(cellOf(7, 2));
  expect(cellOf(10, 1)).toBeUndefined();
  expect(cellOf(7, 99)).toBeUndefined();
});

test('a cell has all its states, the most urgent one first; an excuse ends the others', () => {
  const unsent = { id: 'x', hold: null, refused: null };
  expect(cellStatesOf({ ...cell, late: true, unsent })).toEqual(['unsent', 'to grade', 'late']);
  expect(cellStatesOf({ ...cell, unsent: { ...unsent, refused: 'The period is closed.' } })).toEqual(['conflict', 'to grade']);
  expect(cellStatesOf({ ...cell, late: true, excused: true })).toEqual(['excused']);
});

test('statistics count what is graded and not excused', () => {
  const scored = [1, 2, 9, 4].map((score) => ({ ...cell, score, needs_grading: false }));
  expect(columnStatistics([...scored, { ...cell, score: 99, excused: true }, cell, undefined])).toEqual({
    graded: 4,
    to_grade: 1,
    scores: { mean: 4, median: 3, lowest: 1, highest: 9 },
  });
  expect(columnStatistics([{ ...cell, score: 5 }]).scores).toEqual({ mean: 5, median: 5, lowest: 5, highest: 5 });
  expect(columnStatistics([]).scores).toBeNull();
});

describe('what is typed', () => {
  test.each([
    [column, '7,5', { grade: '7.5' }],
    [column, '85 %', { grade: '85%' }],
    [column, '', { grade: null }],
    [column, 'EX', { excused: true }],
    [column, 'mi', { status: 'missing' }],
    [percent, '85', { grade: '85%' }],
    [passFail, 'Complete', { grade: 'complete' }],
    [lettered, 'a-', { grade: 'A-' }],
    [lettered, '17', { grade: '17' }],
  ] as const)('in a column of %#: “%s”', (of, typed, entry) => {
    expect(entryOf(of, typed)).toEqual({ entry });
  });

  test.each([
    [column, 'A', 'book.badNumber'],
    [column, '1e5', 'book.badNumber'],
    [column, 'constructor', 'book.badNumber'],
    [lettered, 'Q', 'book.badLetter'],
    [passFail, '3', 'book.badChoice'],
  ] as const)('is refused where it cannot be a grade: %#', (of, typed, problem) => {
    expect(entryOf(of, typed)).toEqual({ problem });
  });

  test('is shown as the server will, until the server has it', () => {
    expect(enteredCell(percent, cell, { grade: '85%' })).toMatchObject({ score: 17, needs_grading: false, unsent: { hold: null } });
    expect(enteredCell(passFail, cell, { grade: 'complete' }).score).toBe(20);
    expect(enteredCell(column, { ...cell, score: 3, grade: '3' }, { excused: true })).toMatchObject({ score: null, excused: true });
    expect(enteredCell(column, { ...cell, excused: true }, { grade: '5' })).toMatchObject({ score: 5, excused: false });
    expect(gradeWords(percent, { grade: '85.5%', score: 17.1 })).toBe('85.5 %');
    expect(editedWords(percent, { grade: '85.5%', score: 17.1, excused: false })).toBe('85.5');
  });

  test('is undone in the fields that it changed', () => {
    const before = { ...cell, grade: '12', score: 12, late: true };
    expect(formerEntry(before, { grade: '3' })).toEqual({ grade: '12' });
    expect(formerEntry(before, { status: 'none' })).toEqual({ status: 'late' });
    expect(formerEntry(before, { excused: true })).toEqual({ grade: '12', excused: false });
    expect(formerEntry({ ...cell, excused: true }, { grade: '3', excused: false })).toEqual({ excused: true });
    expect(formerEntry(before, { comment: 'Well done.' })).toEqual({});
  });
});

describe('keys', () => {
  const size = { rows: 10, columns: 4, page: 3, isRtl: false };
  const pressed = (key: string, ...held: ('ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey')[]) => ({
    key,
    ctrlKey: held.includes('ctrlKey'),
    metaKey: held.includes('metaKey'),
    shiftKey: held.includes('shiftKey'),
    altKey: held.includes('altKey'),
  });
  const from = (key: string, ...held: Parameters<typeof pressed> extends [string, ...infer Held] ? Held : never) =>
    walked({ row: 2, column: 2 }, pressed(key, ...held), size);

  test('move as in a spreadsheet and stop at the edges', () => {
    expect(from('ArrowRight')).toEqual({ row: 2, column: 3 });
    expect(from('ArrowUp', 'ctrlKey')).toEqual({ row: 0, column: 2 });
    expect(from('Home')).toEqual({ row: 2, column: 0 });
    expect(from('End', 'ctrlKey')).toEqual({ row: 9, column: 5 });
    expect(from('PageDown')).toEqual({ row: 5, column: 2 });
    expect(from('PageUp')).toEqual({ row: 0, column: 2 });
    expect(walked({ row: 10, column: 5 }, pressed('ArrowDown'), size)).toEqual({ row: 10, column: 5 });
    expect(walked({ row: 2, column: 2 }, pressed('ArrowRight'), { ...size, isRtl: true })).toEqual({ row: 2, column: 1 });
    expect(from('x')).toBeUndefined();
  });

  test('act, and those of the browser do not', () => {
    expect(gridActOf(pressed('z', 'ctrlKey'))).toBe('undo');
    expect(gridActOf(pressed('c', 'ctrlKey'))).toBeUndefined();
    expect(gridActOf(pressed('F10', 'shiftKey'))).toBe('menu');
    expect(gridActOf(pressed('F2', 'shiftKey'))).toBe('comment');
    expect(gridActOf(pressed('F5'))).toBeUndefined();
    expect(gridActOf(pressed('7'))).toBe('type');
  });
});
