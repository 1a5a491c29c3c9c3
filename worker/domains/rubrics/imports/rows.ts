// The rubrics in a CSV file, and what is wrong with its rows (reference 03 §13.3). Pure.

import { BadCsv, CsvReader } from '@carrel/shared/csv/reader';
import type { CriterionGiven, RatingGiven } from '../criteria';
import type { ImportError } from '../table';

export interface ImportedRubric {
  readonly title: string;
  readonly criteria: readonly CriterionGiven[];
}

export const importHead = ['Rubric Name', 'Criteria Name', 'Criteria Description', 'Criteria Enable Range'] as const;
export const ratingHead = ['Rating Name', 'Rating Description', 'Rating Points'] as const;

const longestTitle = 255;
const yes = new Set(['true', '1', 'yes', 'y']);

class BadRow extends Error {}

/** The ratings in the cells after the criterion: a name, a description and points each. */
function ratingsIn(cells: readonly string[]): RatingGiven[] {
  const ratings: RatingGiven[] = [];
  for (let at = 0; at < cells.length; at += ratingHead.length) {
    const [name = '', long_description = '', points = ''] = cells.slice(at, at + ratingHead.length).map((cell) => cell.trim());
    if (name === '' && long_description === '' && points === '') continue;
    if (name === '') throw new BadRow('Rating Name is missing');
    const worth = Number(points);
    if (points === '' || !Number.isFinite(worth) || worth < 0) throw new BadRow(`Rating Points of ${name} are not a positive number`);
    ratings.push({ description: name, long_description, points: worth });
  }
  if (ratings.length === 0) throw new BadRow('there are no ratings');
  return ratings;
}

/** @throws BadRow */
function criterionIn([, name = '', long_description = '', range = '', ...rest]: readonly string[]): CriterionGiven {
  if (name.trim() === '') throw new BadRow('Criteria Name is missing');
  return {
    description: name.trim(),
    long_description: long_description.trim(),
    criterion_use_range: yes.has(range.trim().toLowerCase()),
    ratings: ratingsIn(rest),
  };
}

/** @throws BadCsv for a file without the columns of the template */
function rowsIn(bytes: Uint8Array): (readonly string[])[] {
  const reader = new CsvReader(0);
  const [first, ...rows] = [...reader.push(bytes), ...reader.finish()].map(({ cells }) => cells);
  const missing = importHead.find((name, at) => first?.[at]?.trim().toLowerCase() !== name.toLowerCase());
  if (missing) throw new BadCsv(`the column ${missing} is missing`);
  return rows;
}

interface Reading {
  readonly title: string;
  readonly criteria: CriterionGiven[];
  isBad: boolean;
}

/**
 * Consecutive rows with the same name are criteria of one rubric. A rubric with a wrong row is left out; the others are imported.
 * @throws BadCsv
 */
export function importedRubrics(bytes: Uint8Array): {
  readonly rubrics: readonly ImportedRubric[];
  readonly errors: readonly ImportError[];
} {
  const read: Reading[] = [];
  const errors: ImportError[] = [];
  for (const [at, cells] of rowsIn(bytes).entries()) {
    // The first row is that of the names.
    const row = at + 2;
    const title = cells[0]?.trim() ?? '';
    const last = read.at(-1);
    const current = last?.title === title ? last : { title, criteria: [], isBad: false };
    if (current !== last) read.push(current);
    try {
      if (title === '') throw new BadRow('Rubric Name is missing');
      if (title.length > longestTitle) throw new BadRow(`Rubric Name is longer than ${longestTitle} characters`);
      current.criteria.push(criterionIn(cells));
    } catch (error) {
      if (!(error instanceof BadRow)) throw error;
      current.isBad = true;
      errors.push({ message: error.message, row });
    }
  }
  return { rubrics: read.filter(({ isBad }) => !isBad).map(({ title, criteria }) => ({ title, criteria })), errors };
}
