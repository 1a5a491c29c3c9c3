// A calendar month in whole weeks, starting on the first weekday of the reader's language. Pure.

import { addDays, dayOf } from '../../language/dates.ts';

export interface Weeks {
  /** Dates as `YYYY-MM-DD`, seven to a week. */
  readonly weeks: readonly (readonly string[])[];
  readonly from: string;
  /** The day after the last one shown. */
  readonly to: string;
}

/** @param month `YYYY-MM`; @param firstDay 1 for Monday … 7 for Sunday */
export function weeksOf(month: string, firstDay: number): Weeks {
  const first = new Date(`${month}-01T12:00:00`);
  const weekday = first.getDay() === 0 ? 7 : first.getDay();
  const start = addDays(first, -((weekday - firstDay + 7) % 7));
  const weeks: string[][] = [];
  for (let at = start; weeks.length === 0 || dayOf(at).slice(0, 7) === month; at = addDays(at, 7))
    weeks.push(Array.from({ length: 7 }, (_, nth) => dayOf(addDays(at, nth))));
  return { weeks, from: dayOf(start), to: dayOf(addDays(start, weeks.length * 7)) };
}

export function monthBeside(month: string, by: number): string {
  const at = new Date(`${month}-15T12:00:00`);
  at.setMonth(at.getMonth() + by);
  return dayOf(at).slice(0, 7);
}

/** The same day of the previous or next month, or its last day if that month is shorter. */
export function sameDayBeside(day: string, by: number): string {
  const month = monthBeside(day.slice(0, 7), by);
  const [year = 0, number = 1] = month.split('-').map(Number);
  const last = new Date(year, number, 0).getDate();
  return `${month}-${String(Math.min(last, Number(day.slice(8)))).padStart(2, '0')}`;
}

export const isMonth = (text: string | undefined): text is string => /^\d{4}-(0[1-9]|1[0-2])$/.test(text ?? '');

/** The first weekday by language; Monday where the browser does not know. */
export function firstDayOf(locale: string): number {
  const found = new Intl.Locale(locale) as Intl.Locale & { getWeekInfo?: () => { firstDay: number } };
  return found.getWeekInfo?.().firstDay ?? 1;
}
