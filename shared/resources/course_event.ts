// What clients see of a change to a course (reference of the API: Course Audit log).

import { int, json, maybe, object, oneOf, optional, text, time } from '../wire/fields';
import { resource } from './resource';

const shape = {
  id: text,
  created_at: time,
  event_type: text,
  event_source: oneOf('manual', 'api', 'sis', 'system'),
  /** `{field: [before, after]}`, or the other course of a copy or reset. */
  event_data: json,
  links: object({
    course: int,
    user: maybe(int),
    page_view: maybe(text),
    copied_from: optional(int),
    copied_to: optional(int),
    reset_from: optional(int),
    reset_to: optional(int),
    sis_batch: optional(int),
  }),
  name: text,
  start_at: maybe(time),
  conclude_at: maybe(time),
};

export const CourseEvent = resource('CourseEvent', shape);

/** The same with its linked objects, from which the compound response is built. */
export const LinkedCourseEvent = resource('LinkedCourseEvent', { ...shape, linked: object({ courses: json, users: json }) });
