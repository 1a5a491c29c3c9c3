// What rows of every kind are asked: are the required values there, is the status one of the kind, is a date a date.

import { read, time } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import type { SQL } from 'drizzle-orm';
import type { Statement } from '../../database/open';
import type { Chunk, Cutting } from './files/chunks';
import type { Cells, Row } from './files/file_types';
import type { ImportOptions } from './table';
import type { Notes, Work } from './work';

export type { Cells, Row };

/** What a kind of row makes of a chunk. */
export interface Part {
  readonly statements: readonly Statement[];
  /** Hold while what was read has changed. */
  readonly moved?: readonly SQL[];
}

export interface Kind {
  readonly cutting: Cutting;
  /** For rows that go to courses: the course of each, 0 for one that is nowhere. A file that is scattered over courses is sorted by it. */
  readonly coursesOf?: (work: Work, rows: Chunk['rows']) => Promise<number[]>;
  /** Reads about the rows, decides, and says what is to be written. Warnings go to the notes. */
  apply(work: Work, rows: Chunk['rows'], notes: Notes): Promise<Part>;
}

/** Whether every column has a value; if not, the row is skipped with a warning. */
export function hasAll({ at, cells }: Row, columns: readonly string[], notes: Notes): boolean {
  const missing = columns.filter((column) => !lookUp(cells, column));
  if (missing.length === 0) return true;
  notes.warn(at, `${missing.join(', ')} is missing`);
  return false;
}

/** The status of a row among those of its kind, or a warning. */
export function statusOf<const S extends readonly string[]>({ at, cells }: Row, known: S, notes: Notes): S[number] | undefined {
  const status = (cells.status ?? '').toLowerCase();
  if (known.includes(status)) return status;
  notes.warn(at, `the status "${cells.status ?? ''}" is not one of ${known.join(', ')}`);
  return undefined;
}

const shape = { at: time };

/** A time on the wire; null for a text that is none. */
export function dateOf(given: string): string | null {
  const iso = given.replace(/ UTC$/i, 'Z').replace(/^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}(?::\d{2})?) ([+-]\d{4})$/, '$1T$2$3');
  const answer = read(shape, { at: iso });
  return answer.ok ? answer.value.at : null;
}

/**
 * The value of a date column: undefined where the file lacks it, null where it is blank.
 * A text that is no date is a warning, and is passed over.
 */
export function dateIn({ at, cells }: Row, column: string, notes: Notes): string | null | undefined {
  const given = lookUp(cells, column);
  if (given === undefined || given === '') return given === undefined ? undefined : null;
  const date = dateOf(given);
  if (date === null) notes.warn(at, `${column} "${given}" is not a date`);
  return date ?? undefined;
}

const yes = new Set(['true', '1', 'yes', 'y', 't', 'on']);
const no = new Set(['false', '0', 'no', 'n', 'f', 'off']);
export const flagOf = (given: string | undefined): boolean | undefined => {
  const word = (given ?? '').toLowerCase();
  return yes.has(word) ? true : no.has(word) ? false : undefined;
};

export const isBatch = ({ batch_mode, multi_term_batch_mode }: ImportOptions): boolean =>
  batch_mode === true || multi_term_batch_mode === true;

export const tooLong = (value: string | undefined): boolean => (value?.length ?? 0) > 255;

/** The rows' values of some columns, blank ones left out, each once. */
export const valuesIn = (rows: readonly Row[], ...columns: string[]): string[] => [
  ...new Set(rows.flatMap(({ cells }) => columns.flatMap((column) => lookUp(cells, column) || []))),
];

/** By a text of each row; the first of several stands. */
export const by = <R>(rows: readonly R[], key: (row: R) => string | null): Map<string, R> => {
  const map = new Map<string, R>();
  for (const row of rows) {
    const name = key(row);
    if (name !== null && !map.has(name)) map.set(name, row);
  }
  return map;
};
