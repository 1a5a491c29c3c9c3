// What clients see of a calendar event, or of an assignment in a calendar (reference of the API: Calendar Events).

import { bool, either, int, json, listOf, maybe, object, optional, text, time } from '../wire/fields';
import { Assignment } from './assignment';
import { resource } from './resource';

const always = {
  /** `assignment_9` for an assignment. */
  id: either(int, text),
  title: text,
  type: text,
  start_at: maybe(time),
  end_at: maybe(time),
  all_day: bool,
  all_day_date: maybe(text),
  description: optional(maybe(text)),
  context_code: text,
  context_name: text,
  context_color: maybe(text),
  created_at: time,
  updated_at: time,
  workflow_state: text,
  important_dates: bool,
  url: text,
  html_url: text,
};

const ofEvents = {
  location_name: maybe(text),
  location_address: maybe(text),
  effective_context_code: maybe(text),
  all_context_codes: text,
  parent_event_id: maybe(int),
  child_events_count: int,
  hidden: bool,
  comments: maybe(text),
  series_uuid: maybe(text),
  rrule: maybe(text),
  series_natural_language: optional(maybe(text)),
  blackout_date: bool,
};

const loose = Object.fromEntries(Object.entries(ofEvents).map(([name, field]) => [name, optional(field)])) as {
  [K in keyof typeof ofEvents]: ReturnType<typeof optional<(typeof ofEvents)[K]>>;
};

/** For slots of appointment groups and reservations. */
const ofAppointments = {
  appointment_group_id: optional(int),
  appointment_group_url: optional(text),
  can_manage_appointment_group: optional(bool),
  participant_type: optional(text),
  own_reservation: optional(bool),
  user: optional(json),
  group: optional(json),
  reserve_url: optional(text),
  reserved: optional(bool),
  /** The comment that the caller added to the reservation. */
  reserve_comments: optional(text),
  participants_per_appointment: optional(int),
  available_slots: optional(int),
};

/** Section events of a course event, and further events created by the same request. */
const inner = { ...always, ...ofEvents, ...ofAppointments, child_events: optional(listOf(json)), duplicates: listOf(json) };

export const CalendarEvent = resource('CalendarEvent', {
  ...always,
  ...loose,
  ...ofAppointments,
  child_events: optional(listOf(object(inner))),
  duplicates: optional(listOf(object({ calendar_event: object(inner) }))),
  web_conference: optional(maybe(json)),
  /** For assignments. */
  submission_types: optional(listOf(text)),
  assignment: optional(Assignment.field),
  assignment_overrides: optional(listOf(json)),
});
