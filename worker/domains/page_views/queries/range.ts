// The months that a query for page views may cover. Pure.

import { Problem } from '../../../http/problem';
import { keptFrom } from '../forget';

export const badQuery = (message: string) => new Problem(400, { error: message });

const isFirstOfMonth = (date: string) => date.endsWith('-01') && !Number.isNaN(Date.parse(`${date}T00:00:00Z`));

const monthAfter = (now: string): string => {
  const [year = 0, month = 0] = now.split('-').map(Number);
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
};

/** @throws Problem 400 for a range that no query may have */
export function queryRange(start: string, end: string, now: string): { readonly start_at: string; readonly end_at: string } {
  if (!isFirstOfMonth(start) || !isFirstOfMonth(end)) throw badQuery('start_date and end_date must each be the first day of a month');
  if (end <= start) throw badQuery('end_date must be later than start_date');
  if (end > monthAfter(now)) throw badQuery('end_date must not be later than the end of this month');
  const earliest = `${keptFrom(now).slice(0, 7)}-01`;
  if (start < earliest) throw badQuery(`page views are available from ${earliest} on`);
  return { start_at: `${start}T00:00:00Z`, end_at: `${end}T00:00:00Z` };
}
