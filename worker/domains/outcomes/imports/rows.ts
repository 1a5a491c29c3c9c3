// The outcomes and groups in a CSV file, and what is wrong with its rows (reference 04 §14). Pure.

import { BadCsv, CsvReader } from '@carrel/shared/csv/reader';
import { type CalculationMethod, calculationMethods } from '@carrel/shared/grading/outcome_scores';
import type { OutcomeImportError, OutcomeRating } from '../table';

/** What a file has no column for is undefined, and what is blank null. */
export interface ImportedGroup {
  readonly type: 'group';
  /** Its line in the file, from 2. */
  readonly row: number;
  readonly guid: string;
  readonly title: string;
  readonly description: string | null | undefined;
  readonly parents: readonly string[];
  readonly isDeleted: boolean;
}

export interface ImportedOutcome extends Omit<ImportedGroup, 'type'> {
  readonly type: 'outcome';
  readonly display_name: string | null | undefined;
  readonly friendly_description: string | null | undefined;
  readonly calculation_method: CalculationMethod | undefined;
  readonly calculation_int: number | undefined;
  readonly mastery_points: number | undefined;
  readonly ratings: readonly OutcomeRating[] | undefined;
}

export type ImportedRow = ImportedGroup | ImportedOutcome;

const needed = ['vendor_guid', 'object_type', 'title', 'parent_guids'] as const;
const ofOutcomes = ['display_name', 'friendly_description', 'calculation_method', 'calculation_int', 'mastery_points'] as const;
const known: readonly string[] = [...needed, ...ofOutcomes, 'description', 'workflow_state', 'canvas_id', 'course_id', 'ratings'];

export const longestCell = 255;

export class BadImportRow extends Error {}

/** The names of the columns. @throws BadCsv */
function headOf(cells: readonly string[]): readonly string[] {
  const names = cells.map((name) => name.trim().toLowerCase());
  while (names.at(-1) === '') names.pop();
  const missing = needed.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new BadCsv(`Missing required columns: ${missing.join(', ')}`);
  const unknown = names.filter((name) => !known.includes(name));
  const after = names.includes('ratings') ? names.slice(names.indexOf('ratings') + 1) : [];
  if (after.length > 0) throw new BadCsv('The column ratings must be the last one');
  if (unknown.length > 0) throw new BadCsv(`Unknown columns: ${unknown.map((name) => name.slice(0, 100)).join(', ')}`);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new BadCsv(`The column ${twice} appears twice`);
  return names;
}

const aNumber = /^-?\d+(?:\.\d+)?$/;

function numberIn(text: string | null | undefined, name: string): number | undefined {
  if (text === null || text === undefined) return undefined;
  if (!aNumber.test(text)) throw new BadImportRow(`${name} is not a number: ${text.slice(0, 100)}`);
  return Number(text);
}

/** Pairs of points and a description. */
function ratingsIn(cells: readonly string[]): readonly OutcomeRating[] | undefined {
  const filled = cells.map((cell) => cell.trim());
  while (filled.at(-1) === '') filled.pop();
  if (filled.length === 0) return undefined;
  const ratings: OutcomeRating[] = [];
  for (let at = 0; at < filled.length; at += 2) {
    const points = numberIn(filled[at] || null, 'rating points');
    if (points === undefined) throw new BadImportRow('a rating has no points');
    if (points > (ratings.at(-1)?.points ?? points)) throw new BadImportRow('ratings must be ordered from the most points to the fewest');
    ratings.push({ points, description: filled[at + 1] || 'No description' });
  }
  return ratings;
}

function methodIn(text: string | null | undefined): CalculationMethod | undefined {
  if (text === null || text === undefined) return undefined;
  if (text === 'weighted_average') return 'decaying_average';
  const method = calculationMethods.find((one) => one === text);
  if (!method) throw new BadImportRow(`calculation_method is unknown: ${text.slice(0, 100)}`);
  return method;
}

type CellOf = (name: string) => string | null | undefined;

const short = (cell: CellOf, name: string): string | null | undefined => {
  const text = cell(name);
  if ((text?.length ?? 0) > longestCell) throw new BadImportRow(`${name} is longer than ${longestCell} characters`);
  return text;
};

