// Uploads in parts that are not complete, and the parts that have arrived.

import { index, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core';
import { int, string, time } from '../../../database/columns';

export const uploads = sqliteTable(
  'uploads',
  {
    /** Of the pending file. */
    id: int().primaryKey(),
    /** The key of the blob. */
    key: string().notNull(),
    /** The multipart upload in R2; null when the client sends the bytes to the bucket itself. */
    multipart_id: string(),
    size: int().notNull(),
    /** Of the whole file, as declared. Lower-case hex. */
    sha256: string().notNull(),
    part_size: int().notNull(),
    /** The quota that it counts against, so that unfinished uploads cannot exceed it together. */
    counts_for: string().notNull(),
    created_at: time().notNull(),
    expires_at: time().notNull(),
  },
  (one) => [index('uploads_by_quota').on(one.counts_for), index('uploads_by_expiry').on(one.expires_at)],
);

export const upload_parts = sqliteTable(
  'upload_parts',
  {
    upload_id: int().notNull(),
    number: int().notNull(),
    etag: string().notNull(),
    sha256: string().notNull(),
  },
  (part) => [primaryKey({ columns: [part.upload_id, part.number] })],
);
