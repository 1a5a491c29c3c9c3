// Statements that read a conversation and write a change. A batch based on an outdated state fails as a whole.

import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { among } from '../../../database/ids';
import type { Database, ResultOf, Statement } from '../../../database/open';
import { conversation_messages, conversations, conversation_participants as participants } from '../table';
import type { MessageThread, Participant } from './changes';

/** A conversation as it was read, with the version that detects concurrent changes. */
export interface LoadedThread extends MessageThread {
  readonly id: number;
  readonly mark: number;
  /** Time of the newest message: times within a conversation never decrease. */
  readonly newest_at: string;
}

/** Conversations and their participants; `ids` selects conversation ids. */
export const threadStatements = ({ build }: Database, ids: SQL) =>
  [
    build
      .select({
        id: conversations.id,
        private: conversations.private,
        private_key: conversations.private_key,
        position:
          sql<number>`coalesce((select max(m.position) from conversation_messages m where m.conversation_id = conversations.id), 0)`.as(
            'position',
          ),
        newest_at:
          sql<string>`coalesce((select m.created_at from conversation_messages m where m.conversation_id = conversations.id order by m.position desc limit 1), '')`.as(
            'newest_at',
          ),
      })
      .from(conversations)
      .where(sql`${conversations.id} in (${ids})`),
    build.select(getTableColumns(participants)).from(participants).where(sql`${participants.conversation_id} in (${ids})`),
  ] as const;

export type ThreadRows = ResultOf<ReturnType<typeof threadStatements>[0]>;
export type PeopleRows = ResultOf<ReturnType<typeof threadStatements>[1]>;

export const threadsOf = (rows: ThreadRows, people: PeopleRows): (LoadedThread & { readonly private_key: string | null })[] =>
  rows.map((row) => {
    const inThread = people.filter((person) => person.conversation_id === row.id);
    return { ...row, participants: inThread, mark: inThread.reduce((sum, person) => sum + person.version, 0) };
  });

/** Breaks the batch when a participant's row has changed since it was read. */
export const unlessMoved = ({ build }: Database, { id, mark }: LoadedThread): Statement =>
  build.all(
    sql`select json(iif((select coalesce(sum(version), 0) from conversation_participants where conversation_id = ${id}) = ${mark}, '1', 'the thread has moved')) as guard`,
  );

const chainText = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${error.cause === undefined ? '' : chainText(error.cause)}` : String(error);

/** Whether a write lost against a concurrent one: read and decide again. */
export const hasMoved = (error: unknown): boolean =>
  /malformed JSON|UNIQUE constraint failed: conversation_messages/.test(chainText(error));
/** Whether two users created the same private conversation at once. */
export const isBegun = (error: unknown): boolean =>
  /UNIQUE constraint failed: (index 'conversations_by_private_key'|conversations\.private_key)/.test(chainText(error));

/** Writes the new states of these participants. */
export const saveParticipants = ({ build }: Database, conversation_id: number, people: readonly Participant[]): Statement =>
  build.run(sql`insert into conversation_participants
    (conversation_id, user_id, workflow_state, subscribed, starred, message_count, authored_count, last_message, last_message_at,
      last_authored_message, last_authored_message_at, moved_at, properties, joined_at)
    select ${conversation_id}, p.value ->> 'user_id', p.value ->> 'workflow_state', p.value ->> 'subscribed', p.value ->> 'starred',
      p.value ->> 'message_count', p.value ->> 'authored_count', p.value ->> 'last_message', p.value ->> 'last_message_at',
      p.value ->> 'last_authored_message', p.value ->> 'last_authored_message_at', p.value ->> 'moved_at', p.value -> 'properties', p.value ->> 'joined_at'
    from json_each(${JSON.stringify(people)}) p where true
    on conflict (conversation_id, user_id) do update set workflow_state = excluded.workflow_state, subscribed = excluded.subscribed,
      starred = excluded.starred, message_count = excluded.message_count, authored_count = excluded.authored_count,
      last_message = excluded.last_message, last_message_at = excluded.last_message_at,
      last_authored_message = excluded.last_authored_message, last_authored_message_at = excluded.last_authored_message_at,
      moved_at = excluded.moved_at, properties = excluded.properties, version = conversation_participants.version + 1`);

/** A message by its position, which is known before its id. */
export const messageAt = (conversation_id: number, position: number): SQL =>
  sql`select id from conversation_messages where conversation_id = ${conversation_id} and position = ${position}`;

/** Gives participants their copies of messages. A deleted copy is not restored. */
export const giveMessages = ({ build }: Database, conversation_id: number, messages: SQL, userIds: readonly number[]): Statement =>
  build.run(sql`insert into conversation_message_participants (conversation_message_id, conversation_id, user_id)
    select m.id, ${conversation_id}, u.value from (${messages}) m, json_each(${JSON.stringify(userIds)}) u where true on conflict do nothing`);

export const hideMessages = ({ build }: Database, conversation_id: number, user_id: number, ids: readonly number[] | 'all'): Statement =>
  build.run(
    sql`update conversation_message_participants set hidden = 1 where conversation_id = ${conversation_id} and user_id = ${user_id} and ${ids === 'all' ? sql`true` : among(sql`conversation_message_id`, ids)}`,
  );

/** Message columns that `withOnly` needs, oldest first. */
const weighed = {
  id: conversation_messages.id,
  author_id: conversation_messages.author_id,
  generated: conversation_messages.generated,
  preview:
    sql<string>`iif(length(${conversation_messages.body}) <= 100, ${conversation_messages.body}, substr(${conversation_messages.body}, 1, 97) || '...')`.as(
      'preview',
    ),
  created_at: conversation_messages.created_at,
  hasAttachments: sql<boolean>`${conversation_messages.attachment_ids} <> '[]'`.mapWith(Boolean).as('hasAttachments'),
  hasMedia: sql<boolean>`${conversation_messages.media_comment} is not null`.mapWith(Boolean).as('hasMedia'),
};

/** A participant's messages of a conversation: all, or only these. */
export const keptMessagesOf = ({ build }: Database, conversation_id: number, user_id: number, ids?: readonly number[]) =>
  build
    .select(weighed)
    .from(conversation_messages)
    .where(
      and(
        eq(conversation_messages.conversation_id, conversation_id),
        ids && among(conversation_messages.id, ids),
        sql`${conversation_messages.id} in (select conversation_message_id from conversation_message_participants where conversation_id = ${conversation_id} and user_id = ${user_id} and hidden = 0)`,
      ),
    )
    .orderBy(conversation_messages.position);

/** The messages that new participants see: all except those sent to some participants only. */
export const openToAll = ({ build }: Database, conversation_id: number) =>
  build
    .select(weighed)
    .from(conversation_messages)
    .where(and(eq(conversation_messages.conversation_id, conversation_id), eq(conversation_messages.limited, false)))
    .orderBy(conversation_messages.position);

/** Which of these ids are messages of the conversation, regardless of who has them. */
export const ofThread = ({ build }: Database, conversation_id: number, ids: readonly number[]) =>
  build
    .select({ id: conversation_messages.id })
    .from(conversation_messages)
    .where(and(among(conversation_messages.id, ids), eq(conversation_messages.conversation_id, conversation_id)));
