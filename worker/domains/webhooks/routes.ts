// Webhooks: every endpoint, in the order of the API reference.

import { idField, listOf, oneOf, optional, text, wireTime } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import { newWebhookSecret } from '../../crypto/webhook_signature';
import type { Database } from '../../database/open';
import { del, get, post, put } from '../../http/endpoint';
import { ascending, descending, rows } from '../../http/listing';
import { badParameter, found, problem } from '../../http/problem';
import { list, one, row, write } from '../../http/reply';
import { mayRun } from '../jobs/policy';
import { deliverJob } from './deliver';
import { checkEventTypes, checkName, checkUrl } from './given';
import { webhookDeadLetter, webhookSubscription } from './json';
import { followTopics } from './pausing';
import { sealWebhookSecret } from './secrets';
import { webhook_deliveries as deliveries, webhook_subscriptions as subscriptions, webhookContexts } from './table';

export const about = {
  title: 'Webhooks',
  description: 'Events that the service sends to other services, signed and in the format of Canvas Live Events.',
};

const base = '/accounts/:account_id/webhook_subscriptions';
const single = `${base}/:id` as const;
const letters = `${base}/:webhook_subscription_id/dead_letters` as const;

const mostSubscriptions = 20;
/** How long a replaced secret still signs. */
const overlap = 24 * 3_600_000;

const fields = { name: optional(text), url: optional(text), event_types: optional(listOf(text)) };

const only = (id: number) => eq(subscriptions.id, id);
const its = (id: number) => sql`s.id = ${id}`;

const shown = (id: number, beside?: Record<string, unknown>) => one(rows(subscriptions, { where: only(id) }), beside);

const selectIt = (db: Database, id: number) => db.build.select().from(subscriptions).where(only(id));

const numberIn = (given: string): number => (/^\d{1,15}$/.test(given) ? Number(given) : 0);
const deadOf = (subscription: string, id?: number) =>
  and(
    eq(deliveries.subscription_id, numberIn(subscription)),
    eq(deliveries.workflow_state, 'dead'),
    id === undefined ? undefined : eq(deliveries.id, id),
    sql`exists (select 1 from webhook_subscriptions s where s.id = ${numberIn(subscription)})`,
  );

