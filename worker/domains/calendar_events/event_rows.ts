// Values of an event: normalised times, copies, section events. Pure.

import { dateOn, fromClock, isMidnight, later, type RecurrenceFrequency } from '@carrel/shared/wire/clock';
import { bool, int, json, mapOf, maybe, object, optional, referenceTo, text, time, word } from '@carrel/shared/wire/fields';
import { badParameter, invalid } from '../../http/problem';

const part = object({ start_at: optional(maybe(time)), end_at: optional(maybe(time)), context_code: optional(referenceTo('context')) });

export const eventFields = {
  calendar_event: optional(
    object({
      context_code: optional(referenceTo('context')),
      title: optional(text),
      description: optional(maybe(text)),
      start_at: optional(maybe(time)),
      end_at: optional(maybe(time)),
      location_name: optional(maybe(text)),
      location_address: optional(maybe(text)),
      time_zone_edited: optional(word),
      all_day: optional(bool),
      important_dates: optional(bool),
      blackout_date: optional(bool),
      rrule: optional(maybe(text)),
      comments: optional(maybe(text)),
      child_event_data: optional(mapOf(part)),
      remove_child_events: optional(bool),
      duplicate: optional(
        object({ count: optional(int), interval: optional(int), frequency: optional(text), append_iterator: optional(bool) }),
      ),
      participants_per_appointment: optional(maybe(int)),
      web_conference: optional(json),
    }),
  ),
};

export interface Times {
  readonly start_at: string | null;
  readonly end_at: string | null;
  readonly all_day: boolean;
  readonly all_day_date: string | null;
}

/** A missing end or start takes the value of the other, an end before the start becomes the start, and an all-day event starts at midnight. */
export function timesOf(
  given: { readonly start_at?: string | null; readonly end_at?: string | null; readonly all_day?: boolean },
  zone: string,
): Times {
  const start = given.start_at ?? given.end_at ?? null;
  if (start === null) return { start_at: null, end_at: null, all_day: false, all_day_date: null };
  const end = given.end_at && given.end_at > start ? given.end_at : start;
  const day = dateOn(start, zone);
  if (given.all_day) {
    const midnight = fromClock(`${day}T00:00:00`, zone);
    return { start_at: midnight, end_at: midnight, all_day: true, all_day_date: day };
  }
  const all_day = given.all_day === undefined && start === end && isMidnight(start, zone);
  return { start_at: start, end_at: end, all_day, all_day_date: all_day ? day : null };
}

const most = 200;

export interface Repetition {
  readonly count?: number;
  readonly interval?: number;
  readonly frequency?: string;
  readonly append_iterator?: boolean;
}

/**
 * The copies that a repetition creates.
 * @throws Problem 400 for more than 200 copies, or an unknown frequency
 */
export function copiesOf(title: string, times: Times, given: Repetition | undefined, zone: string) {
  const { count = 0, interval = 1, frequency = 'weekly', append_iterator = false } = given ?? {};
  if (count > most) throw invalid('duplicate', 'invalid', `only a maximum of ${most} events can be created`);
  if (!['daily', 'weekly', 'monthly'].includes(frequency))
    throw badParameter('calendar_event[duplicate][frequency]', 'is not daily, weekly or monthly');
  const moved = (at: string | null, by: number) => (at === null ? null : later(at, by * interval, frequency as RecurrenceFrequency, zone));
  return {
    title: append_iterator && count > 0 ? `${title} 1` : title,
    copies: Array.from({ length: Math.max(0, count) }, (_, at) => {
      const start_at = moved(times.start_at, at + 1);
      return {
        title: append_iterator ? `${title} ${at + 2}` : title,
        start_at,
        end_at: moved(times.end_at, at + 1),
        all_day_date: times.all_day && start_at !== null ? dateOn(start_at, zone) : null,
      };
    }),
  };
}

export interface SectionTimes {
  readonly section_id: number;
  readonly times: Times;
}

/**
 * The section events of a course event.
 * @throws Problem 400 for an unknown section, or a section that is named twice
 */
export function partsGiven(
  given: Readonly<Record<string, { readonly start_at?: string | null; readonly end_at?: string | null; readonly context_code?: string }>>,
  sectionIds: readonly number[],
  zone: string,
): SectionTimes[] {
  const parts = Object.values(given).map(({ context_code, ...times }) => {
    const section_id = Number(/^course_section_(\d{1,15})$/.exec(context_code ?? '')?.[1] ?? 0);
    if (!sectionIds.includes(section_id)) throw invalid('child_events', 'invalid', `Invalid child event context: ${context_code ?? ''}`);
    return { section_id, times: timesOf(times, zone) };
  });
  if (new Set(parts.map(({ section_id }) => section_id)).size < parts.length)
    throw invalid('child_events', 'invalid', 'Duplicate child event contexts');
  return parts;
}

/** A course event spans from the first start to the last end of its section events. */
export function around(parts: readonly SectionTimes[]): Times | undefined {
  const starts = parts.flatMap(({ times }) => (times.start_at ? [times.start_at] : [])).sort();
  const ends = parts.flatMap(({ times }) => (times.end_at ? [times.end_at] : [])).sort();
  const [start_at] = starts;
  return start_at === undefined ? undefined : { start_at, end_at: ends.at(-1) ?? start_at, all_day: false, all_day_date: null };
}
