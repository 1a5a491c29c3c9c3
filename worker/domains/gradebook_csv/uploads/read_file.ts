// An uploaded gradebook file: its header, its rows of students, and the row with the points possible. Pure.

import { BadCsv, CsvReader, delimiterOf } from '@carrel/shared/csv/reader';
import { withDecimalPoint } from '../cells';
import { manualPosting, namesStudents, pointsRow, studentColumns } from '../headers';
import type { NamedStudent, UploadColumn } from '../table';

const mostColumns = 1500;
const mostRows = 20_000;
const longestCell = 10_000;

export interface GradebookFileRow {
  readonly row: number;
  readonly student: NamedStudent;
  /** In the order of the columns. */
  readonly cells: readonly string[];
}

export interface GradebookFile {
  readonly headers: readonly string[];
  /** The points possible of each column. */
  readonly points: readonly string[] | undefined;
  readonly rows: readonly GradebookFileRow[];
  /** In files whose values are separated by `;`. */
  readonly hasDecimalComma: boolean;
}

const isPointsRow = (cells: readonly string[]) => cells.slice(0, 3).some((cell) => cell.trim().toLowerCase() === pointsRow.toLowerCase());

/** The row of posting policies names no student. */
const isPostingRow = (cells: readonly string[], { id, sis_user_id, login }: NamedStudent) =>
  id === '' && sis_user_id === '' && login === '' && cells.some((cell) => cell.trim() === manualPosting);

/** @throws BadCsv */
export function readGradebook(bytes: Uint8Array): GradebookFile {
  const delimiter = delimiterOf(new TextDecoder().decode(bytes.subarray(0, 200_000)));
  const reader = new CsvReader(0, delimiter);
  const [headers = [], ...others] = [...reader.push(bytes), ...reader.finish()].map(({ cells }) => cells);
  if (headers.length > mostColumns) throw new BadCsv(`the file has more than ${mostColumns} columns`);
  if (others.length > mostRows) throw new BadCsv(`the file has more than ${mostRows} rows`);
  const places = studentColumns(headers);
  if (!namesStudents(places)) throw new BadCsv('the columns ID, SIS User ID and SIS Login ID are missing: one of them is needed');
  const hasDecimalComma = delimiter === ';';
  const text = (cells: readonly string[], name: keyof NamedStudent) => (cells[places.get(name) ?? -1] ?? '').trim().slice(0, 255);
  const rows: GradebookFileRow[] = [];
  let points: readonly string[] | undefined;
  for (const [at, cells] of others.entries()) {
    const long = cells.findIndex((cell) => cell.length > longestCell);
    // The first row is that of the names.
    if (long >= 0) throw new BadCsv(`row ${at + 2}, column ${long + 1} is longer than ${longestCell} characters`);
    const student = {
      name: text(cells, 'name'),
      id: text(cells, 'id'),
      sis_user_id: text(cells, 'sis_user_id'),
      login: text(cells, 'login'),
    };
    if (isPointsRow(cells)) points = hasDecimalComma ? cells.map((cell) => withDecimalPoint(cell.trim())) : cells;
    else if (!isPostingRow(cells, student) && cells.some((cell) => cell.trim() !== '')) rows.push({ row: at + 2, student, cells });
  }
  return { headers, points, rows, hasDecimalComma };
}

const takesCells = new Set<UploadColumn['kind']>(['assignment', 'new_assignment', 'custom_column', 'override']);

/** The cells of a row that could change something. */
export const relevantCells = (cells: readonly string[], columns: readonly UploadColumn[], clears: boolean): [number, string][] =>
  columns.flatMap(({ column, kind }): [number, string][] => {
    const text = cells[column - 1] ?? '';
    return takesCells.has(kind) && (text.trim() !== '' || clears) ? [[column, text]] : [];
  });