export const webhookRoutes = [
  get(base, { can: mayRun, returns: [webhookSubscription], summary: 'List webhook subscriptions' }, () =>
    list(rows(subscriptions, { where: undefined, order: ascending(subscriptions.id) })),
  ),

  post(
    base,
    {
      can: mayRun,
      params: { ...fields, context_type: optional(oneOf(...webhookContexts)), context_id: optional(idField('context')) },
      returns: webhookSubscription,
      summary: 'Create a webhook subscription',
    },
    async ({ db, env, me, account, params, now }) => {
      const { context_type = 'root_account', context_id = account.id } = params;
      const url = checkUrl(params.url ?? '');
      const event_types = checkEventTypes(params.event_types ?? []);
      const name = checkName(params.name?.trim() || new URL(url).hostname);
      const place =
        context_type === 'course'
          ? sql`select 1 as is_there from courses c where c.id = ${context_id} and c.workflow_state <> 'deleted'`
          : context_type === 'account'
            ? sql`select 1 as is_there from accounts a where a.id = ${context_id} and a.workflow_state <> 'deleted'`
            : sql`select 1 as is_there where ${context_id} = ${account.id}`;
      const [[there], [count]] = await db.perform([
        db.build.all<{ is_there: number }>(place),
        db.build.all<{ many: number }>(sql`select count(*) as many from webhook_subscriptions`),
      ]);
      if (!there) throw badParameter('context_id', 'is not a course or account of the institution');
      if ((count?.many ?? 0) >= mostSubscriptions) throw problem(400, `There can be at most ${mostSubscriptions} subscriptions`);
      const uuid = crypto.randomUUID();
      const secret = newWebhookSecret();
      return write(
        [
          db.build.insert(subscriptions).values({
            name,
            user_id: me.id,
            context_type,
            context_id,
            event_types,
            url,
            uuid,
            secret: await sealWebhookSecret(env, secret, uuid),
            created_at: now,
            updated_at: now,
          }),
          ...followTopics(db, sql`s.uuid = ${uuid}`, account.id),
        ],
        one(rows(subscriptions, { where: eq(subscriptions.uuid, uuid) }), { secret }),
      );
    },
  ),

  get(single, { can: mayRun, returns: webhookSubscription, summary: 'Get a webhook subscription' }, ({ id }) => shown(id)),

  put(
    single,
    {
      can: mayRun,
      params: { ...fields, workflow_state: optional(oneOf('active', 'paused')) },
      returns: webhookSubscription,
      summary: 'Update, pause or resume a webhook subscription',
    },
    ({ db, id, account, params, now }) => {
      const { workflow_state } = params;
      return write(
        [
          db.build
            .update(subscriptions)
            .set({
              ...(params.name?.trim() && { name: checkName(params.name.trim()) }),
              ...(params.url && { url: checkUrl(params.url) }),
              ...(params.event_types && { event_types: checkEventTypes(params.event_types) }),
              ...(workflow_state && { workflow_state, is_paused_by_failures: false }),
              ...(workflow_state === 'active' && { failing_since: null }),
              updated_at: now,
            })
            .where(only(id)),
          ...followTopics(db, its(id), account.id),
        ],
        shown(id),
      );
    },
  ),

  // What waits for it is deleted by its age.
  del(single, { can: mayRun, returns: webhookSubscription, summary: 'Delete a webhook subscription' }, async ({ db, id }) => {
    const [[known]] = await db.perform([selectIt(db, id)]);
    const counts = { waiting_count: 0, dead_letter_count: 0 };
    return write(
      [db.build.run(sql`delete from webhook_topics where subscription_id = ${id}`), db.build.delete(subscriptions).where(only(id))],
      row({ ...found(known), ...counts }),
    );
  }),

  post(
    `${single}/rotate_secret`,
    { can: mayRun, returns: webhookSubscription, summary: 'Replace the secret of a webhook subscription' },
    async ({ db, env, id, now }) => {
      const { uuid } = found((await db.perform([selectIt(db, id)]))[0][0]);
      const secret = newWebhookSecret();
      return write(
        [
          db.build
            .update(subscriptions)
            .set({
              previous_secret: sql`secret`,
              previous_secret_expires_at: wireTime(Date.parse(now) + overlap),
              secret: await sealWebhookSecret(env, secret, uuid),
              updated_at: now,
            })
            .where(only(id)),
        ],
        shown(id, { secret }),
      );
    },
  ),

  get(letters, { can: mayRun, returns: [webhookDeadLetter], summary: 'List undelivered events, newest first' }, ({ path }) =>
    list(rows(deliveries, { where: deadOf(path.webhook_subscription_id), order: descending(deliveries.id) })),
  ),

  post(
    `${letters}/:id/send_again`,
    { can: mayRun, returns: webhookDeadLetter, summary: 'Send an undelivered event again' },
    async ({ db, env, id, path, afterwards }) => {
      const where = deadOf(path.webhook_subscription_id, id);
      found((await db.perform([db.build.select({ id: deliveries.id }).from(deliveries).where(where)]))[0][0]);
      // If the message is lost, the chore of the next minute sends another.
      afterwards(() => env.WORK.send({ job: deliverJob, ids: [numberIn(path.webhook_subscription_id)] }));
      return write(
        [db.build.update(deliveries).set({ workflow_state: 'pending', attempts: 0, next_attempt_at: null }).where(where)],
        one(rows(deliveries, { where: eq(deliveries.id, id) })),
      );
    },
  ),

  del(`${letters}/:id`, { can: mayRun, returns: webhookDeadLetter, summary: 'Delete an undelivered event' }, async ({ db, id, path }) => {
    const where = deadOf(path.webhook_subscription_id, id);
    const [[known]] = await db.perform([db.build.select().from(deliveries).where(where)]);
    return write([db.build.delete(deliveries).where(where)], row(found(known)));
  }),
];
