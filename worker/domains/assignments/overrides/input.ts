// What clients send for an override.

import { bool, endTime, idField, listOf, maybe, object, optional, type Shape, text, time } from '@carrel/shared/wire/fields';

export const overrideFields = {
  id: optional(idField('assignment_override')),
  assignment_id: optional(idField('assignment')),
  student_ids: optional(listOf(idField('user'))),
  group_id: optional(idField('group')),
  course_section_id: optional(idField('section')),
  course_id: optional(idField('course')),
  /** Of an override of a module, as it was read: it belongs to the module. */
  context_module_id: optional(maybe(idField('module'))),
  title: optional(text),
  // A date without time is the end of that day.
  due_at: optional(maybe(endTime)),
  unlock_at: optional(maybe(time)),
  lock_at: optional(maybe(endTime)),
  unassign_item: optional(bool),
};

export type OverrideGiven = Shape<typeof overrideFields>;
export const overrideList = listOf(object(overrideFields));
