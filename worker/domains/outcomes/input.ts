// What clients send about outcomes and groups, and the columns to store (reference 04 §12, §13). Parameters are not wrapped.

import { type Calculation, type CalculationMethod, calculationMethods } from '@carrel/shared/grading/outcome_scores';
import { sanitise } from '@carrel/shared/html/sanitise';
import { bool, int, listOf, maybe, number, object, optional, type Shape, text } from '@carrel/shared/wire/fields';
import { invalid } from '../../http/problem';
import { BadCalculation, calculationOf, scaleOf } from './criterion';
import type { learning_outcomes } from './table';

const longest = 255;

export const outcomeParams = {
  title: optional(text),
  display_name: optional(maybe(text)),
  description: optional(maybe(text)),
  friendly_description: optional(maybe(text)),
  vendor_guid: optional(maybe(text)),
  mastery_points: optional(number),
  ratings: optional(listOf(object({ description: optional(maybe(text)), points: optional(maybe(number)) }))),
  calculation_method: optional(text),
  calculation_int: optional(maybe(int)),
  add_defaults: optional(bool),
};
export type OutcomeGiven = Shape<typeof outcomeParams>;

export const groupParams = { title: optional(text), description: optional(maybe(text)), vendor_guid: optional(maybe(text)) };

/** @throws Problem 400 for a title that is blank, too long, or missing where one is needed */
export function titleGiven(given: string | undefined, isNew: boolean): string | undefined {
  if (given === undefined && !isNew) return undefined;
  const title = given?.trim() ?? '';
  if (title === '') throw invalid('title', 'blank', "can't be blank");
  if (title.length > longest) throw invalid('title', 'too_long', `is too long (maximum is ${longest} characters)`);
  return title;
}

/** @throws Problem 400 for a text that is too long */
export function shortText(field: string, given: string | null | undefined): string | null | undefined {
  if ((given?.length ?? 0) > longest) throw invalid(field, 'too_long', `is too long (maximum is ${longest} characters)`);
  return given;
}

/** An older name of the decaying average is accepted, too. @throws Problem 400 */
function methodGiven(given: string | undefined): CalculationMethod | undefined {
  if (given === undefined || given === '') return undefined;
  if (given === 'weighted_average') return 'decaying_average';
  const method = calculationMethods.find((one) => one === given);
  if (!method) throw invalid('calculation_method', 'inclusion', 'is not a valid calculation method');
  return method;
}

/** @throws Problem 400 for a number that does not fit the method */
function calculationGiven(given: OutcomeGiven, before: Calculation | undefined): Calculation {
  try {
    const calculation_method = methodGiven(given.calculation_method);
    return calculationOf({ ...(calculation_method && { calculation_method }), calculation_int: given.calculation_int ?? null }, before);
  } catch (error) {
    throw error instanceof BadCalculation ? invalid('calculation_int', 'inclusion', error.message) : error;
  }
}

type Stored = typeof learning_outcomes.$inferSelect;
type OutcomeColumns = Pick<
  Stored,
  | 'title'
  | 'display_name'
  | 'description'
  | 'friendly_description'
  | 'vendor_guid'
  | 'ratings'
  | 'mastery_points'
  | 'points_possible'
  | 'calculation_method'
  | 'calculation_int'
>;

/**
 * The columns of a new or changed outcome.
 * @throws Problem 400 for values that cannot be stored
 */
export function outcomeColumnsOf(given: OutcomeGiven, before?: Stored): OutcomeColumns {
  const kept = <T>(value: T | undefined, old: T | undefined): T | null => (value === undefined ? (old ?? null) : value);
  const description = given.description && sanitise(given.description);
  return {
    title: titleGiven(given.title, before === undefined) ?? before?.title ?? '',
    display_name: kept(shortText('display_name', given.display_name), before?.display_name),
    vendor_guid: kept(shortText('vendor_guid', given.vendor_guid), before?.vendor_guid),
    description: kept(description, before?.description),
    friendly_description: kept(shortText('friendly_description', given.friendly_description), before?.friendly_description),
    ...scaleOf(given.ratings, given.mastery_points, before),
    ...calculationGiven(given, before),
  };
}
