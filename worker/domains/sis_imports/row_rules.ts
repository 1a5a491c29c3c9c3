// Validation common to all row types: required values, status, dates.

import { read, time } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import type { SQL } from 'drizzle-orm';
import type { Statement } from '../../database/open';
import type { Chunk, Cutting } from './files/chunks';
import type { Cells, ParsedRow } from './files/file_types';
import type { ImportOptions } from './table';
import type { ImportWork, Notes } from './work';

export type { Cells, ParsedRow };

/** An importer for chunks of one row type. */
export interface RowWrites {
  readonly statements: readonly Statement[];
  /** Conditions that are true when data has changed since it was read. */
  readonly moved?: readonly SQL[];
}

export interface RowKind {
  readonly cutting: Cutting;
  /** For rows of courses: the course id of each, 0 for an unknown course. Files with scattered courses are sorted by it. */
  readonly coursesOf?: (work: ImportWork, rows: Chunk['rows']) => Promise<number[]>;
  /** Reads the data about the rows, and returns what to write. Warnings go to the notes. */
  apply(work: ImportWork, rows: Chunk['rows'], notes: Notes): Promise<RowWrites>;
}

/** Whether all columns have a value; otherwise the row is skipped with a warning. */
export function hasAll({ at, cells }: ParsedRow, columns: readonly string[], notes: Notes): boolean {
  const missing = columns.filter((column) => !lookUp(cells, column));
  if (missing.length === 0) return true;
  notes.warn(at, `${missing.join(', ')} is missing`);
  return false;
}

/** The first of several reasons against a row that holds. */
export const firstReason = (...reasons: readonly (readonly [holds: boolean, reason: string])[]): string | undefined =>
  reasons.find(([holds]) => holds)?.[1];

/** A row of the database that changes, with the columns that were changed manually. */
export type Changing = Record<string, unknown> & { readonly id: number; readonly stuck: string | null };

/** The status of a row; a warning for an unknown one. */
export function statusOf<const S extends readonly string[]>({ at, cells }: ParsedRow, known: S, notes: Notes): S[number] | undefined {
  const status = (cells.status ?? '').toLowerCase();
  if (known.includes(status)) return status;
  notes.warn(at, `the status "${cells.status ?? ''}" is not one of ${known.join(', ')}`);
  return undefined;
}

const shape = { at: time };

/** A timestamp; null for an invalid date. */
export function sisDateOf(given: string): string | null {
  const iso = given.replace(/ UTC$/i, 'Z').replace(/^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}(?::\d{2})?) ([+-]\d{4})$/, '$1T$2$3');
  const answer = read(shape, { at: iso });
  return answer.ok ? answer.value.at : null;
}

/**
 * The value of a date column: undefined when the file lacks it, null when blank.
 * An invalid date is ignored with a warning.
 */
export function dateIn({ at, cells }: ParsedRow, column: string, notes: Notes): string | null | undefined {
  const given = lookUp(cells, column);
  if (given === undefined || given === '') return given === undefined ? undefined : null;
  const date = sisDateOf(given);
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

/** The unique non-blank values of some columns. */
export const valuesIn = (rows: readonly ParsedRow[], ...columns: string[]): string[] => [
  ...new Set(rows.flatMap(({ cells }) => columns.flatMap((column) => lookUp(cells, column) || []))),
];

/** Maps rows by a text; the first of several wins. */
export const by = <R>(rows: readonly R[], key: (row: R) => string | null): Map<string, R> => {
  const map = new Map<string, R>();
  for (const row of rows) {
    const name = key(row);
    if (name !== null && !map.has(name)) map.set(name, row);
  }
  return map;
};
