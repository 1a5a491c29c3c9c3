// SIS imports: what was sent, how far it has come, what it said, and what it has changed.

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

/** What the import was asked to do (reference 01 B16); absent means not asked for. */
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

/** How many items of a model came into being, ended or came back. */
export type Tally = { created?: number; concluded?: number; deactivated?: number; restored?: number; deleted?: number };

export const sis_imports = sqliteTable(
  'sis_imports',
  {
    id: id(),
    account_id: int().notNull(),
    user_id: int().notNull(),
    uuid: string().notNull(),
    /** A first file that is a CSV is the only one. */
    format: state('csv', 'zip').notNull(),
    /** The file as it was sent. */
    attachment_id: int().notNull(),
    options: json<ImportOptions>().notNull().default({}),
    diffing_data_set_identifier: string(),
    diffed_against_import_id: int(),
    diffing_threshold_exceeded: bool(),
    workflow_state: state(...importStates)
      .notNull()
      .default('initializing'),
    phase: state('unpack', 'diff', 'apply', 'cleanup', 'finish', 'over').notNull().default('unpack'),
    /** Counts what has been done; each batch of changes takes it one further, so that none is made twice. Null breaks a batch. */
    step: int().notNull().default(0),
    /** How often the work has broken off at this step. */
    crashes: int().notNull().default(0),
    /** The moment of the last, in milliseconds: several deliveries that run into the same are one. */
    crashed_at: int().notNull().default(0),
    progress: int().notNull().default(0),
    counts: json<Record<string, number>>().notNull().default({}),
    statistics: json<Record<string, Tally>>().notNull().default({}),
    error_count: int().notNull().default(0),
    warning_count: int().notNull().default(0),
    /** The first fifty of each, once it has ended. */
    processing_errors: json<[string, string][]>(),
    processing_warnings: json<[string, string][]>(),
    errors_attachment_id: int(),
    /** Until they are collected. */
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

/** The CSV files of an import, in the order in which they are applied, and how far each has been applied. */
export const sis_import_files = sqliteTable(
  'sis_import_files',
  {
    id: id(),
    sis_import_id: int().notNull(),
    name: string().notNull(),
    /** What differs from an earlier import stands in a file of its own, which is applied instead. */
    origin: state('sent', 'diffed').notNull().default('sent'),
    type: string(),
    file_id: int(),
    size: int().notNull().default(0),
    rows: int().notNull().default(0),
    /** The header, as lower-case names. */
    columns: json<string[]>(),
    /** The byte after the header. */
    first_byte: int().notNull().default(0),
    /** The byte at which the next row begins. */
    at_byte: int().notNull().default(0),
    /** Rows that are done. */
    at_row: int().notNull().default(0),
    position: int().notNull().default(0),
    /** How far rows that lie scattered have been sorted, and how far the sorted ones have been applied: see `sis_import_stage`. */
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
    /** The file, or all of the import, could not be used. */
    failure: bool().notNull().default(false),
    created_at: time().notNull(),
  },
  (error) => [
    index('sis_import_errors_of_import').on(error.sis_import_id, error.id),
    index('sis_import_errors_in_account').on(error.account_id, error.id),
    index('sis_import_failures').on(error.account_id, error.sis_import_id, error.id).where(sql`failure = 1`),
  ],
);

/** Which states an import has changed, a list per batch of changes: `[id, before, after]`, before null for what is new. */
export const sis_import_changes = sqliteTable(
  'sis_import_changes',
  {
    id: id(),
    sis_import_id: int().notNull(),
    model: string().notNull(),
    /** Taken away because a full update of a term did not name it. */
    by_batch: bool().notNull().default(false),
    items: string().notNull(),
    created_at: time().notNull(),
  },
  (change) => [index('sis_import_changes_of_import').on(change.sis_import_id, change.id)],
);

/** Rows of a file that are still to be applied, sorted by course: blocks of them, each a JSON list of row number and cells. */
export const sis_import_stage = sqliteTable(
  'sis_import_stage',
  { sis_import_file_id: int().notNull(), course_id: int().notNull(), last_row: int().notNull(), rows: string().notNull() },
  (block) => [primaryKey({ columns: [block.sis_import_file_id, block.course_id, block.last_row] })],
);

/** What a full update of a term has named; the rest goes. */
export const sis_import_seen = sqliteTable(
  'sis_import_seen',
  { sis_import_id: int().notNull(), model: string().notNull(), item_id: int().notNull() },
  (seen) => [primaryKey({ columns: [seen.sis_import_id, seen.model, seen.item_id] })],
);

/** What a roster has done for a step of an import: asked again, it answers the same and does nothing. */
export const sis_import_passages = sqliteTable(
  'sis_import_passages',
  { sis_import_id: int().notNull(), step: int().notNull(), course_id: int().notNull(), result: string().notNull() },
  (passage) => [primaryKey({ columns: [passage.sis_import_id, passage.step, passage.course_id] })],
);

/** Holds a row while a batch of an import is being written, and never outside of it: the triggers of stickiness look here. */
export const sis_writing = sqliteTable('sis_writing', { id: id() });

/** Courses in the abstract, from which courses take their name, account and term. */
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
