// What clients send for an override.

import { bool, group, int, list, maybe, optional, type Shape, text, time } from '@carrel/shared/wire/fields';

export const overrideFields = {
  id: optional(int),
  assignment_id: optional(int),
  student_ids: optional(list(int)),
  group_id: optional(int),
  course_section_id: optional(int),
  course_id: optional(int),
  title: optional(text),
  due_at: optional(maybe(time)),
  unlock_at: optional(maybe(time)),
  lock_at: optional(maybe(time)),
  unassign_item: optional(bool),
};

export type OverrideGiven = Shape<typeof overrideFields>;
export const overrideList = list(group(overrideFields));
