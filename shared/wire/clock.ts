// Reads times, and converts between instants and the local time of a time zone.

/** The first and the last second whose year four digits can write. */
export const firstSecond = Date.parse('0000-01-01T00:00:00Z');
export const lastSecond = Date.parse('9999-12-31T23:59:59Z');

/** Whole seconds in UTC, as stored and returned; clamped to years with four digits. */
export const wireTime = (at: number | Date) =>
  `${new Date(Math.min(lastSecond, Math.max(firstSecond, Number(at)))).toISOString().slice(0, 19)}Z`;

/** Ruby's format with a zone name, `2026-12-01 10:00:00 UTC`. */
const isoTime = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(?:(Z|UTC|GMT)|([+-]\d{2}):?(\d{2})?)?)?$/i;

/** Whether the date exists: `Date` would roll over to the next month. */
const isDay = (date: string): boolean => {
  const at = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
};

/**
 * ISO 8601 as clients write it, in UTC without an offset; undefined for anything else.
 * @param ofDay the time that a date without a time means
 */
export function readTime(given: string, ofDay: (date: string) => string): string | undefined {
  const [, date, clock, , hours, minutes = '00'] = isoTime.exec(given.trim()) ?? [];
  if (date === undefined || !isDay(date)) return undefined;
  if (clock === undefined) return ofDay(date);
  const at = Date.parse(`${date}T${clock}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
  // An offset may move the year beyond four digits.
  return at >= firstSecond && at <= lastSecond ? wireTime(at) : undefined;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    const fields = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
    try {
      format = new Intl.DateTimeFormat('en-CA', { ...fields, hourCycle: 'h23', timeZone: zone });
    } catch {
      format = formatIn('UTC');
    }
    formats.set(zone, format);
  }
  return format;
}

/** `YYYY-MM-DDTHH:MM:SS`, the local time of an instant in a zone. */
export function onClock(at: string, zone: string): string {
  const parts = Object.fromEntries(
    formatIn(zone)
      .formatToParts(new Date(at))
      .map(({ type, value }) => [type, value]),
  );
  return `${parts.year?.padStart(4, '0')}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}`;
}

/** The instant of a local time; a time skipped by daylight saving is read with the offset before the change. */
export function fromClock(local: string, zone: string): string {
  const meant = Date.parse(`${local}Z`);
  const offset = (at: number) => Date.parse(`${onClock(new Date(at).toISOString(), zone)}Z`) - Math.floor(at / 1000) * 1000;
  const first = meant - offset(meant);
  return wireTime(meant - offset(first));
}

export const dateOn = (at: string, zone: string): string => onClock(at, zone).slice(0, 10);
export const startOfDay = (date: string, zone: string): string => fromClock(`${date}T00:00:00`, zone);
export const endOfDay = (date: string, zone: string): string => fromClock(`${date}T23:59:59`, zone);
export const isMidnight = (at: string, zone: string): boolean => onClock(at, zone).endsWith('T00:00:00');

export type RecurrenceFrequency = 'daily' | 'weekly' | 'monthly';

/** The same local time some days, weeks or months later; at most the last day of a shorter month. */
export function later(at: string, count: number, frequency: RecurrenceFrequency, zone: string): string {
  const [date = '', time = ''] = onClock(at, zone).split('T');
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  if (frequency !== 'monthly') {
    const moved = new Date(Date.UTC(year, month - 1, day + count * (frequency === 'weekly' ? 7 : 1)));
    return fromClock(`${moved.toISOString().slice(0, 10)}T${time}`, zone);
  }
  const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate();
  const moved = new Date(Date.UTC(year, month - 1 + count, Math.min(day, last)));
  return fromClock(`${moved.toISOString().slice(0, 10)}T${time}`, zone);
}
