// `grades.csv` in the folder of an assignment: how it is written, and what a grader has changed in it since. Pure.

import { createHash } from 'node:crypto';
import { BadCsv, CsvReader, type Delimiter, delimiterOf } from '@carrel/shared/csv/reader';
import { delimitedLine } from '@carrel/shared/csv/writer';
import type { MessageKey } from '../../language/texts';
import { enteredGrade, type GradedWork, withPoint } from './grade_entry';

/** The last one says which state of the submission the row shows. Not in capitals: a file that begins with `ID` is no CSV to Excel. */
export const sheetColumns = ['id', 'name', 'section', 'state', 'grade', 'excused', 'comment', 'last comment', 'base'] as const;
type SheetColumn = (typeof sheetColumns)[number];

/** What a row shows of a submission. */
export interface ShownCells {
  readonly base: string;
  readonly grade: string;
  readonly excused: boolean;
}

/** One row, as the desk writes it. */
export interface SheetLine extends ShownCells {
  readonly who: string;
  readonly name: string;
  readonly section: string;
  readonly state: string;
  readonly said: string;
}

/** The cells of a row that the user has agreed to send. */
export interface TakenCells {
  readonly grade: string;
  readonly excused: boolean;
  readonly comment: string;
}

/** What the desk wrote into a row, and what was sent of it since. */
export interface WrittenCells extends ShownCells {
  readonly taken: TakenCells | null;
}

interface GradedState {
  readonly attempt?: number | null;
  readonly score?: number | null;
  readonly grade?: string | null;
  readonly excused?: boolean | null;
}

/** The same for the same state on every computer. Never a number, which a spreadsheet would format. */
export function baseOfState({ attempt, score = null, grade = null, excused }: GradedState): string {
  const digest = createHash('sha256').update(JSON.stringify([attempt ?? 0, score, grade, excused === true]));
  return `a${attempt ?? 0}-${digest.digest('hex').slice(0, 8)}`;
}

export const attemptOfBase = (base: string): number => Number(/^a(\d+)-/.exec(base)?.[1] ?? 0);

export interface ReadRow {
  /** As spreadsheets number it: the header is row 1. */
  readonly number: number;
  readonly who: string;
  readonly cells: readonly string[];
}

export interface ReadSheet {
  readonly delimiter: Delimiter;
  readonly header: readonly string[];
  readonly rows: readonly ReadRow[];
}

/** The file cannot be read as a table of grades. */
export class BadSheet extends Error {
  override readonly name = 'BadSheet';
  constructor(readonly code: MessageKey) {
    super(code);
  }
}

/** Spreadsheets save as UTF-8, as UTF-16 (“Unicode text”), or in the code page of Windows. */
function textOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** A whole number may have become one with decimals. */
const idIn = (cell = ''): string => /^(\d+)[.,]0+$/.exec(cell.trim())?.[1] ?? cell.trim();

const columnAt = (header: readonly string[], name: SheetColumn): number => header.findIndex((cell) => cell.trim().toLowerCase() === name);

/** @throws BadSheet */
export function readSheet(bytes: Uint8Array): ReadSheet {
  const all = textOf(bytes).replaceAll(/\r(?!\n)/g, '\n');
  // Excel reads and hides a first line that names the delimiter.
  const text = all.replace(/^"?sep=.?"?\r?\n/i, '');
  const delimiter = delimiterOf(text);
  const rows = rowsOf(text, delimiter);
  const [header = [], ...rest] = rows;
  const id = columnAt(header, 'id');
  if (id === -1) throw new BadSheet('why.sheetNoId');
  return {
    delimiter,
    header,
    rows: rest
      .map((cells, at) => ({ number: at + 2, who: idIn(cells[id]), cells }))
      .filter(({ cells }) => cells.some((cell) => cell.trim() !== '')),
  };
}

