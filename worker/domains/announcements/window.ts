// The courses and days of a request for announcements of several courses (reference 05 §4.4).

import { dateOn, endOfDay, startOfDay } from '@carrel/shared/wire/clock';
import { wireTime } from '@carrel/shared/wire/fields';
import { problem } from '../../http/problem';

/** @throws Problem 400 without codes, or for codes that are not courses */
export function courseIdsNamed(codes: readonly string[] | undefined): number[] {
  if (!codes || codes.length === 0) throw problem(400, 'Missing context_codes');
  const ids = codes.map((code) => /^(?:course_)?(\d{1,15})$/.exec(code)?.[1]);
  if (ids.some((id) => id === undefined)) throw problem(400, 'Invalid context_codes; only `course` codes are supported');
  return [...new Set(ids.map(Number))];
}

const day = 86_400_000;
const isDay = /^\d{4}-\d{2}-\d{2}$/;

function moment(given: string, name: string, bare: (date: string) => string): number {
  const isDate = isDay.test(given);
  const isTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(given);
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/i.test(given.slice(10)) ? given : `${given}Z`;
  const at = isDate ? dayOf(given, bare) : isTime ? Date.parse(zoned.replace(' ', 'T')) : Number.NaN;
  if (Number.isNaN(at)) throw problem(400, `Invalid ${name}`);
  return at;
}

/** The start of a day; NaN for a date that does not exist. */
const dayOf = (given: string, bare: (date: string) => string): number =>
  Number.isNaN(Date.parse(`${given}T00:00:00Z`)) ? Number.NaN : Date.parse(bare(given));

interface Window {
  readonly start: string;
  readonly end: string;
}

/** Defaults to two weeks back and four weeks ahead. Days are in the caller's time zone; a bare end date includes the whole day. */
export function announcementWindowOf(start_date: string | undefined, end_date: string | undefined, now: string, zone: string): Window {
  const midnight = Date.parse(startOfDay(dateOn(now, zone), zone));
  const start = start_date ? moment(start_date, 'start_date', (date) => startOfDay(date, zone)) : midnight - 14 * day;
  const end = end_date ? moment(end_date, 'end_date', (date) => endOfDay(date, zone)) : start + 28 * day;
  return { start: wireTime(start), end: wireTime(end) };
}
