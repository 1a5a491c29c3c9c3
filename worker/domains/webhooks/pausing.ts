// What changes which events are recorded: the topics of a subscription follow its state.

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { queueNotification } from '../comm_messages/queue_notification';
import { webhook_subscriptions as subscriptions } from './table';

/** Belongs after the write of the subscription: only active ones have topics, so that events of others are not recorded. */
export const followTopics = ({ build }: Database, its: SQL, root_id: number): Statement[] => [
  build.run(sql`delete from webhook_topics where subscription_id in (select s.id from webhook_subscriptions s where ${its})`),
  build.run(sql`insert into webhook_topics (event, subscription_id, account_id, course_id)
    select distinct j.value, s.id, iif(s.context_type = 'account', s.context_id, ${root_id}), iif(s.context_type = 'course', s.context_id, null)
    from webhook_subscriptions s, json_each(s.event_types) j where ${its} and s.workflow_state = 'active'`),
];

/** Pauses a subscription after failures, and notifies its owner. Events that wait are kept until it is resumed. */
export const pauseSubscription = (db: Database, id: number, error: string, now: string): Statement[] => [
  db.build
    .update(subscriptions)
    .set({ workflow_state: 'paused', is_paused_by_failures: true, last_error: error, updated_at: now })
    .where(sql`id = ${id} and workflow_state = 'active'`),
  db.build.run(sql`delete from webhook_topics where subscription_id = ${id}`),
  queueNotification(db, { notification: 'webhook_subscription_paused', item_id: id, now }),
];
