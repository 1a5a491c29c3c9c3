// How calendar events are copied to another course.

import { sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import { type CopiedKindFacts, notDeletedAs } from '../../rules/copied_kind';
import { calendar_events } from './table';

export const calendarEventCopied: CopiedKindFacts = {
  kind: 'calendar_event',
  table: calendar_events,
  asset: 'calendar_event',
  title: 'title',
  there: (a, course) =>
    sql`${sql.raw(a)}.context_code = 'course_' || cast(${course} as integer) and ${notDeletedAs(a)} and ${sql.raw(a)}.parent_event_id is null`,
  text: 'description',
  kept: ['user_id', 'series_uuid'],
  differing: ({ to, user_id }) => ({
    context_code: sql`'course_' || cast(${shared('course', to)} as integer)`,
    effective_context_code: sql`null`,
    user_id: shared('user', user_id),
    series_uuid: sql`o.series_uuid || '-' || cast(${shared('course', to)} as integer)`,
  }),
};
