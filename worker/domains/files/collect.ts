// Collects blobs that no file needs any more. Called by the clock.

import { wireTime } from '@carrel/shared/wire/fields';
import { and, asc, lt, sql } from 'drizzle-orm';
import { among } from '../../database/ids';
import type { Database } from '../../database/open';
import type { Platform } from '../../platform';
import { blobs } from './table';

/** Longer than any upload can take, and than any download that began before its file was deleted. */
const grace = 24 * 3_600_000;

/** R2 deletes so many keys at once. */
const most = 1000;

/**
 * Nothing can come to need a blob again once no file does: copies are made of files that are there. So bytes go first, then their rows;
 * whatever stops between the two is done again the next time.
 */
export async function collectBlobs(env: Pick<Platform, 'FILES'>, db: Database, now: string): Promise<void> {
  const isNeeded = sql<number>`exists (select 1 from files where files.blob_id = blobs.id and files.workflow_state <> 'deleted')`;
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
