// Days in the course's own time: a bare midnight means the end of its day.

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

/** `YYYY-MM-DD` and `HH:MM:SS` on the clocks of a zone. */
function onClocksOf(zone: string | null, at: string): { date: string; time: string } {
  const parts = Object.fromEntries(
    formatIn(zone ?? 'UTC')
      .formatToParts(new Date(at))
      .map(({ type, value }) => [type, value]),
  );
  return { date: `${parts.year}-${parts.month}-${parts.day}`, time: `${parts.hour}:${parts.minute}:${parts.second}` };
}

const day = 24 * 60 * 60 * 1000;
const later = (at: string, by: number) => `${new Date(Date.parse(at) + by).toISOString().slice(0, 19)}Z`;

/** A due date or an end that falls on a midnight is meant for the whole of that day. */
export function untilEndOfDay<T extends string | null | undefined>(at: T, zone: string | null): T {
  if (typeof at !== 'string' || onClocksOf(zone, at).time !== '00:00:00') return at;
  const next = later(at, day);
  // On the days that the clocks change, the day is an hour shorter or longer.
  const drift = [-3_600_000, 0, 3_600_000].find((shift) => onClocksOf(zone, later(next, shift)).time === '00:00:00') ?? 0;
  return later(next, drift - 1000) as T;
}

/** Whether a due date is the end of a day, and of which. */
export function allDay(due_at: string | null, zone: string | null): { all_day: boolean; all_day_date: string | null } {
  if (due_at === null) return { all_day: false, all_day_date: null };
  const { date, time } = onClocksOf(zone, due_at);
  return { all_day: time.startsWith('23:59'), all_day_date: date };
}
