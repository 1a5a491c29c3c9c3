// How calendar events are copied to another course.

import { sql } from 'drizzle-orm';
import { type CopiedKindFacts, inlined, notDeletedAs } from '../../rules/copied_kind';
import { calendar_events } from './table';

export const calendarEventCopied: CopiedKindFacts = {
  kind: 'calendar_event',
  table: calendar_events,
  asset: 'calendar_event',
  title: 'title',
  there: (a, course) => `${a}.context_code = 'course_${course}' and ${notDeletedAs(a)} and ${a}.parent_event_id is null`,
  text: 'description',
  kept: ['user_id', 'series_uuid'],
  differing: ({ to, user_id }) => ({
    context_code: sql.raw(`'course_${to}'`),
    effective_context_code: sql`null`,
    user_id: inlined(user_id),
    series_uuid: sql.raw(`o.series_uuid || '-${to}'`),
  }),
};
