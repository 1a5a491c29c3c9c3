// What clients send for an override.

import { bool, idField, listOf, maybe, object, optional, type Shape, text, time } from '@carrel/shared/wire/fields';

export const overrideFields = {
  id: optional(idField('assignment_override')),
  assignment_id: optional(idField('assignment')),
  student_ids: optional(listOf(idField('user'))),
  group_id: optional(idField('group')),
  course_section_id: optional(idField('section')),
  course_id: optional(idField('course')),
  title: optional(text),
  due_at: optional(maybe(time)),
  unlock_at: optional(maybe(time)),
  lock_at: optional(maybe(time)),
  unassign_item: optional(bool),
};

export type OverrideGiven = Shape<typeof overrideFields>;
export const overrideList = listOf(object(overrideFields));
