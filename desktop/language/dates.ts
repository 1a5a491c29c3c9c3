// Formats times. The API sends UTC; the UI shows the user's time zone.

import { inLocale, t } from './texts.ts';

const format = (options: Intl.DateTimeFormatOptions) => inLocale((locale) => new Intl.DateTimeFormat(locale, options));
const time = format({ hour: '2-digit', minute: '2-digit' });
const weekdayAndDate = format({ weekday: 'long', day: 'numeric', month: 'long' });
const shortDate = format({ weekday: 'short', day: 'numeric', month: 'short' });
const dateWithYear = format({ day: 'numeric', month: 'short', year: 'numeric' });
export const monthName = format({ month: 'long' });
export const monthAndYear = format({ month: 'long', year: 'numeric' });
export const shortDay = format({ day: 'numeric', month: 'short' });
export const shortWeekday = format({ weekday: 'short' });
export const weekday = format({ weekday: 'long' });

/** The user's local day as `YYYY-MM-DD`. */
export const dayOf = (at: Date) =>
  `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')}`;
export const dateOfDay = (day: string) => new Date(`${day}T12:00:00`);
export const addDays = (at: Date, days: number) =>
  new Date(at.getFullYear(), at.getMonth(), at.getDate() + days, at.getHours(), at.getMinutes());

export const clockTime = (utc: string) => time().format(new Date(utc));
export const longDay = (day: string) => weekdayAndDate().format(dateOfDay(day));

const daysApart = (day: string, now: Date) => Math.round((dateOfDay(day).getTime() - dateOfDay(dayOf(now)).getTime()) / 86_400_000);

/** The number of calendar days between two times. */
export const daysBetween = (from: string, to: string): number => daysApart(dayOf(new Date(to)), new Date(from));

export function dayName(day: string, now: Date): string {
  const apart = daysApart(day, now);
  if (apart === 0) return t('today');
  if (apart === 1) return t('tomorrow');
  if (apart === -1) return t('yesterday');
  return weekdayAndDate().format(dateOfDay(day));
}

/** “today 14:00”, “Fri 27 Nov 23:59”, “3 Mar 2025 09:00”. */
export function moment(utc: string, now = new Date()): string {
  const at = new Date(utc);
  const apart = daysApart(dayOf(at), now);
  if (apart === 0) return t('moment.today', { time: time().format(at) });
  if (apart === 1) return t('moment.tomorrow', { time: time().format(at) });
  if (apart === -1) return t('moment.yesterday', { time: time().format(at) });
  return `${(at.getFullYear() === now.getFullYear() ? shortDate : dateWithYear)().format(at)}, ${time().format(at)}`;
}

const ago = inLocale((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
const inDays = inLocale((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'always' }));

export function howLongAgo(utc: string, now = new Date()): string {
  const seconds = Math.round((new Date(utc).getTime() - now.getTime()) / 1000);
  if (seconds > -60) return t('justNow');
  if (seconds > -3600) return ago().format(Math.round(seconds / 60), 'minute');
  if (seconds > -86_400) return ago().format(Math.round(seconds / 3600), 'hour');
  return ago().format(Math.round(seconds / 86_400), 'day');
}

/** The distance to a due date: `in 5 hours`, `3 days ago`. */
export function distance(utc: string, now = new Date()): string {
  const hours = (new Date(utc).getTime() - now.getTime()) / 3_600_000;
  if (Math.abs(hours) < 1) return ago().format(Math.round(hours * 60), 'minute');
  if (Math.abs(hours) < 24) return ago().format(Math.round(hours), 'hour');
  // By calendar day: something due the day after tomorrow is due in two days, at whatever hour.
  return inDays().format(daysApart(dayOf(new Date(utc)), now), 'day');
}
