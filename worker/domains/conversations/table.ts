// Conversations. Messages are written by the conversation's Durable Object, one after another.

import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, state, string, time } from '../../database/columns';

export const conversations = sqliteTable(
  'conversations',
  {
    id: id(),
    /** Lets the batch that creates a conversation refer to it. */
    uuid: string().notNull(),
    subject: string(),
    private: bool().notNull(),
    /** The two participants of a private conversation, `3,7`: unique, so that two users who write to each other at once share one conversation. */
    private_key: string(),
    context_type: string(),
    context_id: int(),
    ...created(),
  },
  (conversation) => [
    uniqueIndex('conversations_by_uuid').on(conversation.uuid),
    index('conversations_in_context').on(conversation.context_type, conversation.context_id).where(sql`context_id is not null`),
    uniqueIndex('conversations_by_private_key').on(conversation.private_key).where(sql`private_key is not null`),
  ],
);

export const conversation_participants = sqliteTable(
  'conversation_participants',
  {
    conversation_id: int().notNull(),
    user_id: int().notNull(),
    workflow_state: state('read', 'unread', 'archived').notNull().default('unread'),
    subscribed: bool().notNull().default(true),
    starred: bool().notNull().default(false),
    message_count: int().notNull().default(0),
    authored_count: int().notNull().default(0),
    last_message: string(),
    last_message_at: time(),
    last_authored_message: string(),
    last_authored_message_at: time(),
    /** The later of the two, for lists that show both; blank when no messages are left. */
    moved_at: string().notNull(),
    properties: json<string[]>().notNull().default([]),
    joined_at: time().notNull(),
    /** Grows with every change of the row: the optimistic lock for decisions based on an older row. */
    version: int().notNull().default(1),
  },
  (participant) => [
    primaryKey({ columns: [participant.conversation_id, participant.user_id] }),
    // One index per scope, in the sort order of its list.
    index('conversation_participants_inbox')
      .on(participant.user_id, participant.last_message_at, participant.conversation_id)
      .where(sql`workflow_state <> 'archived' and last_message_at is not null`),
    index('conversation_participants_sent')
      .on(participant.user_id, participant.last_authored_message_at, participant.conversation_id)
      .where(sql`last_authored_message_at is not null`),
    index('conversation_participants_by_state').on(
      participant.user_id,
      participant.workflow_state,
      participant.moved_at,
      participant.conversation_id,
    ),
    index('conversation_participants_starred')
      .on(participant.user_id, participant.moved_at, participant.conversation_id)
      .where(sql`starred = 1`),
  ],
);

export const conversation_messages = sqliteTable(
  'conversation_messages',
  {
    id: id(),
    conversation_id: int().notNull(),
    /** Order within the conversation, the same for all participants. */
    position: int().notNull(),
    author_id: int().notNull(),
    body: string().notNull(),
    generated: bool().notNull().default(false),
    /** Sent to some participants only; participants added later do not see it. */
    limited: bool().notNull().default(false),
    attachment_ids: json<number[]>().notNull().default([]),
    media_comment: json<Record<string, unknown>>(),
    forwarded_message_ids: json<number[]>().notNull().default([]),
    created_at: time().notNull(),
  },
  (message) => [uniqueIndex('conversation_messages_in_order').on(message.conversation_id, message.position)],
);

/** The messages that a participant has; deleting one affects only that participant. */
export const conversation_message_participants = sqliteTable(
  'conversation_message_participants',
  {
    conversation_message_id: int().notNull(),
    conversation_id: int().notNull(),
    user_id: int().notNull(),
    hidden: bool().notNull().default(false),
  },
  (view) => [
    primaryKey({ columns: [view.conversation_id, view.user_id, view.conversation_message_id] }),
    index('conversation_message_participants_of_message').on(view.conversation_message_id, view.user_id),
  ],
);

export const conversation_batches = sqliteTable(
  'conversation_batches',
  {
    id: id(),
    user_id: int().notNull(),
    subject: string(),
    body: string().notNull(),
    recipient_ids: json<number[]>().notNull(),
    options: json<Record<string, unknown>>().notNull().default({}),
    sent_count: int().notNull().default(0),
    workflow_state: state('created', 'sending', 'sent', 'error').notNull().default('created'),
    ...created(),
  },
  (batch) => [
    index('conversation_batches_of_user').on(batch.user_id, batch.workflow_state),
    index('conversation_batches_unsent').on(batch.workflow_state, batch.updated_at),
  ],
);
