// Where dates of imported content move to (reference 06 §1.8). Pure; days are `YYYY-MM-DD` in the zone of the shift.

import { fromClock, onClock } from '@carrel/shared/wire/clock';
import { lookUp } from '@carrel/shared/wire/look_up';
import type { DateShift, ShiftGiven } from '../table';

/** The first and the last day of a course; absent when neither it nor its content has dates. */
export interface CourseDays {
  readonly start?: string;
  readonly end?: string;
}

const dayLength = 86_400_000;
const firstDay = Date.parse('0001-01-01T00:00:00Z') / dayLength;
const lastDay = Date.parse('9999-12-30T00:00:00Z') / dayLength;

const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / dayLength;
const dayOf = (number: number): string => new Date(Math.min(lastDay, Math.max(firstDay, number)) * dayLength).toISOString().slice(0, 10);
/** 0 is Sunday; day 0 was a Thursday. */
const weekdayOf = (number: number): number => (((number + 4) % 7) + 7) % 7;

/** Without an end that precedes its start. */
const orderly = (start: string | undefined, end: string | undefined): string | undefined =>
  start !== undefined && end !== undefined && end < start ? undefined : end;

/** The shift with its defaults: the days of both courses; undefined when a day remains unknown, so that dates stay. */
export function completeShift(given: ShiftGiven, source: CourseDays, target: CourseDays): DateShift | undefined {
  const old_start = given.old_start ?? source.start;
  const old_end = orderly(given.old_start, given.old_end) ?? source.end;
  const new_start = given.new_start ?? target.start;
  if (old_start === undefined || old_end === undefined || new_start === undefined) return undefined;
  const new_end = orderly(given.new_start, given.new_end) ?? dayOf(numberOf(new_start) + numberOf(old_end) - numberOf(old_start));
  return { old_start, old_end, new_start, new_end, substitutions: given.substitutions ?? {}, zone: given.zone };
}

/** The day that a day moves to: as far into the new course as it was into the old one, on its weekday or the one that replaces it. */
export function shiftedDay(day: string, { old_start, old_end, new_start, new_end, substitutions }: DateShift): string {
  const [at, start] = [numberOf(day), numberOf(new_start)];
  const length = numberOf(old_end) - numberOf(old_start);
  const part = length > 0 ? (at - numberOf(old_start)) / length : 0;
  let moved = start + Math.round(part * (numberOf(new_end) - start));
  const weekday = weekdayOf(at);
  const wanted = lookUp(substitutions, String(weekday)) ?? weekday;
  if (weekdayOf(moved) !== wanted) {
    moved += (((wanted - weekdayOf(moved)) % 7) + 7) % 7;
    if (moved - 7 >= start) moved -= 7;
  }
  return dayOf(moved);
}

/** The time on the shifted day with the same hour and minute on the clock of the zone. @param time UTC */
export function shiftedTime(time: string, shift: DateShift): string {
  const [day = '', clock = ''] = onClock(time, shift.zone).split('T');
  return fromClock(`${shiftedDay(day, shift)}T${clock.slice(0, 5)}:00`, shift.zone);
}
