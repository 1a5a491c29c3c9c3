// What clients see of an appointment group (reference of the API: Appointment Groups).

import { bool, int, listOf, maybe, object, optional, text, time } from '../wire/fields';
import { CalendarEvent } from './calendar_event';
import { resource } from './resource';

export const AppointmentGroup = resource('AppointmentGroup', {
  id: int,
  title: text,
  description: maybe(text),
  location_name: maybe(text),
  location_address: maybe(text),
  created_at: time,
  updated_at: time,
  start_at: maybe(time),
  end_at: maybe(time),
  workflow_state: text,
  participant_visibility: text,
  participants_per_appointment: maybe(int),
  min_appointments_per_participant: maybe(int),
  max_appointments_per_participant: maybe(int),
  context_codes: listOf(text),
  sub_context_codes: listOf(text),
  requiring_action: bool,
  appointments_count: int,
  participant_type: text,
  allow_observer_signup: bool,
  url: text,
  html_url: text,
  appointments: optional(listOf(CalendarEvent.field)),
  new_appointments: optional(listOf(CalendarEvent.field)),
  participant_count: optional(int),
  reserved_times: optional(listOf(object({ id: int, start_at: time, end_at: time }))),
  all_context_codes: optional(listOf(text)),
});
