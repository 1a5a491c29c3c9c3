// Streaming CSV parser (RFC 4180). Unlike parsers from npm, it reports the byte offset after each row, so that an interrupted reader can resume with
// a ranged read.

import { withoutMark } from './writer';

export interface CsvRow {
  readonly cells: readonly string[];
  /** The byte offset after the row. */
  readonly end: number;
}

/** The file cannot be used. */
export class BadCsv extends Error {}

const [lf, cr, quote] = [10, 13, 34];

const delimiters = [',', ';', '\t'] as const;
/** What separates the values of a row. */
export type Delimiter = (typeof delimiters)[number];

/** The delimiter of a file: the most frequent one in its first line, outside of quotes. Spreadsheets write `;` where the comma is decimal. */
export function delimiterOf(text: string): Delimiter {
  const [line = ''] = text.replace(/"[^"]*"/g, '').split('\n', 1);
  const count = (one: Delimiter) => line.split(one).length;
  return delimiters.reduce((most, one) => (count(one) > count(most) ? one : most));
}
const longestRow = 1024 * 1024;

const joined = (head: Uint8Array, tail: Uint8Array): Uint8Array => {
  if (head.length === 0) return tail;
  const all = new Uint8Array(head.length + tail.length);
  all.set(head);
  all.set(tail, head.length);
  return all;
};

/** The end of a row that contains quotes, or -1 if it is incomplete. */
function endOfQuotedRow(bytes: Uint8Array, start: number): number {
  let isQuoted = false;
  for (let at = start; at < bytes.length; at += 1) {
    if (bytes[at] === quote) isQuoted = !isQuoted;
    else if (bytes[at] === lf && !isQuoted) return at;
  }
  return -1;
}

/** @throws BadCsv for a quote in the middle of a value */
export function cellsOf(line: string, delimiter: Delimiter = ','): string[] {
  const cells = markedCellsOf(line, delimiter);
  return line.includes("'") ? cells.map(withoutMark) : cells;
}

/** A value, and where the delimiter or the end of the line after it is. */
type Value = readonly [cell: string, end: number];

/** @param start of its opening quote */
function quotedValue(line: string, start: number, delimiter: Delimiter): Value {
  let cell = '';
  let from = start + 1;
  for (;;) {
    const close = line.indexOf('"', from);
    if (close < 0) throw new BadCsv('a quoted value is not closed');
    cell += line.slice(from, close);
    const end = close + 1;
    if (line.charCodeAt(end) !== quote) {
      if (end < line.length && line[end] !== delimiter) throw new BadCsv('a quoted value continues after its closing quote');
      return [cell, end];
    }
    cell += '"';
    from = end + 1;
  }
}

function plainValue(line: string, start: number, delimiter: Delimiter): Value {
  const next = line.indexOf(delimiter, start);
  const end = next < 0 ? line.length : next;
  const cell = line.slice(start, end);
  if (cell.includes('"')) throw new BadCsv('an unquoted value contains a quote');
  return [cell, end];
}

function markedCellsOf(line: string, delimiter: Delimiter): string[] {
  if (!line.includes('"')) return line.split(delimiter);
  const cells: string[] = [];
  for (let at = 0; at <= line.length; ) {
    const [cell, end] = line.charCodeAt(at) === quote ? quotedValue(line, at, delimiter) : plainValue(line, at, delimiter);
    cells.push(cell);
    at = end + 1;
  }
  return cells;
}

export class CsvReader {
  private held: Uint8Array = new Uint8Array(0);
  private readonly decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

  /** @param offset the file offset of the first byte */
  constructor(
    private offset: number,
    private readonly delimiter: Delimiter = ',',
  ) {}

  /**
   * The complete rows; blank lines are skipped.
   * @throws BadCsv
   */
  *push(chunk: Uint8Array): Generator<CsvRow> {
    this.held = joined(this.held, chunk);
    let start = this.offset === 0 ? this.pastMark() : 0;
    if (start < 0) return;
    const bytes = this.held;
    let nextQuote = bytes.indexOf(quote, start);
    for (;;) {
      let end = bytes.indexOf(lf, start);
      if (end >= 0 && nextQuote >= 0 && nextQuote < end) end = endOfQuotedRow(bytes, start);
      if (end < 0) break;
      const row = this.rowOf(bytes, start, end, this.offset + end + 1);
      start = end + 1;
      if (nextQuote >= 0 && nextQuote < start) nextQuote = bytes.indexOf(quote, start);
      if (row) yield row;
    }
    this.held = bytes.slice(start);
    this.offset += start;
    if (this.held.length > longestRow) throw new BadCsv('a row is too long, or a quoted value is not closed');
  }

  /** The last row, if it has no line end. */
  *finish(): Generator<CsvRow> {
    const start = this.offset === 0 ? Math.max(0, this.pastMark()) : 0;
    const { length } = this.held;
    const row = length > start ? this.rowOf(this.held, start, length, this.offset + length) : undefined;
    this.offset += length;
    this.held = new Uint8Array(0);
    if (row) yield row;
  }

  /** The start of the text after a byte order mark; -1 while undecided. */
  private pastMark(): number {
    const mark = [0xef, 0xbb, 0xbf];
    const count = Math.min(3, this.held.length);
    const isMark = mark.slice(0, count).every((byte, at) => this.held[at] === byte);
    return !isMark ? 0 : count < 3 ? -1 : 3;
  }

  private rowOf(bytes: Uint8Array, start: number, end: number, after: number): CsvRow | undefined {
    const last = end > start && bytes[end - 1] === cr ? end - 1 : end;
    if (last === start) return undefined;
    return { cells: cellsOf(this.textOf(bytes.subarray(start, last)), this.delimiter), end: after };
  }

  private textOf(bytes: Uint8Array): string {
    try {
      return this.decoder.decode(bytes);
    } catch {
      throw new BadCsv('the file is not UTF-8');
    }
  }
}
