// Course timetables: weekly meetings of a course or section, expanded into events. Pure.

import { dateOn, fromClock } from '@carrel/shared/wire/clock';
import { listOf, mapOf, maybe, object, optional, read, text, time } from '@carrel/shared/wire/fields';
import { Problem } from '../../../http/problem';

const meeting = object({
  weekdays: optional(text),
  start_time: optional(text),
  end_time: optional(text),
  location_name: optional(maybe(text)),
  course_start_at: optional(maybe(text)),
  course_end_at: optional(maybe(text)),
});
/** By section id, or `all` for the whole course. */
export const timetables = mapOf(listOf(meeting), 'section');

export const lesson = object({
  start_at: optional(maybe(time)),
  end_at: optional(maybe(time)),
  location_name: optional(maybe(text)),
  code: optional(maybe(text)),
  title: optional(maybe(text)),
});

interface Meeting {
  readonly weekdays?: string;
  readonly start_time?: string;
  readonly end_time?: string;
  readonly location_name?: string | null;
  readonly course_start_at?: string | null;
  readonly course_end_at?: string | null;
}

/** One meeting of a timetable; its code identifies it when the timetable is sent again. */
export interface Lesson {
  readonly code: string;
  readonly title: string | null;
  readonly start_at: string;
  readonly end_at: string;
  readonly location_name: string | null;
}

/** The course's start and end, used when the timetable has none. */
export interface Term {
  readonly start_at: string | null;
  readonly end_at: string | null;
  readonly zone: string;
}

/** Maximum number of meetings of a timetable. */
export const mostLessons = 1000;
const day = 86_400_000;
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

const weekdayOf = (word: string): number => (word.length < 2 ? -1 : weekdays.findIndex((name) => name.startsWith(word.toLowerCase())));

/** Parses `9:00 am`, `2pm` or `14:30`. */
function clockOf(given: string): string | undefined {
  const [, hours, minutes = '00', half] = /^(\d{1,2})(?::(\d{2}))?(?::\d{2})?\s*(?:([ap])\.?m\.?)?$/i.exec(given.trim()) ?? [];
  if (hours === undefined || Number(minutes) > 59) return undefined;
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hours);
  if (hour > 23 || (half && (Number(hours) < 1 || Number(hours) > 12))) return undefined;
  return `${String(hour).padStart(2, '0')}:${minutes}:00`;
}

/** A start or end day: a date as given, a timestamp in the course's time zone. */
function dateOf(given: string | null | undefined, zone: string): string | undefined {
  if (!given) return undefined;
  if (/^\d{4}-\d{2}-\d{2}$/.test(given.trim())) return Number.isNaN(Date.parse(given)) ? undefined : given.trim();
  const at = read({ at: time }, { at: given });
  return at.ok ? dateOn(at.value.at, zone) : undefined;
}

const refused = (errors: readonly string[]) => new Problem(400, { errors });

interface Read {
  readonly days: readonly number[];
  readonly from: string;
  readonly to: string;
  readonly first: string;
  readonly last: string;
}

function readMeeting(given: Meeting, term: Term): Read | string[] {
  const words = (given.weekdays ?? '').split(',').map((word) => word.trim());
  const days = words.map(weekdayOf);
  const [from, to] = [clockOf(given.start_time ?? ''), clockOf(given.end_time ?? '')];
  const first = dateOf(given.course_start_at ?? term.start_at, term.zone);
  const last = dateOf(given.course_end_at ?? term.end_at, term.zone);
  const wrong = [
    ...(days.includes(-1) ? [`invalid day(s) of the week: ${words.filter((_, at) => days[at] === -1).join(', ')}`] : []),
    ...(from === undefined ? ['invalid start_time'] : []),
    ...(to === undefined ? ['invalid end_time'] : []),
    ...(from !== undefined && to !== undefined && to < from ? ['end_time is before start_time'] : []),
    ...(first === undefined ? ['course_start_at is missing or invalid'] : []),
    ...(last === undefined ? ['course_end_at is missing or invalid'] : []),
  ];
  return wrong.length > 0 ? wrong : { days, from: from ?? '', to: to ?? '', first: first ?? '', last: last ?? '' };
}

/**
 * The meetings of one timetable.
 * @throws Problem 400 with every error in it
 */
export function lessonsOf(meetings: readonly Meeting[], term: Term): Lesson[] {
  const result = meetings.map((one) => readMeeting(one, term));
  const wrong = result.filter((one) => Array.isArray(one)).flat();
  if (wrong.length > 0) throw refused(wrong);
  const lessons = (result as Read[]).flatMap(({ days, from, to, first, last }, at) => {
    const [start, end] = [Date.parse(first), Date.parse(last)];
    if ((end - start) / day > 7 * mostLessons) throw tooMany();
    return Array.from({ length: Math.max(0, (end - start) / day + 1) }, (_, n) => new Date(start + n * day))
      .filter((date) => days.includes(date.getUTCDay()))
      .map((date): Lesson => {
        const written = date.toISOString().slice(0, 10);
        const [start_at, end_at] = [fromClock(`${written}T${from}`, term.zone), fromClock(`${written}T${to}`, term.zone)];
        return { code: `${start_at}/${end_at}`, title: null, start_at, end_at, location_name: meetings[at]?.location_name ?? null };
      });
  });
  return once(lessons);
}

const tooMany = () => refused([`only a maximum of ${mostLessons} events can be created`]);

function once(lessons: readonly Lesson[]): Lesson[] {
  const kept = [...new Map(lessons.map((lesson) => [lesson.code, lesson])).values()];
  if (kept.length > mostLessons) throw tooMany();
  return kept;
}

type Given = { readonly [K in keyof Lesson]?: Lesson[K] | null };

/**
 * The events of a timetable that the client expanded.
 * @throws Problem 400 for missing times, or an end before the start
 */
export function lessonsGiven(given: readonly Given[]): Lesson[] {
  return once(
    given.map(({ start_at, end_at, location_name = null, code, title = null }) => {
      if (!start_at || !end_at) throw refused(['start_at and end_at are required']);
      if (end_at < start_at) throw refused(['end_at is before start_at']);
      return { start_at, end_at, location_name, title: title || null, code: code || `${start_at}/${end_at}` };
    }),
  );
}

/** @throws Problem 400 for a section of another course */
export function sectionNamed(name: string, sectionIds: readonly number[]): string | null {
  if (name === 'all') return null;
  if (!sectionIds.some((id) => String(id) === name)) throw refused([`invalid section: ${name}`]);
  return `course_section_${name}`;
}
