// Deletes blobs that no file uses, and expired earlier versions. Called by the scheduled run.

import { wireTime } from '@carrel/shared/wire/fields';
import { asc, sql } from 'drizzle-orm';
import { among } from '../../database/ids';
import type { Database } from '../../database/open';
import { countUpTo, type Retention } from '../../database/retention';
import type { Platform } from '../../platform';
import { blobs } from './table';

/** Longer than any upload, and than any download that began before its file was deleted. */
const grace = 24 * 3_600_000;

/** R2 deletes at most this many keys per call. */
const most = 1000;

/**
 * An unused blob stays unused, because copies are made of existing files only. So the bytes are deleted first, then the rows; an interruption in
 * between is repaired by the next run.
 * @returns how many are left, as far as they were counted
 */
export async function collectBlobs(env: Pick<Platform, 'FILES'>, db: Database, now: string): Promise<number> {
  const isUnsure = sql`unsure_since is not null and unsure_since < ${wireTime(Date.parse(now) - grace)}`;
  const isNeeded = sql<number>`(exists (select 1 from files where files.blob_id = blobs.id and files.workflow_state <> 'deleted') or exists (select 1 from file_versions v where v.blob_id = blobs.id))`;
  const [unsure] = await db.perform([
    db.build
      .select({ id: blobs.id, key: blobs.key, is_needed: isNeeded.as('is_needed') })
      .from(blobs)
      .where(isUnsure)
      .orderBy(asc(blobs.unsure_since))
      .limit(most),
  ]);
  if (unsure.length === 0) return 0;
  const gone = unsure.filter((blob) => !blob.is_needed);
  if (gone.length > 0) await env.FILES.delete(gone.map(({ key }) => key));
  const idsOf = (some: readonly { id: number }[]) => some.map(({ id }) => id);
  const [, , counted] = await db.perform([
    db.build.delete(blobs).where(among(blobs.id, idsOf(gone))),
    db.build
      .update(blobs)
      .set({ unsure_since: null })
      .where(among(blobs.id, idsOf(unsure.filter((blob) => blob.is_needed)))),
    countUpTo(db, sql`from blobs where ${isUnsure}`),
  ]);
  return counted[0]?.count ?? 0;
}

/** Earlier versions are kept for 30 days; their bytes are collected a day later. */
export const versionRetention: Retention = { table: 'file_versions', by: 'replaced_at', days: 30 };
