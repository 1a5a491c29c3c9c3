// SIS imports: the upload, its progress, messages and changes.

import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, state, string, time } from '../../database/columns';

export const importStates = [
  'initializing',
  'created',
  'importing',
  'cleanup_batch',
  'imported',
  'imported_with_messages',
  'failed',
  'failed_with_messages',
  'aborted',
  'restoring',
  'partially_restored',
  'restored',
] as const;
export type ImportState = (typeof importStates)[number];

/** Options of the import (reference 01 B16); absent means not requested. */
export interface ImportOptions {
  readonly batch_mode?: boolean;
  readonly batch_mode_term_id?: number;
  readonly multi_term_batch_mode?: boolean;
  readonly batch_mode_enrollment_drop_status?: 'deleted' | 'completed' | 'inactive';
  readonly skip_deletes?: boolean;
  readonly override_sis_stickiness?: boolean;
  readonly add_sis_stickiness?: boolean;
  readonly clear_sis_stickiness?: boolean;
  readonly update_sis_id_if_login_claimed?: boolean;
  readonly diffing_data_set_identifier?: string;
  readonly diffing_remaster_data_set?: boolean;
  readonly diffing_drop_status?: 'deleted' | 'completed' | 'inactive';
  readonly diffing_user_remove_status?: 'deleted' | 'suspended';
  readonly diff_row_count_threshold?: number;
  readonly change_threshold?: number;
}

/** Numbers of created, ended and restored items of a model. */
export type Tally = { created?: number; concluded?: number; deactivated?: number; restored?: number; deleted?: number };

export const sis_imports = sqliteTable(
  'sis_imports',
  {
    id: id(),
    account_id: int().notNull(),
    user_id: int().notNull(),
    uuid: string().notNull(),
    /** If the first file is a CSV, it is the only file. */
    format: state('csv', 'zip').notNull(),
    /** The uploaded file. */
    attachment_id: int().notNull(),
    options: json<ImportOptions>().notNull().default({}),
    diffing_data_set_identifier: string(),
    diffed_against_import_id: int(),
    diffing_threshold_exceeded: bool(),
    workflow_state: state(...importStates)
      .notNull()
      .default('initializing'),
    phase: state('unpack', 'diff', 'apply', 'cleanup', 'finish', 'over').notNull().default('unpack'),
    /** Number of completed steps; each batch increments it, so that no step is made twice. Null breaks a batch. */
    step: int().notNull().default(0),
    /** How often the current step has failed. */
    crashes: int().notNull().default(0),
    /** Time of the last failure in milliseconds: concurrent deliveries that fail together count once. */
    crashed_at: int().notNull().default(0),
    progress: int().notNull().default(0),
    counts: json<Record<string, number>>().notNull().default({}),
    statistics: json<Record<string, Tally>>().notNull().default({}),
    error_count: int().notNull().default(0),
    warning_count: int().notNull().default(0),
    /** The first fifty, once the import has ended. */
    processing_errors: json<[string, string][]>(),
    processing_warnings: json<[string, string][]>(),
    errors_attachment_id: int(),
    /** Until they are deleted. */
    keeps_files: bool().notNull().default(true),
    started_at: time(),
    ended_at: time(),
    ...created(),
  },
  (one) => [
    uniqueIndex('sis_imports_by_uuid').on(one.uuid),
    index('sis_imports_in_account').on(one.account_id, one.id),
    index('sis_imports_by_state').on(one.workflow_state, one.id),
    index('sis_imports_to_collect').on(one.updated_at).where(sql`keeps_files = 1`),
    index('sis_imports_of_data_set').on(one.diffing_data_set_identifier, one.id).where(sql`diffing_data_set_identifier is not null`),
  ],
);

