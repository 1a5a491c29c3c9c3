// Files, and the blobs they share.

import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, state, string, time, version } from '../../database/columns';

/** Data of step 1 of an upload; kept until the bytes have arrived, and a while longer for retries. */
export interface Upload {
  readonly on_duplicate: 'overwrite' | 'rename';
  readonly expires_at: string;
  /** The quota of the context; absent when the file does not count. */
  readonly quota?: number;
  /** Maximum size of a submission's file, and of all files that the uploader may store for that submission. */
  readonly most?: number;
  readonly budget?: number;
  /** `include[]` for the final response. */
  readonly include?: readonly string[];
  /** The precondition on the file with that name in that folder, checked when the bytes have arrived. */
  readonly condition?: { readonly name: string; readonly match?: '*' | readonly number[]; readonly none_match?: '*' | readonly number[] };
  /** The name to use when the precondition fails; without one the bytes are dropped. */
  readonly conflict_name?: string;
  /** 1 or 0 once bytes have arrived for a conditional upload: whether the precondition held. */
  readonly held?: 0 | 1;
  /** The URL to fetch the bytes from, instead of an upload by the client. */
  readonly url?: string;
  readonly progress_id?: number;
  /** The file is submitted once it was fetched, by a job that completes the Progress. */
  readonly submits?: true;
  /** The submission whose comments it may be attached to. */
  readonly comment_on?: number;
  /** It is the package of a content migration, which begins when the bytes have arrived. */
  readonly migrates?: true;
  /** The error message. */
  readonly message?: string;
}

export const files = sqliteTable(
  'files',
  {
    id: id(),
    context_type: state('Course', 'Group', 'User', 'Account').notNull(),
    context_id: int().notNull(),
    folder_id: int().notNull(),
    uuid: string().notNull(),
    display_name: string().notNull(),
    filename: string().notNull(),
    content_type: string().notNull(),
    size: int().notNull().default(0),
    blob_id: int(),
    user_id: int(),
    category: string().notNull().default('uncategorized'),
    lock_at: time(),
    unlock_at: time(),
    locked: bool().notNull().default(false),
    hidden: bool().notNull().default(false),
    visibility_level: state('inherit', 'course', 'institution', 'public').notNull().default('inherit'),
    usage_rights: json<Record<string, unknown>>(),
    /** The upload that overwrote this file. */
    replacement_file_id: int(),
    /** The original of a copy; a copy does not count against the quota again. */
    copied_from_id: int(),
    /** Belongs to a submission: read-only, and does not count against the quota. */
    is_submitted: bool().notNull().default(false),
    /** The submission that it was uploaded for, as a part of it or for a comment. */
    submission_id: int(),
    upload: json<Upload>(),
    modified_at: time(),
    workflow_state: state('pending', 'available', 'deleted', 'failed').notNull().default('pending'),
    version: version(),
    ...created(),
  },
  (file) => [
    uniqueIndex('files_by_name').on(file.folder_id, file.display_name).where(sql`workflow_state = 'available'`),
    index('files_in_folder').on(file.folder_id, file.workflow_state, sql`${file.display_name} collate nocase`, file.id),
    index('files_in_context').on(
      file.context_type,
      file.context_id,
      file.workflow_state,
      sql`${file.display_name} collate nocase`,
      file.id,
    ),
    // Other sort orders of a course's files; a folder's files are few enough to sort.
    ...(['size', 'created_at', 'updated_at', 'content_type'] as const).map((field) =>
      index(`files_in_context_by_${field}`).on(file.context_type, file.context_id, file.workflow_state, file[field], file.id),
    ),
    index('files_restricted')
      .on(file.folder_id)
      .where(sql`workflow_state = 'available' and (hidden = 1 or locked = 1 or lock_at is not null or unlock_at is not null)`),
    index('files_replaced').on(file.replacement_file_id).where(sql`replacement_file_id is not null`),
    uniqueIndex('files_by_uuid').on(file.uuid),
    index('files_of_blob').on(file.blob_id),
    index('files_of_submission').on(file.submission_id, file.user_id).where(sql`submission_id is not null`),
  ],
);

/** Bytes in R2 under a key of their own; shared by copies; deleted when no file uses them. */
export const blobs = sqliteTable(
  'blobs',
  {
    id: id(),
    key: string().notNull(),
    size: int().notNull(),
    sha256: string().notNull(),
    created_at: time().notNull(),
    /** Since when it may be unused: until its upload completes, and after a file that used it is deleted. */
    unsure_since: time(),
  },
  (blob) => [uniqueIndex('blobs_by_key').on(blob.key), index('blobs_unsure').on(blob.unsure_since).where(sql`unsure_since is not null`)],
);

/** Bytes that count against the quota of a course, group or user. Kept by triggers. */
export const storage = sqliteTable(
  'storage',
  { context_type: string().notNull(), context_id: int().notNull(), bytes: int().notNull() },
  (one) => [primaryKey({ columns: [one.context_type, one.context_id] })],
);

/** Earlier versions of files. Written by triggers only (triggers/file_versions.ts). */
export const file_versions = sqliteTable(
  'file_versions',
  {
    id: id(),
    /** The current file. */
    file_id: int().notNull(),
    version: int().notNull(),
    display_name: string().notNull(),
    content_type: string().notNull(),
    size: int().notNull(),
    blob_id: int().notNull(),
    /** When these bytes were uploaded. */
    updated_at: time().notNull(),
    replaced_at: time().notNull(),
  },
  (one) => [
    index('file_versions_of_file').on(one.file_id, one.version),
    index('file_versions_of_blob').on(one.blob_id),
    index('file_versions_by_age').on(one.replaced_at),
  ],
);
