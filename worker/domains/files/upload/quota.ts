// Quota of a context, and its used storage.

import { and, eq } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import type { Institution } from '../../../contexts/institution';
import type { Database } from '../../../database/open';
import type { Holder } from '../folders/paths';
import { storage } from '../table';

const mebibyte = 1_048_576;

/** The course's own quota, else the nearest account's, else 500 MiB. */
export const courseQuota = (course: Pick<CourseContext, 'storage_quota_mb' | 'chain'>, { accounts }: Institution): number =>
  mebibyte *
  (course.storage_quota_mb ??
    course.chain
      .toReversed()
      .map((id) => accounts.get(id)?.default_storage_quota_mb)
      .find((megabytes) => megabytes !== null && megabytes !== undefined) ??
    500);

export const userQuota = ({ root }: Pick<Institution, 'root'>): number => mebibyte * (root.default_user_storage_quota_mb ?? 50);

export const groupQuota = ({ storage_quota_mb }: { readonly storage_quota_mb: number }): number => mebibyte * storage_quota_mb;

/** The used bytes, as one row or none. */
export const usedStorage = (db: Database, { context_type, context_id }: Holder) =>
  db.build
    .select({ bytes: storage.bytes })
    .from(storage)
    .where(and(eq(storage.context_type, context_type), eq(storage.context_id, context_id)));

/** The bytes that a file counts for: at least 512, as in the triggers. */
export const quotaSize = (size: number): number => Math.max(size, 512);
