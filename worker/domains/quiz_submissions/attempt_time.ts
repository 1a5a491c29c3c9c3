// When an attempt ends, and how much time is left (reference 04 §4.5). Times are ISO 8601 in UTC, durations minutes unless stated.

import { wireTime } from '@carrel/shared/wire/fields';

const minute = 60_000;
/** For answers that are on their way when the time ends. */
const grace = 5 * minute;

const later = (time: string, minutes: number) => wireTime(Date.parse(time) + minutes * minute);
const earliest = (times: readonly (string | null)[]): string | null => {
  const known = times.filter((time): time is string => time !== null).sort((a, b) => Date.parse(a) - Date.parse(b));
  return known[0] ?? null;
};

interface TimedAttempt {
  readonly started_at: string;
  readonly time_limit: number | null;
  readonly extra_time: number | null;
  /** The caller's, after overrides. */
  readonly lock_at: string | null;
  readonly manually_unlocked: boolean;
  /** The end of the student's access to the course. */
  readonly access_ends_at: string | null;
  /** Graders are held by the time limit only. */
  readonly isGrader: boolean;
}

/** @returns null if nothing ends the attempt */
export function endOfAttempt(attempt: TimedAttempt): string | null {
  const { started_at, time_limit, extra_time, lock_at, access_ends_at } = attempt;
  const limit = time_limit === null ? null : later(started_at, time_limit + (extra_time ?? 0));
  if (attempt.isGrader) return limit;
  return earliest([limit, lock_at !== null && !attempt.manually_unlocked ? lock_at : access_ends_at]);
}

/** Seconds; negative once the time is over. */
export const secondsLeft = (end_at: string | null, now: string): number | null =>
  end_at === null ? null : Math.round((Date.parse(end_at) - Date.parse(now)) / 1000);

export const isAttemptOver = (end_at: string | null, now: string): boolean => end_at !== null && Date.parse(end_at) <= Date.parse(now);

/** Whether an answer comes too late, even for one that was sent in time. */
export const isAttemptOverdue = (end_at: string | null, now: string): boolean =>
  end_at !== null && Date.parse(now) > Date.parse(end_at) + grace;

/** A turn-in after the end counts at the end: the time between is the network's, or no one was there. */
export const finishOf = (end_at: string | null, now: string): string => (isAttemptOver(end_at, now) ? (end_at as string) : now);

/** Seconds. The extra minutes are added as a number, as Canvas does. */
export function timeSpent(attempt: {
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly extra_time: number | null;
}): number | null {
  const { started_at, finished_at, extra_time } = attempt;
  if (started_at === null || finished_at === null) return null;
  return Math.round((Date.parse(finished_at) - Date.parse(started_at)) / 1000 + (extra_time ?? 0));
}

interface EndChange {
  readonly end_at: string | null;
  /** More minutes than before, from a changed `extra_time`. */
  readonly added?: number;
  readonly extend_from_now?: number;
  readonly extend_from_end_at?: number;
}

/** The new end of a running timed attempt; one that ended more than an hour ago stays as it is. */
export function extendedEnd({ end_at, added = 0, extend_from_now, extend_from_end_at }: EndChange, now: string): string | null {
  if (end_at === null || Date.parse(now) > Date.parse(end_at) + 60 * minute) return end_at;
  if (extend_from_now !== undefined) return later(now, extend_from_now);
  return later(end_at, added + (extend_from_end_at ?? 0));
}
