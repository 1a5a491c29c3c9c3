// The time range of a calendar or planner request.

import { dateOn, endOfDay, startOfDay } from '@carrel/shared/wire/clock';
import { read, time } from '@carrel/shared/wire/fields';
import { type SQL, sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { Problem } from '../../http/problem';

export type Side = 'start_date' | 'end_date';

/** The caller's time zone. */
export const userZoneOf = ({ me, institution }: Pick<Call, 'me' | 'institution'>): string =>
  me.user.time_zone ?? institution.root.default_time_zone;

/** Parses a date as the start or end of that day, or a timestamp; undefined for anything else. */
export function timeGiven(given: string, side: Side, zone: string): string | undefined {
  const written = given.trim();
  if (/^\d{4}-\d{2}-\d{2}$/.test(written)) {
    if (Number.isNaN(Date.parse(written))) return undefined;
    return side === 'start_date' ? startOfDay(written, zone) : endOfDay(written, zone);
  }
  const at = read({ at: time }, { at: written });
  return at.ok ? at.value.at : undefined;
}

interface Window {
  readonly start: string;
  readonly end: string;
}

/** @throws Problem 400 that names the invalid date */
export function givenTimes(given: { readonly start_date?: string; readonly end_date?: string }, zone: string, refusal = badDate) {
  const moment = (side: Side) => {
    const written = given[side];
    if (written === undefined || written === '') return undefined;
    const at = timeGiven(written, side, zone);
    if (at === undefined) throw refusal(side);
    return at;
  };
  return { start: moment('start_date'), end: moment('end_date') };
}

const badDate = (side: Side) => new Problem(400, { errors: { [side]: `Invalid date or invalid datetime for ${side}` } });

/** Missing bounds default to today; an end before the start becomes the end of the start's day. */
export function calendarWindowOf(given: { readonly start_date?: string; readonly end_date?: string }, zone: string, now: string): Window {
  const moments = givenTimes(given, zone);
  const today = dateOn(now, zone);
  const start = moments.start ?? startOfDay(today, zone);
  const end = moments.end ?? endOfDay(today, zone);
  return { start, end: end < start ? endOfDay(dateOn(start, zone), zone) : end };
}

/** Whether a row's time ('' when undated) is in the requested range. */
export function isInWindow(at: SQL, asked: { readonly all_events?: boolean; readonly undated?: boolean }, window: Window): SQL {
  if (asked.all_events) return sql`1`;
  if (asked.undated) return sql`${at} = ''`;
  return sql`${at} between ${window.start} and ${window.end}`;
}
