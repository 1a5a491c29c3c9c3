// What clients see of an override: dates appear only where it overrides them (reference of the API: Assignment Overrides).

import { bool, date, int, listOf, maybe, optional, text, time } from '../wire/fields';
import { resource } from './resource';

export const AssignmentOverride = resource('AssignmentOverride', {
  id: int,
  assignment_id: int,
  title: text,
  unassign_item: bool,
  /** For ADHOC overrides. */
  student_ids: optional(listOf(int)),
  students: optional(listOf(resource('OverriddenStudent', { id: int, name: text }).field)),
  group_id: optional(int),
  group_category_id: optional(int),
  non_collaborative: optional(bool),
  course_section_id: optional(int),
  course_id: optional(int),
  /** For overrides of a module that contains the assignment, which have ids of their own. */
  context_module_id: optional(int),
  context_module_name: optional(text),
  due_at: optional(maybe(time)),
  all_day: optional(bool),
  all_day_date: optional(maybe(date)),
  unlock_at: optional(maybe(time)),
  lock_at: optional(maybe(time)),
});
