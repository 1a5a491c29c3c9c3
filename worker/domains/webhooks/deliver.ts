// Sends the waiting events of a subscription, oldest first. An event that fails delays only later events of the same object. Events are sent at least
// once: what was sent when the Worker stopped is sent again.

import { wireTime } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { webhookHeaders } from '../../crypto/webhook_signature';
import { among } from '../../database/ids';
import { type Database, newMeter, open, type Statement } from '../../database/open';
import type { Job, Platform } from '../../platform';
import { fetchPublic, Unfetched } from '../../web/fetch_public';
import { accounts } from '../accounts/table';
import { pauseSubscription } from './pausing';
import { hasFailedTooLong, msUntilNextAttempt } from './retries';
import { openWebhookSecrets } from './secrets';
import { webhook_deliveries as deliveries, webhook_subscriptions as subscriptions } from './table';

export const deliverJob = 'deliver_webhooks';

type DeliveryRow = typeof deliveries.$inferSelect;
type SubscriptionRow = typeof subscriptions.$inferSelect;

/** Events that one run considers. */
export const mostEvents = 100;
/** How long one run sends. */
const longestRun = 30_000;
/** One run at a time sends the events of a subscription, so that they stay in order. */
const lease = 120_000;
const patience = 10_000;
/** A receiver that is down fails every request, so a run stops early. */
const mostFailures = 3;
const largest = 256 * 1024;

const later = (now: string, ms: number) => wireTime(Date.parse(now) + ms);

/** The events that are sent now: of each object only the oldest one may be. */
export function sendableEvents<R extends Pick<DeliveryRow, 'object' | 'next_attempt_at'>>(waiting: readonly R[], now: string): R[] {
  const delayed = new Set<string>();
  return waiting.filter((one) => {
    if (!delayed.has(one.object) && (one.next_attempt_at ?? '') <= now) return true;
    delayed.add(one.object);
    return false;
  });
}

/** Where the events come from. */
interface Sender {
  readonly env: Platform;
  readonly root: { readonly id: number; readonly uuid: string };
  readonly secrets: readonly string[];
}

const payloadOf = ({ event, metadata, body, created_at }: DeliveryRow, { env, root }: Sender): string =>
  JSON.stringify({
    metadata: {
      event_name: event,
      event_time: created_at,
      producer: 'canvas',
      root_account_id: String(root.id),
      root_account_uuid: root.uuid,
      hostname: URL.parse(env.PUBLIC_ADDRESS ?? '')?.hostname,
      ...metadata,
    },
    body,
  });

/** @returns what went wrong; undefined once the receiver has accepted the event */
async function post(url: string, event: DeliveryRow, sender: Sender): Promise<string | undefined> {
  const body = payloadOf(event, sender);
  if (new TextEncoder().encode(body).length > largest) return 'the event is larger than 256 kB';
  const headers = await webhookHeaders(sender.secrets, { id: event.uuid, timestamp: Math.floor(Date.now() / 1000), body });
  try {
    const signal = AbortSignal.timeout(patience);
    const response = await fetchPublic(url, { signal, method: 'POST', body, headers, redirects: 0, httpsOnly: true });
    await response.body?.cancel().catch(() => undefined);
    return response.ok ? undefined : `the receiver returned ${response.status}`;
  } catch (error) {
    if (error instanceof Unfetched) return error.message;
    throw error;
  }
}

interface Outcomes {
  readonly sent: DeliveryRow[];
  readonly failed: { readonly row: DeliveryRow; readonly error: string }[];
  /** Whether events are left that could be sent now. */
  isCut: boolean;
}

async function sendAll({ url }: SubscriptionRow, waiting: readonly DeliveryRow[], sender: Sender, now: string): Promise<Outcomes> {
  const outcomes: Outcomes = { sent: [], failed: [], isCut: false };
  const until = Date.now() + longestRun;
  const failedObjects = new Set<string>();
  for (const row of sendableEvents(waiting, now)) {
    if (failedObjects.has(row.object)) continue;
    if (failedObjects.size >= mostFailures) return outcomes;
    if (Date.now() > until) return { ...outcomes, isCut: true };
    const error = await post(url, row, sender);
    if (error === undefined) outcomes.sent.push(row);
    else {
      outcomes.failed.push({ row, error });
      failedObjects.add(row.object);
    }
  }
  outcomes.isCut = waiting.length === mostEvents && outcomes.sent.length > 0;
  return outcomes;
}

/** Counts a failed attempt; after the last one the event is a dead letter. */
function recordFailure(db: Database, { id, attempts }: DeliveryRow, error: string, now: string): Statement {
  const wait = msUntilNextAttempt(attempts + 1);
  return db.build
    .update(deliveries)
    .set({
      attempts: attempts + 1,
      error,
      workflow_state: wait === undefined ? 'dead' : 'pending',
      next_attempt_at: wait === undefined ? null : later(now, wait),
    })
    .where(sql`id = ${id}`);
}

function recordRun(db: Database, { id, failing_since }: SubscriptionRow, { sent, failed }: Outcomes, now: string): Statement[] {
  const error = failed.at(-1)?.error;
  const since = sent.length > 0 ? null : error === undefined ? failing_since : (failing_since ?? now);
  return [
    ...(sent.length > 0
      ? [
          db.build.delete(deliveries).where(
            among(
              deliveries.id,
              sent.map((row) => row.id),
            ),
          ),
        ]
      : []),
    ...failed.map(({ row, error: reason }) => recordFailure(db, row, reason, now)),
    db.build
      .update(subscriptions)
      .set({
        leased_until: null,
        failing_since: since,
        ...(error !== undefined && { last_error: error }),
        ...(sent.length > 0 && { last_delivered_at: now }),
      })
      .where(sql`id = ${id}`),
    ...(error !== undefined && hasFailedTooLong(since, now) ? pauseSubscription(db, id, error, now) : []),
  ];
}

/** Sends what one subscription waits for. @returns whether more could be sent now */
async function deliverTo(id: number, env: Platform, db: Database): Promise<boolean> {
  const started = wireTime(Date.now());
  const its = sql`id = ${id} and workflow_state = 'active' and (leased_until is null or leased_until <= ${started})`;
  const [[subscription], [root]] = await db.perform([
    db.build
      .update(subscriptions)
      .set({ leased_until: later(started, lease) })
      .where(its)
      .returning(),
    db.build.select({ id: accounts.id, uuid: accounts.uuid }).from(accounts).where(sql`accounts.id = 1`),
  ]);
  if (!subscription || !root) return false;
  const [waiting] = await db.perform([
    db.build
      .select()
      .from(deliveries)
      .where(sql`subscription_id = ${id} and workflow_state = 'pending'`)
      .orderBy(deliveries.id)
      .limit(mostEvents),
  ]);
  const secrets = await openWebhookSecrets(env, subscription, started);
  const outcomes = await sendAll(subscription, waiting, { env, root, secrets }, started);
  await db.perform(recordRun(db, subscription, outcomes, wireTime(Date.now())));
  return outcomes.isCut;
}

export async function deliverWebhooks({ ids = [] }: Job, env: Platform): Promise<void> {
  const db = open(env.DB, newMeter(), 'first-primary');
  for (const id of ids) if (await deliverTo(id, env, db)) await env.WORK.send({ job: deliverJob, ids: [id] });
}
