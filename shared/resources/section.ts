// What clients see of a section of a course (reference of the API: Sections).

import { bool, int, json, listOf, maybe, object, optional, text, time } from '../wire/fields';
import { resource } from './resource';

export const Section = resource('Section', {
  id: int,
  course_id: int,
  name: text,
  start_at: maybe(time),
  end_at: maybe(time),
  created_at: time,
  restrict_enrollments_to_section_dates: maybe(bool),
  /** The original course of a cross-listed section. */
  nonxlist_course_id: maybe(int),
  /** For callers with `read_sis` or `manage_sis`. */
  sis_section_id: optional(maybe(text)),
  sis_course_id: optional(maybe(text)),
  integration_id: optional(maybe(text)),
  sis_import_id: optional(maybe(int)),
  /** With `include[]`. */
  total_students: optional(int),
  students: optional(maybe(listOf(json))),
  passback_status: optional(json),
  permissions: optional(object({ manage_calendar: bool })),
});
