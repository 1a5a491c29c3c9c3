// New conversations, each with its first message: any number in a few statements. A new conversation has no concurrent writers, so it bypasses its
// Durable Object.

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../../database/open';
import { randomText } from '../../../database/tokens';
import { notifyOfInsert } from '../../../rules/notify';
import { conversation_messages } from '../table';
import type { Message } from '../thread/add_message';
import { afterMessage, privateKey } from '../thread/changes';

export interface Beginning {
  readonly uuid: string;
  readonly private: boolean;
  /** The key that identifies a private conversation; null for one without. */
  readonly private_key: string | null;
  /** An existing conversation keeps the key, and this one is created without. */
  readonly yields: boolean;
  readonly recipientIds: readonly number[];
}

/** One conversation with all recipients. */
export const groupThread = (recipientIds: readonly number[]): Beginning => ({
  uuid: randomText(24),
  private: false,
  private_key: null,
  yields: false,
  recipientIds,
});

/** A conversation with one recipient: the existing private one, or `another` beside it. */
export const privateThread = (me: number, other: number, another: boolean): Beginning => ({
  uuid: randomText(24),
  private: true,
  private_key: privateKey(me, other),
  yields: another,
  recipientIds: [other],
});

export interface First extends Message {
  readonly author_id: number;
  readonly subject: string | null;
  readonly context_type: string | null;
  readonly context_id: number | null;
  readonly now: string;
}

/** A select of the new conversations, to return them. */
export const begunIds = (beginnings: readonly Beginning[]): SQL =>
  sql`select id from conversations where uuid in (select value from json_each(${JSON.stringify(beginnings.map(({ uuid }) => uuid))}))`;

export function beginThreads(db: Database, beginnings: readonly Beginning[], first: First): Statement[] {
  if (beginnings.length === 0) return [];
  const { build } = db;
  const { author_id, now, body, attachment_ids, media_comment } = first;
  const said = { author_id, body, created_at: now, hasAttachments: attachment_ids.length > 0, hasMedia: media_comment !== null };
  const threads = JSON.stringify(
    beginnings.map(({ uuid, private: isPrivate, private_key, yields }) => ({ uuid, private: isPrivate, private_key, yields })),
  );
  const people = JSON.stringify(
    beginnings.flatMap(({ uuid, private: isPrivate, recipientIds }) =>
      afterMessage({ private: isPrivate, position: 0, participants: [] }, said, recipientIds).map((one) => ({ ...one, uuid })),
    ),
  );
  const begun = begunIds(beginnings);
  return [
    build.run(sql`insert into conversations (uuid, subject, private, private_key, context_type, context_id, created_at, updated_at)
      select t.value ->> 'uuid', ${first.subject}, t.value ->> 'private',
        iif(t.value ->> 'yields' and exists (select 1 from conversations c where c.private_key = t.value ->> 'private_key'), null, t.value ->> 'private_key'),
        ${first.context_type}, ${first.context_id}, ${now}, ${now}
      from json_each(${threads}) t`),
    build.run(sql`insert into conversation_participants (conversation_id, user_id, workflow_state, message_count, authored_count, last_message,
        last_message_at, last_authored_message, last_authored_message_at, moved_at, properties, joined_at)
      select c.id, p.value ->> 'user_id', p.value ->> 'workflow_state', p.value ->> 'message_count', p.value ->> 'authored_count',
        p.value ->> 'last_message', p.value ->> 'last_message_at', p.value ->> 'last_authored_message', p.value ->> 'last_authored_message_at',
        p.value ->> 'moved_at', p.value -> 'properties', p.value ->> 'joined_at'
      from json_each(${people}) p join conversations c on c.uuid = p.value ->> 'uuid'`),
    build.run(sql`insert into conversation_messages (conversation_id, position, author_id, body, attachment_ids, media_comment, created_at)
      select id, 1, ${author_id}, ${body}, ${JSON.stringify(attachment_ids)}, ${media_comment && JSON.stringify(media_comment)}, ${now} from (${begun}) order by id`),
    ...notifyOfInsert(db, conversation_messages, now),
    build.run(sql`insert into conversation_message_participants (conversation_message_id, conversation_id, user_id)
      select m.id, m.conversation_id, p.user_id from conversation_messages m join conversation_participants p on p.conversation_id = m.conversation_id
      where m.conversation_id in (${begun})`),
  ];
}
