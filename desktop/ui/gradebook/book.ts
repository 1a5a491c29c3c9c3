// The gradebook as the grid reads it: cells by student and assignment, and which rows and columns are shown in which order.

import type { GradebookCell, GradebookColumn, GradebookRow, GradebookView } from '../../contract/gradebook.ts';

export interface Book {
  readonly view: GradebookView;
  /** Undefined: the student is not assigned. */
  readonly cellOf: (user_id: number, assignment_id: number) => GradebookCell | undefined;
}

/** What was entered and is not in the view yet. */
export type EnteredCells = ReadonlyMap<string, GradebookCell>;
export const keyOfCell = (user_id: number, assignment_id: number) => `${user_id} ${assignment_id}`;

function indexed(cells: readonly GradebookCell[]): ReadonlyMap<number, ReadonlyMap<number, GradebookCell>> {
  const users = new Map<number, Map<number, GradebookCell>>();
  for (const cell of cells) {
    const own = users.get(cell.user_id);
    if (own) own.set(cell.assignment_id, cell);
    else users.set(cell.user_id, new Map([[cell.assignment_id, cell]]));
  }
  return users;
}

const blank = {
  score: null,
  grade: null,
  excused: false,
  late: false,
  missing: false,
  seconds_late: null,
  attempt: 0,
  submitted_at: null,
  needs_grading: false,
  posted: true,
  comments: 0,
  points_deducted: null,
  unsent: null,
} satisfies Omit<GradebookCell, 'user_id' | 'assignment_id'>;

/** The cells of those for whom there is nothing yet; made once each, so that they are not drawn again. */
export function blankCells({ columns }: Pick<GradebookView, 'columns'>): Book['cellOf'] {
  const unassigned = new Map(columns.map((column) => [column.assignment_id, new Set(column.unassigned)]));
  const made = new Map<string, GradebookCell>();
  return (user_id, assignment_id) => {
    if (unassigned.get(assignment_id)?.has(user_id) !== false) return undefined;
    const key = keyOfCell(user_id, assignment_id);
    const cell = made.get(key) ?? { ...blank, user_id, assignment_id };
    made.set(key, cell);
    return cell;
  };
}

/** What a view says about its cells; made once per view. */
export interface ReadCells {
  readonly cells: ReturnType<typeof indexed>;
  readonly blanks: Book['cellOf'];
}

export const readCells = (view: GradebookView): ReadCells => ({ cells: indexed(view.cells), blanks: blankCells(view) });

export const bookOf = (view: GradebookView, { cells, blanks }: ReadCells, entered: EnteredCells): Book => ({
  view,
  cellOf: (user_id, assignment_id) => {
    const changed = entered.size > 0 ? entered.get(keyOfCell(user_id, assignment_id)) : undefined;
    return changed ?? cells.get(user_id)?.get(assignment_id) ?? blanks(user_id, assignment_id);
  },
});

export const cellStates = ['to grade', 'late', 'missing', 'excused', 'unsent', 'conflict'] as const;
export type CellState = (typeof cellStates)[number];

/** It waits for a decision of the grader: someone else graded, a new attempt came in, or the server refused it. */
export const needsDecision = ({ unsent }: GradebookCell) => unsent !== null && (unsent.hold !== null || unsent.refused !== null);

const has: Readonly<Record<CellState, (cell: GradebookCell) => boolean>> = {
  'to grade': (cell) => cell.needs_grading && !cell.excused,
  late: (cell) => cell.late && !cell.excused,
  missing: (cell) => cell.missing && !cell.excused,
  excused: (cell) => cell.excused,
  unsent: (cell) => cell.unsent !== null && !needsDecision(cell),
  conflict: needsDecision,
};

export const isInBook = (cell: GradebookCell, state: CellState) => has[state](cell);
/** The most urgent one first. */
export const cellStatesOf = (cell: GradebookCell): readonly CellState[] =>
  (['conflict', 'unsent', 'excused', 'missing', 'to grade', 'late'] as const).filter((state) => has[state](cell));

export interface BookFilter {
  readonly name: string;
  readonly section: number | null;
  readonly group: number | null;
  readonly status: CellState | null;
  /** Also students who are inactive or have completed the course. */
  readonly everyone: boolean;
}

export const noFilter: BookFilter = { name: '', section: null, group: null, status: null, everyone: false };

export interface BookSort {
  readonly by: 'name' | 'total' | number;
  readonly descending: boolean;
}

/** Ids only: entering a grade neither moves the student away nor hides the cell that was just entered. */
export interface BookShape {
  readonly users: readonly number[];
  readonly assignments: readonly number[];
  /** The students whose results the statistics count. */
  readonly counted: readonly number[];
}

const isHere = ({ state }: GradebookRow) => state === 'active' || state === 'invited';
const folded = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

export function bookShapeOf(book: Book, filter: BookFilter, sort: BookSort, locale: string): BookShape {
  const { view, cellOf } = book;
  const inSection = view.rows.filter(
    (row) => (filter.everyone || isHere(row)) && (filter.section === null || row.section_ids.includes(filter.section)),
  );
  const words = folded(filter.name).split(/\s+/).filter(Boolean);
  const named = words.length === 0 ? inSection : inSection.filter((row) => words.every((word) => folded(row.name).includes(word)));
  const inGroup = view.columns.filter(({ group_id }) => filter.group === null || group_id === filter.group);
  const isShown = (user_id: number, { assignment_id }: GradebookColumn) => {
    const cell = cellOf(user_id, assignment_id);
    return cell !== undefined && filter.status !== null && isInBook(cell, filter.status);
  };
  const rows = filter.status === null ? named : named.filter(({ user_id }) => inGroup.some((column) => isShown(user_id, column)));
  const columns = filter.status === null ? inGroup : inGroup.filter((column) => rows.some(({ user_id }) => isShown(user_id, column)));
  return {
    users: sorted(rows, sort, cellOf, locale).map(({ user_id }) => user_id),
    assignments: columns.map(({ assignment_id }) => assignment_id),
    counted: inSection.map(({ user_id }) => user_id),
  };
}

function sorted(rows: readonly GradebookRow[], { by, descending }: BookSort, cellOf: Book['cellOf'], locale: string): GradebookRow[] {
  const { compare } = new Intl.Collator(locale, { sensitivity: 'base', numeric: true });
  const byName = (a: GradebookRow, b: GradebookRow) => compare(a.sortable_name, b.sortable_name) || a.user_id - b.user_id;
  const turn = descending ? -1 : 1;
  if (by === 'name') return [...rows].sort((a, b) => turn * byName(a, b));
  const scores = new Map(
    rows.map((row) => [row.user_id, by === 'total' ? row.current_score : (cellOf(row.user_id, by)?.score ?? null)] as const),
  );
  return [...rows].sort((a, b) => {
    const [one, other] = [scores.get(a.user_id) ?? null, scores.get(b.user_id) ?? null];
    // Students without a score are last in either order.
    if (one === null || other === null) return Number(one === null) - Number(other === null) || byName(a, b);
    return turn * (one - other) || byName(a, b);
  });
}
