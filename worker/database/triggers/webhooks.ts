// Triggers that record events for subscriptions in the transaction of the change. Without a subscription to the event they write nothing.

import { webhookSources } from '../../domains/webhooks/events/all.ts';
import type { WebhookPlace, WebhookSource } from '../../domains/webhooks/events/event.ts';
import { columnsDiffer, type Trigger, trigger } from './trigger.ts';

/** Fifteen values per object: SQLite functions take 32 arguments at D1. A patch leaves out what is null. */
function objectOf(fields: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(fields).map(([name, sql]) => `'${name}', ${sql}`);
  const parts = Array.from(
    { length: Math.ceil(pairs.length / 15) },
    (_, at) => `json_object(${pairs.slice(at * 15, at * 15 + 15).join(', ')})`,
  );
  return parts.reduce((all, one) => `json_patch(${all}, ${one})`, "'{}'");
}

/** The subscriptions whose context contains the object. What is of a course is of the account of that course, too. */
const isSubscribed = ({ course, account }: WebhookPlace): string =>
  `(t.course_id is null or t.course_id = (${course})) and exists (select 1 from account_ancestors n where n.ancestor_id = t.account_id
      and n.account_id = iif((${course}) is null, ${account}, (select c.account_id from courses c where c.id = (${course}))))`;

const metadata = ({ context: { type, id, course, account }, actor }: WebhookSource): string =>
  objectOf({
    context_type: type,
    context_id: `cast(${id} as text)`,
    context_account_id: `cast(iif((${course}) is null, ${account}, (select c.account_id from courses c where c.id = (${course}))) as text)`,
    context_sis_source_id: `(select c.sis_course_id from courses c where c.id = (${course}))`,
    user_id: actor === undefined ? 'null' : `cast(${actor} as text)`,
  });

const record = (source: WebhookSource): string => {
  const { event, table, context, object = `'${table} ' || new.id`, body, from, where } = source;
  return `insert into webhook_deliveries (uuid, subscription_id, event, object, metadata, body)
    select lower(hex(randomblob(16))), t.subscription_id, '${event}', ${object}, ${metadata(source)}, ${objectOf(body)}
    from webhook_topics t${from ? ` cross join ${from}` : ''} where t.event = '${event}' and ${isSubscribed(context)}${where ? ` and ${where}` : ''};`;
};

const triggerOf = (source: WebhookSource): Trigger => {
  const { event, table, on, as, columns, when } = source;
  // Before the statement, whose conditions SQLite may evaluate before it looks for topics.
  const isWanted = `exists (select 1 from webhook_topics t where t.event = '${event}')`;
  const conditions = [...(columns ? [columnsDiffer(columns)] : []), ...(when ? [when] : []), isWanted];
  return trigger({
    on: table,
    name: `send_${event}${as ? `_${as}` : ''}`,
    event: on,
    ...(columns && { of: columns }),
    when: conditions.map((one) => `(${one})`).join(' and '),
    run: [record(source)],
    purpose: `Record the event \`${event}\` for webhooks.`,
  });
};

export const webhookTriggers = webhookSources.map(triggerOf);