function rowsOf(text: string, delimiter: Delimiter): (readonly string[])[] {
  const reader = new CsvReader(0, delimiter);
  try {
    return [...reader.push(new TextEncoder().encode(text)), ...reader.finish()].map(({ cells }) => cells);
  } catch (problem) {
    throw problem instanceof BadCsv ? new BadSheet('why.sheetNotCsv') : problem;
  }
}

/** A grade with a decimal point is a date to a spreadsheet whose decimals have a comma. */
const cellOfGrade = (grade: string, delimiter: Delimiter): string =>
  delimiter === ';' && /^-?\d+\.\d+%?$/.test(grade) ? grade.replace('.', ',') : grade;

const mark = '\ufeff';

/** An existing file of which some rows stay as the user wrote them. */
export interface KeptSheet {
  readonly sheet: ReadSheet;
  readonly staysAsIs: (row: ReadRow) => boolean;
}

/** With a byte order mark: without it Excel reads UTF-8 as another code page. Columns and rows that the user has added stay. */
export function sheetText(lines: readonly SheetLine[], delimiter: Delimiter, kept?: KeptSheet): string {
  const old = kept?.sheet.header ?? [];
  const header = [...old, ...sheetColumns.filter((name) => columnAt(old, name) === -1)];
  const rest = new Map(lines.map((line) => [line.who, line]));
  const renewed = (kept?.sheet.rows ?? []).flatMap((row) => {
    const line = rest.get(row.who);
    rest.delete(row.who);
    if (kept?.staysAsIs(row)) return [header.map((_, at) => row.cells[at] ?? '')];
    return line ? [cellsOfLine(line, header, delimiter, row.cells)] : [];
  });
  const added = [...rest.values()].map((line) => cellsOfLine(line, header, delimiter));
  return mark + [header, ...renewed, ...added].map((cells) => delimitedLine(cells, delimiter)).join('');
}

function cellsOfLine(line: SheetLine, header: readonly string[], delimiter: Delimiter, old: readonly string[] = []): string[] {
  const own: Readonly<Record<SheetColumn, string>> = {
    id: line.who,
    name: line.name,
    section: line.section,
    state: line.state,
    grade: cellOfGrade(line.grade, delimiter),
    excused: line.excused ? 'yes' : '',
    comment: '',
    'last comment': line.said,
    base: line.base,
  };
  const byPlace = new Map(sheetColumns.map((name) => [columnAt(header, name), own[name]]));
  return header.map((_, at) => byPlace.get(at) ?? old[at] ?? '');
}

/** A row in which the user has changed something. */
export interface SheetEdit {
  readonly row: number;
  readonly who: string;
  /** The state that the row was made from. */
  readonly base: string;
  /** What it showed then, if that is known here. */
  readonly before: ShownCells | undefined;
  readonly cells: TakenCells;
  readonly grade?: string | null;
  readonly excused?: boolean;
  readonly comment?: string;
}

export interface SheetProblem {
  readonly row: number;
  readonly who: string;
  readonly code: MessageKey;
  readonly values: Readonly<Record<string, string | number>>;
}

/** What is known of one who has a row. */
export interface RowState {
  readonly now: ShownCells;
  /** What the desk wrote for this base; without a base, what it wrote last. */
  readonly written: (base: string | null) => WrittenCells | undefined;
}

export interface SheetReading {
  readonly edits: readonly SheetEdit[];
  readonly problems: readonly SheetProblem[];
  /** Rows as the desk wrote them, or as they were sent. */
  readonly unchanged: ReadonlySet<number>;
}

/** @param known undefined: there is no such student */
export function readEdits(sheet: ReadSheet, known: (who: string) => RowState | undefined, work: GradedWork): SheetReading {
  const edits: SheetEdit[] = [];
  const problems: SheetProblem[] = [];
  const unchanged = new Set<number>();
  const seen = new Set<string>();
  for (const row of sheet.rows) {
    const found = seen.has(row.who) ? wrong(row, 'why.sheetTwice', { id: row.who }) : editOf(row, sheet, known(row.who), work);
    seen.add(row.who);
    if (!found) unchanged.add(row.number);
    else if ('code' in found) problems.push(found);
    else edits.push(found);
  }
  return { edits, problems, unchanged };
}

