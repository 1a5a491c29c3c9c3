// Quiet hours without notifications, in the local time of the user; they may span midnight. Pure.

import type { NoticeChoices } from '../../contract/news';

type Quiet = NoticeChoices['quiet'];

export function isQuiet(quiet: Quiet, at: Date): boolean {
  if (!quiet || quiet.from === quiet.to) return false;
  const hour = `${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`;
  return quiet.from < quiet.to ? hour >= quiet.from && hour < quiet.to : hour >= quiet.from || hour < quiet.to;
}

/** By the calendar, so that a day of 23 hours has the same times as others. */
function clockOn(day: Date, hour: string, days = 0): Date {
  const [hours, minutes] = hour.split(':').map(Number);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days, hours, minutes);
}

/** When the quiet hours that contain `at` began. */
export function quietSince(quiet: NonNullable<Quiet>, at: Date): Date {
  const today = clockOn(at, quiet.from);
  return today <= at ? today : clockOn(at, quiet.from, -1);
}

/** When they end. */
export function quietUntil(quiet: NonNullable<Quiet>, at: Date): Date {
  const today = clockOn(at, quiet.to);
  return today > at ? today : clockOn(at, quiet.to, 1);
}
