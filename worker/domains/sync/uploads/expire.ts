// Aborts uploads in parts that were not completed in time. Called by the scheduled run.

import { wireTime } from '@carrel/shared/wire/fields';
import { asc, lt, sql } from 'drizzle-orm';
import { among } from '../../../database/ids';
import type { Database } from '../../../database/open';
import type { Platform } from '../../../platform';
import { forgetUpload } from './complete';
import { isNoSuchUpload } from './part';
import { uploads } from './table';

/** Each takes a call to R2. */
const most = 20;

/** R2 has dropped the parts by itself by then. */
const longest = 7 * 24 * 3_600_000;

/** What R2 cannot abort now is tried again in the next run. The bytes of an upload that was put together are removed with unused blobs. */
export async function expireUploads({ FILES }: Pick<Platform, 'FILES'>, db: Database, now: string): Promise<void> {
  const [expired] = await db.perform([
    db.build.select().from(uploads).where(lt(uploads.expires_at, now)).orderBy(asc(uploads.expires_at)).limit(most),
  ]);
  if (expired.length === 0) return;
  const isOld = wireTime(Date.parse(now) - longest);
  const aborted = await Promise.all(
    expired.map(async ({ id, key, multipart_id, expires_at }) => {
      if (multipart_id === null || expires_at < isOld) return id;
      return FILES.resumeMultipartUpload(key, multipart_id)
        .abort()
        .then(
          () => id,
          (error: unknown) => (isNoSuchUpload(error) ? id : undefined),
        );
    }),
  );
  const gone = aborted.filter((id) => id !== undefined);
  await db.perform(forgetUpload(db, among(sql`id`, gone)));
}
