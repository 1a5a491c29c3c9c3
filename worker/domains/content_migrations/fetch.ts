// The first phase: fetches the package from a URL, from public addresses only, and stores it like an uploaded one.

import { sql } from 'drizzle-orm';
import { fetchPublic, Unfetched } from '../../web/fetch_public';
import { newBlobKey, storeBlob, TooLarge } from '../files/upload/blobs';
import { bytesOfBody } from '../sis_imports/files/chunks';
import { expectBlob, fileId, paper } from '../sis_imports/files/kept_files';
import { takeExport } from './exported_package';
import { packageFolder } from './package/folder';
import type { MigrationWork } from './work';

const longest = 5 * 60_000;
/** The most bytes that are fetched where no quota limits the package. */
const most = 5 * 1024 ** 3;

/** The name of a package, from its URL. */
export const packageName = (address: string): string => {
  const last = URL.parse(address)?.pathname.split('/').findLast(Boolean) ?? '';
  try {
    return decodeURIComponent(last) || 'package.zip';
  } catch {
    return last;
  }
};

/** @throws Unfetched when the URL does not return the package */
export async function fetchStep(work: MigrationWork): Promise<boolean> {
  const { db, env, it, meter } = work;
  const { file_url, quota, content_export_id } = it.settings;
  if (content_export_id !== undefined && it.attachment_id === null) {
    await takeExport(work, content_export_id);
    return true;
  }
  if (file_url === undefined || it.attachment_id !== null) return true;
  const response = await fetchPublic(file_url, { signal: AbortSignal.timeout(longest) });
  if (!response.ok || !response.body) throw new Unfetched(`the URL returned ${response.status}`);
  const key = newBlobKey();
  const now = work.now();
  await db.perform([expectBlob(db, key, now)]);
  const stored = await storeBlob(env.FILES, key, bytesOfBody(response.body), Math.min(most, quota ?? most), meter).catch(
    (error: unknown) => {
      throw error instanceof TooLarge ? new Unfetched('the package is too large') : error;
    },
  );
  const kept = paper(
    db,
    {
      ...packageFolder(it.uuid),
      user_id: it.user_id,
      name: packageName(file_url),
      content_type: 'application/zip',
      blob: { key, ...stored },
    },
    now,
  );
  await work.commit(
    [...kept.statements, db.build.run(sql`update content_migrations set attachment_id = ${fileId(kept.uuid)} where id = ${it.id}`)],
    {},
  );
  const [[row]] = await db.perform([
    db.build.all<{ attachment_id: number }>(sql`select attachment_id from content_migrations where id = ${it.id}`),
  ]);
  work.it = { ...work.it, attachment_id: row?.attachment_id ?? null };
  return true;
}
