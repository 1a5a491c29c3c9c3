// What clients see of an import of rubrics (reference of the API: Rubrics).

import { int, listOf, maybe, object, optional, text, time } from '../wire/fields';
import { resource } from './resource';
import { UserDisplay } from './user_display';

export const RubricImport = resource('RubricImport', {
  id: int,
  root_account_id: int,
  account_id: optional(int),
  course_id: optional(int),
  user_id: int,
  attachment_id: maybe(int),
  workflow_state: text,
  progress: int,
  error_count: int,
  error_data: listOf(object({ message: text, row: optional(int) })),
  created_at: time,
  updated_at: time,
  user: UserDisplay.field,
  attachment: object({ id: maybe(int), filename: text, size: int }),
});
