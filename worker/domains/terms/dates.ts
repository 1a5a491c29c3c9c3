// Validation of a term's dates.

import { invalid, problem } from '../../http/problem';
import type { TermOverrides } from './table';

type Dates = { readonly start_at?: string | null; readonly end_at?: string | null };

const types = ['StudentEnrollment', 'TeacherEnrollment', 'TaEnrollment', 'DesignerEnrollment'];

/** @throws Problem 400 for an end before the start */
export function checkOrder({ start_at, end_at }: Dates): void {
  if (start_at && end_at && end_at < start_at) throw invalid('base', 'invalid', 'End dates cannot be before start dates');
}

/**
 * The overrides to store: a type with two blank dates has none.
 * @throws Problem 400 for a type that cannot have dates of its own
 */
export function keptOverrides(given: Readonly<Record<string, Dates>>): TermOverrides {
  for (const [type, dates] of Object.entries(given)) {
    if (!types.includes(type)) throw problem(400, `Invalid enrollment type: ${type}`);
    checkOrder(dates);
  }
  return Object.fromEntries(
    Object.entries(given)
      .filter(([, dates]) => dates.start_at || dates.end_at)
      .map(([type, { start_at = null, end_at = null }]) => [type, { start_at, end_at }]),
  );
}
