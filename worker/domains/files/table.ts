// Files and the bytes they share.

import { sql } from 'drizzle-orm';
import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, state, string, time } from '../../database/columns';

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
    is_submitted: bool().notNull().default(false),
    /** What the upload said in step 1: `on_duplicate`, the announced size, the deadline. */
    upload: json<{ on_duplicate: 'overwrite' | 'rename'; expires_at: string; max_size?: number; url?: string; message?: string }>(),
    modified_at: time(),
    workflow_state: state('pending', 'available', 'deleted', 'failed').notNull().default('pending'),
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
    index('files_by_uuid').on(file.uuid),
    index('files_of_blob').on(file.blob_id),
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
    etag: string().notNull(),
    created_at: time().notNull(),
  },
  (blob) => [uniqueIndex('blobs_by_key').on(blob.key)],
);
