// Folders. `full_name` is derived and stored, so that a path is one look-up.

import { sql } from 'drizzle-orm';
import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, state, string, time, version } from '../../../database/columns';

export const folders = sqliteTable(
  'folders',
  {
    id: id(),
    context_type: state('Course', 'Group', 'User', 'Account').notNull(),
    context_id: int().notNull(),
    parent_folder_id: int(),
    name: string().notNull(),
    full_name: string().notNull(),
    position: int(),
    lock_at: time(),
    unlock_at: time(),
    locked: bool().notNull().default(false),
    hidden: bool().notNull().default(false),
    for_submissions: bool().notNull().default(false),
    /** Identifies special folders: `unfiled`, `conversation attachments`, … */
    unique_type: string(),
    /** Number of files that are not deleted. Kept by triggers. */
    files_count: int().notNull().default(0),
    folders_count: int().notNull().default(0),
    workflow_state: state('visible', 'deleted').notNull().default('visible'),
    version: version(),
    ...created(),
  },
  (folder) => [
    uniqueIndex('folders_root')
      .on(folder.context_type, folder.context_id)
      .where(sql`parent_folder_id is null and workflow_state <> 'deleted'`),
    uniqueIndex('folders_by_name').on(folder.parent_folder_id, folder.name).where(sql`workflow_state <> 'deleted'`),
    index('folders_in_context').on(folder.context_type, folder.context_id, sql`${folder.name} collate nocase`, folder.id),
    index('folders_restricted')
      .on(folder.context_type, folder.context_id)
      .where(sql`workflow_state = 'visible' and (hidden = 1 or locked = 1 or lock_at is not null or unlock_at is not null)`),
    index('folders_restricted_in_folder')
      .on(folder.parent_folder_id)
      .where(sql`workflow_state = 'visible' and (hidden = 1 or locked = 1 or lock_at is not null or unlock_at is not null)`),
    index('folders_by_path').on(folder.context_type, folder.context_id, folder.full_name),
  ],
);
