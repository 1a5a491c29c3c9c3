// Writes events as iCalendar (RFC 5545): UTC times, all-day events as dates, folded lines. Each event of a series is written separately. Pure.

import { htmlToText } from '../../../html/plain';

export interface FeedEvent {
  readonly uid: string;
  readonly title: string;
  readonly start_at: string;
  readonly end_at: string | null;
  /** For all-day events. */
  readonly all_day_date: string | null;
  readonly description: string | null;
  readonly location: string | null;
  readonly url: string;
  readonly updated_at: string;
}

const compact = (at: string) => at.replace(/[-:]/g, '');
const escaped = (text: string) =>
  text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they may not stand in a calendar.
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');

const encoder = new TextEncoder();

/** At most 75 bytes per line, without splitting a character. */
function folded(line: string): string {
  if (encoder.encode(line).length <= 75) return line;
  const lines: string[] = [];
  let current = '';
  let size = 0;
  for (const character of line) {
    const length = encoder.encode(character).length;
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
  ...(event.description ? [`DESCRIPTION:${escaped(htmlToText(event.description))}`] : []),
  `LAST-MODIFIED:${compact(event.updated_at)}`,
  ...(event.location ? [`LOCATION:${escaped(event.location)}`] : []),
  'SEQUENCE:0',
  `SUMMARY:${escaped(event.title)}`,
  `URL;VALUE=URI:${event.url}`,
  'END:VEVENT',
];

/** A calendar of this name. */
export const iCalendar = (name: string, events: readonly FeedEvent[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Carrel//Calendar//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escaped(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    ...events.flatMap(eventLines),
    'END:VCALENDAR',
    '',
  ]
    .map(folded)
    .join('\r\n');
