// One event or due date as a file for the system's calendar program.

import { wireTime } from '@carrel/shared/wire/clock';
import { type FeedEvent, iCalendar } from '@carrel/shared/wire/icalendar';
import type { CalendarFile, CalendarItem } from '../../contract/calendar';
import { place } from '../model/places';
import type { AssignmentJson, EventJson, TopicJson } from '../model/resources';
import { parsedDate } from '../model/trees';
import type { Cache } from '../store/cache';
import { plainText } from '../text/plain_text';

interface Here {
  readonly cache: Cache;
  readonly now: () => Date;
}

/** Null if the item is gone or has no date. */
export function calendarFile({ cache, now }: Here, { kind, id }: CalendarItem): CalendarFile | null {
  const event = kind === 'calendar_event' ? eventOf(cache, id) : dueDateOf(cache, kind === 'assignment' ? id : assignmentOf(cache, id));
  if (!event) return null;
  return { name: `${fileNameOf(event.title)}.ics`, text: iCalendar(null, [{ updated_at: wireTime(now()), ...event }]) };
}

type Entry = Omit<FeedEvent, 'updated_at'> & { readonly updated_at?: string };

/** Seconds in UTC, as calendars write them; undefined for anything else. */
const timeOf = (text: string | null | undefined): string | undefined => {
  const at = parsedDate(text ?? undefined);
  return at && wireTime(at);
};
const webAddress = (text: string | null | undefined): string | null => (text && /^https?:\/\//.test(text) ? text : null);

/** The same identifier as in the feed of the server, so that a calendar with both shows the item once. */
function eventOf(cache: Cache, id: number): Entry | undefined {
  const event = cache.get<EventJson>('calendar_event', id);
  const start_at = timeOf(event?.start_at);
  if (!event || !start_at || event.hidden || event.workflow_state === 'deleted') return undefined;
  const updated_at = timeOf(event.updated_at);
  return {
    uid: `event-calendar-event-${id}`,
    title: event.title,
    start_at,
    end_at: timeOf(event.end_at) ?? null,
    all_day_date: (event.all_day && event.all_day_date) || null,
    description: plainText(event.description) || null,
    location: event.location_name || null,
    url: webAddress(event.html_url),
    ...(updated_at && { updated_at }),
  };
}

const assignmentOf = (cache: Cache, topic: number): number => cache.get<TopicJson>('discussion_topic', topic)?.assignment_id ?? 0;

function dueDateOf(cache: Cache, id: number): Entry | undefined {
  const assignment = cache.get<AssignmentJson>('assignment', id);
  const start_at = timeOf(assignment?.due_at);
  if (!assignment || !start_at) return undefined;
  const course = place(cache, assignment.course_id);
  const updated_at = timeOf(assignment.updated_at);
  return {
    uid: `event-assignment-${id}`,
    title: course?.course_code ? `${assignment.name} [${course.course_code}]` : assignment.name,
    start_at,
    end_at: start_at,
    all_day_date: null,
    description: course?.name ?? null,
    location: null,
    url: webAddress(assignment.html_url),
    ...(updated_at && { updated_at }),
  };
}

/** Without what file systems refuse. */
const fileNameOf = (title: string): string =>
  title
    .replaceAll(/[^\p{L}\p{N} _().-]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[ .]+|[ .]+$/g, '')
    .slice(0, 80)
    .trim() || 'event';
