// What callers who run the service see of webhooks: subscriptions, and the events that could not be delivered.

import { bool, int, json, listOf, maybe, text, time } from '../wire/fields';
import { resource } from './resource';

export const WebhookSubscription = resource('WebhookSubscription', {
  id: int,
  name: text,
  /** Who is notified when the subscription is paused. */
  user_id: int,
  root_account_id: int,
  context_type: text,
  context_id: int,
  event_types: listOf(text),
  format: text,
  transport_type: text,
  url: text,
  /** The secret that signs requests: only in the response that created it, else null. */
  secret: maybe(text),
  /** Until then requests have a second signature, by the secret before. */
  previous_secret_expires_at: maybe(time),
  workflow_state: text,
  is_paused_by_failures: bool,
  failing_since: maybe(time),
  last_error: maybe(text),
  last_delivered_at: maybe(time),
  /** Counted up to 100. */
  waiting_count: int,
  dead_letter_count: int,
  created_at: time,
  updated_at: time,
});

export const WebhookDeadLetter = resource('WebhookDeadLetter', {
  id: int,
  /** The `Webhook-Id` of its requests. */
  uuid: text,
  event_type: text,
  metadata: json,
  body: json,
  attempts: int,
  error: maybe(text),
  workflow_state: text,
  created_at: text,
});
