// Writes events as iCalendar (RFC 5545): UTC times, all-day events as dates, folded lines. Each event of a series is written separately. Pure.

export interface FeedEvent {
  readonly uid: string;
  readonly title: string;
  readonly start_at: string;
  readonly end_at: string | null;
  /** For all-day events. */
  readonly all_day_date: string | null;
  /** Plain text. */
  readonly description: string | null;
  readonly location: string | null;
  readonly url: string | null;
  readonly updated_at: string;
}

const compact = (at: string) => at.replace(/[-:]/g, '');
const escaped = (text: string) =>
  text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they may not stand in a calendar.
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');

/** In UTF-8. */
const bytesOf = (character: string): number => {
  const point = character.codePointAt(0) ?? 0;
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
};

/** At most 75 bytes per line, without splitting a character. */
function folded(line: string): string {
  const lines: string[] = [];
  let current = '';
  let size = 0;
  for (const character of line) {
    const length = bytesOf(character);
    if (size + length > 75) {
      lines.push(current);
      current = ' ';
      size = 1;
    }
    current += character;
    size += length;
  }
  return [...lines, current].join('\r\n');
}

const dayAfter = (date: string) => new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

/** In Canvas' order: some of its clients cut the text between two of these lines. */
const eventLines = (event: FeedEvent): string[] => [
  'BEGIN:VEVENT',
  `DTSTAMP:${compact(event.updated_at)}`,
  `UID:${event.uid}`,
  ...(event.all_day_date
    ? [`DTSTART;VALUE=DATE:${compact(event.all_day_date)}`, `DTEND;VALUE=DATE:${compact(dayAfter(event.all_day_date))}`]
    : [
        `DTSTART:${compact(event.start_at)}`,
        ...(event.end_at && event.end_at >= event.start_at ? [`DTEND:${compact(event.end_at)}`] : []),
      ]),
  'CLASS:PUBLIC',
  ...(event.description ? [`DESCRIPTION:${escaped(event.description)}`] : []),
  `LAST-MODIFIED:${compact(event.updated_at)}`,
  ...(event.location ? [`LOCATION:${escaped(event.location)}`] : []),
  'SEQUENCE:0',
  `SUMMARY:${escaped(event.title)}`,
  ...(event.url ? [`URL;VALUE=URI:${event.url}`] : []),
  'END:VEVENT',
];

/** A calendar to subscribe to, of this name; null: single events to add to another calendar. */
export const iCalendar = (name: string | null, events: readonly FeedEvent[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Carrel//Calendar//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    ...(name === null ? [] : [`X-WR-CALNAME:${escaped(name)}`, 'REFRESH-INTERVAL;VALUE=DURATION:PT1H']),
    ...events.flatMap(eventLines),
    'END:VCALENDAR',
    '',
  ]
    .map(folded)
    .join('\r\n');
