// The log of an attempt: events that the student's browser reports, beside those that the service records (reference 04 §7.5).

import { QuizSubmissionEvent } from '@carrel/shared/resources/quiz_submission';
import { json, listOf, type Of, wireTime } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import type { RowOf } from '../../../http/listing';
import { rejected } from '../../../http/problem';
import { serializer } from '../../../http/serializer';
import { quiz_submission_events } from '../table';

export const eventsField = listOf(json);

export interface ReportedEvent {
  readonly event_type: string;
  readonly event_data: unknown;
  readonly created_at: string;
}

/** In one request. */
const mostEvents = 500;
const longestType = 100;
/** Characters of JSON. */
const longestData = 8000;

const textIn = (given: object, name: string): string | undefined => {
  const value = lookUp(given as Record<string, unknown>, name);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
};

const timeIn = (given: object, now: string): string => {
  const at = Date.parse(textIn(given, 'created_at') ?? textIn(given, 'client_timestamp') ?? '');
  return Number.isNaN(at) || at > Date.parse(now) ? now : wireTime(at);
};

/** A text alone is the type of an event. @throws Problem 400 for an event without a type, or that is too large */
export function reportedEvents(given: Of<typeof eventsField> | undefined, now: string): ReportedEvent[] {
  if (!given) throw rejected('missing required key :quiz_submission_events');
  if (given.length > mostEvents) throw rejected(`more than ${mostEvents} quiz_submission_events`);
  return given.map((one) => {
    const event = typeof one === 'object' && one !== null ? one : { event_type: String(one) };
    const event_type = textIn(event, 'event_type');
    if (event_type === undefined || event_type.length > longestType)
      throw rejected('quiz_submission_events[][event_type] is missing or too long');
    const event_data = lookUp(event as Record<string, unknown>, 'event_data') ?? null;
    if (JSON.stringify(event_data).length > longestData) throw rejected('quiz_submission_events[][event_data] is too long');
    return { event_type, event_data, created_at: timeIn(event, now) };
  });
}

export const quizSubmissionEvent = serializer({
  resource: QuizSubmissionEvent,
  table: quiz_submission_events,
  json: ({ id, event_type, event_data, created_at }: RowOf<typeof quiz_submission_events>) => ({
    id: String(id),
    event_type,
    event_data: event_data ?? null,
    created_at,
  }),
});
