// Queues a job and responds with its Progress. The row is committed before the message is sent.

import { eq, sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { claimRow } from '../../http/idempotency';
import { type Reply, row, settled } from '../../http/reply';
import { type NewProgress, queueProgress } from './progress';
import { progress } from './table';

type Calling = Pick<Call, 'db' | 'env' | 'me' | 'now' | 'idempotency'>;

/** @param job its handler gets the id of the Progress, whose `arguments` are its input */
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