/** The CSV files of an import in the order of processing, with their progress. */
export const sis_import_files = sqliteTable(
  'sis_import_files',
  {
    id: id(),
    sis_import_id: int().notNull(),
    name: string().notNull(),
    /** Differences from an earlier import are a file of their own, which is applied instead. */
    origin: state('sent', 'diffed').notNull().default('sent'),
    type: string(),
    file_id: int(),
    size: int().notNull().default(0),
    rows: int().notNull().default(0),
    /** The header in lower case. */
    columns: json<string[]>(),
    /** The byte offset after the header. */
    first_byte: int().notNull().default(0),
    /** The byte offset of the next row. */
    at_byte: int().notNull().default(0),
    /** Number of completed rows. */
    at_row: int().notNull().default(0),
    position: int().notNull().default(0),
    /** For files with scattered courses: progress of sorting, then of applying: see `sis_import_stage`. */
    stage: state('filling', 'filled'),
    staged_rows: int().notNull().default(0),
    stage_course: int().notNull().default(0),
    stage_row: int().notNull().default(0),
    workflow_state: state('waiting', 'done', 'unusable', 'compared').notNull().default('waiting'),
  },
  (file) => [uniqueIndex('sis_import_files_by_name').on(file.sis_import_id, file.origin, file.name)],
);

export const sis_import_errors = sqliteTable(
  'sis_import_errors',
  {
    id: id(),
    sis_import_id: int().notNull(),
    account_id: int().notNull(),
    file: string().notNull(),
    message: string().notNull(),
    row: int(),
    row_info: string(),
    /** Whether the file, or the whole import, could not be used. */
    failure: bool().notNull().default(false),
    created_at: time().notNull(),
  },
  (error) => [
    index('sis_import_errors_of_import').on(error.sis_import_id, error.id),
    index('sis_import_errors_in_account').on(error.account_id, error.id),
    index('sis_import_failures').on(error.account_id, error.id).where(sql`failure = 1`),
  ],
);

/** The states that an import changed, one list per batch: `[id, before, after]`, before null for new items. */
export const sis_import_changes = sqliteTable(
  'sis_import_changes',
  {
    id: id(),
    sis_import_id: int().notNull(),
    model: string().notNull(),
    /** Deleted by batch mode. */
    by_batch: bool().notNull().default(false),
    items: string().notNull(),
    created_at: time().notNull(),
  },
  (change) => [index('sis_import_changes_of_import').on(change.sis_import_id, change.id)],
);

/** The remaining rows of a file, sorted by course: blocks of JSON lists of row number and cells. */
export const sis_import_stage = sqliteTable(
  'sis_import_stage',
  { sis_import_file_id: int().notNull(), course_id: int().notNull(), last_row: int().notNull(), rows: string().notNull() },
  (block) => [primaryKey({ columns: [block.sis_import_file_id, block.course_id, block.last_row] })],
);

/** In batch mode: items named by the import; the others are deleted. */
export const sis_import_seen = sqliteTable(
  'sis_import_seen',
  { sis_import_id: int().notNull(), model: string().notNull(), item_id: int().notNull() },
  (seen) => [primaryKey({ columns: [seen.sis_import_id, seen.model, seen.item_id] })],
);

/** Results of roster calls per step: repeating a call returns the same result and does nothing. */
export const sis_import_passages = sqliteTable(
  'sis_import_passages',
  { sis_import_id: int().notNull(), step: int().notNull(), course_id: int().notNull(), result: string().notNull() },
  (callResult) => [primaryKey({ columns: [callResult.sis_import_id, callResult.step, callResult.course_id] })],
);

/** Holds a row while an import's batch is being written, and is empty otherwise. Read by the stickiness triggers. */
export const sis_writing = sqliteTable('sis_writing', { id: id() });

/** Abstract courses, which pass their name, account and term on to courses. */
export const abstract_courses = sqliteTable(
  'abstract_courses',
  {
    id: id(),
    account_id: int().notNull(),
    enrollment_term_id: int().notNull(),
    sis_abstract_course_id: string().notNull(),
    name: string().notNull(),
    short_name: string().notNull(),
    workflow_state: state('active', 'deleted').notNull().default('active'),
    sis_import_id: int(),
    ...created(),
  },
  (course) => [uniqueIndex('abstract_courses_by_sis_id').on(course.sis_abstract_course_id)],
);
