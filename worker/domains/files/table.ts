// Files and the bytes they share.

import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, state, string, time, version } from '../../database/columns';

/** What step 1 of an upload settled; kept until the bytes are there, and a while longer for clients that ask again. */
export interface Upload {
  readonly on_duplicate: 'overwrite' | 'rename';
  readonly expires_at: string;
  /** How many bytes may be kept there in all; absent where nothing is counted. */
  readonly quota?: number;
  /** How many bytes a file of a submission may have, and how many its uploader may store for that submission in all. */
  readonly most?: number;
  readonly budget?: number;
  /** `include[]` for the file as it is answered in the end. */
  readonly include?: readonly string[];
  /** What must be true of the file of that name in that folder when the bytes have come. */
  readonly condition?: { readonly name: string; readonly match?: '*' | readonly number[]; readonly none_match?: '*' | readonly number[] };
  /** The name under which the bytes are kept where the condition fails; without one they are dropped. */
  readonly conflict_name?: string;
  /** 1 or 0, once bytes have come for a file with a condition: whether the condition held. */
  readonly held?: 0 | 1;
  /** Where the server fetches the bytes from, instead of the client sending them. */
  readonly url?: string;
  readonly progress_id?: number;
  /** The submission whose comments it may be attached to. */
  readonly comment_on?: number;
  /** Why it failed. */
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
    /** The file that an overwriting upload put in this one's place. */
    replacement_file_id: int(),
    /** Where it was copied from; copies do not count against a quota twice. */
    copied_from_id: int(),
    /** Belongs to a submission: neither changed nor deleted, and not counted against the quota. */
    is_submitted: bool().notNull().default(false),
    /** The submission that it was uploaded for, as such or for a comment. */
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
    // The other orders that a course's files are listed in; a folder's are few enough to be sorted.
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

/** Bytes in R2 under a key of their own; shared by copies; collected when no file needs them. */
export const blobs = sqliteTable(
  'blobs',
  {
    id: id(),
    key: string().notNull(),
    size: int().notNull(),
    sha256: string().notNull(),
    created_at: time().notNull(),
    /** Since when no file may need it: from its beginning until an upload is complete, and after a file that had it is deleted. */
    unsure_since: time(),
  },
  (blob) => [uniqueIndex('blobs_by_key').on(blob.key), index('blobs_unsure').on(blob.unsure_since).where(sql`unsure_since is not null`)],
);

/** Bytes that count against the quota of a course, group or person. Kept by triggers. */
export const storage = sqliteTable(
  'storage',
  { context_type: string().notNull(), context_id: int().notNull(), bytes: int().notNull() },
  (one) => [primaryKey({ columns: [one.context_type, one.context_id] })],
);

/** What a file was before its bytes were replaced. Written by triggers only (triggers/file_versions.ts). */
export const file_versions = sqliteTable(
  'file_versions',
  {
    id: id(),
    /** The file that is there now. */
    file_id: int().notNull(),
    version: int().notNull(),
    display_name: string().notNull(),
    content_type: string().notNull(),
    size: int().notNull(),
    blob_id: int().notNull(),
    /** When these bytes came. */
    updated_at: time().notNull(),
    replaced_at: time().notNull(),
  },
  (one) => [
    index('file_versions_of_file').on(one.file_id, one.version),
    index('file_versions_of_blob').on(one.blob_id),
    index('file_versions_by_age').on(one.replaced_at),
  ],
);
