// Calendar events of users, courses, groups and sections.

import { sql } from 'drizzle-orm';
import { index, sqliteTable } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, state, string, time } from '../../database/columns';

export const calendar_events = sqliteTable(
  'calendar_events',
  {
    id: id(),
    /** `course_1`, `user_2`, `group_3`, `course_section_4`, `account_5`. */
    context_code: string().notNull(),
    /** The course that a section event belongs to, as a context code. */
    effective_context_code: string(),
    parent_event_id: int(),
    user_id: int(),
    title: string().notNull(),
    description: string(),
    start_at: time(),
    end_at: time(),
    all_day: bool().notNull().default(false),
    all_day_date: string(),
    time_zone_edited: string(),
    location_name: string(),
    location_address: string(),
    comments: string(),
    series_uuid: string(),
    rrule: string(),
    important_dates: bool().notNull().default(false),
    blackout_date: bool().notNull().default(false),
    details: json<Record<string, unknown>>().notNull().default({}),
    workflow_state: state('active', 'locked', 'deleted').notNull().default('active'),
    ...created(),
  },
  (event) => [
    // `calendar_events_in_context` is in migrations/0002_by_hand.sql.
    // Reserved slots, without the other events of the user's calendar.
    index('calendar_events_reserved')
      .on(event.context_code, event.id)
      .where(sql`parent_event_id is not null and workflow_state <> 'deleted'`),
    index('calendar_events_of_parent').on(event.parent_event_id),
    index('calendar_events_in_series').on(event.series_uuid),
  ],
);

/** A course's timetable as sent; its meetings are events. */
export const course_timetables = sqliteTable('course_timetables', {
  course_id: int().primaryKey(),
  timetables: json<Record<string, unknown>>().notNull(),
  updated_at: time().notNull(),
});
