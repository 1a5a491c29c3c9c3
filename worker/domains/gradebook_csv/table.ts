// Gradebooks as CSV: the parts of a file that is written, and files that are checked and applied.

import { sql } from 'drizzle-orm';
import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { created, id, int, json, state, string, time } from '../../database/columns';

/** Lines of an export, in order; deleted once the file is complete. */
export const gradebook_csv_pieces = sqliteTable(
  'gradebook_csv_pieces',
  { id: id(), progress_id: int().notNull(), piece: int().notNull(), content: string().notNull(), created_at: time().notNull() },
  (one) => [uniqueIndex('gradebook_csv_pieces_in_order').on(one.progress_id, one.piece)],
);

/** What a column of an uploaded file is. */
export interface UploadColumn {
  /** From 1. */
  readonly column: number;
  readonly header: string;
  readonly kind: 'student' | 'assignment' | 'new_assignment' | 'custom_column' | 'override' | 'read_only' | 'ignored';
  readonly assignment_id?: number | null;
  readonly custom_column_id?: number | null;
  /** Of a new assignment. */
  readonly points_possible?: number | null;
  /** Why it is ignored. */
  readonly message?: string;
}

/** Whom the caller grades, and how the file is read; fixed for the check, and again at the confirmation. */
export interface UploadReach {
  /** Null for the whole course. */
  readonly sections: readonly number[] | null;
  /** Account admins see names, and change grades of closed grading periods. */
  readonly isAdmin: boolean;
}

export interface UploadOptions {
  readonly reach: UploadReach;
  /** Blank cells remove grades and texts. */
  readonly clears: boolean;
  readonly hasDecimalComma: boolean;
}

/** How a row names its student. */
export interface NamedStudent {
  readonly name: string;
  readonly id: string;
  readonly sis_user_id: string;
  readonly login: string;
}

export interface UploadChange {
  readonly column: number;
  readonly assignment_id?: number | null;
  readonly custom_column_id?: number | null;
  /** As an export would show it. */
  readonly from: string;
  readonly to: string;
  /** Absent until the change is applied. */
  readonly result?: 'applied' | 'unchanged' | 'conflict' | 'refused' | 'skipped' | 'failed';
  readonly message?: string;
}

export interface UploadIssue {
  readonly column: number;
  readonly message: string;
}

export const gradebook_uploads = sqliteTable(
  'gradebook_uploads',
  {
    id: id(),
    uuid: string().notNull(),
    course_id: int().notNull(),
    user_id: int().notNull(),
    filename: string().notNull(),
    size: int().notNull(),
    columns: json<UploadColumn[]>().notNull(),
    options: json<UploadOptions>().notNull(),
    /** The job that checks the file, then the one that applies its changes. */
    progress_id: int(),
    row_count: int().notNull(),
    ignored_row_count: int().notNull().default(0),
    change_count: int().notNull().default(0),
    error_count: int().notNull().default(0),
    applied_count: int().notNull().default(0),
    conflict_count: int().notNull().default(0),
    /** Null breaks a batch. */
    workflow_state: state('checking', 'checked', 'applying', 'applied').notNull().default('checking'),
    ...created(),
  },
  (one) => [uniqueIndex('gradebook_uploads_by_uuid').on(one.uuid)],
);

/** The row of a student in an uploaded file. */
export const gradebook_upload_rows = sqliteTable(
  'gradebook_upload_rows',
  {
    id: id(),
    upload_id: int().notNull(),
    /** Its number in the file, where the header is 1. */
    row: int().notNull(),
    student: json<NamedStudent>().notNull(),
    /** Column and text of each cell that could change something. */
    cells: json<[column: number, text: string][]>().notNull(),
    user_id: int(),
    /** Why the row is ignored. */
    ignored: string(),
    changes: json<UploadChange[]>().notNull().default([]),
    errors: json<UploadIssue[]>().notNull().default([]),
    /** Null breaks a batch. */
    workflow_state: state('created', 'checked', 'applied', 'failed').notNull().default('created'),
    created_at: time().notNull(),
  },
  (one) => [
    uniqueIndex('gradebook_upload_rows_in_order').on(one.upload_id, one.row),
    index('gradebook_upload_rows_of_student').on(one.upload_id, one.user_id).where(sql`user_id is not null`),
  ],
);
