// Events and due dates as files for calendar programs.

import { expect, test } from 'vitest';
import { openCache } from '../store/cache';
import { calendarFile } from './calendar_file';

const now = () => new Date('2026-11-20T09:00:00.500Z');

function aDesk() {
  const cache = openCache(':memory:');
  cache.put('course', 5, { id: 5, name: 'Marine Biology', course_code: 'BIO 214' });
  cache.put(
    'assignment',
    1,
    {
      id: 1,
      course_id: 5,
      name: 'Essay; on tides, and a long title of more than seventy-five bytes: ääääää',
      due_at: '2026-11-22T23:59:59+01:00',
      updated_at: '2026-11-01T08:00:00Z',
      html_url: 'https://x.example/courses/5/assignments/1',
    },
    5,
  );
  cache.put('assignment', 2, { id: 2, course_id: 5, name: 'Undated', due_at: null }, 5);
  cache.put('discussion_topic', 30, { id: 30, title: 'Essay', assignment_id: 1 }, 5);
  const event = {
    title: 'Trip',
    start_at: '2026-11-20T13:30:00Z',
    end_at: '2026-11-20T15:00:00Z',
    location_name: 'Harbour; north',
    description: '<p>Bring boots,</p><p>and a net.</p>',
    context_code: 'course_5',
  };
  cache.put('calendar_event', 3, { id: 3, ...event }, 5);
  cache.put('calendar_event', 4, { id: 4, ...event, title: '../Day: off?', all_day: true, all_day_date: '2026-12-24' }, 5);
  return { cache, now };
}
const linesOf = (text = '') => text.replaceAll('\r\n ', '').split('\r\n');

test('a due date is in UTC, with escaped text, folded lines, and the identifier of the server’s feed', () => {
  const file = calendarFile(aDesk(), { kind: 'assignment', id: 1 });
  expect(linesOf(file?.text)).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Carrel//Calendar//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    'DTSTAMP:20261101T080000Z',
    'UID:event-assignment-1',
    'DTSTART:20261122T225959Z',
    'DTEND:20261122T225959Z',
    'CLASS:PUBLIC',
    'DESCRIPTION:Marine Biology',
    'LAST-MODIFIED:20261101T080000Z',
    'SEQUENCE:0',
    'SUMMARY:Essay\\; on tides\\, and a long title of more than seventy-five bytes: ääääää [BIO 214]',
    'URL;VALUE=URI:https://x.example/courses/5/assignments/1',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]);
  for (const line of file?.text.split('\r\n') ?? []) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
});

test('an event has its end, place and words; a whole day is a date', () => {
  const text = linesOf(calendarFile(aDesk(), { kind: 'calendar_event', id: 3 })?.text);
  expect(text).toEqual(
    expect.arrayContaining(['DTSTART:20261120T133000Z', 'DTEND:20261120T150000Z', 'LOCATION:Harbour\\; north', 'DTSTAMP:20261120T090000Z']),
  );
  expect(text.find((line) => line.startsWith('DESCRIPTION'))).toMatch(/Bring boots\\,.*and a net\./);
  const day = calendarFile(aDesk(), { kind: 'calendar_event', id: 4 });
  expect(linesOf(day?.text)).toEqual(expect.arrayContaining(['DTSTART;VALUE=DATE:20261224', 'DTEND;VALUE=DATE:20261225']));
  expect(day?.name).toBe('Day off.ics');
});

test('a graded discussion is its assignment; without a date there is no file', () => {
  expect(calendarFile(aDesk(), { kind: 'discussion_topic', id: 30 })?.text).toContain('UID:event-assignment-1');
  expect(calendarFile(aDesk(), { kind: 'assignment', id: 2 })).toBeNull();
  expect(calendarFile(aDesk(), { kind: 'calendar_event', id: 99 })).toBeNull();
});
