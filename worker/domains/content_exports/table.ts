// Exports of courses, groups and users, and the pieces of the archives that are being written.

import { sql } from 'drizzle-orm';
import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, state, string, time } from '../../database/columns';

export const exportTypes = ['common_cartridge', 'qti', 'zip', 'epub'] as const;

/** What to export, by id; everything without any. */
export interface ExportSelection {
  readonly files?: readonly number[];
  readonly folders?: readonly number[];
  readonly quizzes?: readonly number[];
  /** Of a cartridge: any content, by the type names of the API. */
  readonly content?: {
    readonly everything?: boolean;
    readonly whole?: readonly string[];
    readonly items?: Readonly<Record<string, readonly string[]>>;
  };
  /** Of a cartridge: 1.1.0 when absent. */
  readonly version?: '1.3.0';
}

export const content_exports = sqliteTable(
  'content_exports',
  {
    id: id(),
    context_type: state('Course', 'Group', 'User').notNull(),
    context_id: int().notNull(),
    user_id: int().notNull(),
    export_type: state(...exportTypes).notNull(),
    selection: json<ExportSelection>().notNull(),
    /** Whether hidden and locked files are included. */
    sees_all: bool().notNull(),
    /** Files that modules lock for the user. */
    withheld_file_ids: json<number[]>().notNull().default([]),
    /** The name of the archive. */
    name: string().notNull(),
    /** Of its file; a name of the request until the archive is complete. */
    file_uuid: string().notNull(),
    /** Of the archive with the files that a book cannot contain. */
    companion_uuid: string(),
    /** Whether its file was deleted because of its age. */
    is_expired: bool().notNull().default(false),
    ...created(),
  },
  (one) => [
    index('content_exports_in_context').on(one.context_type, one.context_id, one.id).where(sql`export_type <> 'zip'`),
    // Two walks of the list: packages, and the user's own archives of files.
    index('content_exports_of_user').on(one.context_type, one.context_id, one.user_id, one.id).where(sql`export_type = 'zip'`),
    // Books are not in the lists of exports, but are found by their reader.
    index('content_exports_as_books').on(one.user_id, one.context_id, one.id).where(sql`export_type = 'epub'`),
    uniqueIndex('content_exports_by_file').on(one.file_uuid),
    index('content_exports_to_expire').on(one.created_at).where(sql`is_expired = 0`),
  ],
);

/** Entries of an archive, in an object of their own; it is a blob that no file uses, and is deleted as such. */
export const content_export_pieces = sqliteTable(
  'content_export_pieces',
  {
    id: id(),
    content_export_id: int().notNull(),
    /** How far the job had come. */
    at: int().notNull(),
    key: string().notNull(),
    /** The records of the entries in the archive's directory, with offsets in the piece. */
    entries: json<unknown[]>().notNull(),
    /** Their resources in the manifest. */
    resources: json<unknown[]>().notNull(),
    created_at: time().notNull(),
  },
  (piece) => [uniqueIndex('content_export_pieces_in_order').on(piece.content_export_id, piece.at)],
);