const wrong = ({ number, who }: ReadRow, code: MessageKey, values: SheetProblem['values'] = {}): SheetProblem => ({
  row: number,
  who,
  code,
  values,
});

const excusedWords = new Set(['yes', 'y', 'true', '1', 'x', 'ex', 'excused', 'ja', 'j', 'wahr', 'entschuldigt']);
const notExcusedWords = new Set(['', 'no', 'n', 'false', '0', '-', 'nein', 'falsch']);

/** The same for `8`, `8.0` and `8,00`. */
function meaningOf(text: string, work: GradedWork): string {
  const entered = text === '' ? null : enteredGrade(text, work);
  return entered ? JSON.stringify([entered.score, entered.grade]) : text;
}

/** What the user has in a row. */
interface TypedRow extends TakenCells {
  readonly base: string;
}

/** Undefined: it is neither yes nor no. */
const excusedIn = (text: string): boolean | undefined => (excusedWords.has(text) ? true : notExcusedWords.has(text) ? false : undefined);

function typedIn({ cells }: ReadRow, { header }: ReadSheet): TypedRow | { readonly unclear: string } {
  const cell = (name: SheetColumn): string => (cells[columnAt(header, name)] ?? '').trim();
  const [grade, text] = [cell('grade'), cell('excused').toLowerCase()];
  const excused = excusedIn(text);
  if (excused === undefined) return { unclear: text };
  // Canvas' word for an excuse, in the place of a grade.
  const isExcuse = /^ex$/i.test(grade);
  return { grade: isExcuse ? '' : grade, excused: isExcuse || excused, comment: cell('comment'), base: cell('base') };
}

function editOf(row: ReadRow, sheet: ReadSheet, state: RowState | undefined, work: GradedWork): SheetEdit | SheetProblem | undefined {
  const typed = typedIn(row, sheet);
  if ('unclear' in typed) return wrong(row, state ? 'why.sheetExcused' : 'why.sheetUnknown', { text: typed.unclear, id: row.who });
  if (!state)
    return typed.grade === '' && !typed.excused && typed.comment === '' ? undefined : wrong(row, 'why.sheetUnknown', { id: row.who });
  const { grade, excused, comment } = typed;
  const written = state.written(typed.base === '' ? null : typed.base);
  const base = typed.base || written?.base || state.now.base;
  const before = written ?? (base === state.now.base ? state.now : undefined);
  const isSame = (shown: Omit<ShownCells, 'base'> | null | undefined): boolean =>
    shown != null && shown.excused === excused && meaningOf(shown.grade, work) === meaningOf(grade, work);
  const isChanged = ![written, written?.taken, state.now].some(isSame);
  // A program that still has the earlier file open may save it again.
  const words = comment === '' || comment === written?.taken?.comment ? undefined : comment;
  if (!isChanged && words === undefined) return undefined;
  const edit = {
    row: row.number,
    who: row.who,
    base,
    before,
    cells: { grade, excused, comment },
    ...(words !== undefined && { comment: words }),
  };
  if (!isChanged) return edit;
  const change = changeOf({ grade, excused }, before ?? state.now, work);
  return typeof change === 'string' ? wrong(row, change, { text: grade }) : { ...edit, ...change };
}

/** What is sent; a text is the reason why it cannot be. */
function changeOf(
  { grade, excused }: Omit<ShownCells, 'base'>,
  shown: ShownCells,
  work: GradedWork,
): Pick<SheetEdit, 'grade' | 'excused'> | MessageKey {
  const isOther = meaningOf(grade, work) !== meaningOf(shown.grade, work);
  if (excused) return grade !== '' && isOther ? 'why.sheetBoth' : { excused: true };
  if (grade === '') return { ...(shown.excused && { excused: false }), ...(isOther && { grade: null }) };
  return enteredGrade(grade, work) ? { grade: withPoint(grade) } : 'why.sheetGrade';
}
