// Batches: messages to many recipients, each in a separate conversation, sent in the background in parts, each part exactly once.

import { wireTime } from '@carrel/shared/wire/fields';
import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import { type Database, newMeter, open } from '../../../database/open';
import { claimRow, isReplay } from '../../../http/idempotency';
import type { Job, Platform } from '../../../platform';
import { conversation_batches } from '../table';
import { privateKey } from '../thread/changes';
import { isBegun, threadStatements } from '../thread/writes';
import { sendParcel } from './deliver';
import type { BatchOptions } from './draft';

const atOnce = 50;
/** A batch without progress for this long is resumed. */
const patience = 10 * 60_000;

/** Jobs are delivered at least once: every part claims a key, and a second worker skips claimed parts. */
export async function sendBatch({ ids }: Job, env: Platform): Promise<void> {
  const db = open(env.DB, newMeter(), 'first-primary');
  const unfinished = and(eq(conversation_batches.id, ids?.[0] ?? 0), inArray(conversation_batches.workflow_state, ['created', 'sending']));
  for (;;) {
    const [[batch]] = await db.perform([db.build.select().from(conversation_batches).where(unfinished)]);
    if (!batch) return;
    const me = batch.user_id;
    const recipientIds = batch.recipient_ids.slice(batch.sent_count, batch.sent_count + atOnce);
    const options = batch.options as BatchOptions;
    const keys = JSON.stringify(options.form === 'each' ? recipientIds.map((id) => privateKey(me, id)) : []);
    const [threads, people] = await db.perform(
      threadStatements(db, sql`select id from conversations where private_key in (select value from json_each(${keys}))`),
    );
    const now = wireTime(Date.now());
    const sent = batch.sent_count + recipientIds.length;
    const part = (name: string) => ({ key: `batch ${batch.id} ${name}`, fingerprint: '' });
    try {
      await sendParcel(
        { db, env, meter: newMeter(), now, me: { id: me } },
        { ...options, subject: batch.subject, body: batch.body, recipientIds, threads, people },
        part(''),
        () => [
          db.build
            .update(conversation_batches)
            .set({ sent_count: sent, workflow_state: sent >= batch.recipient_ids.length ? 'sent' : 'sending', updated_at: now })
            .where(unfinished),
          claimRow(db, { user_id: me, idempotency: part(String(batch.sent_count)), now }),
        ],
      );
    } catch (error) {
      // Another delivery sent this part, or a concurrent request created a conversation: read again.
      if (!isReplay(error) && !isBegun(error)) throw error;
    }
  }
}

/** Batches without a worker, because the queue message or its worker was lost. */
export async function resumeBatches(env: Platform, db: Database, now: string): Promise<void> {
  const [stuck] = await db.perform([
    db.build
      .select({ id: conversation_batches.id })
      .from(conversation_batches)
      .where(
        and(
          inArray(conversation_batches.workflow_state, ['created', 'sending']),
          lt(conversation_batches.updated_at, wireTime(Date.parse(now) - patience)),
        ),
      )
      .limit(100),
  ]);
  await Promise.all(stuck.map(({ id }) => env.WORK.send({ job: 'conversation_batch', ids: [id] })));
}
