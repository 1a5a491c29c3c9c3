// The day of a request, and the changes of a page grouped by day, grader and assignment. Pure.

import { dateOn, endOfDay, startOfDay } from '@carrel/shared/wire/clock';

/** `YYYY-MM-DD` of a date as clients write it: also `MM-DD-YYYY` and `YYYYMMDD`; undefined for anything else. */
export function historyDayOf(given: string): string | undefined {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(given) ?? [];
  const [, usMonth, usDay, usYear] = /^(\d{2})-(\d{2})-(\d{4})$/.exec(given) ?? [];
  const date = `${year ?? usYear}-${month ?? usMonth}-${day ?? usDay}`;
  const at = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date) ? date : undefined;
}

/** The first and the last second of a day in a time zone. */
export const spanOfDay = (date: string, zone: string) => ({ start_time: startOfDay(date, zone), end_time: endOfDay(date, zone) });

/** A change of a grade, as far as its day and its grader are concerned. */
export interface DatedChange {
  readonly created_at: string;
  /** 0 for the service. */
  readonly grader_id: number;
  readonly grader_name: string;
  readonly assignment: { readonly id: number };
}

const grouped = <T>(all: readonly T[], keyOf: (one: T) => string | number): T[][] => [...Map.groupBy(all, keyOf).values()];

/** The graders of some changes, in their order, each with the assignments that they graded. */
export const gradersIn = (changes: readonly DatedChange[]) =>
  grouped(changes, ({ grader_id }) => grader_id).map((theirs) => ({
    id: theirs[0]?.grader_id ?? 0,
    name: theirs[0]?.grader_name ?? '',
    assignments: grouped(theirs, ({ assignment }) => assignment.id).flatMap(([one]) => (one ? [one.assignment] : [])),
  }));

/** The days of some changes, in their order. */
export const daysOf = (changes: readonly DatedChange[], zone: string) =>
  grouped(changes, ({ created_at }) => dateOn(created_at, zone)).map((its) => ({
    date: dateOn(its[0]?.created_at ?? '', zone),
    graders: gradersIn(its),
  }));
