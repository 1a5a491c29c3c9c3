// Private message threads. Written only by the Conversation object of the thread.

import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, json, state, string, time } from '../../database/columns';

export const conversations = sqliteTable(
  'conversations',
  {
    id: id(),
    subject: string(),
    private: bool().notNull(),
    /** Sorted participant ids of a private thread: the key under which it is found again. */
    private_key: string(),
    context_type: string(),
    context_id: int(),
    ...created(),
  },
  (conversation) => [index('conversations_by_private_key').on(conversation.private_key)],
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
    last_message: string(),
    last_message_at: time(),
    last_authored_message: string(),
    last_authored_message_at: time(),
    properties: json<string[]>().notNull().default([]),
    joined_at: time().notNull(),
  },
  (participant) => [
    primaryKey({ columns: [participant.conversation_id, participant.user_id] }),
    index('conversation_participants_inbox').on(participant.user_id, participant.workflow_state, participant.last_message_at),
    index('conversation_participants_by_message').on(participant.user_id, participant.last_message_at),
    index('conversation_participants_sent').on(participant.user_id, participant.last_authored_message_at),
    index('conversation_participants_starred').on(participant.user_id, participant.last_message_at).where(sql`starred = 1`),
  ],
);

export const conversation_messages = sqliteTable(
  'conversation_messages',
  {
    id: id(),
    conversation_id: int().notNull(),
    /** The order of the thread, the same for all its readers. */
    position: int().notNull(),
    author_id: int().notNull(),
    body: string().notNull(),
    generated: bool().notNull().default(false),
    attachment_ids: json<number[]>().notNull().default([]),
    media_comment: json<Record<string, unknown>>(),
    forwarded_message_ids: json<number[]>().notNull().default([]),
    created_at: time().notNull(),
  },
  (message) => [index('conversation_messages_in_conversation').on(message.conversation_id, message.position)],
);

/** Which messages a participant has; hiding one removes it from that view only. */
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
    index('conversation_message_participants_of_message').on(view.conversation_message_id),
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
  (batch) => [index('conversation_batches_of_user').on(batch.user_id, batch.workflow_state)],
);
