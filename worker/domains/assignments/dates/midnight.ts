// Days in the course's time zone: midnight as a due date means the end of that day.

import { dateOn, endOfDay, isMidnight, onClock } from '@carrel/shared/wire/clock';

/** A due or lock date at midnight applies until the end of that day. */
export function untilEndOfDay<T extends string | null | undefined>(at: T, zone: string | null): T {
  const here = zone ?? 'UTC';
  if (typeof at !== 'string' || !isMidnight(at, here)) return at;
  return endOfDay(dateOn(at, here), here) as T;
}

/** Whether a due date is the end of a day, and of which day. */
export function allDay(due_at: string | null, zone: string | null): { all_day: boolean; all_day_date: string | null } {
  if (due_at === null) return { all_day: false, all_day_date: null };
  const [date = null, time = ''] = onClock(due_at, zone ?? 'UTC').split('T');
  return { all_day: time.startsWith('23:59'), all_day_date: date };
}