function required(cell: CellOf, name: string): string {
  const text = short(cell, name);
  if (!text) throw new BadImportRow(`${name} is required`);
  return text;
}

function isDeletedIn(text: string | null | undefined): boolean {
  if (text && text !== 'active' && text !== 'deleted') throw new BadImportRow('workflow_state must be active or deleted');
  return text === 'deleted';
}

/** @param beyond the cells of ratings @throws BadImportRow */
function rowIn(row: number, cell: CellOf, beyond: readonly string[]): ImportedRow {
  const type = cell('object_type');
  if (type !== 'outcome' && type !== 'group') throw new BadImportRow('object_type must be outcome or group');
  const guid = required(cell, 'vendor_guid');
  if (/\s/.test(guid)) throw new BadImportRow('vendor_guid must not contain spaces');
  const parents = [...new Set((cell('parent_guids') ?? '').split(/\s+/).filter((one) => one !== ''))];
  const shared = {
    row,
    guid,
    title: required(cell, 'title'),
    description: cell('description'),
    parents,
    isDeleted: isDeletedIn(cell('workflow_state')),
  };
  const ratings = ratingsIn(beyond);
  if (type === 'outcome')
    return {
      ...shared,
      type,
      display_name: short(cell, 'display_name'),
      friendly_description: short(cell, 'friendly_description'),
      calculation_method: methodIn(cell('calculation_method')),
      calculation_int: numberIn(cell('calculation_int'), 'calculation_int'),
      mastery_points: numberIn(cell('mastery_points'), 'mastery_points'),
      ratings,
    };
  const wrong = ofOutcomes.filter((name) => cell(name));
  if (wrong.length > 0 || ratings) throw new BadImportRow(`a group has no ${wrong[0] ?? 'ratings'}`);
  if (parents.length > 1) throw new BadImportRow('a group has one parent');
  return { ...shared, type };
}

/**
 * The rows that can be imported, in the order of the file.
 * @throws BadCsv for a file without the columns, or that is not CSV
 */
export function importRowsOf(csv: string): { readonly rows: readonly ImportedRow[]; readonly errors: readonly OutcomeImportError[] } {
  const reader = new CsvReader(0);
  const [first, ...lines] = [...reader.push(new TextEncoder().encode(csv)), ...reader.finish()].map(({ cells }) => cells);
  const names = headOf(first ?? []);
  const atRatings = names.indexOf('ratings');
  const rows: ImportedRow[] = [];
  const errors: OutcomeImportError[] = [];
  const seen = new Set<string>();
  const groups = new Set<string>();
  for (const [at, cells] of lines.entries()) {
    const cell: CellOf = (name) => {
      const place = names.indexOf(name);
      return place === -1 ? undefined : cells[place]?.trim() || null;
    };
    try {
      const row = rowIn(at + 2, cell, atRatings === -1 ? [] : cells.slice(atRatings));
      if (seen.has(row.guid)) throw new BadImportRow(`vendor_guid ${row.guid} appears twice`);
      seen.add(row.guid);
      const missing = row.parents.filter((guid) => !groups.has(guid));
      if (missing.length > 0) throw new BadImportRow(`parents are not in earlier rows: ${missing.join(', ').slice(0, 200)}`);
      if (row.type === 'group') groups.add(row.guid);
      rows.push(row);
    } catch (error) {
      if (!(error instanceof BadImportRow)) throw error;
      errors.push([at + 2, error.message]);
    }
  }
  return { rows, errors };
}

const mostRows = 100;

/** The rows of one step: some, or the deletion of one group, because what a deletion removes depends on the one before it. */
export function nextRows(rows: readonly ImportedRow[], done: number): readonly ImportedRow[] {
  const isAlone = ({ type, isDeleted }: ImportedRow) => type === 'group' && isDeleted;
  const next = rows.slice(done, done + mostRows);
  const alone = next.findIndex(isAlone);
  return alone === -1 ? next : next.slice(0, Math.max(1, alone));
}
