// What clients see of a grade change (reference of the API: Grade Change Log).

import { bool, int, json, listOf, maybe, number, object, oneOf, optional, text, time } from '../wire/fields';
import { resource } from './resource';

const shape = {
  id: text,
  created_at: time,
  event_type: oneOf('grade_change'),
  grade_before: maybe(text),
  grade_after: maybe(text),
  /** The submission's grade now; `N/A` without one. */
  grade_current: optional(text),
  excused_before: bool,
  excused_after: bool,
  graded_anonymously: maybe(bool),
  points_possible_before: maybe(number),
  points_possible_after: maybe(number),
  version_number: int,
  /** An override of the course grade, which has no assignment. */
  course_override_grade: optional(bool),
  links: object({
    assignment: maybe(int),
    course: int,
    /** Null while the assignment is graded anonymously. */
    student: maybe(text),
    grader: maybe(text),
    page_view: maybe(text),
  }),
};

/** An event with its linked objects, from which the compound response is built. */
export const LinkedGradeChangeEvent = resource('LinkedGradeChangeEvent', {
  ...shape,
  linked: object({ assignments: json, courses: json, users: json }),
});

/** A page of events, and each object that they refer to once. */
export const GradeChangeEvents = resource('GradeChangeEvents', {
  links: json,
  events: listOf(object(shape)),
  linked: object({ assignments: json, courses: json, users: json, page_views: json }),
});
