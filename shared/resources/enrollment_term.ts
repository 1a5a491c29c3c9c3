// What clients see of an enrollment term (reference of the API: Enrollment Terms).

import { int, mapOf, maybe, object, optional, text, time } from '../wire/fields';
import { resource } from './resource';

export const EnrollmentTerm = resource('EnrollmentTerm', {
  id: int,
  name: text,
  start_at: maybe(time),
  end_at: maybe(time),
  created_at: time,
  workflow_state: text,
  grading_period_group_id: maybe(int),
  sis_term_id: optional(maybe(text)),
  sis_import_id: optional(maybe(int)),
  /** By enrollment type; only those with a date. */
  overrides: mapOf(object({ start_at: maybe(time), end_at: maybe(time) })),
  course_count: optional(int),
});
