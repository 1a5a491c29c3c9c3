// What clients see of an SIS import and its messages (reference of the API: SIS Imports).

import { bool, int, json, listOf, mapOf, maybe, number, object, optional, text, time } from '../wire/fields';
import { File } from './file';
import { resource } from './resource';
import { User } from './user';

export const SisImport = resource('SisImport', {
  id: int,
  created_at: time,
  started_at: maybe(time),
  ended_at: maybe(time),
  updated_at: time,
  workflow_state: text,
  progress: int,
  data: object({
    import_type: text,
    supplied_batches: listOf(text),
    counts: mapOf(int),
    running_immediately: optional(bool),
    completed_importers: optional(listOf(text)),
    downloadable_attachment_ids: optional(listOf(int)),
  }),
  /** `total_state_changes`, and the changes per model. */
  statistics: optional(json),
  batch_mode: maybe(bool),
  batch_mode_term_id: maybe(int),
  multi_term_batch_mode: maybe(bool),
  batch_mode_enrollment_drop_status: maybe(text),
  skip_deletes: maybe(bool),
  override_sis_stickiness: maybe(bool),
  add_sis_stickiness: maybe(bool),
  clear_sis_stickiness: maybe(bool),
  update_sis_id_if_login_claimed: maybe(bool),
  diffing_data_set_identifier: maybe(text),
  diffed_against_import_id: maybe(int),
  diffing_drop_status: maybe(text),
  diffing_user_remove_status: maybe(text),
  diffing_remaster: maybe(bool),
  diffing_threshold_exceeded: maybe(bool),
  change_threshold: maybe(number),
  diff_row_count_threshold: maybe(int),
  /** `[file, message]`; only after the end, and only if there are any. */
  processing_errors: optional(json),
  processing_warnings: optional(json),
  errors_attachment: optional(File.field),
  csv_attachments: listOf(File.field),
  diffed_csv_attachments: listOf(File.field),
  user: optional(User.field),
});

export const SisImportError = resource('SisImportError', {
  sis_import_id: int,
  file: text,
  message: text,
  row: optional(int),
  row_info: optional(text),
});
