// What clients see of an assignment group (reference of the API: Assignment Groups).

import { bool, int, json, listOf, maybe, number, object, optional, text } from '../wire/fields';
import { Assignment } from './assignment';
import { resource } from './resource';

export const AssignmentGroup = resource('AssignmentGroup', {
  id: int,
  course_id: int,
  name: text,
  position: int,
  group_weight: number,
  sis_source_id: optional(maybe(text)),
  integration_data: json,
  rules: object({ drop_lowest: optional(int), drop_highest: optional(int), never_drop: optional(listOf(int)) }),
  /** With `include[]=assignments`. */
  assignments: optional(listOf(Assignment.field)),
  any_assignment_in_closed_grading_period: optional(bool),
});
