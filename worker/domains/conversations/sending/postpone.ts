// Queues a message to many recipients as a batch.

import { sql } from 'drizzle-orm';
import { idempotency_keys } from '../../../database/housekeeping';
import type { Call } from '../../../http/call';
import { found } from '../../../http/problem';
import { answer, type Reply, settled } from '../../../http/reply';
import { conversation_batches } from '../table';
import { address, type BatchOptions, type DraftMessage } from './draft';

/** Returns the batch's id in a header; a retry with the same idempotency key gets the same id. */
export async function postpone(call: Call, message: DraftMessage): Promise<Reply> {
  const { db, env, me, now, idempotency } = call;
  const { recipientIds, body, subject, form, context_type, context_id, attachment_ids, media_comment } = await address(call, message);
  const options = { form, context_type, context_id, attachment_ids, media_comment } satisfies BatchOptions;
  const header = 'X-Conversation-Batch-Id';
  const [[batch]] = await db.perform([
    db.build
      .insert(conversation_batches)
      .values({ user_id: me.id, subject, body, recipient_ids: [...recipientIds], options, created_at: now, updated_at: now })
      .returning({ id: conversation_batches.id }),
    ...(idempotency
      ? [
          db.build.insert(idempotency_keys).values({
            user_id: me.id,
            key: idempotency.key,
            fingerprint: idempotency.fingerprint,
            created_at: now,
            response: sql`json_object('json', json('[]'), 'status', 202, 'headers', json_object(${header}, cast(last_insert_rowid() as text)))`,
          }),
        ]
      : []),
  ]);
  const { id } = found(batch as { id: number } | undefined);
  await env.WORK.send({ job: 'conversation_batch', ids: [id] });
  return settled(answer([], 202, { [header]: String(id) }));
}
