// The entries of a grading standard: percentages are received, and fractions are stored and returned (reference 03 §9).

import { defaultScheme } from '@carrel/shared/grading/score_to_grade';
import { maybe, number, object, optional, type Shape, text } from '@carrel/shared/wire/fields';
import { invalid } from '../../http/problem';
import type { SchemeEntry } from './table';

export const entryFields = { name: optional(maybe(text)), value: optional(maybe(number)) };
export const entryField = object(entryFields);
type EntryGiven = Shape<typeof entryFields>;

const most = 200;
const refuse = (message: string) => invalid('data', 'invalid', message);
const isRepeated = (values: readonly unknown[]) => new Set(values).size < values.length;

/**
 * The entries to store, from the highest to the lowest; entries without a name or a value are skipped.
 * @returns the entries of the built-in scheme when none is complete
 * @throws Problem 400 at `data`
 */
export function entriesOf(given: readonly EntryGiven[]): SchemeEntry[] {
  const entries = given.flatMap(({ name, value }) => {
    const trimmed = name?.trim();
    // Rounded to 0.01 %.
    return trimmed && value !== undefined && value !== null ? [{ name: trimmed, value: Math.round(value * 100) / 10_000 }] : [];
  });
  if (entries.length === 0) return [...defaultScheme.entries];
  if (entries.length > most) throw refuse(`cannot contain more than ${most} entries`);
  if (entries.some(({ value }) => value < 0)) throw refuse('cannot contain negative values');
  if (entries.some(({ name }) => name.length > 255)) throw refuse('cannot contain names longer than 255 characters');
  if (isRepeated(entries.map(({ name }) => name))) throw refuse('cannot contain duplicate names');
  if (isRepeated(entries.map(({ value }) => value))) throw refuse('cannot contain duplicate values');
  return entries.sort((a, b) => b.value - a.value);
}

/** @throws Problem 400 at `scaling_factor` */
export function checkScaling(isPointsBased: boolean, factor: number): void {
  if (!(factor > 0)) throw invalid('scaling_factor', 'invalid', 'must be greater than 0');
  if (!isPointsBased && factor !== 1) throw invalid('scaling_factor', 'invalid', 'must be 1 if the standard is not points based');
}
