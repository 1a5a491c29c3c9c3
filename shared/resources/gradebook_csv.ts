// What clients see of exports and imports of a gradebook as CSV.

import { int, listOf, maybe, number, object, optional, text, time } from '../wire/fields';
import { resource } from './resource';

/** A file that a job writes. */
export const GradebookExport = resource('GradebookExport', { attachment_id: int, progress_id: int, filename: text });

/** An uploaded file: its dry run, and what was applied. */
export const GradebookUpload = resource('GradebookUpload', {
  id: int,
  course_id: int,
  user_id: int,
  filename: text,
  size: int,
  workflow_state: text,
  progress_id: maybe(int),
  row_count: int,
  ignored_row_count: int,
  change_count: int,
  error_count: int,
  applied_count: int,
  conflict_count: int,
  columns: listOf(
    object({
      column: int,
      header: text,
      kind: text,
      assignment_id: optional(maybe(int)),
      custom_column_id: optional(maybe(int)),
      points_possible: optional(maybe(number)),
      message: optional(text),
    }),
  ),
  created_at: time,
  updated_at: time,
});

/** The row of a student: what it changes, and what is wrong with its cells. */
export const GradebookUploadRow = resource('GradebookUploadRow', {
  id: int,
  row: int,
  workflow_state: text,
  student: text,
  user_id: maybe(int),
  ignored: maybe(text),
  changes: listOf(
    object({
      column: int,
      assignment_id: optional(maybe(int)),
      custom_column_id: optional(maybe(int)),
      from: text,
      to: text,
      result: optional(text),
      message: optional(text),
    }),
  ),
  errors: listOf(object({ column: int, message: text })),
});
