// Chores of webhooks: sending what waits, pausing subscriptions with too much of it, and deleting what was never delivered.

import { sql } from 'drizzle-orm';
import type { Database } from '../../database/open';
import type { Retention } from '../../database/retention';
import type { Platform } from '../../platform';
import { deliverJob, mostEvents } from './deliver';
import { pauseSubscription } from './pausing';

/** Events that may wait for one subscription. */
const mostWaiting = 100_000;

/** Events that were not delivered are deleted after this time, dead letters included. */
export const webhookRetention: Retention = { table: 'webhook_deliveries', by: 'created_at', isInIdOrder: true, days: 30 };

/** Queues a job for each subscription with events that may be sent now. */
export async function queueDeliveries(env: Pick<Platform, 'WORK'>, db: Database, now: string): Promise<void> {
  const [due] = await db.perform([
    db.build.all<{ id: number }>(sql`select s.id from webhook_subscriptions s
      where s.workflow_state = 'active' and (s.leased_until is null or s.leased_until <= ${now})
        and exists (select 1 from (select d.next_attempt_at as at from webhook_deliveries d
          where d.subscription_id = s.id and d.workflow_state = 'pending' order by d.id limit ${mostEvents}) w where coalesce(w.at, '') <= ${now})`),
  ]);
  if (due.length > 0) await env.WORK.sendBatch(due.map(({ id }) => ({ body: { job: deliverJob, ids: [id] } })));
}

/** Pauses subscriptions for which so many events wait that their receiver cannot catch up. */
export async function pauseOverfull(db: Database, now: string, most = mostWaiting): Promise<void> {
  const [overfull] = await db.perform([
    db.build.all<{ id: number }>(sql`select s.id from webhook_subscriptions s where s.workflow_state = 'active' and exists (
      select 1 from webhook_deliveries d where d.subscription_id = s.id and d.workflow_state = 'pending' order by d.id limit 1 offset ${most})`),
  ]);
  for (const { id } of overfull) await db.perform(pauseSubscription(db, id, `more than ${most} events wait to be delivered`, now));
}
