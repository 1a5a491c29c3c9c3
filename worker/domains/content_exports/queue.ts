// Queues the job of an export that the same batch inserts.

import { type SQL, sql } from 'drizzle-orm';
import type { Statement } from '../../database/open';
import type { Call } from '../../http/call';
import { queueProgress } from '../progress/progress';
import { progress } from '../progress/table';
import { contentExportJob, contentExportTag } from './request';

interface QueuedExport {
  readonly job: string;
  readonly tag: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

const packages: QueuedExport = { job: contentExportJob, tag: contentExportTag };

/** The id of an export, by the name of its request. */
export const exportNamed = (file_uuid: string): SQL => sql`(select x.id from content_exports x where x.file_uuid = ${file_uuid})`;

/** @returns the statement for the batch, after the one that inserts the export; without an export there is no id, which breaks the batch */
export function queueExport(
  { db, env, me, now, afterwards }: Pick<Call, 'db' | 'env' | 'me' | 'now' | 'afterwards'>,
  file_uuid: string,
  { job, tag, arguments: given = {} }: QueuedExport = packages,
): Statement {
  const context_id = exportNamed(file_uuid);
  // If the message is lost, the scheduled run sends another.
  afterwards(async () => {
    const [[work]] = await db.aside.perform([
      db.build
        .select({ id: progress.id })
        .from(progress)
        .where(sql`${progress.context_type} = 'ContentExport' and ${progress.context_id} = ${context_id}`),
    ]);
    if (work) await env.WORK.send({ job, progress_id: work.id });
  });
  return queueProgress(db, { context_type: 'ContentExport', context_id, user_id: me.id, tag, arguments: given }, now);
}
