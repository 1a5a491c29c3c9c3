// Appointment groups. Their slots and reservations are calendar events.

import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, state, string, time } from '../../../database/columns';

export const appointment_groups = sqliteTable('appointment_groups', {
  id: id(),
  title: string().notNull(),
  description: string(),
  location_name: string(),
  location_address: string(),
  /** The start of the first slot; `end_at` is the end of the last. */
  start_at: time(),
  end_at: time(),
  participants_per_appointment: int(),
  min_appointments_per_participant: int(),
  max_appointments_per_participant: int(),
  participant_visibility: state('private', 'protected').notNull().default('private'),
  allow_observer_signup: bool().notNull().default(false),
  /** Like `course_section_3`: restricted to these sections. */
  sub_context_codes: json<string[]>().notNull().default([]),
  workflow_state: state('pending', 'active', 'deleted').notNull().default('pending'),
  ...created(),
});

export const appointment_group_contexts = sqliteTable(
  'appointment_group_contexts',
  {
    id: id(),
    appointment_group_id: int().notNull(),
    course_id: int().notNull(),
    /** End of the last slot, or ''. Copied from the group by a trigger. */
    ends_at: string().notNull().default(''),
  },
  (context) => [
    uniqueIndex('appointment_group_contexts_of_group').on(context.appointment_group_id, context.course_id),
    index('appointment_group_contexts_in_course').on(context.course_id, context.appointment_group_id),
    index('appointment_group_contexts_ahead').on(context.course_id, context.ends_at),
  ],
);
