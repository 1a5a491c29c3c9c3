// Subscriptions and dead letters as callers who run the service see them. Secrets are only in the response that creates them.

import { WebhookDeadLetter, WebhookSubscription } from '@carrel/shared/resources/webhook_subscription';
import { sql } from 'drizzle-orm';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { webhook_deliveries, webhook_subscriptions } from './table';

const mostShown = 100;
const countOf = (state: 'pending' | 'dead') => sql`(select count(*) from (select 1 from webhook_deliveries d
  where d.subscription_id = webhook_subscriptions.id and d.workflow_state = ${sql.raw(`'${state}'`)} limit ${sql.raw(String(mostShown))}))`;

type SubscriptionRow = RowOf<typeof webhook_subscriptions> & Record<'waiting_count' | 'dead_letter_count', number>;

export const webhookSubscription = serializer({
  resource: WebhookSubscription,
  table: webhook_subscriptions,
  columns: () => ({
    waiting_count: countOf('pending').as('waiting_count'),
    dead_letter_count: countOf('dead').as('dead_letter_count'),
  }),
  json: ({ uuid, secret, previous_secret, leased_until, ...row }: SubscriptionRow, { institution }) => ({
    ...row,
    root_account_id: institution.root.id,
    format: 'live-event',
    transport_type: 'https',
    secret: null,
  }),
});

export const webhookDeadLetter = serializer({
  resource: WebhookDeadLetter,
  table: webhook_deliveries,
  json: ({ subscription_id, object, next_attempt_at, event, ...row }: RowOf<typeof webhook_deliveries>) => ({ ...row, event_type: event }),
});
