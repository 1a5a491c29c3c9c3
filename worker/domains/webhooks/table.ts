// Subscriptions to events, the events that each wants, and the events that are to be delivered.

import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, state, string, time } from '../../database/columns';

export const webhookContexts = ['root_account', 'account', 'course'] as const;

export const webhook_subscriptions = sqliteTable('webhook_subscriptions', {
  id: id(),
  name: string().notNull(),
  /** Who is notified when it is paused. */
  user_id: int().notNull(),
  context_type: state(...webhookContexts).notNull(),
  context_id: int().notNull(),
  event_types: json<string[]>().notNull(),
  url: string().notNull(),
  /** What the secrets are sealed for. */
  uuid: string().notNull(),
  secret: string().notNull(),
  /** Signs too until it expires. */
  previous_secret: string(),
  previous_secret_expires_at: time(),
  workflow_state: state('active', 'paused').notNull().default('active'),
  /** Paused by the service, after failures. */
  is_paused_by_failures: bool().notNull().default(false),
  /** Since when no request has succeeded; null while requests succeed. */
  failing_since: time(),
  last_error: string(),
  last_delivered_at: time(),
  leased_until: time(),
  ...created(),
});

/** The events that active subscriptions want, which triggers read: an event that no one wants writes nothing. */
export const webhook_topics = sqliteTable(
  'webhook_topics',
  {
    event: string().notNull(),
    subscription_id: int().notNull(),
    account_id: int().notNull(),
    /** Null for all courses of the account. */
    course_id: int(),
  },
  (topic) => [primaryKey({ columns: [topic.event, topic.subscription_id] })],
);

/** Written by triggers, in the transaction of the change, and deleted once delivered. */
export const webhook_deliveries = sqliteTable(
  'webhook_deliveries',
  {
    id: id(),
    /** Receivers recognise repeated deliveries by it. */
    uuid: string().notNull(),
    subscription_id: int().notNull(),
    event: string().notNull(),
    /** The changed object: its events are delivered in order. */
    object: string().notNull(),
    metadata: json<Readonly<Record<string, string>>>().notNull(),
    body: json<Readonly<Record<string, unknown>>>().notNull(),
    workflow_state: state('pending', 'dead').notNull().default('pending'),
    attempts: int().notNull().default(0),
    next_attempt_at: time(),
    error: string(),
    /** With milliseconds. */
    created_at: time().notNull().default(sql`(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`),
  },
  (delivery) => [index('webhook_deliveries_of_subscription').on(delivery.subscription_id, delivery.workflow_state, delivery.id)],
);
