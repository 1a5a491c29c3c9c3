// Sends a message to existing and new conversations in one batch; conversations that change meanwhile go through their Durable Objects.

import { or, type SQL, sql } from 'drizzle-orm';
import { isInSelect } from '../../../database/ids';
import type { Statement } from '../../../database/open';
import { randomText } from '../../../database/tokens';
import type { Call, Idempotency } from '../../../http/call';
import { claimRow, isReplay } from '../../../http/idempotency';
import { ascending, rows } from '../../../http/listing';
import { conversationOfMessage } from '../json';
import { conversation_messages } from '../table';
import { type Addition, appendMessage } from '../thread/add_message';
import { inTurn, messageJson } from '../thread/call_object';
import { privateKey } from '../thread/changes';
import { planned, type TurnRows } from '../thread/turn';
import { hasMoved, isBegun, type LoadedThread, threadsOf } from '../thread/writes';
import { type Beginning, beginThreads, begunIds, groupThread, privateThread } from './begin';
import { address, type DraftMessage, type OutgoingMessage } from './draft';

/** What sending needs of a request; a job has the same. */
export type Sender = Pick<Call, 'db' | 'env' | 'meter' | 'now' | 'idempotency'> & { readonly me: { readonly id: number } };

const addition = (
  { me, now }: Sender,
  outgoing: OutgoingMessage,
  conversation_id: number,
  idempotency: Idempotency | undefined,
): Addition => ({
  conversation_id,
  me: me.id,
  now,
  idempotency,
  body: outgoing.body,
  attachment_ids: outgoing.attachment_ids,
  media_comment: outgoing.media_comment,
  recipients: null,
  included_ids: [],
  reach: { me: me.id, accounts: [], isEverybody: false },
  onlyStaffOf: null,
  seen: {
    threads: outgoing.threads.filter((one) => one.id === conversation_id),
    people: outgoing.people.filter((one) => one.conversation_id === conversation_id),
  },
});

/** Each conversation claims a part of the message's idempotency key, so that a retry knows which parts are done. */
const partOf = (key: Idempotency, conversation_id: number): Idempotency => ({ ...key, key: `${key.key}#${conversation_id}` });

/** The messages created for these parts. */
const claimedBy = (me: number, parts: readonly Idempotency[]): SQL =>
  sql`select r.value from idempotency_keys k, json_each(k.row_ids) r where k.user_id = ${me} and k.key in (select value from json_each(${JSON.stringify(parts.map(({ key }) => key))}))`;

/** Adds the message to each existing conversation; the claimed parts refer to the created messages. */
const intoThreads = (sender: Sender, parcel: OutgoingMessage, key: Idempotency): Promise<Idempotency[]> =>
  Promise.all(
    parcel.threads.map(async ({ id }) => {
      const part = partOf(key, id);
      try {
        await inTurn(sender, id, (door) => door.addMessage(addition(sender, parcel, id, part)));
      } catch (error) {
        if (!isReplay(error)) throw error;
      }
      return part;
    }),
  );

function beginningsOf({ form, recipientIds, threads }: OutgoingMessage, me: number): Beginning[] {
  if (form === 'group') return [groupThread(recipientIds)];
  const isThere = (id: number) => threads.some((thread) => thread.private_key === privateKey(me, id));
  return recipientIds.filter((id) => !isThere(id)).map((id) => privateThread(me, id, form === 'each_new'));
}

/** Batches claim their part as well, so that a concurrent retry cannot post the same message twice. */
const claimParts = ({ db, me, now }: Sender, key: Idempotency, mine: SQL): Statement =>
  db.build.run(sql`insert into idempotency_keys (user_id, key, fingerprint, row_ids, created_at)
    select ${me.id}, ${key.key} || '#' || conversation_id, ${key.fingerprint}, json_array(id), ${now} from conversation_messages where ${mine}`);

type Last = (mine: SQL) => readonly Statement[];

