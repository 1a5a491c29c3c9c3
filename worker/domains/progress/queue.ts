// Queues a piece of work and answers with its progress, which is in the database before the message is on its way.

import { eq, sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { claimRow } from '../../http/idempotency';
import { type Reply, row, settled } from '../../http/reply';
import { type NewProgress, queueProgress } from './progress';
import { progress } from './table';

type Calling = Pick<Call, 'db' | 'env' | 'me' | 'now' | 'idempotency'>;

/** @param job its handler gets the id of the progress, whose `arguments` say what to do */
export async function queued({ db, env, me, now, idempotency }: Calling, job: string, given: NewProgress): Promise<Reply> {
  const results = await db.perform([
    queueProgress(db, given, now),
    db.build.select().from(progress).where(eq(progress.id, sql`last_insert_rowid()`)),
    ...(idempotency ? [claimRow(db, { user_id: me.id, idempotency, now, row_ids: sql`(select json_array(last_insert_rowid()))` })] : []),
  ]);
  const [made] = results[1] as (typeof progress.$inferSelect)[];
  if (made) await env.WORK.send({ job, progress_id: made.id });
  return settled(row(made));
}
