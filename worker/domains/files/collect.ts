// Collects blobs that no file needs any more, and earlier versions that are too old. Called by the clock.

import { wireTime } from '@carrel/shared/wire/fields';
import { and, asc, lt, sql } from 'drizzle-orm';
import { atMost } from '../../database/at_most';
import { among } from '../../database/ids';
import type { Database, Statement } from '../../database/open';
import type { Platform } from '../../platform';
import { blobs, file_versions } from './table';

/** Longer than any upload can take, and than any download that began before its file was deleted. */
const grace = 24 * 3_600_000;

/** R2 deletes so many keys at once. */
const most = 1000;

/**
 * Nothing can come to need a blob again once no file and no earlier version does: copies are made of files that are there. So bytes go first, then their rows;
 * whatever stops between the two is done again the next time.
 */
export async function collectBlobs(env: Pick<Platform, 'FILES'>, db: Database, now: string): Promise<void> {
  const isNeeded = sql<number>`(exists (select 1 from files where files.blob_id = blobs.id and files.workflow_state <> 'deleted') or exists (select 1 from file_versions v where v.blob_id = blobs.id))`;
  const [unsure] = await db.perform([
    db.build
      .select({ id: blobs.id, key: blobs.key, is_needed: isNeeded.as('is_needed') })
      .from(blobs)
      .where(and(lt(blobs.unsure_since, wireTime(Date.parse(now) - grace)), sql`${blobs.unsure_since} is not null`))
      .orderBy(asc(blobs.unsure_since))
      .limit(most),
  ]);
  if (unsure.length === 0) return;
  const gone = unsure.filter((blob) => !blob.is_needed);
  if (gone.length > 0) await env.FILES.delete(gone.map(({ key }) => key));
  const idsOf = (some: readonly { id: number }[]) => some.map(({ id }) => id);
  await db.perform([
    db.build.delete(blobs).where(among(blobs.id, idsOf(gone))),
    db.build
      .update(blobs)
      .set({ unsure_since: null })
      .where(among(blobs.id, idsOf(unsure.filter((blob) => blob.is_needed)))),
  ]);
}

const daysOfVersions = 30;
const mostVersionsAtOnce = 500;

/** Earlier versions stay 30 days; their bytes are collected a day later. */
export const forgetVersions = ({ build }: Database, now: string): Statement[] => [
  build
    .delete(file_versions)
    .where(
      sql`${file_versions.id} in (select id from file_versions where replaced_at < ${wireTime(Date.parse(now) - daysOfVersions * 24 * 3_600_000)} order by replaced_at limit ${atMost(mostVersionsAtOnce)})`,
    ),
];