/** Posts to existing and new conversations, and runs `last`, in one batch; it fails if a conversation has changed since it was read. */
async function sendAtOnce(sender: Sender, parcel: OutgoingMessage, key: Idempotency, last: Last): Promise<TurnRows> {
  const { db, me, now } = sender;
  const threads = threadsOf(parcel.threads, parcel.people);
  const beginnings = beginningsOf(parcel, me.id);
  const everybody = ({ participants }: LoadedThread) => ({ to: participants.map((one) => one.user_id), joiners: [], included: [] });
  const places = JSON.stringify(threads.map(({ id, position }) => [id, position + 1]));
  const mine = or(
    isInSelect(conversation_messages.conversation_id, begunIds(beginnings)),
    sql`(${conversation_messages.conversation_id}, ${conversation_messages.position}) in (select value ->> 0, value ->> 1 from json_each(${places}))`,
  ) as SQL;
  const changes = [
    ...threads.flatMap((thread) => appendMessage(db, thread, { ...parcel, me: me.id, now }, everybody(thread))),
    ...beginThreads(db, beginnings, { ...parcel, author_id: me.id, now }),
    claimParts(sender, key, mine),
  ];
  return (await db.perform([...changes, ...last(mine)])).slice(changes.length);
}

/**
 * Posts to all conversations at once. If one has changed meanwhile or already has its part, posts to each existing one through its Durable Object
 * instead.
 * @param last statements that read the result, given a condition that selects the created messages
 */
export async function sendParcel(sender: Sender, parcel: OutgoingMessage, key: Idempotency, last: Last): Promise<TurnRows> {
  const { db, me, now } = sender;
  if (parcel.threads.length > 0)
    try {
      return await sendAtOnce(sender, parcel, key, last);
    } catch (error) {
      // A claimed part was posted by an interrupted attempt: post the others one by one.
      if (!(hasMoved(error) || isReplay(error))) throw error;
    }
  const written = parcel.threads.length === 0 ? [] : await intoThreads(sender, parcel, key);
  const beginnings = beginningsOf(parcel, me.id);
  const mine = or(
    isInSelect(conversation_messages.conversation_id, begunIds(beginnings)),
    isInSelect(conversation_messages.id, claimedBy(me.id, written)),
  ) as SQL;
  const parts = claimParts(sender, key, isInSelect(conversation_messages.conversation_id, begunIds(beginnings)));
  const begin = [...beginThreads(db, beginnings, { ...parcel, author_id: me.id, now }), ...(parcel.form === 'each' ? [parts] : [])];
  return (await db.perform([...begin, ...last(mine)])).slice(begin.length);
}

const messages = (mine: SQL) => rows(conversation_messages, { where: mine, order: ascending(conversation_messages.id) });

/** @returns the conversations as the sender sees them; claims the sender's idempotency key */
export async function deliverMessage(call: Call, message: DraftMessage): Promise<object[]> {
  const { db, me, now, idempotency } = call;
  // Without a client key the message gets a generated one, so that an internal retry posts nothing twice.
  const key = idempotency ?? { key: `letter ${randomText(24)}`, fingerprint: '' };
  for (let attempt = 1; ; attempt += 1) {
    const parcel = await address(call, message);
    const [thread] = parcel.threads;
    if (thread && parcel.recipientIds.length === 1)
      return [messageJson(await inTurn(call, thread.id, (door) => door.addMessage(addition(call, parcel, thread.id, idempotency))), call)];
    const plan = planned(conversationOfMessage, messages(sql`0`), call);
    try {
      const results = await sendParcel(call, parcel, key, (mine) => [
        ...planned(conversationOfMessage, messages(mine), call).statements,
        ...(idempotency
          ? [
              claimRow(db, {
                user_id: me.id,
                idempotency,
                now,
                row_ids: sql`(select json_group_array(id) from conversation_messages where ${mine})`,
              }),
            ]
          : []),
      ]);
      return plan.tell(results).map(({ json }) => json);
    } catch (error) {
      // A concurrent request created one of the conversations; this can happen once per recipient.
      if (!isBegun(error) || attempt > parcel.recipientIds.length) throw error;
    }
  }
}
